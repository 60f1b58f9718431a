"""The timeline of a game: which events count now, and the position after each row.

Rows are never erased, so a game is a fold over them: an undo returns to the game as it was after an earlier row, a
correction replays later rows. Table and replay share this fold; no other module knows what a row does. A `Timeline` is
a value that holds the timeline before it, so going back only means using an earlier one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.contract import Drawn, Event, Rolled, Seat, Shown, State, Violation
from companion.core.foundation.errors import BadEvent, BadOptions, BadRecord, IllegalMove, MoveError
from companion.core.game import Game, apply_due_draws
from companion.core.layout import Spot
from companion.referee.journal.chained import ChainedGames
from companion.referee.journal.rows import Header, Kind, Row, Source, digest

# Positions as data: the forms of a record's `position`, and a form from which any position is read back unchanged.
#
# People write a position in the words of their game (docs/records.md), which leave out derived values. A program writes
# the state itself, under one key, so that no detail is lost in any game and at any point of a turn.

STATE = "state"
"""The key under which a position holds a whole state."""


def written(state: Any) -> dict[str, Any]:
    """Returns the position as plain JSON data that `read` understands: `{"state": {...}}`."""
    return {STATE: msgspec.to_builtins(state)}


def read(game: Game[Any], seats: int, options: Struct, position: Mapping[str, Any]) -> Any:
    """Returns the position that a record describes, in the words of the game or as a whole state.

    Raises:
        BadRecord: The position contradicts itself, or was written with other players or options.
        BadOptions: The number of seats or an option is out of its bounds.
    """
    if STATE not in position:
        return game.from_record(seats, options, position)
    if len(position) > 1:
        raise BadRecord("A position with a whole state has no other keys. Leave them out.")
    state = game.load(msgspec.json.encode(position[STATE]))
    if state.seats != seats:
        raise BadRecord(f"The state has {state.seats} players, and the record {seats}. Name as many players.")
    kept = msgspec.to_builtins(state).get("options")
    if kept is not None and kept != msgspec.to_builtins(options):
        raise BadRecord("The state was written with other options than the record's. Give the record the same options.")
    return state


class TimelineStep(Struct, frozen=True, eq=False):
    """One event that counts."""

    n: int
    """The number of the step's row; a corrected event keeps the number of the original row."""
    kind: Kind
    event: Event | None
    """The event; None for a position that was set up or reread."""
    state: Any
    """The position after the event."""
    parent: TimelineStep | None


class _Link(Struct, frozen=True, eq=False):
    n: int
    parent: _Link | None


class Book(Struct, frozen=True, eq=False):
    """The constant parts of a game."""

    game: Game[Any]
    header: Header
    start: Any
    """The position before row 1."""

    def with_due_draws(self, state: Any) -> Any:
        """Carries out the due draws if the header says that draws are unseen."""
        return apply_due_draws(state) if self.header.draws == "unseen" else state

    def advance(self, state: Any, kind: Kind, event: Event) -> Any:
        """Returns the position after an event, and after the draws that follow from it.

        An agreed event that has become legal through an earlier correction is applied as a legal one.
        """
        if kind == "agreed" and state.violations(event):
            return self.with_due_draws(state.apply_unchecked(event))
        return self.with_due_draws(state.apply(event))

    def position(self, position: Mapping[str, Any]) -> Any:
        """Returns a position of this game, with its seats and options.

        Raises:
            BadRecord: The position contradicts itself.
        """
        options = options_of(self.game, self.header.options)
        return read(self.game, self.header.seats, options, position)


