"""The events between a position and a seen table, and which of them a camera alone can prove (RGB-29).

Pieces that go and Spirits that come are seen. A fight, a heal or a spell only shows where a stack's top changes, and
never shows all of its effect; so these are asked about even if no other event explains the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece, Pyramid
from companion.games.regenbogen.board import CELL
from companion.games.regenbogen.kinds import KIND, OWNER, translucent
from companion.games.regenbogen.moves import EndTurn, Go, Move, OfferDraw, Pass, Summon

if TYPE_CHECKING:
    from companion.games.regenbogen.state import RegenbogenState

DOUBTED = 0.3
"""A cell whose reading is a doubt may have changed if something else is so likely there. Chosen."""

_Readings = Mapping[Spot, frozenset[Piece | None]]


def needs_confirmation(event: Move) -> bool:
    """True if a picture alone is no proof of an event: whatever changes health, spells or who has won."""
    return not isinstance(event, Go | Summon | EndTurn)


def candidates(state: RegenbogenState, seen: Layout) -> Iterator[Move]:
    """The legal events that may be the next step from the position toward `seen`."""
    if state.ending is not None or state.offer == "open":
        return
    tops = state.tops
    changed = {spot for spot, one in seen.cells.items() if spot in tops and one.piece != tops[spot]}
    doubted = (spot for spot, one in seen.cells.items() if spot in tops and _may_have_changed(one, tops[spot]))
    if not changed and next(doubted, None) is None:
        return
    readings = {spot: frozenset(one.piece for one in sighting.candidates) for spot, sighting in seen.cells.items()}
    leads = state.moved is None and _others_have_moved(state, seen, changed)
    gone = {tops[spot] for spot in changed}
    for move in state.moves:
        match move:
            case Go():
                top = tops[move.piece]
                leaves = top in gone or _may_leave(move.piece, tops, readings)  # Its like may have followed it there.
                plausible = leaves and top in _read(move.to, readings)
            case Summon():
                color = translucent(KIND[state.board[CELL[move.piece]]])
                plausible = Pyramid(color, "small") in _read(move.to, readings)
            case EndTurn() | Pass():
                plausible = True
            case OfferDraw():
                plausible = False
            case _:
                after = state.apply(move).tops
                shown = [spot for spot, piece in after.items() if piece != tops[spot]]
                plausible = all(after[spot] in _read(spot, readings) for spot in shown) if shown else leads
        if plausible or state.saving:
            yield move


def _may_have_changed(sighting: Detection, top: Piece | None) -> bool:
    """True if something else than its top is likely on a cell that is first taken for unchanged."""
    return any(one.piece != top and one.probability >= DOUBTED for one in sighting.candidates)


def _read(spot: Spot, readings: _Readings) -> frozenset[Piece | None]:
    return readings.get(spot, frozenset())


def _may_leave(spot: Spot, tops: Mapping[str, Pyramid | None], readings: _Readings) -> bool:
    """True if something else than its top, or nothing, may stand on a cell now; a cell that nobody saw may be empty."""
    return spot not in readings or bool(readings[spot] - {tops[spot]})


def _others_have_moved(state: RegenbogenState, seen: Layout, changed: set[Spot]) -> bool:
    """True if the side that waits has moved a piece or summoned one: then the side on turn did what left no trace."""
    tops, board = state.tops, state.board
    gone = {tops[spot] for spot in changed if OWNER[board[CELL[spot]]] == 1 - state.turn}
    for spot in changed:
        came = seen.cells[spot].piece
        if tops[spot] is None and isinstance(came, Pyramid) and (came.size == "small" or came in gone):
            return True
    return False
