"""One browser at several tables: what it is known by at one is neither lost nor shown at another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import Client

from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from web.admission.access import Access
from web.app import create_app
from web.http.settings import WebSettings

PHONE = {"REMOTE_ADDR": "192.168.1.20"}


def application(folder: Path, table: str, stack: ExitStack) -> tuple[Flask, Access]:
    journal = Journal.open(folder / f"{table or 'one'}.sqlite")
    stack.callback(journal.close)
    access = Access(pin="123456")
    sessions = SessionManager(journal, GAMES, PLANS["spectrangle"](2))
    return create_app(sessions, settings=WebSettings(table=table), access=access), access


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def role(client: Client, origin: str) -> str | None:
    answer = client.get("/api/door", base_url=origin, environ_base=PHONE)
    assert answer.json is not None
    found: str | None = answer.json["role"]
    return found


def join(client: Client, origin: str) -> str:
    headers = {"Origin": origin.partition("/t/")[0]}
    answer = client.post("/api/door", json={"pin": "123456"}, base_url=origin, headers=headers, environ_base=PHONE)
    assert answer.status_code == 200
    return answer.headers["Set-Cookie"]


def test_a_second_server_of_the_same_host_locks_nobody_out_of_the_first(tmp_path: Path, stack: ExitStack) -> None:
    first, _ = application(tmp_path, "", stack)
    (tmp_path / "second").mkdir()
    second, _ = application(tmp_path / "second", "", stack)
    phone, later = first.test_client(), second.test_client()
    join(phone, "http://localhost:8000")
    later._cookies = phone._cookies  # one browser
    assert role(later, "http://localhost:8001") is None
    join(later, "http://localhost:8001")
    assert role(phone, "http://localhost:8000") == "table", "it is still in at the first"
    assert role(later, "http://localhost:8001") == "table"


def test_a_table_with_a_name_has_a_cookie_of_its_own(tmp_path: Path, stack: ExitStack) -> None:
    app, _ = application(tmp_path, "blue", stack)
    cookie = join(app.test_client(), "http://localhost:8000/t/blue")
    assert cookie.startswith("companion_table_8000_blue=") and "Path=/t/blue/" in cookie


def test_a_phone_that_joined_an_earlier_version_is_still_in(tmp_path: Path, stack: ExitStack) -> None:
    app, access = application(tmp_path, "", stack)
    phone = app.test_client()
    phone.set_cookie("companion_table", access.token("table"), domain="localhost")
    assert role(phone, "http://localhost:8000") == "table"
    named, other = application(tmp_path, "blue", stack)
    phone = named.test_client()
    phone.set_cookie("companion_table", other.token("table"), domain="localhost")
    assert role(phone, "http://localhost:8000") is None, "that cookie is no table's with a name"


def test_the_link_to_a_table_leads_to_it(tmp_path: Path, stack: ExitStack) -> None:
    app, access = application(tmp_path, "blue", stack)
    headers = {"Authorization": f"Bearer {access.token('host')}"}
    answer = app.test_client().post("/api/door/invite", json={}, headers=headers, base_url="http://localhost:8000")
    assert answer.json is not None and answer.json["link"].startswith("http://localhost:8000/t/blue/join#")
