"""Rules looked up and searched for the page."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from tests.web.test_words import code_names
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


@pytest.mark.parametrize("language", ("en", "de"))
@pytest.mark.parametrize("game", GAMES)
def test_rules_name_options_by_their_questions(game: str, language: str) -> None:
    rules = Rulebook().rules(game, language)
    assert {rule.number: names for rule in rules if (names := code_names(f"{rule.title} {rule.text}"))} == {}
    assert [rule.number for rule in rules if "`" in rule.text] == []


def test_a_rule_names_the_question_and_the_answer() -> None:
    texts = {rule.number: rule.text for rule in Rulebook().rules("solitaire")}
    assert "**What may go on an empty pile? any card or run**" in " ".join(texts.values())
    german = " ".join(rule.text for rule in Rulebook().rules("spectrangle", "de"))
    assert "**im Uhrzeigersinn**" in german
