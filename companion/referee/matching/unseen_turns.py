"""Turns without a trace before rows that were written.

If a picture after the last row showed no news, a whole turn may have taken place: the drawn piece stands inside or
behind something, or under a cloth. Then the record has the wrong player on turn, and a later player may seem to break a
rule, many rows later. Such a turn is searched only before an accusation, in the places that were hidden at that time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from companion.core.contract import Drawn, Event, Seat
from companion.core.game import Game
from companion.core.layout import Layout, Spot
from companion.referee.matching.evidence import Evidence, owner_of
from companion.referee.matching.out_of_sight import passed_on, unseen_positions
from companion.referee.matching.stories import carried_out

MOST_ROWS = 12
"""The number of events after which a turn out of sight is no longer considered. Chosen."""
MOST_TURNS = 4
"""The largest number of rows before which a turn out of sight is considered. Chosen."""


class UnseenTurn(NamedTuple):
    """A row before which a whole turn may have taken place out of sight."""

    state: Any
    """The position before the row."""
    events: tuple[Event, ...]
    """The events of the record since then."""
    evidence: Evidence
    """The last picture before the row, without news."""
    hidden: frozenset[Spot]
    """The heaps in which something may have lain out of sight in that picture."""
    row: int
    """The number of first events that one picture showed: the turn came before one of them."""

    def followed(self, events: Sequence[Event]) -> UnseenTurn:
        """Returns the same turn after more rows."""
        return self._replace(events=(*self.events, *events))

    def excuses(self, game: Game[Any], events: Sequence[Event], layout: Layout) -> bool:
        """Returns true if all events are legal after a turn out of sight.

        Args:
            events: The events that the last picture shows, with an illegal one at the end.
            layout: The last reading.
        """
        if self._is_lawful(game, self.state, events):
            return True
        for drawn, rest in _drawn_before(events, layout):
            then = carried_out(self.state, drawn) if not self.state.violations(drawn) else None
            if then is not None and (_may_follow(then, (*self.events, *rest)) or self._is_lawful(game, then, rest)):
                return True
        return False

    def _is_lawful(self, game: Game[Any], state: Any, events: Sequence[Event]) -> bool:
        """Returns true if the record and more events are legal after something that happened out of sight before the
        row.
        """
        opened = frozenset(self.evidence.seen.heaps)
        record = (*self.events, *events)
        for at in range(self.row):
            steps = unseen_positions(game, state, self.evidence, opened, self.hidden)
            if any(_may_follow(then, record[at:]) for reached in steps for _, then in reached):
                return True
            if state.violations(record[at]):
                return False
            state = state.apply(record[at])
        return False


def _may_follow(state: Any, events: Sequence[Event]) -> bool:
    """Returns true if events are legal when turns that left no trace may pass differently than in the record."""
    if not events:
        return True
    event, *rest = events
    if _leaves_no_trace(state, event) and _may_follow(state, rest):
        return True
    stands = [state] if not state.violations(event) else [then for _, then in passed_on(state)]
    return any(_may_follow(then.apply(event), rest) for then in stands if not then.violations(event))


def _leaves_no_trace(state: Any, event: Event) -> bool:
    """Returns true if an event leaves the table as it was."""
    then = carried_out(state, event)
    return then is not None and not state.layout().differences(then.layout())


def _drawn_before(events: Sequence[Event], layout: Layout) -> Iterator[tuple[Event, tuple[Event, ...]]]:
    """Yields each draw that may have been made earlier, with the other events.

    The drawn piece came to light, or does not lie with the player who drew it, so no picture shows when it came.
    """
    come = {one.piece for heap in layout.heaps.values() for one in heap if one.place in layout.uncovered}
    for at, event in enumerate(events):
        if isinstance(event, Drawn):
            lie = {one.piece for spot, heap in layout.heaps.items() for one in heap if _is_of(spot, event.seat)}
            if come.issuperset(event.pieces) or lie.isdisjoint(event.pieces):
                yield event, (*events[:at], *events[at + 1 :])


def _is_of(spot: Spot, seat: Seat) -> bool:
    return owner_of(spot) == f"seat{seat}"


class UnseenTurns(NamedTuple):
    """The rows before which a turn out of sight may have taken place. It is a value: each verdict gives a new one."""

    rows: tuple[UnseenTurn, ...] = ()
    quiet: tuple[Evidence, frozenset[Spot]] | None = None
    """The last picture if it showed no news, with the heaps in which a piece may lie out of sight."""

    def showed_nothing(self, evidence: Evidence, hidden: frozenset[Spot]) -> UnseenTurns:
        """Returns the rows after a picture without news."""
        return self._replace(quiet=(evidence, hidden))

    def told(self, state: Any, events: Sequence[Event]) -> UnseenTurns:
        """Returns the rows after new rows were written.

        Args:
            state: The position before the new rows.
        """
        rows = [one.followed(events) for one in self.rows]
        if self.quiet is not None:
            rows.append(UnseenTurn(state, tuple(events), *self.quiet, len(events)))
        return UnseenTurns(tuple(one for one in rows if len(one.events) <= MOST_ROWS)[-MOST_TURNS:])

    def excuse(self, game: Game[Any], events: Sequence[Event], layout: Layout) -> bool:
        """Returns true if a turn out of sight before one of the rows makes an accusation wrong."""
        return any(one.excuses(game, events, layout) for one in self.rows)