class Timeline(Struct, frozen=True, eq=False):
    """A game up to row `n`: the position there, the rows that still count, and the timelines of all earlier rows."""

    book: Book
    n: int = 0
    tip: TimelineStep | None = None
    alive: _Link | None = None
    before: Timeline | None = None

    @property
    def state(self) -> Any:
        """The position now."""
        return self.book.start if self.tip is None else self.tip.state

    def at(self, n: int) -> Timeline:
        """Returns the timeline as it was after row `n`; 0 is the start.

        Raises:
            BadEvent: There is no such row.
        """
        timeline: Timeline | None = self
        while timeline is not None and timeline.n != n:
            timeline = timeline.before
        if timeline is None:
            raise BadEvent(
                f"There is no row {n}: the game has rows 1 to {self.n}. Choose one of them, or 0 for the start."
            )
        return timeline

    def steps(self) -> tuple[TimelineStep, ...]:
        """Returns the events that count, oldest first."""
        found = []
        step = self.tip
        while step is not None:
            found.append(step)
            step = step.parent
        return tuple(reversed(found))

    def undone(self) -> frozenset[int]:
        """Returns the numbers of the rows that were undone."""
        alive = set()
        link = self.alive
        while link is not None:
            alive.add(link.n)
            link = link.parent
        return frozenset(range(1, self.n + 1)) - alive

    def origin(self, spot: Spot) -> int | None:
        """Returns the number of the row that last changed the pieces on `spot`; None if they are there since the
        start.
        """
        step = self.tip
        while step is not None:
            earlier = self.book.start if step.parent is None else step.parent.state
            if _held(step.state, spot) != _held(earlier, spot):
                return step.n
            step = step.parent
        return None

    def tell(self, kind: Kind, event: Event) -> Timeline:
        """Returns the timeline after a "move", "chance" or "agreed" row.

        Raises:
            MoveError: The rules refuse the event.
        """
        return self._next(
            TimelineStep(self.n + 1, kind, event, self.book.advance(self.state, kind, event), self.tip), self.alive
        )

    def note(self) -> Timeline:
        """Returns the timeline after a row without effect on the position."""
        return self._next(self.tip, self.alive)

    def put(self, state: State) -> Timeline:
        """Returns the timeline after a position was set up."""
        return self._next(
            TimelineStep(self.n + 1, "position", None, self.book.with_due_draws(state), self.tip), self.alive
        )

    def reread(self, state: State) -> Timeline:
        """Returns the timeline after a misread piece of the position was found; the events before it stay as they
        are.
        """
        return self._next(TimelineStep(self.n + 1, "reread", None, state, self.tip), self.alive)

    def undo(self, to: int) -> Timeline:
        """Returns the timeline after going back to row `to`, which may itself have been undone.

        Raises:
            BadEvent: There is no such row.
        """
        then = self.at(to)
        return self._next(then.tip, then.alive)

    def correct(self, of: int, event: Event) -> Timeline:
        """Returns the timeline in which row `of` was really `event`.

        Raises:
            BadEvent: Row `of` has no event that counts, or a later row no longer fits.
            IllegalMove: `event` breaks rules, or a later row now does; the message names the row.
        """
        steps = self.steps()
        place = next((i for i, step in enumerate(steps) if step.n == of and step.event is not None), None)
        if place is None:
            raise BadEvent(f"Row {of} has no move that counts now. Choose a row with a move that was not undone.")
        tip = steps[place].parent
        told = kind_of(event)
        tip = TimelineStep(
            of, told, event, self.book.advance(self.book.start if tip is None else tip.state, told, event), tip
        )
        for step in steps[place + 1 :]:
            if step.event is None:
                tip = TimelineStep(step.n, step.kind, None, step.state, tip)
                continue
            try:
                state = self.book.advance(tip.state, step.kind, step.event)
            except IllegalMove as error:
                name = f"Row {step.n} ({self.book.game.text(step.event)}) would no longer be allowed"
                raise IllegalMove([Violation(b.rule, f"{name}: {b.text}", b.where) for b in error.breaches]) from error
            except MoveError as error:
                name = f"Row {step.n} ({self.book.game.text(step.event)}) would no longer fit"
                raise BadEvent(f"{name}: {error}") from error
            tip = TimelineStep(step.n, step.kind, step.event, state, tip)
        return self._next(tip, self.alive)

    def read(self, row: Row) -> Timeline:
        """Returns the timeline after a row of a journal.

        Raises:
            MoveError: The rules refuse the row.
            BadRecord: The row has a position that the rules refuse.
        """
        if row.kind in ("refused", "asked", "commitment", "reveal", "hint", "seat", "clock"):
            return self.note()
        if row.kind == "undo":
            return self.undo(row.more["to"])
        if row.kind == "position":
            return self.put(self.book.position(row.more["position"]))
        if row.kind == "reread":
            return self.reread(self.book.game.load(msgspec.json.encode(row.more["state"])))
        event = self.book.game.event(row.event)
        if row.kind == "correct":
            return self.correct(row.more["of"], event)
        return self.tell(row.kind, event)

    def _next(self, tip: TimelineStep | None, alive: _Link | None) -> Timeline:
        return Timeline(self.book, self.n + 1, tip, _Link(self.n + 1, alive), self)


def begin(game: Game[Any], header: Header) -> Timeline:
    """Returns the timeline of a game before its first row.

    Raises:
        BadOptions: The game does not have this number of seats, or an option.
        BadRecord: The header's position contradicts itself.
    """
    options = options_of(game, header.options)
    if header.position is None:
        start = game.start(header.seats, options)
    else:
        start = read(game, header.seats, options, header.position)
    book = Book(game, header, start)
    return Timeline(replace(book, start=book.with_due_draws(start)))


def options_of(game: Game[Any], given: Mapping[str, Any]) -> Struct:
    """Returns the game's options, with defaults filled in.

    Raises:
        BadOptions: An unknown option, or a value out of its bounds; the message lists the options.
    """
    known = {field.encode_name for field in msgspec.structs.fields(game.Options)}
    for name in given:
        if name not in known:
            there = f"It has: {', '.join(sorted(known))}." if known else "It has none."
            raise BadOptions(f'{game.title} has no option "{name}". {there}')
    try:
        return msgspec.convert(dict(given), game.Options, strict=False)
    except msgspec.ValidationError as error:
        raise BadOptions(
            f"An option of {game.title} is out of its bounds: {error}. `companion games` lists them."
        ) from error


def _held(state: Any, spot: Spot) -> Any:
    """Returns the predicted contents of a spot: a piece, or a heap's pieces in a fixed order."""
    layout = state.layout()
    if spot in layout.cells:
        return layout.cells[spot].piece
    if spot in layout.heaps:
        return sorted((sighting.piece for sighting in layout.heaps[spot]), key=repr)
    return None


def kind_of(event: Event) -> Kind:
    """Returns "chance" or "move"."""
    return "chance" if isinstance(event, Rolled | Drawn | Shown) else "move"


class Entry(Struct, frozen=True, eq=False):
    """A row that is to be written."""

    timeline: Timeline
    """The game after the row."""
    kind: Kind
    seat: Seat | None
    event: Event | None
    text: str
    source: Source
    more: dict[str, Any]

    def write(self, journal: ChainedGames, at: float) -> Row:
        """Writes the row after the last row of the timeline; it is on disk when this returns.

        Raises:
            JournalError: The row could not be written; the journal is unchanged.
        """
        state = self.timeline.state
        return journal.append(
            self.timeline.book.header.id,
            at=at,
            kind=self.kind,
            seat=self.seat,
            event=None if self.event is None else msgspec.to_builtins(self.event),
            text=self.text,
            source=self.source,
            scores=tuple(score.total for score in state.scores()),
            legal=len(state.legal_moves()),
            digest=digest(state),
            more=self.more,
            after=self.timeline.n - 1,
        )
