"""Watches all tables for outside programs and reports what happens.

One thread per table compares its present state with the previous one and sends listeners the events in between. So the
referee does not know the listeners, and a slow listener delays no verdict. Rows come from the record, so no row of a
game is missed that was in play at two successive looks. A game that begins and ends between two looks is not reported.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping

import msgspec

from companion.core.foundation.errors import CompanionError
from companion.core.foundation.logs import note
from companion.referee.news.bulletin import Bulletin, News, bulletin, rows_since
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table

MOST = 1000
"""The largest number of waiting news; an evening has a few hundred rows."""

_LOG = logging.getLogger("companion.news")


class Outbox:
    """The news on their way to one receiver. `put` never waits; one thread calls `take`. Safe from any thread."""

    def __init__(self, name: str, most: int = MOST) -> None:
        """
        Args:
            name: The name of the receiver, without secrets, for logs and counters.
        """
        self.name = name
        self._most = most
        self._news: deque[News] = deque()
        self._changed = threading.Condition()
        self._woken = False
        self.dropped = 0
        """The number of news that were dropped for lack of room, the oldest first."""
        self.sent = 0
        """The number of news that reached the receiver."""

    def __len__(self) -> int:
        return len(self._news)

    def put(self, news: News) -> None:
        """Adds news at the end. If there is no room, the oldest is dropped, counted and logged."""
        with self._changed:
            self._news.append(news)
            lost = self._news.popleft() if len(self._news) > self._most else None
            if lost is not None:
                self.dropped += 1
            self._changed.notify_all()
        if lost is not None:
            note(_LOG, logging.WARNING, "dropped", to=self.name, id=lost.id, dropped=self.dropped)

    def take(self, timeout_s: float) -> News | None:
        """Returns the oldest news; None after `timeout_s`, or at once after `wake`."""
        with self._changed:
            self._changed.wait_for(lambda: self._news or self._woken, timeout_s)
            self._woken = False
            return self._news.popleft() if self._news else None

    def wake(self) -> None:
        """Wakes the thread that waits in `take`."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()


LOOK_S = 0.5
"""The number of seconds between two looks, because eyes do not report their changes."""

_LEVELS = {"alert": logging.WARNING, "camera": logging.WARNING}


class _Followed:
    """One table and the thread that follows it."""

    def __init__(self, name: str, sessions: SessionManager) -> None:
        self.sessions = sessions
        self.over = threading.Event()
        self.table: Table | None = sessions.table
        self.now: Bulletin = bulletin(name, sessions, self.table)
        self.rows: Counter[str] = Counter()
        self.thread: threading.Thread | None = None


