"""Legal draws that no picture shows: the piece stands inside or behind another one before anybody looks.

A hollow piece that was lifted for it stands in a new place then, or looks otherwise in its place; put back with care it
does not. So heaps that were touched count more: those of which the record or the eyes know a change.

How far is followed is chosen; `python -m simulation.drawn.games --eyes doubting` shows whom it spares.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from companion.contract import Drawn, Event, ToMove
from companion.errors import MoveError
from companion.game import Game
from companion.layout import Spot
from companion.matching.evidence import Evidence
from companion.matching.excuses import TRACE
from companion.matching.foresight import after_all, change, predict_changes

DEPTH = 4
"""No more than so many steps are unseen: a turn that is passed on is one, a draw with where the piece went another."""
POSITIONS = 40
"""So many positions are looked at."""


def unseen_draws(
    game: Game[Any],
    state: Any,
    events: Sequence[Event],
    evidence: Evidence,
    opened: Container[Spot],
    blind: Container[Spot] = frozenset(),
) -> Iterator[tuple[Event, ...]]:
    """The same with draws put in whose pieces stand unseen, so that an illegal event is legal; the shortest ones.

    :param events: legal ones, and an illegal one at the end.
    :param opened: heaps in which something may have been put into a piece.
    :param blind: heaps in which a piece may stand out of sight.
    """
    here = state
    for at, event in enumerate(events):
        found = list(_before(game, here, events[at:], evidence, opened, blind))
        if found:
            yield from ((*events[:at], *way, *events[at:]) for way in found)
            return
        if at + 1 == len(events) or here.explain(event):
            return
        here = here.apply(event)


def _before(
    game: Game[Any],
    state: Any,
    events: Sequence[Event],
    evidence: Evidence,
    opened: Container[Spot],
    blind: Container[Spot],
) -> Iterator[tuple[Event, ...]]:
    """The shortest unseen ways after which all events are legal."""
    frontier: list[tuple[tuple[Event, ...], Any]] = [((), state)]
    reached = {state}
    for _ in range(DEPTH):
        following = []
        for way, here in frontier:
            unseen = (*_nested(game, here, evidence, opened), *_out_of_sight(game, here, blind))
            for more, then in (*unseen, *_passed_on(here)):
                if then not in reached and len(reached) < POSITIONS:
                    reached.add(then)
                    following.append(((*way, *more), then))
        found = [way for way, then in following if any(isinstance(one, Drawn) for one in way) and _allows(then, events)]
        if found:
            yield from found
            return
        frontier = following


def _passed_on(state: Any) -> Iterator[tuple[tuple[Event, ...], Any]]:
    """Moves that change nothing on the table but who is to act."""
    due = state.expects()
    for one in predict_changes(state, False) if isinstance(due, ToMove) else ():
        if not one.cells and not one.heaps:
            then = state.apply(one.event)
            if then.expects() != due:
                yield (one.event,), then


def _nested(
    game: Game[Any], state: Any, evidence: Evidence, opened: Container[Spot]
) -> Iterator[tuple[tuple[Event, ...], Any]]:
    """Draws each with the move that puts what was drawn where it stands unseen."""
    if not isinstance(state.expects(), ToMove):
        return
    before = state.layout()
    for fall, _ in game.outcomes(state):
        if not isinstance(fall, Drawn):
            return
        drawn = state.apply(fall)
        for move in predict_changes(drawn, False):
            if not any(earlier is not None and set(earlier.pieces) & set(fall.pieces) for _, earlier, _ in move.heaps):
                continue
            then = drawn.apply(move.event)
            both = change(move.event, before, then.layout())
            if (
                both.covers(evidence) > 0
                and both.nll_ratio(evidence) <= TRACE
                and all(one.spot in opened for one in both.heaps)
            ):
                yield (fall, move.event), then


def _out_of_sight(game: Game[Any], state: Any, blind: Container[Spot]) -> Iterator[tuple[tuple[Event, ...], Any]]:
    """A draw whose piece stands behind another one; which piece it is makes no difference to what follows."""
    if not blind or not isinstance(state.expects(), ToMove):
        return
    before = state.layout()
    for fall, _ in game.outcomes(state):
        if isinstance(fall, Drawn):
            then = state.apply(fall)
            heaps = change(fall, before, then.layout()).heaps
            if heaps and all(one.spot in blind for one in heaps):
                yield (fall,), then
        return


def _allows(state: Any, events: Sequence[Event]) -> bool:
    """Whether all these events are legal, one after the other."""
    try:
        after_all(state, events)
    except MoveError:
        return False
    return True
