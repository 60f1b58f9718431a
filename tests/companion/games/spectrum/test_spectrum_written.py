"""Positions in the words of records: what is written is read back as the same position."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.contract import ToDraw, ToRoll
from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Die, Pawn
from companion.games.spectrum.game import SPECTRUM, set_out, turns, written
from companion.games.spectrum.options import Options
from companion.games.spectrum.state import SpectrumState
from tests.companion.games.short import after
from tests.companion.games.spectrum.short_spectrum import drawn, table
from tests.companion.games.spectrum.test_spectrum_generator import positions, random_roll


def back(state: SpectrumState) -> SpectrumState:
    return SPECTRUM.from_record(state.seats, state.options, written(state))


OPTIONS: list[dict[str, Any]] = [
    {},
    {"dice": "d12", "special_order": "free"},
    {"cards_as_dice": True, "swap_cards": True},
    {"self_capture": True, "self_jump": True, "speed_rule": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_any_point_of_a_turn_is_read_back(options: dict[str, Any]) -> None:
    rng = Random(str(options))
    phases = set()
    for before in positions(rng, 3, Options(**options), 12):
        if max(len(before.taken_by(seat)) for seat in range(3)) >= before.stars_needed:
            continue
        state = before.apply(random_roll(rng, before))
        for _ in range(8):
            if state.phase == "over" or isinstance(state.expects(), ToRoll | ToDraw):
                break
            phases.add(state.phase)
            again = back(state)
            expected = state if state.held is None else replace(state, held=replace(state.held, walk=None))
            assert again == replace(expected, still=0), written(state)
            state = state.apply(rng.choice(state.legal_moves()))
        if state.phase in ("roll", "cards"):
            assert back(state) == replace(state, roll=(), still=0)
    assert {"declare", "move"} <= phases


def test_secret_hands_are_written_as_far_as_they_are_known() -> None:
    state = SPECTRUM.start(2, Options(missions=True, portals=True))
    state = after(state, drawn("R3 O4 Y5"), drawn("RO3 OY4 ?? "), drawn("?? ?? ??", 1), drawn("?? ?? ??", 1))
    with pytest.raises(BadEvent, match="half done"):
        written(state)
    state = after(state, drawn("G3 B4 P5"), drawn("?? ?? ??", 1))
    words = written(state)
    assert words["missions"] == [["R3", "O4", "Y5", "??", "RO3", "OY4"], ["??"] * 6]
    assert words["portals"] == [["G3", "B4", "P5"], ["??"] * 3]
    assert SPECTRUM.view(back(state), None).extras.missions == SPECTRUM.view(state, None).extras.missions


def test_a_finished_game_stays_finished() -> None:
    stars = " ".join(f"{color}.9" for color in ("red", "orange", "yellow", "green", "blue", "purple", "red-orange"))
    state = table(stars)
    assert state.phase == "over" and back(state).phase == "over"


def test_pawns_that_are_seen_are_set_out_and_the_stock_follows() -> None:
    state = SPECTRUM.from_record(2, Options(), {"pawns": {"red.3": "red", "blue.5": "orange"}})
    then = set_out(state, {"red.3": (), "red.5": (Pawn("red"),)})
    assert written(then)["pawns"] == {"red.5": "red", "blue.5": "orange"}
    assert turns(then)["player 2 is on turn"].turn == 1


def test_a_roll_that_does_not_go_with_the_pawns_is_rolled_anew() -> None:
    rolled = SPECTRUM.from_record(2, Options(), {"pawns": {"red.3": "red"}, "roll": ["red", "blue"]})
    more = {f"{color}.9": (Pawn("red"),) for color in ("red", "orange")}
    assert written(set_out(rolled, more))["pawns"].keys() >= {"red.9", "orange.9"}


@pytest.mark.parametrize("seen", [{"dice": (Pawn("red"),)}, {"red.3": (Die("spectrum-d6", "red"),)}])
def test_nothing_but_pawns_on_the_board_is_set_out(seen: dict[str, Any]) -> None:
    with pytest.raises(BadEvent, match="pawn"):
        set_out(SPECTRUM.from_record(2, Options(), {"pawns": {}}), seen)
