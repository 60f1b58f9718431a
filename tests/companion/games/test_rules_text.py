"""Rules are found by game and number, from a wheel or a checkout."""

from __future__ import annotations

import pytest

from companion.errors import WrongUsage
from companion.games.rules_text import Rule, read, rule_of, rules_of


def test_a_page_is_its_headings_and_what_stands_below() -> None:
    page = "# Game\n\nIntroduction.\n\n## ABC-1 First thing\nOne.\n\nTwo.\n\n## ABC-2 Second\n### Not a rule\nThree.\n"
    assert read(page) == (
        Rule("ABC-1", "First thing", "One.\n\nTwo."),
        Rule("ABC-2", "Second", "### Not a rule\nThree."),
    )


def test_a_rule_by_its_number() -> None:
    assert rule_of("spectrangle", " tri-8 ").title == "First tile"
    assert len(rules_of("spectrangle")) == 25


@pytest.mark.parametrize(("game", "reason"), [("chess", "spectrangle"), ("../plan", "no rules"), ("", "no rules")])
def test_games_without_rules(game: str, reason: str) -> None:
    with pytest.raises(WrongUsage, match=reason):
        rules_of(game)


def test_numbers_that_a_game_does_not_have() -> None:
    with pytest.raises(WrongUsage, match="TRI-1 to TRI-25"):
        rule_of("spectrangle", "TRI-26")
