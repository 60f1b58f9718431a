"""Secrets are fed through every route, every method and every event; none is found in the log."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from msgspec.structs import replace
from werkzeug.test import TestResponse

from companion.core.foundation.errors import CompanionError
from companion.core.foundation.logs import EventLog, LogSettings
from companion.core.foundation.secrecy import SecretAddress
from companion.core.plan import Mat, Plan
from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.news.news_publisher import NewsPublisher, Outbox
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.companion.referee.news.test_news_publisher import until
from tests.web.conftest import Browser
from tests.web.doubles import PaintedEyes
from web.admission.access import Access
from web.app import create_app
from web.description.openapi import request_bodies

PIN = "840261"
PASSWORD = "hunter2hunter2"
MARK = "s3cr3t-of-this-request"
CAMERA = f"rtsp://cam:{PASSWORD}@10.0.0.9/stream?key={PASSWORD}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "companion.log"


@pytest.fixture
def log(path: Path) -> Iterator[EventLog]:
    """As loose as it can be."""
    with EventLog(LogSettings(path, level="debug", most_bytes=50_000_000)) as log:
        yield log


def requests(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Every route with every method: endpoint, method, an address whose parameters hold the mark."""
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<int:\w+>", "1", rule.rule)
        path = re.sub(r"<[^>]+>", MARK, path)
        for method in sorted((rule.methods or set()) - {"HEAD"}):
            yield rule.endpoint, method, path


def bodies(endpoint: str) -> list[Any]:
    """Bodies with secrets where they belong and where they do not."""
    found: list[Any] = [
        {"pin": PIN}, {"pin": "000000"}, {"ticket": MARK}, {"camera": CAMERA}, {"text": MARK}, {"why": MARK}, [MARK], MARK,
    ]  # fmt: skip
    return found if endpoint in request_bodies() else found[:1]


def test_no_secret_that_is_sent_anywhere_is_logged(
    app: Flask, access: Access, log: EventLog, path: Path, table: Table
) -> None:
    access.pin = PIN
    secrets = [PIN, access.token("host"), access.token("table"), PASSWORD, MARK]
    sent = 0
    for role in ("host", "table"):
        browser = Browser(app, access.token(role), "127.0.0.1" if role == "host" else "192.168.1.20")
        browser.flask.set_cookie("companion_seat", MARK, domain="localhost")
        for endpoint, method, address in requests(app):
            if endpoint == "stream.stream" or endpoint == "camera.motion" or endpoint == "door.send_away":
                continue  # two never end; the third changes the very secrets
            for body in bodies(endpoint) if method == "POST" else [None]:
                headers = {
                    "Authorization": f"Bearer {access.token(role)}",
                    "Origin": "http://localhost",
                    "X-Secret": MARK,
                }
                answer: TestResponse = browser.flask.open(
                    f"{address}?after=0&text={MARK}&ticket={MARK}&camera={CAMERA}",
                    method=method,
                    json=body,
                    headers=headers if sent % 2 else {**headers, "Cookie": f"companion_table={MARK}"},
                    environ_base={"REMOTE_ADDR": browser.address},
                )
                assert re.fullmatch("[0-9a-f]{8}", answer.headers["X-Request-Id"])
                answer.close()
                sent += 1
    logged = path.read_text("utf-8")
    assert logged.count(" request request=") == sent > 150
    logged = re.sub(r" request=[0-9a-f]{8}\b", "", logged)  # Six digits of a random number may be those of the PIN.
    for secret in secrets:
        assert secret not in logged


def test_a_fault_names_its_request_and_no_secret(
    sessions: SessionManager, access: Access, log: EventLog, path: Path
) -> None:
    app = create_app(sessions, access=access)
    log.hide(access.token("host"))
    camera = SecretAddress(CAMERA)

    def broken() -> None:
        raise RuntimeError(f"the token {access.token('host')} and {camera}")

    app.view_functions["eyes.status"] = broken
    answer = Browser(app).get(f"/api/eyes?token={MARK}")
    app.extensions["lessons"].close()
    lines = path.read_text("utf-8").splitlines()
    assert answer.status_code == 500
    assert len(lines) == 2 and all(answer.headers["X-Request-Id"] in line for line in lines)
    assert "RuntimeError" in lines[0] and "broken" in lines[0]
    assert not any(secret in "".join(lines) for secret in (access.token("host"), PASSWORD, MARK))


@pytest.mark.parametrize("name", ["cribbage", "spectrumo", "poker", "casino"])
def test_no_card_of_a_game_that_software_deals_is_logged(name: str, tmp_path: Path, log: EventLog, path: Path) -> None:
    """Every event of a whole game; the seed, too, which the record shows once all is over."""
    journal = Journal.open(tmp_path / "journal.sqlite")
    sessions = SessionManager(
        journal, GAMES, Plan(Mat(440, 400, 40)), eyes=PaintedEyes(), random_bytes=Random(1).randbytes
    )
    outbox = Outbox("test")
    with NewsPublisher() as news:
        news.listen(outbox)
        news.follow("table", sessions)
        seats = GAMES[name].seats[0]
        table = sessions.start(name, [f"Player {seat}" for seat in range(seats)], {}, draws="dealt")
        rng = Random(2)
        for _ in range(60):
            legal = table.session.legal()
            if not legal:
                break
            try:
                table.play(legal[rng.randrange(len(legal))], source="page")
            except CompanionError:
                continue
        until(lambda: news.bulletins()[0].row == table.session.seq)
    seed = journal.seed(table.session.header.id)
    assert seed is not None and table.session.seq > 5
    texts = {row.text for row in table.session.rows() if row.kind in ("chance", "move")}
    digests = {row.digest for row in table.session.rows()} | {row.hash for row in table.session.rows()}
    journal.close()
    logged = path.read_text("utf-8")
    assert logged.count(" row ") >= table.session.seq
    assert seed.hex() not in logged
    assert not any(text in logged for text in texts if len(text) > 3)
    assert not any(one in logged for one in digests), "a digest of a position could be guessed back to its cards"


def test_as_json_a_request_is_an_object(sessions: SessionManager, path: Path) -> None:
    app = create_app(sessions)
    with EventLog(replace(LogSettings(path, level="debug"), as_json=True)):
        Browser(app).get("/healthz")
        Browser(app).get(f"/no/such/{MARK}")
    app.extensions["lessons"].close()
    first, second = map(json.loads, path.read_text("utf-8").splitlines())
    assert (first["route"], first["method"], first["status"], first["who"]) == ("/healthz", "GET", 200, "reader")
    assert (second["route"], second["status"], second["level"]) == ("-", 404, "info")
