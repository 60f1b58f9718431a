"""Live streams: nothing is missed, nothing is sent twice, and nobody can take all places."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser
from tests.web.doubles import PaintedEyes, best, play
from web.app import create_app
from web.http.settings import WebSettings
from web.pages.stream import Live, TooManyScreens, message
from web.views.table_view import TableView

Event = tuple[str, int | None, Any]


def parsed(blocks: Iterator[bytes]) -> Iterator[Event]:
    """Events of a stream: name, id, data."""
    for block in blocks:
        fields = dict(line.split(": ", 1) for line in block.decode().strip().split("\n"))
        if "event" in fields:
            yield fields["event"], int(fields["id"]) if "id" in fields else None, json.loads(fields["data"])


class Screen:
    """One listener."""

    def __init__(self, live: Live, game: str = "", after: int | None = None) -> None:
        live.enter()
        self.live = live
        self.events = parsed(live.events(game, after))

    def until(self, name: str) -> list[Event]:
        """Events up to and with the next one of a name."""
        found = []
        for event in self.events:
            found.append(event)
            if event[0] == name:
                return found
        raise AssertionError(f"the stream ended before {name}")

    def close(self) -> None:
        self.live.leave()


@pytest.fixture
def live(sessions: SessionManager) -> Iterator[Live]:
    live = Live(TableView(sessions), WebSettings(beat_s=0.2, subscriptions=3))
    yield live
    live.close()


def rows(events: list[Event]) -> list[int | None]:
    return [number for name, number, _ in events if name == "row"]


def test_a_message_is_one_line_of_data() -> None:
    sent = message("row", {"text": "a\nb"}, 7)
    assert sent == b'id: 7\nevent: row\ndata: {"text":"a\\nb"}\n\n'


def test_a_new_screen_is_told_how_things_are_and_no_old_rows(live: Live, table: Table) -> None:
    screen = Screen(live)
    events = screen.until("beat")
    assert [name for name, _, _ in events] == ["game", "position", "alert", "eyes", "beat"]
    assert events[0][2] == {"game": table.session.header.id, "seq": 22}
    assert events[1][2] == {"version": table.session.version, "undone": []} and events[2][2] is None
    screen.close()


def test_every_row_comes_once_with_its_number(live: Live, table: Table) -> None:
    screen = Screen(live, table.session.header.id, 22)
    screen.until("beat")
    play(table, 6)
    got: list[int | None] = []
    while len(got) < 6:
        got += rows(screen.until("row"))
    assert got == [23, 24, 25, 26, 27, 28]
    assert rows(screen.until("beat")) == []
    screen.close()


def test_the_position_is_named_after_the_rows_that_led_to_it(live: Live, table: Table) -> None:
    screen = Screen(live, table.session.header.id, 22)
    screen.until("beat")
    play(table, 2)
    table.undo(22, "misplayed", source="page")
    told: list[Event] = []
    while rows(told)[-1:] != [25]:
        told += [event for event in screen.until("beat") if event[0] in ("row", "position")]
    assert rows(told) == [23, 24, 25]
    assert told[-1] == ("position", None, {"version": table.session.version, "undone": [23, 24]})
    screen.close()


def test_a_screen_that_comes_back_gets_what_it_missed(live: Live, table: Table) -> None:
    screen = Screen(live, table.session.header.id, 19)
    assert rows(screen.until("beat")) == [20, 21, 22]
    screen.close()


def test_a_screen_from_another_game_starts_afresh(live: Live, sessions: SessionManager, table: Table) -> None:
    screen = Screen(live, "spectrangle-long-ago", 3)
    assert rows(screen.until("beat")) == []
    after = sessions.start("spectrangle", ["Cid", "Dora"], {})
    events = screen.until("game")
    assert events[-1][2] == {"game": after.session.header.id, "seq": 0}
    screen.close()
    ahead = Screen(live, after.session.header.id, 500)
    assert rows(ahead.until("beat")) == []
    ahead.close()


def test_a_screen_before_the_first_game_hears_of_it(live: Live, sessions: SessionManager) -> None:
    screen = Screen(live)
    assert screen.until("beat")[0][2] == {"game": "", "seq": 0}
    sessions.start("spectrangle", ["Ann", "Ben"], {})
    assert screen.until("game")[-1][2]["game"].startswith("spectrangle-")
    screen.close()


def test_alerts_and_eyes_are_told_when_they_change(live: Live, table: Table, eyes: PaintedEyes) -> None:
    from tests.web.views.test_alert_view import refuse

    screen = Screen(live)
    screen.until("beat")
    refuse(table)
    alert = screen.until("alert")[-1][2]
    while alert["kind"] != "refused":
        alert = screen.until("alert")[-1][2]
    assert alert["breaches"][0]["rule"] == "TRI-9"
    eyes.become("moving", "Something moves over the table.")
    assert screen.until("eyes")[-1][2]["state"] == "moving"
    eyes.picture()
    assert [name for name, _, _ in screen.until("beat")] == ["beat"], "a picture alone is no news"
    table.misread(source="page")
    assert screen.until("alert")[-1][2] is None
    screen.close()


def test_places_are_limited_and_given_back(live: Live, table: Table) -> None:
    screens = [Screen(live) for _ in range(3)]
    with pytest.raises(TooManyScreens):
        live.enter()
    screens.pop().close()
    assert live.screens == 2
    Screen(live).close()
    for screen in screens:
        screen.close()
    assert live.screens == 0


def test_without_screens_nobody_looks(live: Live, table: Table) -> None:
    screen = Screen(live)
    screen.until("beat")
    looking = next(thread for thread in threading.enumerate() if thread.name == "live")
    screen.close()
    looking.join(timeout=5)
    assert not looking.is_alive()
    again = Screen(live)
    play(table, 1)
    assert rows(again.until("beat")) in ([], [23])
    again.close()


def test_a_stream_ends_after_its_time(sessions: SessionManager, table: Table) -> None:
    live = Live(TableView(sessions), WebSettings(beat_s=0.05, stream_s=0.3))
    live.enter()
    assert [name for name, _, _ in parsed(live.events("", None))].count("beat") >= 3
    live.leave()
    live.close()


def test_closing_ends_every_stream(sessions: SessionManager, table: Table) -> None:
    live = Live(TableView(sessions), WebSettings(beat_s=5))
    live.enter()
    ended = threading.Event()

    def listen() -> None:
        for _ in live.events("", None):
            pass
        ended.set()

    threading.Thread(target=listen).start()
    live.close()
    assert ended.wait(5)
    with pytest.raises(TooManyScreens):
        live.enter()


def test_the_stream_over_http(sessions: SessionManager, table: Table) -> None:
    app = create_app(sessions, settings=WebSettings(stream_s=0.5, beat_s=0.1, subscriptions=1))
    browser = Browser(app)
    answer = browser.get("/stream", headers={"Last-Event-ID": "20"}, query_string={"after": 3})
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    blocks = iter([block.encode() for block in answer.text.split("\n\n") if block])
    assert rows(list(parsed(blocks))) == [21, 22]
    assert browser.flask.head("/stream").status_code == 200
    live: Live = app.extensions["live"]
    assert live.screens == 0, "every place was given back"
    live.enter()
    refused = browser.get("/stream")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    live.leave()
    live.close()


def test_an_odd_last_event_id_is_ignored(app: Flask, table: Table) -> None:
    browser = Browser(app)
    app.extensions["live"].close()
    for odd in ("x", "-1", "9" * 40, "²"):
        assert (
            browser.get("/stream", headers={"Last-Event-ID": odd.encode("utf-8").decode("latin-1")}).status_code == 503
        )


def test_a_row_in_the_stream_is_the_row_of_the_history(live: Live, table: Table, reader: Browser) -> None:
    screen = Screen(live, table.session.header.id, 22)
    screen.until("beat")
    table.play(best(table), source="page")
    row = screen.until("row")[-1][2]
    screen.close()
    assert row == reader.get("/api/journal/rows?after=22").json["rows"][0]
    assert row["points"] == sum(line["points"] for line in row["lines"])
