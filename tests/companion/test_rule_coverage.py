"""Every numbered rule has a test that names it: the headings of docs/rules say which rules there are."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.rules_text import rules_of, rules_on

TESTS = Path(__file__).parents[1]
RULES = Path(__file__).parents[2] / "docs" / "rules"


@cache
def rules_with_a_test() -> frozenset[str]:
    """Rules named by test functions: `test_tri_11_...` proves TRI-11."""
    found = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                named = re.match(r"test_([a-z]{2,4}|500)_0*(\d+)(?:_|$)", node.name)
                if named:
                    found.add(f"{named[1].upper()}-{named[2]}")
    return frozenset(found)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_rules_written_down(name: str) -> None:
    assert rules_of(name)


@pytest.mark.parametrize("page", sorted(RULES.glob("*.md")), ids=lambda page: page.stem)
def test_every_rule_has_a_test(page: Path) -> None:
    rules = [rule.number for rule in rules_on(page.stem)]
    assert rules, f"{page.name} has no rule headings"
    assert set(rules) - rules_with_a_test() == set()


@pytest.mark.parametrize("page", sorted(RULES.glob("*.md")), ids=lambda page: page.stem)
def test_rules_are_numbered_without_gaps(page: Path) -> None:
    rules = [rule.number for rule in rules_on(page.stem)]
    prefix = rules[0].split("-")[0]
    assert rules == [f"{prefix}-{number}" for number in range(1, len(rules) + 1)]
    assert all(rule.text for rule in rules_on(page.stem))


@pytest.mark.parametrize("name", GAMES)
def test_breaches_name_rules_that_are_written_down(name: str) -> None:
    """Every rule number that the game's own code mentions is a heading."""
    package = Path(__file__).parents[2] / "companion" / "games" / name.replace("-", "_")
    numbers = {rule.number for rule in rules_of(name)}
    prefixes = "|".join(sorted({number.split("-")[0] for number in numbers}))
    mentioned = set()
    for path in package.rglob("*.py"):
        mentioned |= set(re.findall(rf"\b(?:{prefixes})-\d+\b", path.read_text(encoding="utf-8")))
    assert mentioned
    assert mentioned - numbers == set()
