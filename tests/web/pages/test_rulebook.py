"""Rules looked up and searched for the page."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from web.http.answers import NothingThere
from web.pages.rulebook import Rulebook


@pytest.mark.parametrize("game", ["", "..", "../secret", "a/b", "A", "x" * 50, "nul\x00", "chess"])
def test_only_names_of_games_are_looked_up(game: str) -> None:
    with pytest.raises(NothingThere):
        Rulebook().rules(game)


@pytest.mark.parametrize("game", GAMES)
def test_the_project_s_own_rules_can_be_read(game: str) -> None:
    rules = Rulebook().rules(game)
    numbers = [rule.number for rule in rules]
    assert numbers and len(set(numbers)) == len(numbers)
    assert all(rule.title and rule.text for rule in rules)


def test_every_word_must_be_there_in_any_case() -> None:
    found = [rule.number for rule in Rulebook().search("spectrangle", "JOKER edge")]
    assert "TRI-12" in found
    assert len(found) < len(Rulebook().rules("spectrangle"))
    assert Rulebook().search("spectrangle", "joker zeppelin") == []


def test_rules_are_read_and_searched_in_a_language() -> None:
    found = Rulebook().search("spectrangle", "weiße stein", "de")
    assert [rule.number for rule in found] == ["TRI-12"] and found[0].title == "Joker"
