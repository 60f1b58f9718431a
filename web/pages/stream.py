"""Live updates as server-sent events: one thread watches the session manager, and every screen gets the same bytes.

Messages follow from the present state and from what a screen already has, not from a queue: a slow screen gets the
newest state instead of a backlog, and one that reconnects resumes from the journal by `Last-Event-ID`. Heartbeats are
events, not comments, because the page must see them to know that it is up to date.

Events: `game` (which game is on the table), `row` (with the journal's number as `id`), `position` (the version of the
answer of `/api/table`, after all rows that led to it), `alert` and `eyes` (the whole present one, without `id`),
`beat`. Rows are patches: a screen adds them to its history. A screen fetches the position once for each version that it
does not have.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from msgspec import Struct

from companion.core.contract import Seat
from web.http.answers import TryLater, number, word
from web.http.settings import WebSettings
from web.pages.current_seat import seat_token
from web.views.table_view import TableView

TABS = 4
"""The largest number of live streams of one browser, which opens six connections to a host and needs some for moves and
pictures."""
_LOOK_S = 0.2
"""The number of seconds that the watching thread waits for the session manager before it asks the eyes for their
state."""

Gone = Callable[[], bool]
"""Returns true if the other end of a stream has gone."""


def _never() -> bool:
    return False


class TooManyScreens(TryLater):
    """An error: all live streams are taken."""

    def __init__(self) -> None:
        super().__init__("Too many screens are connected. Close one, or try again in a few seconds.", 5)


class TooManyTabs(TryLater):
    """An error: one browser has its share of live streams; its other tabs ask for the state from time to time."""

    def __init__(self) -> None:
        super().__init__("This browser shows the table in several tabs already. This one asks for news instead.", 1)


class _StreamPosition(Struct, frozen=True):
    """The state of the session manager at one moment, ready to send."""

    serial: int = 0
    game: str = ""
    seq: int = -1
    game_event: bytes = b""
    position: bytes = b""
    alert: bytes = b""
    eyes: bytes = b""


def message(event: str, data: Any, number: int | None = None) -> bytes:
    """Returns one event as it is sent. JSON never contains a bare line break, so one data line is enough."""
    head = f"id: {number}\nevent: {event}\ndata: " if number is not None else f"event: {event}\ndata: "
    return head.encode() + msgspec.json.encode(data) + b"\n\n"


class Live:
    """All live streams of one session manager. The watching thread runs only while somebody listens."""

    def __init__(self, view: TableView, settings: WebSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._view = view
        self._settings = settings
        self._clock = clock
        self._changed = threading.Condition()
        self._now = _StreamPosition()
        self._rows: dict[tuple[str, int, Seat | None], bytes] = {}
        self._screens = 0
        self._tabs: dict[str, list[Gone]] = {}
        self._looking: threading.Thread | None = None
        self._closed = False

    @property
    def screens(self) -> int:
        """The number of listeners."""
        return self._screens

    def enter(self, browser: str = "", gone: Gone = _never) -> None:
        """Takes a place for a stream.

        Args:
            browser: The name that all tabs of one browser send; empty: unknown.
            gone: Returns true if the tab has gone; its stream ends with the next beat, its share is free at once.

        Raises:
            TooManyScreens: All live streams are taken.
            TooManyTabs: This browser already has its share.
        """
        with self._changed:
            if self._closed or self._screens >= self._settings.subscriptions:
                raise TooManyScreens
            tabs = self._tabs.get(browser, [])
            if browser and sum(not tab() for tab in tabs) >= TABS:
                raise TooManyTabs
            self._screens += 1
            self._tabs[browser] = [*tabs, gone]
            if self._looking is None:
                self._now = self._look(self._now)
                self._looking = threading.Thread(target=self._keep_looking, name="live", daemon=True)
                self._looking.start()

    def leave(self, browser: str = "", gone: Gone = _never) -> None:
        """Releases the place that was taken with the same arguments."""
        with self._changed:
            self._screens -= 1
            self._tabs[browser].remove(gone)
            if not self._tabs[browser]:
                del self._tabs[browser]

    def close(self) -> None:
        """Ends every stream."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            looking = self._looking
        if looking is not None:
            looking.join(timeout=5)

    def events(self, game: str, after: int | None, token: str | None = None) -> Iterator[bytes]:
        """Yields the bytes for one screen, from the first to the end of its time.

        Args:
            game: The game that the screen knows; if another game is on the table, the screen starts afresh.
            after: The last row that the screen has; None: it wants new rows only.
            token: The secret by which the browser has a seat.
        """
        started = beat_due = self._clock()
        had: _StreamPosition | None = None
        last = 0
        yield b"retry: 1000\n\n"
        while not self._closed and self._clock() - started < self._settings.stream_s:
            now = self._now
            if had is None or now.serial != had.serial:
                if had is None or now.game != had.game:
                    yield now.game_event
                    comes_back = had is None and game in ("", now.game) and after is not None and after <= now.seq
                    last = after if comes_back and after is not None else now.seq
                for n in range(last + 1, now.seq + 1):
                    row = self._row(now.game, n, self._view.seat(token))
                    if row is not None:
                        yield row
                last = now.seq
                if had is None or now.position != had.position:
                    yield now.position
                if had is None or now.alert != had.alert:
                    yield now.alert
                if had is None or now.eyes != had.eyes:
                    yield now.eyes
                had = now
            if self._clock() >= beat_due:
                yield message("beat", {"seq": had.seq})
                beat_due = self._clock() + self._settings.beat_s
            with self._changed:
                if self._now.serial == had.serial and not self._closed:
                    self._changed.wait(max(0.0, beat_due - self._clock()))

    def _row(self, game: str, n: int, seat: Seat | None) -> bytes | None:
        found = self._rows.get((game, n, seat))
        if found is None:
            row = self._view.row(game, n, seat)
            if row is None:
                return None
            found = self._rows[(game, n, seat)] = message("row", row, n)
        return found

    def _keep_looking(self) -> None:
        version = -1
        while True:
            version = self._view.sessions.wait(version, _LOOK_S)
            with self._changed:
                if self._closed or self._screens == 0:
                    self._looking = None
                    return
                now = self._look(self._now)
                if now is not self._now:
                    self._now = now
                    self._changed.notify_all()

    def _look(self, had: _StreamPosition) -> _StreamPosition:
        """Returns the present state, or `had` itself if the state is unchanged. Callers hold the lock."""
        game, seq, alert, position = self._view.moment()
        game_event = had.game_event
        if game != had.game or not game_event:
            game_event = message("game", {"game": game, "seq": seq})
            self._rows.clear()
        now = _StreamPosition(
            serial=had.serial + 1,
            game=game,
            seq=seq,
            game_event=game_event,
            position=message("position", position),
            alert=message("alert", alert),
            eyes=message("eyes", self._view.eyes()),
        )
        same = had.serial > 0 and msgspec.structs.replace(now, serial=had.serial) == had
        return had if same else now


def routes(live: Live) -> Blueprint:
    """Returns the route `/stream`."""
    blueprint = Blueprint("stream", __name__)

    @blueprint.get("/stream")
    def stream() -> Response:
        """Returns the live stream; `?game=` and `?after=` say what the page has; `Last-Event-ID` overrides `after`."""
        last = request.headers.get("Last-Event-ID", "")
        after: int | None = int(last) if last.isascii() and last.isdigit() and len(last) < 12 else number("after", -2)
        if after == -2:
            after = None
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        game = word("game")
        if request.method == "HEAD":
            return Response(status=200, headers=headers, mimetype="text/event-stream")
        browser = word("browser", longest=32)
        gone: Gone = request.environ.get("waitress.client_disconnected", _never)
        live.enter(browser, gone)
        response = Response(live.events(game, after, seat_token()), headers=headers, mimetype="text/event-stream")
        response.call_on_close(lambda: live.leave(browser, gone))
        return response

    return blueprint
