"""Sets up a position from the tops that are seen: which piece of the record stands where now.

A top shows neither its owner nor its health (RGB-29). So a top is matched with the pieces of the record: the
one that stood there, else the one piece that has left its cell and shows the same color, else a summoned Spirit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.foundation.errors import BadEvent
from companion.core.layout import Spot
from companion.core.pieces import Piece, Pyramid
from companion.games.regenbogen.board import CELL, CELLS, NEIGHBORS
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import (
    CLERIC,
    KIND,
    OWNER,
    RED_FIRST,
    SPIRITS,
    START_HEALTH,
    called,
    top,
    translucent,
    words,
)
from companion.games.regenbogen.kinds import piece as piece_of
from companion.games.regenbogen.position import read, written
from companion.games.regenbogen.state import RegenbogenState


def set_out(state: RegenbogenState, seen: Mapping[Spot, Sequence[Piece]]) -> RegenbogenState:
    """The position with these tops on these cells; a piece whose health shows keeps as much of it as it can.

    Raises:
        BadEvent: No piece, or more than one, can show such a top.
        BadRecord: A side would have more Spirits, or health on them, than there are.
    """
    board = bytearray(state.board)
    left: list[int] = []
    come: list[tuple[Spot, Pyramid]] = []
    for spot, pieces in seen.items():
        one = board[CELL[spot]]
        shown = next((piece for piece in pieces if isinstance(piece, Pyramid)), None)
        if shown == state.tops[spot]:
            continue
        stays = None if shown is None or not one else _with_top(one, shown, state.spells[OWNER[one]])
        if one and stays is None:
            left.append(one)
        board[CELL[spot]] = stays or 0
        if shown is not None and stays is None:
            come.append((spot, shown))
    for spot, shown in come:
        able = [one for one in left if _with_top(one, shown, state.spells[OWNER[one]]) is not None]
        one = _moved(able, spot, shown, state) if able else _summoned(board, spot, shown)
        if able:
            left.remove(one)
        board[CELL[spot]] = _with_top(one, shown, state.spells[OWNER[one]]) or one
    return _written_back(state, bytes(board), state.turn)


def turns(state: RegenbogenState) -> dict[str, RegenbogenState]:
    """The position by whose turn it may be, before a move (RGB-9)."""
    return {
        f"player {seat + 1} is on turn": state if seat == state.turn else _written_back(state, state.board, seat)
        for seat in range(len(SIDES))
    }


def _moved(able: Sequence[int], spot: Spot, shown: Pyramid, state: RegenbogenState) -> int:
    """The piece that has left its cell and stands on another one, of those that may show its top."""
    same = {one for one in able if top(one, state.spells[OWNER[one]]) == shown}
    found = same or set(able)
    if len(found) == 1:
        return found.pop()
    several = " or ".join(sorted(f"the {called(KIND[one])} of {SIDES[OWNER[one]]}" for one in found))
    raise BadEvent(
        f"On {spot} may stand {several} (RGB-29). Tap {spot} on the board, and say which piece stands there."
    )


def _summoned(board: bytes | bytearray, spot: Spot, shown: Pyramid) -> int:
    """The Spirit that a Wizard of its color, next to the cell if there is one, has summoned there (RGB-19)."""
    wizards = [
        (cell, OWNER[one])
        for cell, one in enumerate(board)
        if one and KIND[one] < CLERIC and translucent(KIND[one]) == shown.color
    ]
    near = {owner for cell, owner in wizards if cell in NEIGHBORS[CELL[spot]]}
    owners = near or {owner for _, owner in wizards}
    if shown.size == "large" or not owners:
        raise BadEvent(
            f"No piece that has left its cell shows a {shown.color} {shown.size}, as {spot} does (RGB-29). Choose "
            f"another top, or tap {spot} on the board and say which piece stands there."
        )
    if len(owners) > 1:
        raise BadEvent(
            f"On {spot} may stand a Spirit of either side (RGB-29). Tap {spot} on the board, and say whose it is."
        )
    color = next(color for color in RED_FIRST if translucent(color) == shown.color)
    return piece_of(owners.pop(), SPIRITS + color, DATA.spirits.summon_health)


def _with_top(one: int, shown: Pyramid, spells: int) -> int | None:
    """The same piece with the health, as near to its own as can be, that shows a top; None if none does."""
    kind = KIND[one]
    every = (piece_of(OWNER[one], kind, health) for health in range(START_HEALTH[kind] + 1))
    able = [other for other in every if top(other, spells) == shown]
    return min(able, key=lambda other: abs((other & 7) - (one & 7)), default=None)


def _written_back(state: RegenbogenState, board: bytes, turn: int) -> RegenbogenState:
    """The position with another board and turn, before a move."""
    found = written(state)
    found.pop("moved", None)
    found["turn"] = turn
    found["pieces"] = {cell: words(one) for cell, one in zip(CELLS, board, strict=True) if one}
    for seat in range(len(SIDES)):
        if not any(one and OWNER[one] == seat and KIND[one] == CLERIC for one in board):
            found["spells"][seat] = 0
    return read(len(SIDES), state.options, found)
