"""Compares a referee's record with what really happened: finds true and invented rows, right and wrong accusations, and
unrecorded events.

A row is true if its event has happened and no earlier row has recorded it, however long ago that was: a referee whose
question stayed open may record events late. Once record and table agree, unrecorded events stay unrecorded. In games
whose rules ignore how a position was reached, rows are also true if they lead from one picture to exactly the position
of the next one, or toward it: no eyes can distinguish two ways that leave the same table (a pawn that was captured
twice, or once).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Drawn, Event, Rolled, Seat
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.layout import Layout, Spot
from companion.core.verdict import Choice, Refused
from companion.referee.journal import Row
from companion.referee.matching import seat_of
from companion.referee.table.table import Table
from simulation.drawn.step import Step
from simulation.drawn.tally import key_of
from simulation.lawful import reached

NOWHERE = ("declared", "captured")
"""Heaps of positions that lie on no table of these games."""
ON_THE_WAY = 2
"""A record that lacks at most this number of hidden events of the last step is on the way to its position."""


class Mistake(NamedTuple):
    """An illegal event that was made on the table."""

    event: Event
    seat: int
    rules: frozenset[str]


class RowsJudged(NamedTuple):
    """The judgment on the rows that one picture added to the record."""

    true: int
    invented: tuple[str, ...]
    """The recorded events that have not happened."""
    named: bool
    """True if an illegal move was refused with its player and a rule that it breaks."""
    misnamed: tuple[str, ...]
    """Accusations of players who broke another rule, or broke it in another way."""
    accused: tuple[str, ...]
    """Accusations of players who broke no rule."""


class Ledger:
    """The true events of one game, with those that the record still lacks."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._due: Counter[str] = Counter()
        self._optional: Counter[str] = Counter()
        """Legal events that leave the table as it was before a mistake: a piece that was taken out of a tree and stands
        there again was either put back or added again.
        """
        self._made: list[Event] = []
        """All events, visible or not, since the record last had the exact position."""
        self._earlier: Counter[str] = Counter()
        """The events that were still unrecorded when the last step was made."""
        self._played_on = False
        """True if the last step was legal or took a mistake back; the optional events then expire with the next step.

        """
        self.mistakes: list[Mistake] = []
        """The illegal events since record and table last agreed, including those that were put back."""
        self.before = Layout()
        """The layout of the table before the last step."""
        self._after: Any = None
        """The position after the last step; None if the step was not legal, or if earlier events were unrecorded."""
        self._passed: list[tuple[Any, Counter[str]]] = []
        """The positions after the legal steps since record and table last agreed, each with the events of all steps up
        to it."""
        self._seats: list[Seat] = []
        """The seats that left a trace on the table since record and table last agreed, in order."""

    @property
    def due(self) -> Counter[str]:
        """The keys of the events that happened and are not recorded yet."""
        return +self._due

    @property
    def untold(self) -> int:
        """The number of events that happened and are not recorded yet."""
        return self._due.total()

    @property
    def is_told(self) -> bool:
        """True if the record has all events of the last step."""
        return not self._due - self._earlier

    def take(self, step: Step, before: Layout) -> int:
        """Enters a step that has happened, and returns the number of its events that a camera can recognize.

        Args:
            before: The layout of the table before the step.
        """
        self.before, self._earlier = before, self._due.copy()
        self._after = step.after if step.kind == "legal" and not self.untold else None
        self._made += step.events if step.kind in ("legal", "illegal") else ()
        if self._played_on:
            self._optional.clear()
        self._played_on = step.kind in ("legal", "back")
        if step.kind == "illegal":
            event = step.events[0]
            rules = frozenset(breach.rule for breach in step.breaches)
            self.mistakes.append(Mistake(event, seat_of(step.before, event), rules))
            self._optional.update(self._undoing(step))
            return 0
        if step.kind != "legal":
            return 0
        here, told = step.before, []
        self._seats += self._seats_of(step.before, step.events)
        for event in step.events:
            told.append(self._telling(here, event))
            here = here.apply(event)
        seen = _keys(told)
        self._due.update(seen)
        self._passed.append((step.after, (self._passed[-1][1] if self._passed else Counter[str]()) + Counter(seen)))
        return len(seen)

    def settle(self, *, whole: bool) -> int:
        """Begins anew when record and table agree again, and returns the number of events that were never recorded.

        Args:
            whole: True if the record has the exact position. Otherwise it lacks invisible parts, such as the usage of a
                roll, and a person who is asked about them later still knows them.
        """
        left = self.untold
        self._seats.clear()
        self._due.clear()
        self._passed.clear()
        if whole:
            self._made.clear()
        self.mistakes.clear()
        return left

    def judge(self, table: Table, rows: Sequence[Row], charged: Refused | None = None) -> RowsJudged:
        """Judges new rows by what happened, and removes the events that they record from those due.

        Args:
            charged: A new accusation; the events that it assumes before the illegal move must have happened, too.
        """
        invented, misnamed, accused, named = list[str](), list[str](), list[str](), False
        invented += [] if charged is None else self._untrue(table.session.state, charged.before)
        moves = [row for row in rows if row.kind in ("move", "chance") and row.event is not None]
        told = [self._telling(table.session.state_at(row.n - 1), self._game.event(row.event)) for row in moves]
        due, optional = self._due.copy(), self._optional.copy()
        true, untrue = self._recorded(told)
        passed = self._passed_by(table, moves) if untrue else None
        if passed is not None:
            later, left = passed
            self._due, self._optional = left.copy(), optional
            true, untrue = self._recorded(told[later:])
            true += (due - left).total()
        if untrue and self._after is not None and self._is_on_a_way(table.session.state):
            untrue = []
            if table.session.state == self._after:
                true += self.untold
                self._due.clear()
        invented += untrue
        for row in rows:
            if row.source == "page":
                continue
            before = table.session.state_at(row.n - 1)
            if row.kind == "agreed" and row.event is not None:
                if not any(self._is(one, self._game.event(row.event), row) for one in self.mistakes):
                    invented.append(f"stands: {row.text}")
            elif row.kind == "reread":
                if not self._is_nearer(before.layout(), table.session.state_at(row.n).layout(), row.more["spot"]):
                    invented.append(row.text)
            elif row.kind == "refused" and row.event is not None:
                event = self._game.event(row.event)
                if any(self._is(one, event, row) for one in self.mistakes):
                    named = True
                elif any(one.seat == row.seat for one in self.mistakes):
                    misnamed.append(_accusation(row))
                else:
                    accused.append(_accusation(row))
        return RowsJudged(true, tuple(invented), named, tuple(misnamed), tuple(accused))

    def _recorded(self, told: Sequence[dict[str, Any] | None]) -> tuple[int, list[str]]:
        """Removes recorded events from those due; returns the number of true ones, and the keys of the others."""
        true, untrue = 0, []
        for run in _runs(told):
            keys = _keys(run)
            if self._due[keys[0]] <= 0 and len(run) > 1:
                keys = [key for words in run for key in _keys([words])]  # Two pictures show parts of one move.
            for key in keys:
                if self._due[key] > 0:
                    self._due[key] -= 1
                    true += 1
                elif self._optional[key] > 0:
                    self._optional[key] -= 1
                else:
                    untrue.append(key)
        return true, untrue

    def _passed_by(self, table: Table, rows: Sequence[Row]) -> tuple[int, Counter[str]] | None:
        """Returns the number of rows that lead to a position which the table has had, and the events due after it.

        Returns None if none do, or if the rules of the game depend on how a position was reached.
        """
        if self._game.proposer is None or self._game.proposer.history_key is not None or not self._passed:
            return None
        every = self._passed[-1][1]
        for number in range(len(rows), 0, -1):
            state = table.session.state_at(rows[number - 1].n)
            for then, events in reversed(self._passed):
                if then == state:
                    return number, every - events
        return None

    def is_true(self, state: Any, choice: Choice) -> bool:
        """True if everything that an answer states has happened and is not recorded yet.

        Args:
            state: The position in the record.
        """
        told_from = state
        if choice.given is not None:
            if not self._is_nearer(state.layout(), choice.given.state.layout(), choice.given.spot):
                return False
            state = choice.given.state
            if not choice.events:
                return True
        if choice.breaches:
            *first, last = choice.events
            for event in first:
                state = state.apply_unchecked(event)
            seat, rules = seat_of(state, last), {breach.rule for breach in choice.breaches}
            if not any(one.seat == seat and (one.event == last or one.rules & rules) for one in self.mistakes):
                return False
        return self.named_by(choice, told_from) <= self._due

    def named_by(self, choice: Choice, state: Any) -> Counter[str]:
        """Returns the keys of the legal events in an answer.

        Args:
            state: The position in the record.
        """
        state = state if choice.given is None else choice.given.state
        keys: Counter[str] = Counter()
        for event in choice.events[:-1] if choice.breaches else choice.events:
            key = self._key(state, event)
            keys.update([] if key is None else [key])
            state = state.apply_unchecked(event)
        return keys

    def is_in_order(self, state: Any, choice: Choice) -> bool:
        """True if the seats in an answer act in the order in which they have acted since record and table last agreed.

        Args:
            state: The position in the record.
        """
        state = state if choice.given is None else choice.given.state
        told = [seat for seat, _ in groupby(self._seats_of(state, choice.events))]
        done = [seat for seat, _ in groupby(self._seats)]
        return told == done[: len(told)] or told == done[len(done) - len(told) :]

    def _seats_of(self, state: Any, events: Sequence[Event]) -> list[Seat]:
        """Returns the seat of each event that leaves a trace on the table."""
        seats = []
        for event in events:
            seats += [] if self._is_untraced(state, event) else [seat_of(state, event)]
            state = state.apply_unchecked(event)
        return seats

    def untrue(self, state: Any, choice: Choice) -> tuple[int, int, bool]:
        """Returns the number of events that happened and are missing from an answer, the number of its events that did
        not happen exactly so, and whether the others happened in another order.

        Invisible events of the answer count only in the second number and in the order.
        """
        told = sum(self._key(state, event) is not None for event in choice.events)
        happened = [event for event in choice.events if event in self._made]
        made = iter(self._made)
        in_order = all(event in made for event in happened)
        return max(0, self.untold - told), len(choice.events) - len(happened), not in_order

    def _untrue(self, state: Any, events: Sequence[Event]) -> list[str]:
        """Returns the texts of the given legal events that have not happened."""
        left, found = self._due.copy(), []
        for event in events:
            key = self._key(state, event)
            if key is not None and left[key] <= 0:
                found.append(f"before it: {self._game.text(event)}")
            elif key is not None:
                left[key] -= 1
            state = state.apply_unchecked(event)
        return found

    def _is_on_a_way(self, state: Any) -> bool:
        """True if a position is the one after the last step, or if a few legal events, hidden ones included, lead from
        it there; always false in games whose rules depend on how a position was reached.
        """
        if self._game.proposer is None or self._game.proposer.history_key is not None:
            return False
        return state == self._after or self._after in reached(self._game, [state], self._after.layout(), ON_THE_WAY)

    def _undoing(self, step: Step) -> list[str]:
        """Returns the keys of the legal events that undo a mistake."""
        table = step.before.layout()
        found = []
        for event in step.after.legal_moves():
            try:
                undone = step.after.apply(event)
            except MoveError:
                continue
            if not undone.layout().differences(table):
                key = self._key(step.after, event)
                found += [] if key is None else [key]
        return found

    def _is(self, mistake: Mistake, event: Event, row: Row) -> bool:
        """True if a row names a mistake: the same player, and the same event or a rule that the mistake breaks."""
        rules = {breach["rule"] for breach in row.more.get("breaches", ())}
        return row.seat == mistake.seat and (event == mistake.event or bool(rules & mistake.rules))

    def _is_nearer(self, was: Layout, now: Layout, spot: Spot) -> bool:
        """True if a correction brings a heap or cell nearer to its true content before the last step."""
        truth = _pieces(self.before, spot)
        return _distance(_pieces(now, spot), truth) < _distance(_pieces(was, spot), truth)

    def _key(self, state: Any, event: Event) -> str | None:
        """Returns the key by which an event is compared; None if no camera can recognize it."""
        return next(iter(_keys([self._telling(state, event)])), None)

    def _telling(self, state: Any, event: Event) -> dict[str, Any] | None:
        """Returns an event in words that can be compared; None if no camera can recognize it."""
        if self._is_untraced(state, event):
            return None
        if isinstance(event, Rolled):
            return {"rolled": sorted(str(die.face) for die in event.faces)}
        words = self._game.words(state, event)
        if words is not None:
            return None if "rock" in words else words
        if isinstance(event, Drawn) and None not in event.pieces:
            return {"player": event.seat, "draws": sorted(map(repr, event.pieces))}
        return None

    def _is_untraced(self, state: Any, event: Event) -> bool:
        """True if an event leaves the visible table unchanged."""
        if isinstance(event, Rolled):
            return False
        try:
            after = state.apply_unchecked(event)
        except MoveError:
            return False
        was, now = _plain(state.layout()), _plain(after.layout())
        return not was.differences(now) and not now.differences(was)