class NewsPublisher:
    """The news of all tables. As a context manager it ends its threads on leaving. Safe from any thread."""

    def __init__(self, *, clock: Callable[[], float] = time.time, run: str | None = None) -> None:
        """
        Args:
            run: The name of this run of the program in the ids of news that belong to no row.
        """
        self._clock = clock
        self._run = run or secrets.token_hex(4)
        self._serial = 0
        self._listeners: list[Callable[[News], None]] = [_to_log]
        self._outboxes: list[Outbox] = []
        self._lock = threading.Lock()
        self._tables: dict[str, _Followed] = {}

    def listen(self, outbox: Outbox) -> None:
        """Sends all news from now on to an outbox."""
        with self._lock:
            self._outboxes.append(outbox)
            self._listeners.append(outbox.put)

    def outboxes(self) -> tuple[Outbox, ...]:
        """Returns all outboxes that listen."""
        return tuple(self._outboxes)

    def session_managers(self) -> Mapping[str, SessionManager]:
        """Returns the session managers by the names of their tables."""
        with self._lock:
            return {name: followed.sessions for name, followed in self._tables.items()}

    def bulletins(self) -> tuple[Bulletin, ...]:
        """Returns the state of every table at the last look."""
        with self._lock:
            return tuple(followed.now for followed in self._tables.values())

    def rows(self, table: str) -> Mapping[str, int]:
        """Returns the number of rows of each kind since the table has been followed."""
        with self._lock:
            return dict(self._tables[table].rows)

    def follow(self, name: str, sessions: SessionManager) -> None:
        """Follows a table from now on; its earlier rows are not news."""
        followed = _Followed(name, sessions)
        with self._lock:
            self._tables[name] = followed
        followed.thread = threading.Thread(
            target=self._keep_looking, args=(followed,), name=f"news {name}", daemon=True
        )
        followed.thread.start()

    def leave(self, name: str) -> None:
        """Stops following a table."""
        with self._lock:
            followed = self._tables.pop(name, None)
        if followed is not None:
            self._end(followed)

    def __enter__(self) -> NewsPublisher:
        return self

    def __exit__(self, *_: object) -> None:
        for name in self.session_managers():
            self.leave(name)

    def _end(self, followed: _Followed) -> None:
        followed.over.set()
        followed.sessions.touch()
        if followed.thread is not None:
            followed.thread.join(timeout=5)

    def _keep_looking(self, followed: _Followed) -> None:
        version = -1
        while True:
            ending = followed.over.is_set()
            self._look(followed)
            if ending:
                return
            version = followed.sessions.wait(version, LOOK_S)

    def _look(self, followed: _Followed) -> None:
        try:
            table = followed.sessions.table
            now = bulletin(followed.now.table, followed.sessions, table)
        except CompanionError as error:
            note(_LOG, logging.WARNING, "not told", table=followed.now.table, why=error)
            return
        found = list(self._between(followed, now, table))
        with self._lock:
            followed.now, followed.table = now, table
            followed.rows.update(news.data["kind"] for news in found if news.kind == "row")
            listeners, outboxes = tuple(self._listeners), tuple(self._outboxes)
        for news in found:
            for listener in listeners:
                listener(news)
        for outbox in outboxes:
            outbox.wake()

    def _between(self, followed: _Followed, now: Bulletin, table: Table | None) -> Iterator[News]:
        """Yields the events since the last look at the table."""
        was = followed.now
        if now.game == was.game:
            yield from _rows(was, table, was.row, now.row)
        else:
            yield from _rows(was, followed.table, was.row, None)
            old = 0 if table is None else table.session.told_before
            begun = msgspec.structs.replace(now, row=old)
            yield self._news(begun, "game", {"title": now.title, "names": list(now.names)})
            yield from _rows(now, table, old, now.row)
        if now.alert != was.alert:
            yield self._news(now, "alert", {"open": msgspec.to_builtins(now.alert)})
        if now.camera != was.camera:
            yield self._news(now, "camera", {"healthy": now.camera.healthy, **msgspec.to_builtins(now.camera)})
        if now.over and not (was.over and was.game == now.game):
            yield self._news(now, "over", {"winners": list(now.winners), "scores": list(now.scores)})

    def _news(self, now: Bulletin, kind: str, data: dict[str, object]) -> News:
        with self._lock:
            self._serial += 1
            serial = self._serial
        return News(f"{self._run}:{serial}", now.table, kind, self._clock(), now.game, now.row, data)  # type: ignore[arg-type]


def _rows(told: Bulletin, table: Table | None, after: int, to: int | None) -> Iterator[News]:
    """Yields the rows after row `after`, up to row `to`; None: all later rows."""
    if table is not None:
        yield from (news for news in rows_since(told.table, table, after) if to is None or news.row <= to)


def _to_log(news: News) -> None:
    """Logs news, without the text of rows, because it may reveal a hand."""
    fields: dict[str, object] = {"table": news.table, "game": news.game, "n": news.row}
    if news.kind == "row":
        fields |= {name: news.data[name] for name in ("kind", "seat", "source")}
    elif news.kind == "alert":
        matter = news.data["open"]
        fields |= {"kind": "closed"} if matter is None else {"kind": matter["kind"], "number": matter["number"]}
    elif news.kind == "camera":
        fields |= {"state": news.data["state"]}
    note(_LOG, _LEVELS.get(news.kind, logging.INFO), news.kind, **fields)
