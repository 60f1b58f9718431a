"""A game as it is written: its position, its rows and what is open, always together.

Readers meet one value that is replaced as a whole, so none sees a half-made change, and a row is on disk before anyone
is told. What becomes a row is decided by the table (`companion.table`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.alert import Alert
from companion.contract import Event, Game, Move, Seat
from companion.entry import Entry
from companion.errors import BadEvent, StaleCommand
from companion.journal import Header, Journal, Row, Source
from companion.layout import Spot
from companion.line import Line, Step, begin, kind_of
from companion.plan import Plan


class _Now(Struct, frozen=True, eq=False):
    """All that readers see, replaced as one, so no reader meets a half-made change."""

    line: Line
    rows: tuple[Row, ...]
    alert: Alert | None
    version: int


class Ledger:
    """What is written of a game in play. Every method may be called from any thread."""

    def __init__(
        self,
        game: Game[Any],
        header: Header,
        journal: Journal,
        *,
        clock: Callable[[], float] = time.time,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """Continue the game of `header`, which the journal holds; its rows are replayed.

        :param changed: called after every row and every change of the alert.
        :raises JournalError: the journal cannot be read, or its chain is broken.
        :raises MoveError: these rules refuse a row of it; such a game can be looked at, not continued.
        """
        self.game = game
        self.header = header
        self._journal = journal
        self._clock = clock
        self._changed = changed
        self._lock = threading.Condition(threading.RLock())
        line = begin(game, header)
        rows = journal.rows(header.id)
        for row in rows:
            line = line.read(row)
        self._now = _Now(line, rows, None, 0)
        self._legal: tuple[Any, tuple[Move, ...]] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays, by seat."""
        return self.header.names

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that were chosen, as JSON."""
        return self.header.options

    @property
    def plan(self) -> Plan | None:
        """Where things stood when the game began."""
        return self.header.plan

    @property
    def state(self) -> Any:
        """The position now."""
        return self._now.line.state

    @property
    def line(self) -> Line:
        """The events that count, as a value: ask it what an undo or a correction would bring."""
        return self._now.line

    @property
    def seq(self) -> int:
        """Number of the last row, 0 before the first."""
        return self._now.line.n

    @property
    def version(self) -> int:
        """Rises with every row and every change of the alert."""
        return self._now.version

    @property
    def alert(self) -> Alert | None:
        """What is open."""
        return self._now.alert

    def rows(self) -> tuple[Row, ...]:
        """Every row, undone ones too."""
        return self._now.rows

    def undone(self) -> frozenset[int]:
        """Numbers of the rows that an undo folded away."""
        return self._now.line.undone()

    @property
    def hints(self) -> bool:
        """Whether players may be shown good moves: what the last row about it says, else not."""
        told = (row.more["allow"] for row in reversed(self._now.rows) if row.kind == "hint" and "allow" in row.more)
        return next(told, False)

    def steps(self) -> tuple[Step, ...]:
        """The events that count now, with the position after each, oldest first."""
        return self._now.line.steps()

    def state_at(self, n: int) -> Any:
        """The position as it stood after row `n`; 0 is the start.

        :raises BadEvent: there is no such row.
        """
        return self._now.line.at(n).state

    def advance(self, state: Any, event: Event) -> Any:
        """The position after a legal event and the draws that follow from it; this table does not change.

        :raises MoveError: the event does not fit the position.
        """
        return self._now.line.book.advance(state, kind_of(event), event)

    def origin(self, spot: Spot) -> int | None:
        """The row that last changed what lies on `spot`: the one to correct. None if it lies there since the start."""
        return self._now.line.origin(spot)

    def legal(self) -> tuple[Move, ...]:
        """Every legal move now, listed once a position."""
        with self._lock:
            state = self.state
            if self._legal is None or self._legal[0] is not state:
                self._legal = state, tuple(state.legal_moves())
            return self._legal[1]

    def wait(self, version: int, timeout_s: float) -> int:
        """Block until the version differs from `version`, or `timeout_s` has passed; the version then."""
        with self._lock:
            self._lock.wait_for(lambda: self._now.version != version, timeout_s)
            return self._now.version

    def allow_hints(self, allow: bool, *, source: Source, expected: int | None = None) -> Row:
        """Let players be shown good moves from here on, or no longer; a table begins without.

        :raises StaleCommand: there are rows that the person has not seen.
        """
        with self._lock:
            self._fresh(expected)
            text = "hints are allowed" if allow else "hints are no longer allowed"
            entry = Entry(self._now.line.note(), "hint", None, None, text, source, {"allow": allow})
            return self._write(entry, self.alert)

    def note_hint(self, seat: Seat, *, source: Source, expected: int | None = None) -> Row:
        """Note that a player is shown a good move; call it before anybody is told.

        :raises BadEvent: hints are not allowed at this table.
        :raises StaleCommand: the position is not the one that the move was found for.
        """
        with self._lock:
            self._fresh(expected)
            if not self.hints:
                raise BadEvent("Hints are not allowed at this table. Allow them first.")
            entry = Entry(self._now.line.note(), "hint", seat, None, "is shown a good move", source, {})
            return self._write(entry, self.alert)

    def note_seat(self, seat: Seat, text: str, *, source: Source) -> Row:
        """Note that a browser took, left or lost the seat of a player, so that everybody sees it."""
        with self._lock:
            return self._write(Entry(self._now.line.note(), "seat", seat, None, text, source, {}), self.alert)

    def _write(self, entry: Entry, alert: Alert | None) -> Row:
        """Commit a row, then and only then let it be seen, together with the alert that follows from it."""
        row = entry.write(self._journal, self._clock())
        self._publish(replace(self._now, line=entry.line, rows=(*self._now.rows, row), alert=alert))
        return row

    def _show(self, alert: Alert | None) -> None:
        """Show another alert, or none."""
        if alert is not self.alert:
            self._publish(replace(self._now, alert=alert))

    def _publish(self, now: _Now) -> None:
        self._now = replace(now, version=self._now.version + 1)
        self._lock.notify_all()
        self._changed()

    def _fresh(self, expected: int | None) -> None:
        if expected is not None and expected != self.seq:
            raise StaleCommand(
                f"The table has moved on to row {self.seq} since row {expected} was shown. Look again, then repeat it."
            )
