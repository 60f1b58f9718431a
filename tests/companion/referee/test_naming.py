"""Names in the place of seats, and seats in the place of names."""

from __future__ import annotations

import pytest

from companion.referee.telling import with_names, without_names

NAMES = ("Ada", "Ben", "Ada Lovelace")


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("", ""),
        ("It is player 2's turn; Player 1 waits.", "It is Ben's turn; Ada waits."),
        ("There is no player 7; the game has 3.", "There is no player 7; the game has 3."),
        ("There are players 1 to 3.", "There are players 1 to 3."),
    ],
)
def test_a_sentence_names_people(sentence: str, named: str) -> None:
    assert with_names(sentence, NAMES) == named


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("ben draws R7", "player 2 draws R7"),
        ("Ada Lovelace draws R7", "player 3 draws R7"),
        ("player 1 draws R7", "player 1 draws R7"),
        ("Benjamin draws R7", "Benjamin draws R7"),
    ],
)
def test_a_typed_line_may_begin_with_a_name(typed: str, line: str) -> None:
    assert without_names(typed, NAMES) == line
