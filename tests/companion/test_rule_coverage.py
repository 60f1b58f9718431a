"""Every numbered rule has a test that names it, and examples on both sides of it.

The headings of docs/rules say which rules there are, and the names of tests say which rule they prove. The marks of
`tests.companion.games.examples` say whether a test shows what its rule allows or what it forbids.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.rule_pages import rules_of, rules_on
from tests.companion.games import examples

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
RULES = ROOT / "docs" / "rules"
PAGES = sorted(path.stem for path in RULES.glob("*.md"))
NAME = re.compile(r"test_([a-z]{2,4}|500)_0*(\d+)(?:_\w*)?")
MARKS = frozenset({examples.allows.__name__, examples.forbids.__name__, examples.excludes.__name__})

REASONS_OF_POINTS = ("scoring.py", "trick.py")
"""Modules in which a rule's number says why something scores."""

NEVER_A_REASON = {
    "SPA-9": "a reminder, which makes nothing illegal",
    "SPA-11": "a line of the score",
    "SPA-28": "said when an illegal move stands",
    "TRI-19": "a line of the score",
    "TRI-21": "a line of the score",
    "TRI-23": "a line of the score",
}
"""Rules that the games name for something else than a refusal."""


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


def is_held(number: str, test: ast.FunctionDef) -> bool:
    """Whether a test asserts something of this number, raises it, or has it among its parameters."""
    said = re.compile(rf"{number}(?!\d)")
    for part in ast.walk(test):
        if isinstance(part, ast.Assert | ast.withitem) and said.search(ast.unparse(part)):
            return True
    return any(said.search(ast.unparse(mark)) for mark in test.decorator_list)


@cache
def said_to_refuse() -> frozenset[str]:
    """Rules that the code of the games gives as a reason, but for those of points and tricks."""
    found: set[str] = set()
    for path in (ROOT / "companion" / "games").rglob("*.py"):
        if path.name not in REASONS_OF_POINTS:
            found.update(re.findall(r'"((?:[A-Z]{3}|500)-\d+)"', path.read_text(encoding="utf-8")))
    return frozenset(found) - set(NEVER_A_REASON)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_rules_written_down(name: str) -> None:
    assert rules_of(name)


@pytest.mark.parametrize("page", PAGES)
def test_every_rule_has_a_test(page: str) -> None:
    rules = [rule.number for rule in rules_on(page)]
    assert rules, f"{page} has no rule headings"
    assert set(rules) - set(named_for_rules()) == set()


@pytest.mark.parametrize("page", PAGES)
def test_every_rule_has_an_allowed_example(page: str) -> None:
    assert [rule.number for rule in rules_on(page) if "allows" not in marks_on(rule.number)] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_rule_has_a_forbidden_example(page: str) -> None:
    """A rule that the referee gives as the reason of a refusal is seen as one; others at least leave something out."""
    wanted = [rule.number for rule in rules_on(page)]
    assert [rule for rule in wanted if rule in said_to_refuse() and "forbids" not in marks_on(rule)] == []
    assert [rule for rule in wanted if not marks_on(rule) & {"forbids", "excludes"}] == []


def test_a_forbidden_example_holds_that_the_refusal_names_its_rule() -> None:
    marked = [
        (rule, test) for rule, tests in named_for_rules().items() for test in tests if "forbids" in marks_of(test)
    ]
    assert marked
    assert [test.name for rule, test in marked if not is_held(rule, test)] == []


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