def _runs(told: Sequence[dict[str, Any] | None]) -> list[list[dict[str, Any]]]:
    """Returns the events in order, in groups: successive moves with which one pawn goes on form one group."""
    found: list[list[dict[str, Any]]] = []
    for words in told:
        if words is None:
            continue
        last = found[-1][-1] if found else {}
        goes_on = words.get("type") == last.get("type") == "move" and words.get("player") == last.get("player")
        if goes_on and words.get("from") == last.get("to") and "captured" not in last:
            found[-1].append(words)
        else:
            found.append([words])
    return found


def _keys(told: Sequence[dict[str, Any] | None]) -> list[str]:
    """Returns the keys of events in order; successive moves of one pawn count as one move."""
    runs = _runs(told)
    return [key_of({**run[-1], "from": run[0].get("from")} if len(run) > 1 else run[0]) for run in runs]


def _plain(layout: Layout) -> Layout:
    """Returns a predicted table without the heaps that no table shows: the usages of a roll, and pawns held in a hand."""
    return replace(layout, heaps={spot: heap for spot, heap in layout.heaps.items() if spot not in NOWHERE})


def _accusation(row: Row) -> str:
    rules = " ".join(breach["rule"] for breach in row.more.get("breaches", ()))
    return f"player {(row.seat or 0) + 1}: {row.text} [{rules}]"


def _pieces(layout: Layout, spot: Spot) -> Counter[str]:
    if spot in layout.cells:
        return Counter([repr(layout.cells[spot].piece)])
    return Counter(repr(sighting.piece) for sighting in layout.heaps.get(spot, ()))


def _distance(one: Counter[str], other: Counter[str]) -> int:
    return (one - other).total() + (other - one).total()
