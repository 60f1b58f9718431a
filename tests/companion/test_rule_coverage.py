"""Every numbered rule has a test that names it, and examples on both sides of it.

The headings of docs/rules say which rules there are, and the names of tests say which rule they prove. The marks of
`tests.companion.games.examples` say whether a test shows what its rule allows or what it forbids.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.rules_text import rules_of, rules_on
from tests.companion.games import examples

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
RULES = ROOT / "docs" / "rules"
PAGES = sorted(path.stem for path in RULES.glob("*.md"))
NAME = re.compile(r"test_([a-z]{2,4}|500)_0*(\d+)(?:_\w*)?")
MARKS = frozenset({examples.allows.__name__, examples.forbids.__name__, examples.excludes.__name__})

TWO_SIDED = [
    "spectrum",
    "spectrum-variants",
    "escape",
    "roll-and-color",
    "spectrumo",
    "spectrump",
    "casino",
    "five-hundred",
    "cribbage",
    "poker",
    "solitaire",
    "spectrum-deck",
    "regenbogen",
]
"""Pages whose rules all have an allowed and a forbidden example."""

REASONS_OF_POINTS = ("scoring.py", "trick.py")
"""Modules in which a rule's number says why something scores."""

UNBREAKABLE: dict[str, str] = {}
"""Rules of which nothing can be wrong, each with the reason."""


@cache
def named_for_rules() -> dict[str, tuple[ast.FunctionDef, ...]]:
    """Test functions by the rule that they name: `test_tri_11_...` proves TRI-11."""
    found: dict[str, list[ast.FunctionDef]] = defaultdict(list)
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if NAME.search(text) else ():
            if isinstance(node, ast.FunctionDef):
                named = NAME.fullmatch(node.name)
                if named:
                    found[f"{named[1].upper()}-{named[2]}"].append(node)
    return {rule: tuple(tests) for rule, tests in found.items()}


def marks_of(test: ast.FunctionDef) -> frozenset[str]:
    return MARKS & {mark.id for mark in test.decorator_list if isinstance(mark, ast.Name)}


def marks_on(rule: str) -> frozenset[str]:
    """All marks of the tests of a rule."""
    return frozenset().union(*map(marks_of, named_for_rules().get(rule, ())))


def strings_in(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


@cache
def said_to_refuse() -> frozenset[str]:
    """Rules that the code of the games gives as a reason, but for those of points and tricks."""
    found: set[str] = set()
    for path in (ROOT / "companion" / "games").rglob("*.py"):
        if path.name not in REASONS_OF_POINTS:
            found.update(re.findall(r'"((?:[A-Z]{3}|500)-\d+)"', path.read_text(encoding="utf-8")))
    return frozenset(found)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_rules_written_down(name: str) -> None:
    assert rules_of(name)


@pytest.mark.parametrize("page", PAGES)
def test_every_rule_has_a_test(page: str) -> None:
    rules = [rule.number for rule in rules_on(page)]
    assert rules, f"{page} has no rule headings"
    assert set(rules) - set(named_for_rules()) == set()


@pytest.mark.parametrize("page", TWO_SIDED)
def test_every_rule_has_an_allowed_example(page: str) -> None:
    assert [rule.number for rule in rules_on(page) if "allows" not in marks_on(rule.number)] == []


@pytest.mark.parametrize("page", TWO_SIDED)
def test_every_rule_has_a_forbidden_example(page: str) -> None:
    """A rule that the referee gives as the reason of a refusal is seen as one; others at least leave something out."""
    wanted = [rule.number for rule in rules_on(page) if rule.number not in UNBREAKABLE]
    assert [rule for rule in wanted if rule in said_to_refuse() and "forbids" not in marks_on(rule)] == []
    assert [rule for rule in wanted if not marks_on(rule) & {"forbids", "excludes"}] == []


def test_a_forbidden_example_holds_that_the_refusal_names_its_rule() -> None:
    silent = []
    for rule, tests in named_for_rules().items():
        number = re.compile(rf"{rule}(?!\d)")
        for test in tests:
            if "forbids" in marks_of(test) and not any(map(number.search, strings_in(test))):
                silent.append(test.name)
    assert silent == []


def test_only_rules_that_are_written_down_and_not_refused_are_called_unbreakable() -> None:
    written = {rule.number for page in PAGES for rule in rules_on(page)}
    assert set(UNBREAKABLE) - written == set()
    assert [rule for rule in UNBREAKABLE if rule in said_to_refuse() or marks_on(rule) & {"forbids", "excludes"}] == []


@pytest.mark.parametrize("page", PAGES)
def test_rules_are_numbered_without_gaps(page: str) -> None:
    rules = [rule.number for rule in rules_on(page)]
    prefix = rules[0].split("-")[0]
    assert rules == [f"{prefix}-{number}" for number in range(1, len(rules) + 1)]
    assert all(rule.text for rule in rules_on(page))


@pytest.mark.parametrize("name", GAMES)
def test_breaches_name_rules_that_are_written_down(name: str) -> None:
    """Every rule number that the game's own code mentions is a heading."""
    package = ROOT / "companion" / "games" / name.replace("-", "_")
    numbers = {rule.number for rule in rules_of(name)}
    prefixes = "|".join(sorted({number.split("-")[0] for number in numbers}))
    mentioned = set()
    for path in package.rglob("*.py"):
        mentioned |= set(re.findall(rf"\b(?:{prefixes})-\d+\b", path.read_text(encoding="utf-8")))
    assert mentioned
    assert mentioned - numbers == set()
