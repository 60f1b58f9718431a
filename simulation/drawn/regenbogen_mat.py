"""Places Regenbogen's stacks on its mat, as drawn stands."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.core.layout import Spot
from companion.core.pieces import Pyramid
from companion.core.plan import PyramidBoard
from companion.games.regenbogen.board import CELLS
from companion.games.regenbogen.data import SIDES
from companion.games.regenbogen.kinds import COLOR_OF, KIND, OWNER, SPIRITS, translucent
from companion.games.regenbogen.manifest import CELL_MM, plan
from companion.games.regenbogen.state import RegenbogenState
from simulation.drawn.standing import Upright

ASIDE_MM = 5.0
"""The largest distance, in x and in y, between a stack and the middle of its cell."""


def stack(one: int, spells: int) -> tuple[Pyramid, ...]:
    """Returns the pyramids of a piece, bottom to top (RGB-3).

    Args:
        one: The code of the piece on the board, with its health.
        spells: The number of its owner's spells, which lie on a Cleric.
    """
    side, color, health = SIDES[OWNER[one]], COLOR_OF[KIND[one]], one & 7
    if color is None:
        spelled = [Pyramid(side, "medium")] * spells
        return (Pyramid(side, "large"), *spelled, *[Pyramid(side, "small")] * health)
    spirit = KIND[one] >= SPIRITS
    base, body = ("small", "medium") if spirit else ("medium", "large")
    own = translucent(color)
    return (Pyramid(side, base), Pyramid(own, body), *[Pyramid(own, "small")] * health)


def put_down(spot: Spot, one: int, spells: Sequence[int], rng: Random) -> Upright:
    """Returns the stack of a piece in its cell of the printed mat, put down as carelessly as people do.

    Args:
        spells: The number of spells of each side.
    """
    board = _board()
    x0, y0 = board.outline_mm[0]
    row, column = next((row, spots.index(spot)) for row, spots in enumerate(board.rows) if spot in spots)
    x = x0 + (column + 0.5) * CELL_MM + rng.uniform(-ASIDE_MM, ASIDE_MM)
    y = y0 + (row + 0.5) * CELL_MM + rng.uniform(-ASIDE_MM, ASIDE_MM)
    return Upright(stack(one, spells[OWNER[one]]), x, y, rng.uniform(0, 90))


def stands(state: RegenbogenState, rng: Random) -> list[Upright]:
    """Returns every stack of a position on the printed mat, row by row."""
    there = {spot: one for spot, one in zip(CELLS, state.board, strict=True) if one}
    order = [spot for spots in _board().rows for spot in spots if spot in there]
    return [put_down(spot, there[spot], state.spells, rng) for spot in order]


def _board() -> PyramidBoard:
    (board,) = plan(len(SIDES)).zones
    assert isinstance(board, PyramidBoard)
    return board
