"""Checks that play can lead to a state from JSON.

Decoding has checked the types; here the fields are compared with each other, so that no later code meets a tile twice
or a seat that does not exist.
"""

from __future__ import annotations

from companion.core.foundation.errors import BadRecord
from companion.games.shared.search.bit_sets import mask_of
from companion.games.spectrangle.board import CELLS, EMPTY, EMPTY_BOARD, letters_on
from companion.games.spectrangle.orientations import LIES, UNKNOWN
from companion.games.spectrangle.situation import HAND, Situation


def check(state: Situation) -> None:
    """Checks that the fields agree with each other.

    Raises:
        BadRecord: They do not; the message names the first field.
    """
    fault = _seats(state) or _board(state) or _tiles(state)
    if fault:
        raise BadRecord(f"This is no state of Spectrangle: {fault}")


def _seats(state: Situation) -> str:
    seats = state.seats
    if not 2 <= seats <= 4:
        return f"it has {seats} hands."
    if len(state.hidden) != seats or len(state.lots) not in (0, seats) or len(state.brought) not in (0, seats):
        return "hands, hidden, lots and brought are of different lengths."
    if state.turn >= seats or any(laid.seat >= seats for laid in state.laid):
        return "it names a seat that nobody has."
    if state.options.teams and seats != 4:
        return "teams need four seats."
    if any(state.size(seat) > HAND for seat in range(seats)):
        return f"a hand holds more than {HAND} tiles."
    return ""


def _board(state: Situation) -> str:
    if len(state.board) != len(EMPTY_BOARD):
        return f"its board has {len(state.board)} letters, not {len(EMPTY_BOARD)}."
    for cell in range(CELLS):
        letters = letters_on(state.board, cell)
        if letters not in LIES and letters != EMPTY * 3:
            return f"c{cell} holds {letters}, which is no tile."
    if len({laid.cell for laid in state.laid}) != len(state.laid):
        return "a cell scores twice."
    if any(letters_on(state.board, laid.cell) == EMPTY * 3 for laid in state.laid):
        return "an empty cell scores."
    return ""


def _tiles(state: Situation) -> str:
    known = [number for hand in (*state.hands, *state.lots) for number in hand]
    if state.aside not in (None, UNKNOWN):
        known.append(state.aside)
    on_board = {LIES[letters_on(state.board, cell)].number for cell in range(CELLS) if state.board[3 * cell] != EMPTY}
    if len(set(known)) != len(known) or on_board & set(known):
        return "a tile is in two places."
    if state.pool & mask_of((*on_board, *known)):
        return "a tile is in two places."
    if any(list(hand) != sorted(hand) for hand in state.hands):
        return "the tiles of a hand are not in rising order."
    if state.bag + sum(state.hidden) > state.pool.bit_count():
        return "bag and hidden tiles are more than the tiles that are unseen."
    return ""
