"""Searches the events between a position and a seen table, and decides which of them a camera alone can prove (RGB-29).

A camera sees pieces that move and Spirits that come. A fight, a heal or a spell only shows if a stack's top changes,
and never shows all of its effect; so the referee asks about these even if no other event explains the picture.
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
from math import log

from companion.core.foundation.errors import BadEvent
from companion.core.layout import Difference
from companion.games.regenbogen.board import CELLS, HEADING, NEIGHBORS
from companion.games.regenbogen.kinds import CLERIC
from companion.games.regenbogen.state import RegenbogenState

BESIDE_THE_OTHER = log(20)
"""The number of nats by which a summons far from its Wizard is less likely if the Spirit stands beside the other side's
Wizard of that color: a picture does not show whose hand placed it, and the other side is the likelier summoner. Chosen.
"""


def infer_event(state: RegenbogenState, seen: Layout) -> Move | None:
    """Returns the move, legal or not, that leads to the seen table, or else the first step toward it; None without
    one.
    """
    differing = state.layout().differences(seen)
    if not differing or state.ending is not None:
        return None
    legal = next((move for move in state.moves if not state.apply(move).layout().differences(seen)), None)
    if legal is not None:
        return legal
    steps = list(_steps(state, differing))
    whole = next((move for move in steps if _explains(state, move, seen)), None)
    return whole or next(iter(steps), None)


def rarity(state: RegenbogenState, event: Move) -> float:
    """Returns the nats by which an illegal move is rarer than illegal moves are."""
    if not isinstance(event, Summon) or CELL[event.piece] in NEIGHBORS[CELL[event.to]]:
        return 0.0
    beside = [state.board[cell] for cell in NEIGHBORS[CELL[event.to]]]
    kind = KIND[state.board[CELL[event.piece]]]
    return BESIDE_THE_OTHER if any(KIND[one] == kind and OWNER[one] != event.seat for one in beside) else 0.0


def _explains(state: RegenbogenState, move: Move, seen: Layout) -> bool:
    """True if a move, legal or not, leaves the very table that is seen."""
    try:
        return not state.apply_unchecked(move).layout().differences(seen)
    except BadEvent:
        return False


def _steps(state: RegenbogenState, differing: tuple[Difference, ...]) -> Iterator[Move]:
    """Yields moves and summons, legal ones first, that explain some of the differing cells."""
    if state.saving or state.offer == "open":
        return
    found = [*_goes(state, differing), *_summons(state, differing)]
    yield from sorted(found, key=lambda move: not state.may(move))


def _goes(state: RegenbogenState, differing: tuple[Difference, ...]) -> Iterator[Move]:
    """Yields moves of a piece that left one cell while an equal piece stands on another cell that was empty."""
    gone = [one for one in differing if one.seen == (None,)]
    come = [one for one in differing if one.expected == (None,)]
    for left in gone:
        alike = [one.spot for one in come if one.seen == left.expected]
        start = CELL[left.spot]
        for spot in sorted(alike, key=lambda spot: CELL[spot] not in HEADING[start]):
            yield Go(OWNER[state.board[start]], left.spot, spot)


def _summons(state: RegenbogenState, differing: tuple[Difference, ...]) -> Iterator[Move]:
    """Yields summons for a small that came to an empty cell and that a Wizard of the side to move may have put
    there.
    """
    turn = state.turn
    for one in differing:
        piece = one.seen[0]
        if one.expected != (None,) or not isinstance(piece, Pyramid) or piece.size != "small":
            continue
        cell = CELL[one.spot]
        wizards = [
            other
            for other, held in enumerate(state.board)
            if OWNER[held] == turn and KIND[held] < CLERIC and translucent(KIND[held]) == piece.color
        ]
        for wizard in sorted(wizards, key=lambda other: other not in NEIGHBORS[cell]):
            yield Summon(turn, CELLS[wizard], one.spot)


DOUBTED = 0.2
"""An uncertain cell may have changed if another content has at least this probability. Chosen."""

_Readings = Mapping[Spot, frozenset[Piece | None]]


def needs_confirmation(event: Move) -> bool:
    """True if a picture alone does not prove an event: it changes health, spells or the winner."""
    return not isinstance(event, Go | Summon | EndTurn)


def candidates(state: RegenbogenState, seen: Layout) -> Iterator[Move]:
    """Yields the legal events that may be the next step from the position toward `seen`."""
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
                leaves = top in gone or _may_leave(
                    move.piece, tops, readings
                )  # An equal piece may have followed it there.
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
    """True if a cell that is first taken for unchanged likely holds something other than its top."""
    return any(one.piece != top and one.probability >= DOUBTED for one in sighting.candidates)


def _read(spot: Spot, readings: _Readings) -> frozenset[Piece | None]:
    return readings.get(spot, frozenset())


def _may_leave(spot: Spot, tops: Mapping[str, Pyramid | None], readings: _Readings) -> bool:
    """True if a cell may now be empty or hold something other than its top; a cell that no picture shows may be
    empty.
    """
    return spot not in readings or bool(readings[spot] - {tops[spot]})


def _others_have_moved(state: RegenbogenState, seen: Layout, changed: set[Spot]) -> bool:
    """True if the waiting side has moved or summoned a piece: then the side to move did something that left no
    trace.
    """
    tops, board = state.tops, state.board
    gone = {tops[spot] for spot in changed if OWNER[board[CELL[spot]]] == 1 - state.turn}
    for spot in changed:
        came = seen.cells[spot].piece
        if tops[spot] is None and isinstance(came, Pyramid) and (came.size == "small" or came in gone):
            return True
    return False
