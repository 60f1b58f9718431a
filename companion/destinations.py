"""Where a piece may go: the places that some legal move fills, told by the tables before and after it.

Nothing here knows a game. A move leads where its table has a piece that was not there before; a move that changes no
such place (saying what a roll is used as, BRD-8) leads where the moves after it do. A piece that has been lifted from
the table is the one in play: then only moves count that take it away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import Any

from companion.contract import Event, Move, ToMove
from companion.errors import MoveError
from companion.layout import Layout, Spot
from companion.pieces import Piece

Held = Counter[tuple[Spot, Piece]]
"""Pieces that somebody has lifted, by the spot that they came from."""

MOVES_MOST = 2000
"""No more moves are looked at: a light too few does no harm, a busy processor delays readings."""


def lifted(state: Any, seen: Layout) -> Held:
    """The pieces that are off the table in a reading, if nothing else has changed; none if anything has come."""
    held: Held = Counter()
    for spot, expected, there in state.layout().differences(seen):
        gone, come = Counter(expected), Counter(there)
        if any(piece is not None for piece in come - gone):
            return Counter()
        held.update({(spot, piece): count for piece, count in (gone - come).items() if piece is not None})
    return held


def destinations(state: Any, moves: Sequence[Move], places: Container[Spot], held: Held) -> tuple[Spot, ...]:
    """Those of `places` to which a legal move may bring what is held, or anything if nothing is, in order of the moves.

    :param moves: the legal moves of `state`.
    """
    found: dict[Spot, None] = {}
    for before, after in islice(_tables(state, moves, places), MOVES_MOST):
        if held <= _lost(before, after):
            found.update(dict.fromkeys(spot for spot in gained(before, after) if spot in places))
    return tuple(found)


def landing(state: Any, event: Event, places: Container[Spot]) -> tuple[Spot, ...]:
    """Those of `places` that an event fills, legal or not; none if it cannot be carried out."""
    try:
        after = state.allow(event)
    except MoveError:
        return ()
    return tuple(spot for spot in gained(state.layout(), after.layout()) if spot in places)


def gained(before: Layout, after: Layout) -> tuple[Spot, ...]:
    """Spots that hold something which they did not hold before."""
    return tuple(
        spot
        for spot, was, now in before.differences(after)
        if any(piece is not None for piece in Counter(now) - Counter(was))
    )


def _lost(before: Layout, after: Layout) -> Held:
    lost: Held = Counter()
    for spot, was, now in before.differences(after):
        gone = Counter(was) - Counter(now)
        lost.update({(spot, piece): count for piece, count in gone.items() if piece is not None})
    return lost


def _tables(state: Any, moves: Sequence[Move], places: Container[Spot]) -> Iterator[tuple[Layout, Layout]]:
    """The tables before and after each move, and after each that follows one which only says something."""
    before, due = state.layout(), state.expects()
    for move in moves:
        after = state.apply(move)
        layout = after.layout()
        silent = not any(spot in places for spot in gained(before, layout))
        if silent and isinstance(due, ToMove) and after.expects() == due:
            yield from ((layout, after.apply(following).layout()) for following in after.legal_moves())
        else:
            yield before, layout
