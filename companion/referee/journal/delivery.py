"""Copies a table's journal to the database that many tables share, on a thread of its own.

The table's own file confirms a row, so a slow or absent database delays no verdict. The file is also the list of
waiting rows, so a restart needs no other memory. At every new connection the database is asked for the rows that it
has, so a row whose arrival was not confirmed is neither lost nor copied twice.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from random import Random
from typing import Literal

from msgspec import Struct

from companion.core.foundation.errors import BrokenChain, DatabaseAway, Diverged, JournalError
from companion.core.foundation.logs import note
from companion.referee.journal.carrying import behind, carry
from companion.referee.journal.database import DatabaseJournal, check_address
from companion.referee.journal.places import Database
from companion.referee.journal.rows import drawn
from companion.referee.journal.store import Journal

DeliveryState = Literal["delivered", "delivering", "away"]
"""The state of a delivery; "away" means that the database does not answer or does not accept rows, while the table goes
on."""

BACKOFF_S = (0.2, 10.0)
"""The pause after the first failure, and the longest pause, in seconds."""
_LEAVE_S = 5.0
"""The number of seconds to wait for the last rows at the end."""

_LOG = logging.getLogger("companion.delivery")


class DeliveryStatus(Struct, frozen=True):
    """The progress of a delivery."""

    state: DeliveryState
    waiting: int
    """The number of games of which the database lacks rows."""
    delivered: int
    """The number of rows that were copied since the start."""
    refused: tuple[str, ...] = ()
    """The ids of games of which the database has different rows; they are not copied."""
    text: str = ""
    """A sentence about the last problem, or empty."""


class Delivery:
    """Copies one journal to one database. As a context manager, it copies the last rows on leaving, if the database
    answers.
    """

    def __init__(
        self,
        journal: Journal,
        database: Database,
        *,
        connect: Callable[[Database], DatabaseJournal] = DatabaseJournal.open,
        backoff_s: tuple[float, float] = BACKOFF_S,
        rng: Random | None = None,
    ) -> None:
        """Prepares the delivery. From now on the journal draws random ids, because other machines begin games in the
        same seconds.

        Raises:
            WrongUsage: The package psycopg is missing, or the address cannot be used.
        """
        check_address(database)
        journal.id_of = drawn
        journal.grown = self._grew
        self._journal, self._database, self._connect = journal, database, connect
        self._backoff_s, self._rng = backoff_s, rng or Random()
        self._lock = threading.Condition()
        self._pending: dict[str, None] = {}
        self._refused: dict[str, str] = {}
        self._state: DeliveryState = "delivering"
        self._text = ""
        self._delivered = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="delivery", daemon=True)

    def status(self) -> DeliveryStatus:
        """Returns the present progress."""
        with self._lock:
            state: DeliveryState = "delivering" if self._pending and self._state == "delivered" else self._state
            return DeliveryStatus(state, len(self._pending), self._delivered, tuple(self._refused), self._text)

    def wait(self, timeout_s: float) -> bool:
        """Waits until the database has all rows; returns true if it has them."""
        with self._lock:
            return self._lock.wait_for(lambda: self._state == "delivered" and not self._pending, timeout_s)

    def __enter__(self) -> Delivery:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over.set()
            self._lock.notify_all()
        self._thread.join(_LEAVE_S)
        self._journal.grown = None

    def _grew(self, game: str) -> None:
        with self._lock:
            if game not in self._refused:
                self._pending[game] = None
                self._lock.notify_all()

    def _run(self) -> None:
        pause_s = 0.0
        while not self._over.wait(pause_s):
            try:
                target = self._connect(self._database)
            except JournalError as error:
                pause_s = self._failed(error, pause_s)
                continue
            try:
                self._bring_all(target)
                return
            except JournalError as error:
                pause_s = self._failed(error, 0.0)
            finally:
                target.close()

    def _bring_all(self, target: DatabaseJournal) -> None:
        """Copies missing rows, then new ones, until the end.

        Raises:
            JournalError: The database stopped accepting rows.
        """
        self._settle({game: None for game in behind(self._journal, target) if game not in self._refused})
        while True:
            with self._lock:
                self._lock.wait_for(lambda: self._pending or self._over.is_set())
                game = next(iter(self._pending), None)
                if game is None:
                    return
                # The game leaves the list before it is copied, so that rows added meanwhile put it back on the list.
                del self._pending[game]
            try:
                added = carry(self._journal, target, game)
            except (Diverged, BrokenChain) as error:
                self._refuse(game, error)
                continue
            except JournalError:
                with self._lock:
                    self._pending = {game: None, **self._pending}
                raise
            with self._lock:
                self._delivered += added
            self._settle({})

    def _settle(self, missing: dict[str, None]) -> None:
        """Records that the database answers, and adds games that it lacks to the list."""
        with self._lock:
            self._pending = {**missing, **self._pending}
            if self._state == "away":
                note(_LOG, logging.INFO, "database answers", waiting=len(self._pending))
            self._state = "delivering" if self._pending else "delivered"
            self._text = next(iter(self._refused.values()), "")
            self._lock.notify_all()

    def _refuse(self, game: str, error: JournalError) -> None:
        note(_LOG, logging.ERROR, "not delivered", game=game, why=error)
        with self._lock:
            self._refused[game] = str(error)
        self._settle({})

    def _failed(self, error: JournalError, pause_s: float) -> float:
        """Records and logs a failure once; returns the number of seconds to wait."""
        with self._lock:
            if self._state != "away":
                level = logging.WARNING if isinstance(error, DatabaseAway) else logging.ERROR
                note(_LOG, level, "database away", why=error)
            self._state, self._text = "away", str(error)
            self._lock.notify_all()
        first, most = self._backoff_s
        return min(most, max(first, 2 * pause_s)) * self._rng.uniform(0.75, 1.0)
