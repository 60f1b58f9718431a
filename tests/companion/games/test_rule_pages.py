"""Rules are found by game and number, from a wheel or a checkout."""

from __future__ import annotations

import re

import pytest

from companion.core.foundation.errors import WrongUsage
from companion.games import GAMES
from companion.games.rule_pages import Rule, read, rule_of, rules_of, rules_on


def test_a_page_is_its_headings_and_what_stands_below() -> None:
    page = "# Game\n\nIntroduction.\n\n## ABC-1 First thing\nOne.\n\nTwo.\n\n## ABC-2 Second\n### Not a rule\nThree.\n"
    assert read(page) == (
        Rule("ABC-1", "First thing", "One.\n\nTwo."),
        Rule("ABC-2", "Second", "### Not a rule\nThree."),
    )


def test_a_rule_by_its_number() -> None:
    assert rule_of("spectrangle", " tri-8 ").title == "First tile"
    assert len(rules_of("spectrangle")) == 25


def test_a_game_may_have_rules_on_more_than_one_page() -> None:
    assert rule_of("spectrum", "BRD-18").title == "Parts are whole"
    assert rule_of("spectrum", "VAR-3").title == "Dice that are rolled again"
    assert [rule.number for rule in rules_of("spectrum")][36:38] == ["BRD-37", "VAR-1"]
    assert next(rule.number for rule in rules_on("spectrum-variants")) == "VAR-1"
    with pytest.raises(WrongUsage, match="BRD-1 to BRD-37 and VAR-1 to VAR-30"):
        rule_of("spectrum", "VAR-31")


@pytest.mark.parametrize("name", GAMES)
def test_every_option_of_a_game_is_explained_by_a_rule(name: str) -> None:
    text = "\n".join(rule.text for rule in rules_of(name))
    options = GAMES[name].Options.__struct_encode_fields__
    assert [option for option in options if not re.search(rf"`{option}[`:]", text)] == []


@pytest.mark.parametrize(("game", "reason"), [("chess", "spectrangle"), ("../plan", "no rules"), ("", "no rules")])
def test_games_without_rules(game: str, reason: str) -> None:
    with pytest.raises(WrongUsage, match=reason):
        rules_of(game)


def test_numbers_that_a_game_does_not_have() -> None:
    with pytest.raises(WrongUsage, match="TRI-1 to TRI-25"):
        rule_of("spectrangle", "TRI-26")
