"""Which move a seen board looks like, legal or not."""

from __future__ import annotations

from collections.abc import Iterator
from math import log

from companion.core.foundation.errors import BadEvent
from companion.core.layout import Difference, Layout
from companion.core.pieces import Pyramid
from companion.games.regenbogen.board import CELL, CELLS, HEADING, NEIGHBORS
from companion.games.regenbogen.kinds import CLERIC, KIND, OWNER, translucent
from companion.games.regenbogen.moves import Go, Move, Summon
from companion.games.regenbogen.state import RegenbogenState

BESIDE_THE_OTHER = log(20)
"""Nats by which a summons far from its Wizard is rarer where the Spirit stands beside the other side's Wizard of that
color: a picture does not show whose hand put it there, and it looks like theirs. Chosen."""


def infer_event(state: RegenbogenState, seen: Layout) -> Move | None:
    """The move, legal or not, that leads to the seen table, or else the first step towards it, or None."""
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
    """The nats by which an illegal move is rarer than illegal moves are."""
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
    """Moves and summons, legal ones first, that explain some of the differing cells."""
    if state.saving or state.offer == "open":
        return
    found = [*_goes(state, differing), *_summons(state, differing)]
    yield from sorted(found, key=lambda move: not state.may(move))


def _goes(state: RegenbogenState, differing: tuple[Difference, ...]) -> Iterator[Move]:
    """A piece left one cell, and its like stands on another that was empty."""
    gone = [one for one in differing if one.seen == (None,)]
    come = [one for one in differing if one.expected == (None,)]
    for left in gone:
        alike = [one.spot for one in come if one.seen == left.expected]
        start = CELL[left.spot]
        for spot in sorted(alike, key=lambda spot: CELL[spot] not in HEADING[start]):
            yield Go(OWNER[state.board[start]], left.spot, spot)


def _summons(state: RegenbogenState, differing: tuple[Difference, ...]) -> Iterator[Move]:
    """Yields summons for a small that came to an empty cell, if a Wizard of its color and of the side on turn may have
    put it there.
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
