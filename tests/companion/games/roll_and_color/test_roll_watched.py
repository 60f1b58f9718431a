"""Random rounds seen by a doubting camera: rolls and re-rolls are told, wrong numbers named, nobody is accused wrongly."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.layout import Detection, Layout
from companion.core.verdict import Accepted, Pending, Refused
from companion.games.roll_and_color.game import ROLL_AND_COLOR
from companion.games.roll_and_color.state import MOVED, RollState
from companion.referee.matching import match
from tests.companion.games.roll_and_color.short_roll import roll, table, told
from tests.companion.games.roll_and_color.test_roll_sighted import MIXED, tray
from tests.companion.games.roll_and_color.watched_roll import play


@pytest.mark.parametrize(("least", "pushes"), [(0.97, 0.0), (0.85, 0.0), (0.95, 0.1), (0.85, 0.3)])
def test_rounds_are_told_and_wrong_numbers_named(least: float, pushes: float) -> None:
    played = [play(seed, 3, least=least, pushes=pushes) for seed in range(8)]
    found: Counter[str] = sum((one.counts for one in played), Counter())
    failures = [line for one in played for line in one.failures]
    assert found["accused"] == found["wrong"] == found["hasty"] == found["not put back"] == 0, failures
    assert found["silent"] <= 0.01 * found["right"], failures
    assert found["missed"] <= 0.05 * found["mistakes"], failures
    # A die that is read at doubt may excuse what was done, so a doubting reader's referee asks.
    assert found["named"] + found["mistake Unclear"] > (0.6 if not pushes else 0.2) * found["mistakes"] > 0, found
    assert found["named"] > (0.6 if least > 0.95 else 0.15) * found["mistakes"], found


def said(state: RollState, layout: Layout) -> str:
    verdict = match(ROLL_AND_COLOR, state, layout)
    assert isinstance(verdict, Pending), verdict
    return verdict.text


def test_rol_4_the_next_roll_waits_for_the_entry() -> None:
    shown = "d6 orange orange orange orange, d12 green green green blue purple"
    assert said(table(MIXED, seats=2), tray(shown, shown)) == (
        "New dice lie, and player 1 has not entered the roll before in a row (ROL-4). Enter it first."
    )
    assert isinstance(match(ROLL_AND_COLOR, table(MIXED, rerolls=3), tray(shown, shown)), Accepted), (
        "the fourth may take all nine"
    )


def test_rol_4_after_the_fourth_re_roll_none_is_allowed() -> None:
    shown = "d6 orange orange blue green, d12 green green red blue purple"
    found = match(ROLL_AND_COLOR, table(MIXED, rerolls=4), tray(shown, "d6 orange orange, d12 green green"))
    assert isinstance(found, Refused) and found.breaches[0].rule == "ROL-4"


def test_rol_3_a_round_begins_with_all_nine_dice() -> None:
    state = told(table(MIXED, seats=2), "player 1 enters 1 in red-orange")
    shown = "d6 orange orange orange orange, d12 green green red blue purple"
    assert said(state, tray(shown, "d6 orange orange orange orange, d12 green green")) == (
        "3 dice lie as they lay before; a round begins with all nine (ROL-3). Roll those, too."
    )
    one_alike = tray(shown, "d6 orange orange orange orange, d12 green green red blue")
    assert isinstance(match(ROLL_AND_COLOR, state, one_alike), Accepted), "one die may come to lie as one lay"


def test_rol_1_a_tenth_die_is_taken_away() -> None:
    shown = "d6 red yellow blue green, d12 red-orange red red blue purple green"
    assert said(table(MIXED), tray(shown)) == "10 dice lie, and the game has nine (ROL-1). Take the others away."


def test_a_die_that_leans_is_rolled_again() -> None:
    flat = roll("d6 orange orange blue green, d12 green red blue purple").faces
    heaps = {"dice": tuple(map(Detection.sure, flat)), "dice.cocked": (Detection.sure(roll("d12 green").faces[0]),)}
    assert said(table(MIXED), Layout(heaps=heaps)) == (
        "8 of 9 dice lie flat and 1 leans: roll it again. The roll is judged when all lie flat."
    )
    heaps[MOVED] = heaps["dice"][:3]
    assert "8 of 9 dice lie flat" in said(table(MIXED), Layout(heaps=heaps))


def test_what_a_turn_still_asks_for() -> None:
    due = ROLL_AND_COLOR.turn_hints.still_to_do
    assert due(table(seats=2)) is None
    assert due(table(MIXED)) == "The roll is entered in a row, or exactly 4 dice are re-rolled (ROL-3, ROL-4)."
    assert (
        due(table(MIXED, rerolls=3)) == "The roll is entered in a row, or 5 or more dice are re-rolled (ROL-3, ROL-4)."
    )
    assert due(table(MIXED, rerolls=4)) == "All four re-rolls are made: the roll is entered in a row (ROL-4)."
    assert due(told(table(MIXED), "player 1 re-rolls 1 2 5 6")) == "Dice 1, 2, 5, 6 are rolled now (ROL-3)."
