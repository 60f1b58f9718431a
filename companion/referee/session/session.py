"""One game in progress: its position, its rows and its open alert, always consistent with each other.

Readers get one value that is replaced as a whole, so no reader sees a half-made change, and a row is on disk before any
screen shows it. The table decides which events become rows (`companion.referee.table.table`). Where software deals, the
commitment is written before the first card, cards as soon as they are due, and the seed once the game is over.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.contract import Chance, Drawn, Event, Move, Over, Seat, Shown, seats_due
from companion.core.foundation.errors import BadEvent, JournalError, StaleCommand
from companion.core.game import Game
from companion.core.layout import Spot
from companion.core.plan import Plan
from companion.core.verdict import Pending, Reread, reread_words
from companion.games.shared.cards.dealing import new_seed
from companion.referee.journal import ChainedGames, Header, Kind, Row, Source
from companion.referee.journal.timeline import Entry, Timeline, TimelineStep, begin, kind_of
from companion.referee.matching import seat_of
from companion.referee.session.alert import Alert
from companion.referee.session.chosen_signs import ChosenSign
from companion.referee.session.clock import Clock, Pace, TimeLeft, going_on
from companion.referee.session.croupier import Croupier, outcome, outcome_seed, revealed, sealed


class _Now(Struct, frozen=True, eq=False):
    """The data that readers see, replaced as a whole, so that no reader sees a half-made change."""

    timeline: Timeline
    rows: tuple[Row, ...]
    alert: Alert | None
    version: int


class GameSession:
    """A game in play: its position and its history. Every method may be called from any thread."""

    def __init__(
        self,
        game: Game[Any],
        header: Header,
        journal: ChainedGames,
        *,
        clock: Callable[[], float] = time.time,
        changed: Callable[[], None] = lambda: None,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Continues the game of `header`, which the journal contains, by replaying its rows.

        Args:
            random_bytes: Draws the secret seed by which software rolls and draws on demand.
            changed: A function that is called after every row and every change of the alert.

        Raises:
            JournalError: The journal cannot be read, its chain is broken, or it lacks the seed of a dealt game.
            MoveError: The rules refuse a row; such a game can be shown, but not continued.
        """
        self.game = game
        self.header = header
        self._journal = journal
        self._clock = clock
        self._changed = changed
        self._random_bytes = random_bytes
        self.lock = threading.Condition(threading.RLock())
        """The lock. A thread that decides about a row holds it from reading the state until the row is written."""
        line = begin(game, header)
        rows = journal.rows(header.id)
        for row in rows:
            line = line.read(row)
        self.people = journal.people(header.names)
        """By seat: the number of the person, in the order in which the journal first met people."""
        self.chosen_signs: tuple[ChosenSign | None, ...] = (None,) * len(header.names)
        """By seat: the sign that the person chose."""
        self.told_before = len(rows)
        """The number of rows when the game was taken up; these rows are not news."""
        self._now = _Now(line, rows, None, 0)
        self._legal: tuple[Any, tuple[Move, ...]] | None = None
        self._croupier = self._seated_croupier()
        self._timer = going_on(rows, line.state.expects(), header.seats, clock())
        self.deal()

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self.header.names

    @property
    def options(self) -> Mapping[str, Any]:
        """The chosen options, as JSON."""
        return self.header.options

    @property
    def plan(self) -> Plan | None:
        """The plan of the table when the game began."""
        return self.header.plan

    @property
    def state(self) -> Any:
        """The position now."""
        return self._now.timeline.state

    @property
    def timeline(self) -> Timeline:
        """The events that count, as a value: it also answers what an undo or a correction would lead to."""
        return self._now.timeline

    @property
    def seq(self) -> int:
        """The number of the last row; 0 before the first."""
        return self._now.timeline.n

    @property
    def version(self) -> int:
        """A number that rises with every row and every change of the alert."""
        return self._now.version

    @property
    def alert(self) -> Alert | None:
        """The open alert, or None."""
        return self._now.alert

    def rows(self) -> tuple[Row, ...]:
        """Returns all rows, including undone ones."""
        return self._now.rows

    def undone(self) -> frozenset[int]:
        """Returns the numbers of the rows that were undone."""
        return self._now.timeline.undone()

    @property
    def hints(self) -> bool:
        """True if players may see good moves, according to the last row about hints; false before such a row."""
        told = (row.more["allow"] for row in reversed(self._now.rows) if row.kind == "hint" and "allow" in row.more)
        return next(told, False)

    def steps(self) -> tuple[TimelineStep, ...]:
        """Returns the events that count now, with the position after each, oldest first."""
        return self._now.timeline.steps()

    def state_at(self, n: int) -> Any:
        """Returns the position as it was after row `n`; 0 is the start.

        Raises:
            BadEvent: There is no such row.
        """
        return self._now.timeline.at(n).state

    def advance(self, state: Any, event: Event) -> Any:
        """Returns the position after a legal event and the draws that follow from it; the session does not change.

        Raises:
            MoveError: The event does not fit the position.
        """
        return self._now.timeline.book.advance(state, kind_of(event), event)

    def origin(self, spot: Spot) -> int | None:
        """Returns the number of the row that last changed the pieces on `spot`, which is the one to correct; None if
        they are there since the start.
        """
        return self._now.timeline.origin(spot)

    def legal(self) -> tuple[Move, ...]:
        """Returns every legal move now; the list is computed once per position."""
        with self.lock:
            state = self.state
            if self._legal is None or self._legal[0] is not state:
                self._legal = state, tuple(state.legal_moves())
            return self._legal[1]

    def use_signs(self, chosen: tuple[ChosenSign | None, ...]) -> None:
        """Sets the signs that people chose, by seat."""
        with self.lock:
            self.chosen_signs = chosen
            self._publish(self._now)

    def wait(self, version: int, timeout_s: float) -> int:
        """Waits until the version differs from `version`, or `timeout_s` has passed; returns the present version."""
        with self.lock:
            self.lock.wait_for(lambda: self._now.version != version, timeout_s)
            return self._now.version

    def tell(self, kind: Kind, event: Event, source: Source, more: dict[str, Any]) -> Row:
        """Writes an event, and the draws that software deals after it; it settles the open alert.

        Args:
            kind: "move", "chance" or "agreed".
            more: Further data of the row.

        Raises:
            MoveError: The rules refuse the event.
        """
        row = self._tell(kind, event, source, more)
        self.deal()
        return row

    def note(
        self,
        kind: Kind,
        text: str,
        source: Source,
        more: dict[str, Any],
        *,
        seat: Seat | None = None,
        event: Event | None = None,
        alert: Alert | None,
    ) -> Row:
        """Writes a row without effect on the position.

        Args:
            alert: The alert from now on.
        """
        return self._write(Entry(self._now.timeline.note(), kind, seat, event, text, source, more), alert)

    def reread(self, given: Reread, source: Source, more: dict[str, Any]) -> Row:
        """Writes that a piece was another one all along."""
        told = {
            **more,
            "spot": given.spot,
            "of": given.row,
            "now": msgspec.to_builtins(given.now),
            "state": msgspec.to_builtins(given.state),
        }
        line = self._now.timeline.reread(given.state)
        return self._write(Entry(line, "reread", None, None, reread_words(given), source, told), None)

    def undo(self, to: int, why: str, *, source: Source) -> Row:
        """Goes back to the position after row `to`; 0 is the start. Undone rows are kept, and can come back.

        Raises:
            BadEvent: There is no such row, or the seed was shown, so that all later cards would be known.
        """
        if self._croupier is not None and revealed(self.rows()) is not None:
            raise BadEvent("The deal was shown when the game was over, so it cannot go on. Begin another game.")
        line = self._now.timeline.undo(to)
        text = f"back to row {to}" if to else "back to the start"
        row = self._write(Entry(line, "undo", None, None, text, source, {"to": to, "why": why}), None)
        self.deal()
        return row

    def correct(self, n: int, event: Event, why: str, *, source: Source) -> Row:
        """Corrects row `n` to `event`; later rows are replayed.

        Raises:
            IllegalMove: `event`, or the later row that the message names, would break rules. The game is unchanged.
            BadEvent: Row `n` has no move that counts, the later row that the message names no longer fits, or software
                deals: other moves would have drawn other cards.
        """
        if self._croupier is not None:
            raise BadEvent("In a game that the program deals, go back to before the move and make the right one.")
        line = self._now.timeline.correct(n, event)
        step = next(step for step in line.steps() if step.n == n)
        seat = seat_of(step.parent.state if step.parent else line.book.start, event)
        more = {"of": n, "why": why, "was": self._now.rows[n - 1].text}
        return self._write(Entry(line, "correct", seat, event, self.game.text(event), source, more), None)

    def set_position(self, position: Mapping[str, Any], why: str, *, source: Source) -> Row:
        """Sets up any position, in the form of `docs/records.md`.

        Raises:
            BadRecord: The position contradicts itself.
            BadEvent: Software deals: the cards would not be those of the deal.
        """
        if self._croupier is not None:
            raise BadEvent(
                "In a game that the program deals, no position can be set up. Begin a game in which you enter the"
                " cards."
            )
        line = self._now.timeline.put(self._now.timeline.book.position(position))
        more = {"position": dict(position), "why": why}
        return self._write(Entry(line, "position", None, None, "position set up", source, more), None)

    def check_tellable(self, event: Event) -> None:
        """Raises BadEvent: The event enters cards of a game that software deals."""
        if self._croupier is not None and isinstance(event, Drawn | Shown):
            raise BadEvent("The program deals this game, so you need not enter cards. Make a move.")

    def chance(self, seat: Seat | None) -> tuple[Chance, bytes]:
        """Returns the roll or draw that software makes now, and its seed; both are the same whenever the game is at
        this point.

        Args:
            seat: The seat that draws, if several may; None: the one on turn.

        Raises:
            BadEvent: No chance event is due, or software deals or may not see this game's draws.
            JournalError: The secret seed of the game cannot be read or kept.
        """
        if self.header.draws != "told" or self.game.dealer is not None:
            raise BadEvent("In this game the program does not draw on demand. Make a move.")
        secret = self._journal.seed(self.header.id)
        if secret is None:
            secret = new_seed(self._random_bytes)
            self._journal.keep_seed(self.header.id, secret)
        events = [step.event for step in self.timeline.steps() if step.event is not None]
        seed = outcome_seed(secret, events)
        return outcome(self.game, self.state, seed, seat), seed

    def check_fresh(self, expected: int | None) -> None:
        """Checks that a person has seen the last row.

        Args:
            expected: The number of the last row that the person saw; None: no check.

        Raises:
            StaleCommand: The person has not seen the last row.
        """
        if expected is not None and expected != self.seq:
            raise StaleCommand(
                f"The table has moved on to row {self.seq} since row {expected} was shown. Look again, then repeat it."
            )

    def deal(self) -> None:
        """If software deals, writes the commitment before the first card, every draw that is due, and the seed when the
        game is over.
        """
        if self._croupier is None:
            return
        with self.lock:
            if sealed(self.rows()) is None:
                self._note_deal("commitment", "commitment", self._croupier.commitment)
            while (drawn := self._croupier.due(self.seq, self.state)) is not None:
                self._tell("chance", drawn, "software", {})
            if isinstance(self.state.expects(), Over) and revealed(self.rows()) is None:
                self._note_deal("reveal", "seed", self._croupier.seed.hex())

    def allow_hints(self, allow: bool, *, source: Source, expected: int | None = None) -> Row:
        """Allows or forbids showing good moves to players from now on; at the start they are forbidden.

        Raises:
            StaleCommand: There are rows that the person has not seen.
        """
        with self.lock:
            self.check_fresh(expected)
            text = "hints are allowed" if allow else "hints are no longer allowed"
            return self.note("hint", text, source, {"allow": allow}, alert=self.alert)

    def note_hint(self, seat: Seat, *, source: Source, expected: int | None = None) -> Row:
        """Notes that a player is shown a good move; call it before the move is shown.

        Raises:
            BadEvent: Hints are not allowed at this table.
            StaleCommand: The position has changed since the move was found.
        """
        with self.lock:
            self.check_fresh(expected)
            if not self.hints:
                raise BadEvent("Hints are not allowed at this table. Allow them first.")
            return self.note("hint", "is shown a good move", source, {}, seat=seat, alert=self.alert)

    def note_seat(self, seat: Seat, text: str, *, source: Source) -> Row:
        """Notes that a browser took, left or lost the seat of a player, so that everybody sees it."""
        with self.lock:
            return self.note("seat", text, source, {}, seat=seat, alert=self.alert)

    def set_clock(self, pace: Pace | None, *, source: Source, expected: int | None = None) -> Row:
        """Sets a chess clock with full time for all players, or removes it.

        Raises:
            BadEvent: The clock would give no time, or the game is over.
            StaleCommand: There are rows that the person has not seen.
        """
        with self.lock:
            self.check_fresh(expected)
            if pace is not None and not (pace.game_s or pace.turn_s):
                raise BadEvent("A clock needs time for the game or for each turn. Give one of them.")
            if pace is not None and isinstance(self.state.expects(), Over):
                raise BadEvent("The game is over, so no clock is set. Set it in the next game.")
            text = f"the clock is set: {pace}" if pace is not None else "the clock is taken away"
            due, players = self.state.expects(), self.header.seats
            before = self._timer
            self._timer = None if pace is None else Clock(pace, seats_due(due), players, self._clock())
            try:
                return self.note("clock", text, source, {"pace": msgspec.to_builtins(pace)}, alert=self.alert)
            except JournalError:
                self._timer = before
                raise

    def time_left(self) -> TimeLeft | None:
        """Returns the time on the clock; None without a clock."""
        with self.lock:
            return None if self._timer is None else self._timer.left(self._clock())

    def show(self, alert: Alert | None) -> None:
        """Shows another alert, or none."""
        if alert is not self.alert:
            self._publish(replace(self._now, alert=alert))

    def touch(self) -> None:
        """Announces a change that no row records."""
        self._publish(self._now)

    def _seated_croupier(self) -> Croupier | None:
        """Returns the croupier after all rows so far; None if people enter the cards."""
        if self.header.draws != "dealt":
            return None
        seed = self._journal.seed(self.header.id)
        if seed is None:
            raise JournalError(
                f"The seed of the game {self.header.id} is not in {self._journal.name}, so the program cannot go on"
                " dealing it. Use the journal in which the game was begun."
            )
        croupier = Croupier(self.game, seed)
        for row in self.rows():
            event = None if row.event is None else self.game.event(row.event)
            croupier.follow(row, event, self.state_at(row.n - 1))
        return croupier

    def _tell(self, kind: Kind, event: Event, source: Source, more: dict[str, Any]) -> Row:
        seat = seat_of(self.state, event)
        line = self._now.timeline.tell(kind, event)
        return self._write(Entry(line, kind, seat, event, self.game.text(event), source, more), None)

    def _note_deal(self, kind: Kind, name: str, told: str) -> None:
        self.note(kind, f"{name} {told}", "software", {name: told}, alert=self.alert)

    def _write(self, entry: Entry, alert: Alert | None) -> Row:
        """Writes a row to disk, and only then shows it, together with the new alert."""
        before, now = self.state, self._clock()
        if self._timer is not None:
            entry = replace(entry, more={**entry.more, "left": self._timer.kept(now)})
        row = entry.write(self._journal, now)
        if self._timer is not None:
            self._timer.pass_on(seats_due(entry.timeline.state.expects()), now)
        self._publish(replace(self._now, timeline=entry.timeline, rows=(*self._now.rows, row), alert=alert))
        if self._croupier is not None:
            self._croupier.follow(row, entry.event, before)
        return row

    def _publish(self, now: _Now) -> None:
        if self._timer is not None:
            open_ = now.alert is not None and not isinstance(now.alert.verdict, Pending)
            self._timer.stand(open_, self._clock())
        self._now = replace(now, version=self._now.version + 1)
        self.lock.notify_all()
        self._changed()
