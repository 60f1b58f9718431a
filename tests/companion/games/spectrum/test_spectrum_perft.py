"""How many ways there are to play a turn, counted to its end in fixed positions (what chess programs call perft).

A way is a sequence of events from the roll on: a usage where one must be said, moves, and where captured pawns are put. The
slow generator counts the same turns on its own.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.spectrum.moves import Pass
from companion.games.spectrum.options import Options
from companion.games.spectrum.state import SpectrumState
from tests.companion.games.spectrum.short_spectrum import drawn, rolled, table
from tests.companion.games.spectrum.test_spectrum_generator import slow_turn

FOUR = "orange-yellow.9 yellow.9 | green-blue.9 purple.9"
EIGHT = "orange-yellow.9 yellow.9 yellow-green.9 purple-red.9 | green-blue.9 purple.9 blue-purple.9 red-orange.9"


def stars(pawns: str, more: str) -> str:
    """Pawns of two seats, and stars of both."""
    mine, theirs = pawns.split("|")
    one, other = more.split("|")
    return f"{mine} {one} | {theirs} {other}"


CLOSE = "red.4 red-orange.5 red.7 | red.5 red-orange.4 orange.6"
COUNTS: list[tuple[str, str, dict[str, Any], int]] = [
    ("|", "red blue", {}, 6),
    ("|", "red orange", {}, 9),
    ("|", "red red", {}, 9),
    (CLOSE, "red blue", {}, 108),
    (CLOSE, "red orange", {}, 635),
    (CLOSE, "red red", {}, 236),
    (CLOSE, "red red", {"special_order": "free"}, 576),
    (CLOSE, "red orange", {"self_capture": True, "self_jump": True}, 897),
    (stars("red.3 green.5 | red.4 green-blue.5", FOUR), "red red red", {}, 82),
    (stars("red.3 blue.2 | red.4 green-blue.5", FOUR), "red red blue", {}, 128),
    (stars("red.3 orange.2 | red.4", EIGHT), "red red orange orange", {}, 383),
    (stars("red.3 green.5 | red.4", EIGHT), "red red red red", {}, 157),
    (CLOSE, "red red-orange blue", {"dice": "d12"}, 907),
    ("red.3 blue.5 | red.4", "R1 RO2", {"cards_as_dice": True}, 19),
    ("red.3 green.5 | red.4", "R1 R2", {"cards_as_dice": True}, 613),
    ("red.3 green.5 | red.4", "swap R/G, R2", {"cards_as_dice": True, "swap_cards": True}, 618),
]


def turn(pawns: str, roll: str, options: dict[str, Any]) -> tuple[SpectrumState, Any]:
    state = table(pawns, options=options)
    cards = options.get("cards_as_dice", False)
    return state, drawn(roll) if cards else rolled(roll, Options(**options).dice)


def count(state: SpectrumState, seat: int) -> int:
    """Ways to play the rest of a turn."""
    if state.turn != seat or state.phase not in ("declare", "move", "place"):
        return 1
    return sum(count(state.apply(move), seat) for move in state.legal_moves())


@pytest.mark.parametrize(("pawns", "roll", "options", "wanted"), COUNTS)
def test_ways_to_play_a_turn(pawns: str, roll: str, options: dict[str, Any], wanted: int) -> None:
    state, told = turn(pawns, roll, options)
    here = state.apply(told)
    assert here.legal_moves() != (Pass(0),)
    assert count(here, 0) == wanted


def slow_count(state: SpectrumState, told: Any, played: tuple[Any, ...]) -> int:
    """The same by the slow generator: the turn is played anew for every way."""
    slow = slow_turn(state, told)
    living = slow.living()
    if len(living) == 1:
        slow.declare_only(living[0])
    for event in played:
        slow.happened(event)
    if slow.over:
        return 1
    return sum(slow_count(state, told, (*played, event)) for event in slow.legal())


@pytest.mark.parametrize(("pawns", "roll", "options", "wanted"), [one for one in COUNTS if one[3] < 100])
def test_the_slow_generator_counts_the_same(pawns: str, roll: str, options: dict[str, Any], wanted: int) -> None:
    assert slow_count(*turn(pawns, roll, options), ()) == wanted


@pytest.mark.slow
@pytest.mark.parametrize(("pawns", "roll", "options", "wanted"), [one for one in COUNTS if one[3] >= 100])
def test_the_slow_generator_counts_the_same_in_larger_turns(
    pawns: str, roll: str, options: dict[str, Any], wanted: int
) -> None:
    assert slow_count(*turn(pawns, roll, options), ()) == wanted
