"""Events that no picture shows: draws, whole turns, and unknown pieces that come into view.

A piece that was drawn may stand inside or behind another one before a picture shows it. A hollow piece that was lifted
for it then stands in a new place, or looks different in its place, unless it was put back with care. So heaps that were
touched count more: those in which the record or the reader knows a change. A whole turn may lie under something
foreign; then the present turn is unknown. A hand with an unknown piece in it has no prediction until it is seen whole.
The depth of the search is chosen; `python -m simulation.drawn.games --eyes doubting` and `python -m bench.referee` show
which accusations it prevents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from companion.core.contract import Drawn, Event, Shown, ToDraw, ToMove, named_seat, seats_due
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.layout import Layout, Spot
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.excuses import TRACE
from companion.referee.matching.foresight import PredictedChange, after_all, change, predict_changes

DEPTH = 4
"""The largest number of unseen steps: a turn that is passed on is one step, a draw with the placement of the piece
another."""
FALLS = 8
"""The number of results of a due draw that are tried."""
POSITIONS = 40
"""The largest number of positions that are examined."""
_Changes = dict[Spot, tuple[Counter[Any], Counter[Any]]]
"""For each heap the pieces that came, and those that went."""
SURELY = 0.9
"""The probability below which a piece that is read does not become known. Chosen."""


def unseen_draws(
    game: Game[Any],
    state: Any,
    events: Sequence[Event],
    evidence: Evidence,
    opened: Container[Spot],
    blind: Container[Spot] = frozenset(),
) -> Iterator[tuple[Event, ...]]:
    """Yields the events with added draws whose pieces stand unseen, so that an illegal event is legal; the shortest
    ones.

    Args:
        events: Legal ones, and an illegal one at the end.
        opened: Heaps in which something may have been put into a piece.
        blind: Heaps in which a piece may stand out of sight.
    """
    here = state
    for at, event in enumerate(events):
        found = list(unseen_ways(game, here, events[at:], evidence, opened, blind))
        if found:
            yield from ((*events[:at], *way, *events[at:]) for way in found)
            return
        if at + 1 == len(events) or here.violations(event):
            return
        here = here.apply(event)


def turns_out_of_sight(game: Game[Any], state: Any, evidence: Evidence, obscured: Container[Spot]) -> Iterator[Any]:
    """Yields the positions in which another player is to act after legal events that no picture shows.

    Args:
        obscured: Heaps over whose zone something foreign lies.
    """
    due = seats_due(state.expects())
    frontier, reached = [state], {state}
    for depth in range(DEPTH):
        following: list[Any] = []
        for here in frontier[:FALLS]:
            for _, then in (*_out_of_sight(game, here, evidence, obscured), *(passed_on(here) if depth else ())):
                if then in reached or len(reached) == POSITIONS:
                    continue
                reached.add(then)
                if seats_due(then.expects()) != due:
                    yield then
                following.append(then)
        frontier = following


def may_be_by_another(
    game: Game[Any], state: Any, events: Sequence[Event], evidence: Evidence, obscured: Container[Spot]
) -> bool:
    """Returns true if another player may have moved the same pieces, after a turn without a trace.

    That turn may have come before any of the turns of the events.

    Args:
        events: Legal ones; the last one may be illegal.
        obscured: Heaps over whose zone something foreign lies.
    """
    if any(named_seat(event) is None for event in events):
        return False
    before = None
    for at, event in enumerate(events):
        if named_seat(event) != before and _is_by_another(game, state, events[at:], evidence, obscured):
            return True
        before = named_seat(event)
        if state.violations(event):
            return False
        state = state.apply(event)
    return False


def may_be_by_next(game: Game[Any], state: Any, events: Sequence[Event]) -> bool:
    """Returns true if another player may have moved the same pieces, after any turn of the player on turn.

    Args:
        events: Legal ones.
    """
    if not events or any(named_seat(event) is None for event in events):
        return False
    return _is_by(game, state, events, _turns(game, state), legal=True)


def _turns(game: Game[Any], state: Any) -> Iterator[Any]:
    """Yields some of the positions in which another player is to act after a draw and a move."""
    due = seats_due(state.expects())
    falls = [fall for fall, _ in islice(game.outcomes(state), FALLS)]
    drawn = [state.apply(fall) for fall in falls] or [state]
    for here in drawn:
        for move in islice(here.legal_moves(), FALLS) if isinstance(here.expects(), ToMove) else ():
            then = here.apply(move)
            if seats_due(then.expects()) != due:
                yield then


def _is_by_another(
    game: Game[Any], state: Any, events: Sequence[Event], evidence: Evidence, obscured: Container[Spot]
) -> bool:
    """Returns true if another player may have moved the same pieces after a turn out of sight at this position, or may
    have drawn and moved an equal one, since no picture shows that the piece left its covered heap.
    """
    if _is_by(game, state, events, turns_out_of_sight(game, state, evidence, obscured)):
        return True
    moved = _moved(state, events)
    if moved is None or moved[1] or not any(spot in obscured and went for spot, (_, went) in moved[0].items()):
        return False
    seat, shown = named_seat(events[0]), _in_view(moved[0], obscured)
    starts = [state, *(then for _, then in passed_on(state) if seat in seats_due(then.expects()))]
    return any(
        _is_drawn_and_moved(game, then, shown, obscured)
        for start in starts
        for then in turns_out_of_sight(game, start, evidence, obscured)
    )


def _is_drawn_and_moved(game: Game[Any], state: Any, shown: _Changes, obscured: Container[Spot]) -> bool:
    """Returns true if a draw and a legal move at a position change the heaps in view in the same way."""
    if not isinstance(state.expects(), ToDraw):
        return False
    for fall, _ in game.outcomes(state):
        if not isinstance(fall, Drawn) or not any(set(fall.pieces) <= set(came) for came, _ in shown.values()):
            continue
        for move in state.apply(fall).legal_moves():
            moved = _moved(state, (fall, move))
            if moved is not None and not moved[1] and _in_view(moved[0], obscured) == shown:
                return True
    return False


def _in_view(changes: _Changes, obscured: Container[Spot]) -> _Changes:
    """Returns the changes of heaps over which nothing foreign lies."""
    return {spot: both for spot, both in changes.items() if spot not in obscured and any(both)}


def _is_by(
    game: Game[Any], state: Any, events: Sequence[Event], positions: Iterable[Any], *, legal: bool = False
) -> bool:
    """Returns true if another player may have moved the same pieces in one of the positions.

    Args:
        legal: True if the move must be legal there.
    """
    shown = _moved(state, events)
    if shown is None:
        return False
    for then in positions:
        draws = isinstance(then.expects(), ToDraw) and not isinstance(events[0], Drawn)
        starts = [then.apply(fall) for fall, _ in islice(game.outcomes(then), FALLS)] if draws else [then]
        for seat in seats_due(then.expects()):
            others = [replace(event, seat=seat) for event in events]
            if any(_moved(here, others) == shown and (not legal or allows(here, others)) for here in starts):
                return True
    return False


def _moved(state: Any, events: Sequence[Event]) -> tuple[_Changes, frozenset[Any]] | None:
    """Returns the changes of each heap and cell by events, the last of which is forced; None if they cannot be carried
    out.
    """
    try:
        then = after_all(state, events[:-1]).apply_unchecked(events[-1])
    except MoveError:
        return None
    one = change(events[-1], state.layout(), then.layout())
    heaps = {
        spot: (Counter(later.pieces) - Counter(earlier.pieces), Counter(earlier.pieces) - Counter(later.pieces))
        for spot, earlier, later in one.heaps
        if earlier is not None and later is not None
    }
    return heaps, frozenset(one.cells)


def shown_in(game: Game[Any], state: Any, layout: Layout) -> Iterator[Shown]:
    """Yields a `Shown` for each seat whose unknown pieces a reading shows.

    Args:
        state: The position that the reading shows, as far as it is known.
    """
    if isinstance(state.expects(), ToDraw):
        return
    predicted = state.layout().heaps
    for spot, heap in layout.heaps.items():
        owner, _, rest = spot.partition(".")
        unsure = any(one.piece is None or one.confidence < SURELY for one in heap)
        if spot in predicted or rest != "hand" or unsure or spot in layout.partial or spot in layout.obscured:
            continue
        left = Counter(dict(game.unseen(state)))
        pieces = tuple(one.piece for one in heap if one.piece is not None and left[one.piece] > 0)
        shown = Shown(int(owner.removeprefix("seat")), pieces)
        if not pieces or state.violations(shown):
            continue
        try:
            then = state.apply(shown)
        except MoveError:
            continue
        if Counter(one.piece for one in then.layout().heaps.get(spot, ())) == Counter(one.piece for one in heap):
            state = then
            yield shown


def unseen_ways(
    game: Game[Any],
    state: Any,
    events: Sequence[Event],
    evidence: Evidence,
    opened: Container[Spot],
    blind: Container[Spot],
) -> Iterator[tuple[Event, ...]]:
    """Yields the shortest unseen ways from a position after which all events are legal."""
    for reached in unseen_positions(game, state, evidence, opened, blind):
        found = [way for way, then in reached if allows(then, events)]
        if found:
            yield from found
            return


def unseen_positions(
    game: Game[Any], state: Any, evidence: Evidence, opened: Container[Spot], blind: Container[Spot]
) -> Iterator[list[tuple[tuple[Event, ...], Any]]]:
    """Yields, for one step, two and so on, the positions after events that no picture shows, with these events.

    Args:
        opened: Heaps in which something may have been put into a piece.
        blind: Heaps in which a piece may stand out of sight.
    """
    frontier: list[tuple[tuple[Event, ...], Any]] = [((), state)]
    reached = {state}
    for _ in range(DEPTH):
        following: list[tuple[tuple[Event, ...], Any]] = []
        for way, here in frontier:
            unseen = (*_nested(game, here, evidence, opened, blind), *_out_of_sight(game, here, evidence, blind))
            for more, then in (*unseen, *passed_on(here)):
                if then not in reached and len(reached) < POSITIONS:
                    reached.add(then)
                    following.append(((*way, *more), then))
        yield following
        frontier = following


def passed_on(state: Any) -> Iterator[tuple[tuple[Event, ...], Any]]:
    """Yields moves that only change the player to act."""
    due = state.expects()
    for one in predict_changes(state, False) if isinstance(due, ToMove) else ():
        if not one.cells and not one.heaps:
            then = state.apply(one.event)
            if then.expects() != due:
                yield (one.event,), then


def _nested(
    game: Game[Any], state: Any, evidence: Evidence, opened: Container[Spot], blind: Container[Spot]
) -> Iterator[tuple[tuple[Event, ...], Any]]:
    """Yields draws, each with the move that puts the drawn piece where it stands unseen."""
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
            inside = both.covers(evidence) > 0 and both.nll_ratio(evidence) <= TRACE
            inside = inside and all(one.spot in opened for one in both.heaps)
            if inside or _is_invisible(both, evidence, blind):
                yield (fall, move.event), then


def _out_of_sight(
    game: Game[Any], state: Any, evidence: Evidence, blind: Container[Spot]
) -> Iterator[tuple[tuple[Event, ...], Any]]:
    """Yields draws and moves that no picture shows: a new piece stands behind something, and a taken or built-on piece
    is hidden.
    """
    due = state.expects()
    if isinstance(due, ToDraw):
        for fall, _ in islice(game.outcomes(state), FALLS):
            drawn = state.apply(fall)
            for move, then in _moves_out_of_sight(drawn, evidence, blind):
                yield (fall, move), then
    elif isinstance(due, ToMove):
        before = state.layout()
        for fall, _ in islice(game.outcomes(state), 1):  # the following events do not depend on the drawn piece
            drawn = state.apply(fall)
            if isinstance(fall, Drawn) and _is_invisible(change(fall, before, drawn.layout()), evidence, blind):
                yield (fall,), drawn
        for move, then in _moves_out_of_sight(state, evidence, blind):
            yield (move,), then


def _moves_out_of_sight(state: Any, evidence: Evidence, blind: Container[Spot]) -> Iterator[tuple[Event, Any]]:
    if isinstance(state.expects(), ToMove):
        for one in predict_changes(state, False):
            if (one.heaps or one.cells) and _is_invisible(one, evidence, blind):
                yield one.event, state.apply(one.event)


def _is_invisible(one: PredictedChange, evidence: Evidence, blind: Container[Spot]) -> bool:
    """Returns true if all changes by an event are out of sight: pieces that it takes are hidden, pieces that it brings
    may be.
    """
    if any(cell.spot in evidence.seen.cells for cell in one.cells):
        return False
    for spot, earlier, later in one.heaps:
        if earlier is None or later is None:
            return False
        gone = Counter(earlier.pieces) - Counter(later.pieces)
        if gone - Counter(evidence.away(spot)) or (not gone and spot not in blind):
            return False
    return bool(one.heaps or one.cells)


def allows(state: Any, events: Sequence[Event]) -> bool:
    """Returns true if all these events are legal, one after the other."""
    try:
        after_all(state, events)
    except MoveError:
        return False
    return True
