"""The legal explanations of a reading beside the one that it suggests at first sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import product
from math import log
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Event
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.layout import Detection, Layout, Spot
from companion.core.verdict import Accepted, Choice, Refused, Reread, Same, Unclear, Verdict, reread_words
from companion.referee.matching.accounts import UNRECORDED, Account, Standpoint, against
from companion.referee.matching.evidence import MISSED, Evidence
from companion.referee.matching.foresight import after_all, change, has_grown
from companion.referee.matching.judging import AS_PREDICTED, HEAP_MARGIN
from companion.referee.matching.memory import AGAIN, AS_READ, Memory
from companion.referee.matching.out_of_sight import may_be_by_another, may_be_by_next, unseen_draws
from companion.referee.matching.rereading import misreadings, rereadings

# Readings in which things on the line between two zones are in the other zone.
#
# The reader says in which zone such a thing more likely is, and how likely it is in the other. It is in exactly one of
# them, so a picture is not weighed spot by spot here: it is read in each way.

_MOST = 3
"""The number of things whose zones are combined in all ways; more of them, as the pieces of one tall stack, move only
together."""


class OtherWay(NamedTuple):
    """The same table with one or several things in their second zones."""

    layout: Layout
    cost: float
    """Nats by which this way is less likely than the way in which the table was read."""


def other_ways(layout: Layout) -> Iterator[OtherWay]:
    """Yields all other ways in which a table may be read; none where every thing is clearly in one zone."""
    places = [
        place for place in layout.elsewhere if any(one.place == place for h in layout.heaps.values() for one in h)
    ]
    if len(places) > _MOST:
        yield _moved(layout, places)
        return
    for taken in product((False, True), repeat=len(places)):
        if any(taken):
            yield _moved(layout, [place for place, moves in zip(places, taken, strict=True) if moves])


def _moved(layout: Layout, places: list[str]) -> OtherWay:
    heaps, cost = dict(layout.heaps), 0.0
    elsewhere = dict(layout.elsewhere)
    for place in places:
        to = elsewhere.pop(place)
        for spot, heap in layout.heaps.items():
            for sighting in heap:
                if sighting.place == place:
                    heaps[spot] = tuple(one for one in heaps[spot] if one.place != place)
                    heaps[to.spot] = (*heaps.get(to.spot, ()), sighting)
        cost += log((1 - to.probability) / to.probability)
    return OtherWay(replace(layout, heaps=heaps, elsewhere=elsewhere), cost)


BEHIND = 3.5
"""Nats (33 to 1) against a piece having stood unseen behind another piece since the start. Chosen."""
IN_THE_OPEN = 3.0
"""Nats (20 to 1) against a piece having been overlooked where no known piece hides it: a cloth or a cup may have hidden
it. Chosen."""
AGREED = 4.0
"""Nats (50 to 1) against a piece that a person left out when they named the pieces on the table. Chosen."""


class Alternatives(NamedTuple):
    """Legal accounts of a reading, each as an answer that may be offered."""

    game: Game[Any]
    compared: Callable[[Standpoint, Memory, Layout], Verdict]
    """The verdict on a reading if only legal explanations count."""
    here: Standpoint
    memory: Memory
    layout: Layout

    def instead_of(
        self, refused: Refused, accounts: Iterable[Account], blind: Container[Spot], *, agreed: bool
    ) -> Iterator[Choice]:
        """Yields all legal explanations but those of pieces that came to light.

        Args:
            accounts: The open accounts of earlier pictures.
            blind: Heaps in which a piece may have stood out of sight.
            agreed: True if a person has named the pieces on the table.
        """
        yield from (choice for choice, _ in self.misread_before())
        yield from self.misread_now()
        yield from self.as_read()
        yield from self.overlooked(dict.fromkeys((*brought_to(self.here.state, refused), *self._touched)))
        yield from self.never_seen(taken_from(self.here.state, refused), blind, agreed=agreed)
        yield from self.after(accounts)
        yield from self.elsewhere()
        yield from self.nested(refused)

    def misread_before(self) -> Iterator[tuple[Choice, Accepted]]:
        """Yields legal explanations in which a piece that has just left its place was another one all along."""
        for one in rereadings(self.game, self.here.state, self.memory, self.layout):
            then = self.compared(self.here._replace(state=one.state), one.memory, self.layout)
            if isinstance(then, Accepted):
                given = Reread(one.spot, one.was, one.now, one.row, one.state)
                text = f"{self.game.told(then.events)} ({reread_words(given)})"
                yield Choice(then.events, text, (), one.cost + then.cost, given), then

    def misread_now(self) -> Iterator[Choice]:
        """Yields legal explanations in which a piece that has just come was misread."""
        for other, cost in misreadings(self.memory, self.layout):
            yield from self._legal(self.memory, other, cost)

    def overlooked(self, spots: Iterable[Spot]) -> Iterator[Choice]:
        """Yields the legal explanations in which one more piece lies in a heap and is not seen.

        Args:
            spots: The heaps in question.
        """
        if self.game.proposer is None or self.game.proposer.reread is None:
            return
        for spot in spots:
            if spot not in self.layout.heaps:
                continue
            for piece in self.game.unseen(self.here.state):
                heap = (*self.layout.heaps[spot], Detection.sure(piece))
                other = replace(self.layout, heaps={**self.layout.heaps, spot: heap})
                yield from self._legal(self.memory, other, MISSED)

    def never_seen(self, spots: Iterable[Spot], blind: Container[Spot], *, agreed: bool) -> Iterator[Choice]:
        """Yields the legal explanations that use a piece which has not been seen since the start.

        Args:
            spots: The heaps in question.
            blind: Heaps in which a piece may have stood out of sight; in other heaps this costs `IN_THE_OPEN` more.
            agreed: True if a person has named the pieces on the table.
        """
        reread = None if self.game.proposer is None else self.game.proposer.reread
        if reread is None:
            return
        for spot in spots:
            against_it = BEHIND + (0.0 if spot in blind else IN_THE_OPEN) + (AGREED if agreed else 0.0)
            for piece in self.game.unseen(self.here.state):
                state = reread(self.here.state, spot, None, piece)
                then = (
                    None if state is None else self.compared(self.here._replace(state=state), self.memory, self.layout)
                )
                for events, cost in () if then is None else legal_ways(then):
                    given = Reread(spot, None, piece, 0, state)
                    text = f"{self.game.told(events)} ({reread_words(given)})"
                    yield Choice(events, text, (), cost + against_it, given)

    def as_read(self) -> Iterator[Choice]:
        """Yields legal explanations in which pieces are what they read as now, not what the memory has."""
        other = self.memory.as_read(self.layout)
        if other is not self.memory:
            yield from self._legal(other, self.layout, log(AGAIN / AS_READ))

    def after(self, accounts: Iterable[Account]) -> Iterator[Choice]:
        """Yields the legal explanations that continue accounts of earlier pictures."""
        for account in accounts:
            if not account.says_something and account.undo is None:
                continue
            then = self.compared(self.here._replace(state=account.state), account.memory, self.layout)
            if isinstance(then, Same):
                cost = against(account.memory, account.state, self.layout)
                yield self._continued(account, (), account.cost + cost)
            for events, cost in legal_ways(then):
                yield self._continued(account, events, account.cost + cost)

    def elsewhere(self) -> Iterator[Choice]:
        """Yields the legal explanations in which a thing on the line between two zones belongs to the other zone."""
        for other in other_ways(self.layout):
            yield from self._legal(self.memory, other.layout, other.cost)

    def nested(self, refused: Refused) -> Iterator[Choice]:
        """Yields legal answers with unseen draws whose pieces now stand inside other pieces."""
        row, began = self.here.turn_began
        then, now = began.layout().heaps, self.here.state.layout().heaps
        opened = {spot for spot in now if now[spot] != then.get(spot)} | self.memory.moved(self.layout, row)
        events = (*refused.before, refused.event)
        for way in unseen_draws(self.game, self.here.state, events, self._evidence, opened):
            yield Choice(way, self.game.told(way), (), UNRECORDED)

    def may_be_by_another(self, events: Sequence[Event]) -> bool:
        """Returns true if another player may have done this, because something foreign may hide a turn.

        Args:
            events: Legal ones; the last one may be illegal.
        """
        if not (self.layout.hidden or self.layout.obscured):
            return False
        return may_be_by_another(self.game, self.here.state, events, self._evidence, self.layout.obscured)

    def lack_a_turn(self, events: Sequence[Event], after: Any) -> bool:
        """Returns true if the picture shows more than legal events, so that a later player may have made them.

        Args:
            after: The position after the events.
        """
        least = HEAP_MARGIN if has_grown(after.layout(), self.memory.seen(self.layout)) else AS_PREDICTED
        more = against(self.memory, after, self.layout) > least
        return more and may_be_by_next(self.game, self.here.state, events)

    @property
    def _touched(self) -> Iterator[Spot]:
        """Yields the heaps in which something has a new place, so that a piece may have been put inside it."""
        fresh = self.memory.fresh(self.layout)
        return (spot for spot, heap in self.layout.heaps.items() if any(one.place in fresh for one in heap))

    @property
    def _evidence(self) -> Evidence:
        """The reading, completed with what the memory knows."""
        return Evidence(self.memory.seen(self.layout), self.memory.away(self.layout))

    def _continued(self, account: Account, events: tuple[Event, ...], cost: float) -> Choice:
        """Returns an account with the events that followed it, as an answer."""
        events = (*account.events, *events)
        text = self.game.told(events)
        if account.given is not None:
            text = f"{text} ({reread_words(account.given)})"
        elif account.undo is not None:
            text = f"{text} (instead of what the record has after row {account.undo})"
        return Choice(events, text, (), cost, account.given, account.undo)

    def _legal(self, memory: Memory, layout: Layout, cost: float) -> Iterator[Choice]:
        """Yields the legal explanation of a reading, if the table is remembered or read so at a cost."""
        then = self.compared(self.here, memory, layout)
        if isinstance(then, Accepted):
            yield Choice(then.events, self.game.told(then.events), (), cost + then.cost)


def legal_ways(verdict: Verdict) -> Iterator[tuple[tuple[Event, ...], float]]:
    """Yields the legal explanations that a verdict names, each with its total cost in nats."""
    if isinstance(verdict, Accepted):
        yield verdict.events, verdict.cost
    elif isinstance(verdict, Unclear):
        for choice in verdict.choices:
            if not choice.breaches and choice.given is None:
                yield choice.events, choice.score + (verdict.cost or 0.0)


def brought_to(state: Any, refused: Refused) -> list[Spot]:
    """Returns the heaps to which an accusation brings a piece."""
    return [one.spot for one in _changed(state, refused) if one.brings]


def taken_from(state: Any, refused: Refused) -> list[Spot]:
    """Returns the heaps from which an accusation takes a piece."""
    return [one.spot for one in _changed(state, refused) if one.takes]


class _Changed(NamedTuple):
    """The change of a heap that an accusation implies."""

    spot: Spot
    brings: bool
    takes: bool


def _changed(state: Any, refused: Refused) -> Iterator[_Changed]:
    try:
        before = after_all(state, refused.before)
        then = before.apply_unchecked(refused.event)
    except MoveError:
        return
    for spot, earlier, later in change(refused.event, before.layout(), then.layout()).heaps:
        if earlier is not None and later is not None:
            was, now = Counter(earlier.pieces), Counter(later.pieces)
            yield _Changed(spot, bool(now - was), bool(was - now))
