"""Doubts about the record: the events that it may lack, and with which an apparent breach of a rule would be legal.

If a picture after the last row showed no news, a whole turn may have taken place without a trace: the drawn piece
stands inside or behind something, or under a cloth. Then the record has the wrong player on turn, and a later player
may seem to break a rule, many rows later. Such a turn is searched only before an accusation, in the places that were
hidden at that time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Drawn, Event, Rolled, Seat, ToMove, ToRoll
from companion.core.game import Game
from companion.core.layout import Layout, Spot, Uncovered
from companion.core.pieces import Die, Piece
from companion.core.verdict import Accepted, Desynchronized, Pending, Refused, Same, TakenBack, Unclear, Verdict
from companion.referee.matching.accounts import UNRECORDED, Standpoint
from companion.referee.matching.evidence import Evidence, owner_of
from companion.referee.matching.excuses import passed_after_other_roll, rolled_by_next, way_out_and_back
from companion.referee.matching.hypotheses import SECOND_MOVE
from companion.referee.matching.memory import Memory
from companion.referee.matching.out_of_sight import passed_on, unseen_draws, unseen_positions
from companion.referee.matching.rolls import DICE, LostRolls, rolled_since
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


UNTRACED = 3.4
"""Nats (30 to 1) against a turn without a trace, whose drawn piece stands at once in another piece or behind one.
Chosen."""


class TurnProof(NamedTuple):
    """The evidence of pictures since an unproved row was written."""

    draws: int | None = None
    """The number of draws since then that agree with the record; None if there is no such row."""

    def told(self, events: Sequence[Event], before: Any, after: Any, *, guessed: bool) -> TurnProof:
        """Returns the evidence after a row was written.

        Args:
            before: The position before the row's events; None if it is unknown.
            after: The position after them.
            guessed: True if more must have happened than pictures show.
        """
        drawn = [piece for event in events if isinstance(event, Drawn) for piece in event.pieces]
        if guessed or (drawn and before is not None and _are_used_up(drawn, before, after)):
            return TurnProof(0)
        return TurnProof(self.draws + 1) if self.draws is not None and drawn else self

    def doubt(self, accused: Event, *, on_turn: bool) -> float | None:
        """Returns the nats against a missing row that would excuse the accused player; None if no such gap is possible.

        Args:
            on_turn: True if the accused player is to act.
        """
        if self.draws is None or (on_turn and not isinstance(accused, Drawn)):
            return None
        return UNRECORDED * (1 + self.draws)


def _are_used_up(drawn: Sequence[Piece | None], before: Any, after: Any) -> bool:
    """Returns true if a piece drawn between two positions is missing in the second one.

    It was used up before a picture was taken, so no picture proves which piece was drawn.
    """
    then, now = _pieces_of(before.layout()), _pieces_of(after.layout())
    return any(now[piece] < then[piece] + count for piece, count in Counter(drawn).items() if piece is not None)


def _pieces_of(table: Layout) -> Counter[Piece | None]:
    """Returns the pieces on a predicted table, with their numbers."""
    return Counter(one.piece for heap in (*table.heaps.values(), tuple(table.cells.values())) for one in heap)


class RecordDoubts(NamedTuple):
    """The possible gaps of the record. It is a value: each verdict gives a new one."""

    behind: Verdict | None = None
    """The verdict on the last picture, if something happened in it that the record lacks."""
    rolls: LostRolls = LostRolls()
    last_told: tuple[Any, tuple[Event, ...]] | None = None
    """The position before the last picture with a legal change, and the events that the picture was taken to show."""
    turn_proof: TurnProof = TurnProof()
    blind: frozenset[Spot] = frozenset()
    """Heaps in which a piece may have stood out of sight in the last picture."""
    quiet: bool = False
    """True if a picture after the last row showed no news: an event without a trace is possible."""
    unseen_turns: UnseenTurns = UnseenTurns()
    covered: frozenset[Spot] | None = None
    """Heaps over which something foreign lay in every picture so far; None before the first one."""
    foreign: frozenset[Spot] = frozenset()
    """Heaps over which something foreign lay in a picture since the last row."""
    uncovered: Mapping[str, Uncovered] = MappingProxyType({})
    """The places that came to light in pictures which are not explained yet."""

    def after(
        self,
        verdict: Verdict,
        here: Standpoint,
        memory: Memory,
        layout: Layout,
        *,
        first: bool,
        question: Unclear | None,
    ) -> RecordDoubts:
        """Returns the doubts after a verdict.

        Args:
            here: The state of the game after the verdict was carried out; `memory`: the memory before it.
            first: True for the first reading of a table.
            question: The question that was open until then; None if none was.
        """
        behind = verdict if _leaves_behind(verdict) else None
        no_news = _only_repeats(verdict, question) or (isinstance(verdict, Same) and not first)
        rolls, last_told, turn_proof, turns = self.rolls, self.last_told, self.turn_proof, self.unseen_turns
        if isinstance(verdict, Same | Accepted):
            events = verdict.events if isinstance(verdict, Accepted) else ()
            stood = before(verdict, here) if isinstance(verdict, Accepted) else None
            rolls = rolls.explained(events, moved=stood is None or _has_moved(stood[0].layout(), here.state.layout()))
            if not events and not first and _may_be_rolled_alike(here.state, layout):
                rolls = LostRolls(lost=True)
        elif isinstance(verdict, TakenBack):
            rolls, last_told = LostRolls(lost=rolls.lost), None
        elif not isinstance(verdict, Refused):
            rolls = rolls.unexplained(here.state.layout(), layout)
        if isinstance(verdict, Accepted):
            last_told = before(verdict, here)
            guessed = verdict.unseen or self.behind is not None or question is not None
            turn_proof = turn_proof.told(verdict.events, last_told and last_told[0], here.state, guessed=guessed)
            plain = last_told is not None and verdict.given is None
            turns = turns.told(last_told[0], verdict.events) if last_told and plain else UnseenTurns()
        elif isinstance(verdict, TakenBack):
            turns = UnseenTurns()
        elif no_news:
            evidence = Evidence(memory.seen(layout), memory.away(layout))
            turns = turns.showed_nothing(evidence, layout.blind | layout.obscured)
        quiet = not isinstance(verdict, Accepted) and (self.quiet or no_news)
        covered = layout.obscured if self.covered is None else self.covered & layout.obscured
        foreign = layout.obscured | (frozenset() if isinstance(verdict, Accepted) else self.foreign)
        settled = isinstance(verdict, Same | TakenBack) or (isinstance(verdict, Accepted) and verdict.events)
        lit = {} if settled else layout.uncovered
        return RecordDoubts(behind, rolls, last_told, turn_proof, layout.blind, quiet, turns, covered, foreign, lit)

    def still_uncovered(self, layout: Layout) -> Layout:
        """Returns a reading that includes the places which came to light in earlier pictures, if those are
        unexplained.
        """
        if not self.uncovered:
            return layout
        places = {one.place for heap in layout.heaps.values() for one in heap}
        lit = {place: how for place, how in self.uncovered.items() if place in places}
        return replace(layout, uncovered={**lit, **layout.uncovered})

    def costs(
        self, game: Game[Any], memory: Memory, here: Standpoint, refused: Refused, layout: Layout
    ) -> Iterator[float]:
        """Yields the nats against each account in which the record lacks events that make an accusation wrong."""
        due = here.state.expects()
        on_turn = isinstance(due, ToMove) and refused.seat in due.seats
        if self.behind and not (isinstance(self.behind, Desynchronized) and on_turn):
            yield UNRECORDED
        if (self.rolls.lost and not on_turn) or LostRolls(self.rolls.shown).explained(refused.before, layout).lost:
            yield UNRECORDED
        events = (*refused.before, refused.event)
        if self.last_told and (
            rolled_by_next(game, *self.last_told, events)
            or passed_after_other_roll(game, self.last_told[0], (*self.last_told[1], *events))
        ):
            yield UNRECORDED
        if (doubt := self.turn_proof.doubt(refused.event, on_turn=on_turn)) is not None:
            yield doubt
        # A turn without a trace took place in a picture that showed nothing new, or, rarely, in the same picture as
        # another turn. It is likelier where a cloth or other pieces may hide what it brought.
        evidence = Evidence(memory.seen(layout), memory.away(layout))
        blind = layout.blind | self.blind
        if next(unseen_draws(game, here.state, events, evidence, frozenset(layout.heaps), blind), None) is not None:
            under = self.foreign | layout.obscured
            hidden = next(unseen_draws(game, here.state, events, evidence, under, under | blind), None) is not None
            yield (UNRECORDED if hidden else UNTRACED) + (0.0 if self.quiet else SECOND_MOVE)
        if self.unseen_turns.excuse(game, events, layout):
            yield UNTRACED


def _only_repeats(verdict: Verdict, question: Unclear | None) -> bool:
    """Returns true if a verdict asks what an open question asks already."""
    if question is None or not isinstance(verdict, Unclear):
        return False
    return [one.events for one in verdict.choices] == [one.events for one in question.choices]


def before(accepted: Accepted, here: Standpoint) -> tuple[Any, tuple[Event, ...]] | None:
    """Returns the accepted events, with the position before them; None if that position is unknown.

    Args:
        here: The state of the game after them.
    """
    if accepted.given is not None:
        return accepted.given.state, accepted.events
    row = here.row - len(accepted.events)
    state = next((earlier for number, earlier in reversed(here.history) if number <= row), None)
    return None if state is None else (state, accepted.events)


def _may_be_rolled_alike(state: Any, layout: Layout) -> bool:
    """Returns true if the next player may have rolled the same faces, after moves that left the table as it was."""
    if isinstance(state.expects(), ToRoll) or not rolled_since((), layout):
        return False
    faces = tuple(one.piece for one in layout.heaps[DICE] if isinstance(one.piece, Die))
    return bool(way_out_and_back(state, (Rolled(faces),)))


def _has_moved(before: Layout, after: Layout) -> bool:
    """Returns true if more than dice differs between two predicted tables."""
    return any(one.spot != DICE for one in before.differences(after))


def _leaves_behind(verdict: Verdict) -> bool:
    """Returns true if something happened that the record lacks and that no answer to a question would add."""
    if isinstance(verdict, Unclear):
        return verdict.only_accuses
    return isinstance(verdict, Desynchronized) or (isinstance(verdict, Pending) and verdict.behind)
