"""Several tables below one address: each is its own, and the page of all shows what the public may know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask

from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from tests.web.doubles import PaintedEyes, play
from web.admission.access import Access
from web.app import create_app
from web.http.settings import WebSettings
from web.tables import ROUTES, OpenTable, create_tables_app

TABLES = ("blue", "red")


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[dict[str, SessionManager]]:
    with ExitStack() as stack:
        found = {}
        for name in TABLES:
            journal = Journal.open(tmp_path / f"{name}.sqlite")
            stack.callback(journal.close)
            found[name] = SessionManager(journal, GAMES, PLANS["spectrangle"](2), eyes=PaintedEyes())
        yield found


@pytest.fixture
def accesses() -> dict[str, Access]:
    return {name: Access(pin=f"{n}23456") for n, name in enumerate(TABLES)}


@pytest.fixture
def app(sessions: dict[str, SessionManager], accesses: dict[str, Access]) -> Flask:
    tables: dict[str, OpenTable | str] = {
        name: OpenTable(create_app(one, settings=WebSettings(table=name), access=accesses[name]), one)
        for name, one in sessions.items()
    }
    return create_tables_app({**tables, "broken": "The journal cannot be opened."}, WebSettings())


def test_all_tables_are_shown_with_turn_scores_and_what_is_open(
    app: Flask, sessions: dict[str, SessionManager]
) -> None:
    play(sessions["blue"].start("spectrangle", ["Ann", "Ben"], {}), 22)
    found = {table["name"]: table for table in Browser(app).get("/api/tables").json["tables"]}
    assert list(found) == ["blue", "red", "broken"]
    blue = found["blue"]
    assert (blue["game"], blue["turn"], blue["seq"]) == ("Spectrangle", "Ben's turn", 22)
    assert [player["name"] for player in blue["players"]] == ["Ann", "Ben"] and blue["picture"]
    assert found["red"]["game"] is None and found["red"]["open"]
    assert found["broken"] == {"name": "broken", "open": False, "trouble": "The journal cannot be opened."}
    page = Browser(app).get("/").text
    assert 'href="/t/blue/"' in page and 'src="/t/blue/camera/still.jpg"' in page
    assert "The journal cannot be opened." in page and 'href="/t/broken/"' not in page


def test_hidden_cards_are_not_shown_beside_other_tables(app: Flask, sessions: dict[str, SessionManager]) -> None:
    sessions["red"].start("casino", ["Ann", "Ben"], {}, draws="dealt")
    red = Browser(app).get("/api/tables").json["tables"][1]
    assert set(red["players"][0]) == {"name", "total"}


def test_each_table_answers_below_its_name_with_its_own_game(app: Flask, sessions: dict[str, SessionManager]) -> None:
    sessions["blue"].start("spectrangle", ["Ann", "Ben"], {})
    browser = Browser(app)
    assert browser.get("/t/blue/api/table").json["game"]["name"] == "spectrangle"
    assert browser.get("/t/red/api/table").json["game"] is None
    page = browser.get("/t/blue/").text
    assert 'data-root="/t/blue"' in page and 'href="/t/blue/setup"' in page
    assert 'href="/setup"' not in page and 'src="/static' not in page, "no address leads out of the table"
    for path in ("/t/green/", "/t/broken/api/table", "/t/blue", "/api/table"):
        assert browser.get(path).status_code == 404, path


def test_who_may_play_at_one_table_may_not_at_another(app: Flask, accesses: dict[str, Access]) -> None:
    phone = Browser(app)
    assert phone.post("/t/blue/api/door", {"pin": "023456"}).status_code == 200
    assert phone.post("/t/blue/api/eyes/look", {}).status_code == 200
    assert phone.post("/t/red/api/eyes/look", {}).status_code == 401
    assert phone.post("/t/red/api/door", {"pin": "123456"}).status_code == 200
    assert phone.get("/t/red/api/door").json["role"] == phone.get("/t/blue/api/door").json["role"] == "table"
    bearer = {"Authorization": f"Bearer {accesses['blue'].token('host')}"}
    assert app.test_client().post("/t/red/api/door/invite", json={}, headers=bearer).status_code == 403


def test_the_page_of_all_tables_reads_only_and_answers_to_its_own_names(app: Flask) -> None:
    assert {rule.endpoint for rule in app.url_map.iter_rules()} == set(ROUTES)
    browser = Browser(app)
    assert browser.post("/api/tables", {}).status_code == 405
    for path in ("/", "/api/tables", "/t/blue/"):
        assert browser.get(path, headers={"Host": "evil.example"}).status_code == 400
    assert "default-src 'self'" in browser.get("/").headers["Content-Security-Policy"]
