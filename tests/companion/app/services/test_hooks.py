"""News to addresses on the web: signed, tried again, in order, and never in the way of a table."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.app.services.hooks import Hook, check_addresses, signature
from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.secrecy import Secret, SecretAddress
from companion.referee.news.bulletin import News
from companion.referee.news.news_publisher import NewsPublisher
from companion.referee.session_manager import SessionManager
from tests.companion.referee.news.test_news_publisher import until
from tests.sessions import sessions_in
from tests.web.doubles import play

SECRET = "known to both"


class Receiver:
    """A server that takes news, or refuses them as often as it is told to."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers.items()), body))
                status = receiver.answers.pop(0) if receiver.answers else 204
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/news?key=abc"
        self.thread = threading.Thread(target=lambda: self.server.serve_forever(poll_interval=0.02))
        self.thread.start()

    def taken(self) -> list[News]:
        return [msgspec.json.decode(body, type=News) for _, body in self.got]

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path) as found:
        yield found


def test_each_row_comes_once_in_order_and_signed(receiver: Receiver, sessions: SessionManager) -> None:
    receiver.answers = [204, 503, 500, 429, 204]
    with NewsPublisher() as news, Hook(SecretAddress(receiver.url), Secret(SECRET), news, waits_s=[0.01]) as hook:
        news.follow("table", sessions)
        play(sessions.start("spectrangle", ["Ann", "Ben"], {}), 6)
        until(lambda: hook.outbox.sent == 7)
    taken = receiver.taken()
    assert [one.kind for one in taken] == ["game", "row", "row", "row", "row", *["row"] * 5], "three were refused first"
    assert len({one.id for one in taken}) == 7
    assert [one.row for one in taken if one.kind == "row"] == [1, 1, 1, 1, 2, 3, 4, 5, 6]
    for headers, body in receiver.got:
        assert headers["Companion-Signature"] == signature(SECRET, headers["Companion-Time"], body)
        assert headers["Companion-Signature"] != signature("another", headers["Companion-Time"], body)
        assert headers["Companion-Event"] == msgspec.json.decode(body)["id"]


def test_what_is_refused_for_ever_is_let_go_and_counted(
    receiver: Receiver, sessions: SessionManager, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.answers = [410, 302]
    with NewsPublisher() as news, Hook(SecretAddress(receiver.url), Secret(SECRET), news, waits_s=[0.01]) as hook:
        news.follow("table", sessions)
        play(sessions.start("spectrangle", ["Ann", "Ben"], {}), 1)
        until(lambda: hook.outbox.sent == 1)
        assert hook.outbox.dropped == 1
    assert [headers["Companion-Dropped"] for headers, _ in receiver.got] == ["0", "1", "1"]
    assert len(receiver.got) == 3, "a redirect is tried again and never followed"
    said = [vars(record)["companion_fields"] for record in caplog.records if record.message == "given up"]
    assert [one["why"] for one in said] == ["410"] and "abc" not in str(said)


def test_an_address_that_is_away_holds_nobody_up(sessions: SessionManager) -> None:
    asked = threading.Event()

    def away(url: str, body: bytes, headers: dict[str, str]) -> int:
        asked.set()
        time.sleep(0.2)
        raise ConnectionRefusedError

    with (
        NewsPublisher() as news,
        Hook(
            SecretAddress("http://192.0.2.1/"), Secret(SECRET), news, send=away, waits_s=[0.01], give_up_s=0.0
        ) as hook,
    ):
        news.follow("table", sessions)
        table = sessions.start("spectrangle", ["Ann", "Ben"], {})
        assert asked.wait(5)
        began = time.monotonic()
        play(table, 10)
        assert time.monotonic() - began < 2
        until(lambda: hook.outbox.dropped >= 1)
        assert hook.outbox.sent == 0


@pytest.mark.parametrize("url", ["ftp://host/", "host", "https://", "https://me:pass@host/", "http://host:99999/"])
def test_what_is_no_address_is_refused_without_telling_it(url: str) -> None:
    with pytest.raises(WrongUsage, match="https://HOST/PATH") as said:
        check_addresses([SecretAddress(url)], Secret(SECRET))
    assert "pass" not in str(said.value).replace("password", "")
    with pytest.raises(WrongUsage, match="hook-secret"):
        check_addresses([SecretAddress("https://host/")], None)
