"""Where the piece in play may go: the places to which some legal move leads.

Where a move can be seen, a game's presenter knows; the rest needs no knowledge of a game. A move that can be seen
nowhere (saying what a roll is used as, BRD-8) leads where the moves after it do. A piece that has been lifted from the
table is the one in play: then only moves count that take it away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

from companion.core.contract import Event, Move, ToMove
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece

Held = Counter[tuple[Spot, Piece]]
"""Pieces that somebody has lifted, by the spot that they came from."""

Trace = Callable[[Event], Spot | None]
"""The place where an event can be seen once it has happened."""

TRIED_MOST = 500
"""Of more moves it is not tried which ones take a piece away: that would take the processor from the reading of it."""


def lifted(state: Any, seen: Layout) -> Held:
    """The pieces that are off the table in a reading if there is no other change; none if a piece has come."""
    held: Held = Counter()
    for spot, expected, there in state.layout().differences(seen):
        gone, come = Counter(expected), Counter(there)
        if any(piece is not None for piece in come - gone):
            return Counter()
        held.update({(spot, piece): count for piece, count in (gone - come).items() if piece is not None})
    return held


def destinations(state: Any, places: Container[Spot], trace: Trace, held: Held) -> tuple[Spot, ...]:
    """Those of `places` to which a legal move may bring the held pieces, or any piece if none is held, in order of the
    moves. If there are too many moves to try, the held pieces do not matter."""
    moves = state.legal_moves()
    tried = held if len(moves) <= TRIED_MOST else Counter()
    found: dict[Spot, None] = {}
    for before, move, spot in _led(state, moves, trace):
        if spot in places and spot not in found and (not tried or tried <= _lost(before, move)):
            found[spot] = None
    return tuple(found)


def _led(state: Any, moves: Sequence[Move], trace: Trace) -> Iterator[tuple[Any, Move, Spot]]:
    """Every move that can be seen, also after one that cannot, with the position before it and its place."""
    due = state.expects()
    for move in moves:
        spot = trace(move)
        if spot is not None:
            yield state, move, spot
        elif isinstance(due, ToMove):
            after = state.apply(move)
            if after.expects() == due:
                traced = ((following, trace(following)) for following in after.legal_moves())
                yield from ((after, following, there) for following, there in traced if there is not None)


def _lost(state: Any, move: Move) -> Held:
    """The pieces that a move takes from their places."""
    lost: Held = Counter()
    for spot, was, now in state.layout().differences(state.apply(move).layout()):
        gone = Counter(was) - Counter(now)
        lost.update({(spot, piece): count for piece, count in gone.items() if piece is not None})
    return lost
