"""Tic-tac-toe keeps what every game promises, and its own rules."""

from __future__ import annotations

import pytest
from tic_tac_toe.game import MANIFEST, TIC_TAC_TOE, Place, State

from companion.api import BadRecord, IllegalMove, Pyramid
from companion.testing import GameContract, WorkedGame

FIVE_TURNS = tuple(f"player {1 + turn % 2} takes {cell}" for turn, cell in enumerate(("a1", "b3", "b2", "a2", "c3")))
SEEN = {"a1": Pyramid("red", "small"), "b3": Pyramid("blue", "small"), "c1": None}


class TestTicTacToe(GameContract):
    manifests = (MANIFEST,)
    worked = (WorkedGame("tic-tac-toe", FIVE_TURNS, places=((0,), (1,)), shows=SEEN),)


def test_ttt_2_a_taken_cell_stays_taken() -> None:
    with pytest.raises(IllegalMove, match="TTT-2: The cell b2 is taken"):
        State().apply(Place(0, "b2")).apply(Place(1, "b2"))


def test_ttt_3_three_in_a_row_win() -> None:
    board = {"a1": 0, "b2": 0, "a2": 1, "a3": 1}
    state = TIC_TAC_TOE.from_record(2, TIC_TAC_TOE.Options(), {"board": board, "turn": 0})
    outcome = state.apply(Place(0, "c3")).outcome()
    assert outcome is not None and outcome.places == ((0,), (1,)) and outcome.rule == "TTT-3"


def test_a_board_that_nobody_can_have_reached_is_refused() -> None:
    with pytest.raises(BadRecord, match="TTT-2"):
        TIC_TAC_TOE.from_record(2, TIC_TAC_TOE.Options(), {"board": {"a1": 0, "b1": 0}, "turn": 0})
