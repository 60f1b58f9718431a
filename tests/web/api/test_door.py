"""Coming in, and inviting others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask

from companion.games import GAMES
from companion.referee.evening import KeptEvening
from companion.referee.evening.director import EveningDirector
from companion.referee.evening.journals import TableJournals
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from web.admission.access import Access
from web.api.door import square
from web.app import create_app
from web.http.settings import WebSettings
from web.hub.app import create_hub_app
from web.hub.machines import Machines
from web.language.catalog import CATALOGS


def code(invitation: dict[str, Any]) -> str:
    return str(invitation["link"].partition("#")[2])


def test_an_invitation_lets_in_as_many_phones_as_there_are_seats_without_one(
    app: Flask, host: Browser, sessions: SessionManager
) -> None:
    sessions.start("spectrangle", ("Ann", "Ben", "Cyd"), {})
    first = host.post("/api/door/invite", {}).json
    assert first["link"] == f"http://localhost/join#{code(first)}" and first["pin"] == "123456"
    seats = len(first["seats"])
    assert first["left"] == seats > 1 and not any(seat["taken"] for seat in first["seats"])
    guest = Browser(app)
    answer = guest.post("/api/door", {"ticket": code(first)})
    assert answer.json == {"role": "table"}
    assert "HttpOnly" in answer.headers["Set-Cookie"] and "SameSite=Strict" in answer.headers["Set-Cookie"]
    assert guest.get("/api/door").json["role"] == "table"
    assert guest.post("/api/eyes/look", {}).status_code == 200
    assert guest.post("/api/door/invite", {}).status_code == 403
    second = host.post("/api/door/invite", {"known": first["known"]}).json
    assert code(second) != code(first), "a code that was used is not shown"
    assert (second["left"], second["joined"]) == (seats - 1, 1)
    assert guest.post("/api/door/seat", {"seat": 0}).status_code == 200
    assert host.post("/api/door/invite", {"known": first["known"]}).json["seats"][0]["taken"]
    for _ in range(seats - 1):  # friends who have scanned the same square
        assert Browser(app).post("/api/door", {"ticket": code(first)}).status_code == 200
    last = host.post("/api/door/invite", {"known": first["known"]}).json
    assert (last["link"], last["left"], last["joined"]) == (None, 0, seats)
    for gone in (code(first), code(second)):
        assert Browser(app).post("/api/door", {"ticket": gone}).status_code == 403


def test_the_pin_lets_in_and_a_wrong_one_costs_time(app: Flask) -> None:
    guest = Browser(app)
    assert guest.post("/api/door", {"pin": "000000"}).status_code == 403
    soon = guest.post("/api/door", {"pin": "123456"})
    assert soon.status_code == 429 and int(soon.headers["Retry-After"]) >= 1
    assert Browser(app).post("/api/door", {"pin": "123456"}).status_code == 429, "for everybody"


def test_where_no_pin_is_taken_form_and_answer_say_the_same(sessions: SessionManager, tmp_path: Path) -> None:
    """The words are true at a table, whose own page can let phones in, and at a hub, which the command line alone opens."""
    table = create_app(sessions, access=Access())
    director = EveningDirector(KeptEvening(tmp_path / "evening.json"), TableJournals({}, GAMES))
    hub = create_hub_app(Machines(()), director, WebSettings(), Access())
    for app in (table, hub):
        said = Browser(app).post("/api/door", {"pin": "123456"}).json["error"]
        assert "ask there to be let in" in said and "--lan" not in said
        assert f"<p>{said}</p>" in Browser(app).get("/join").text
        german = Browser(app).get("/join", headers={"Accept-Language": "de"}).text
        assert f"<p>{CATALOGS['de'].translate(said)}</p>" in german and said not in german


def test_either_ticket_or_pin(app: Flask) -> None:
    assert Browser(app).post("/api/door", {}).status_code == 400
    assert Browser(app).post("/api/door", {"pin": "1", "ticket": "1"}).status_code == 400


def test_on_a_local_network_links_name_this_machine_there(sessions: SessionManager) -> None:
    access = Access(pin="123456")
    app = create_app(sessions, settings=WebSettings(lan=True), access=access)
    host = Browser(app, access.token("host"), "127.0.0.1")
    host.flask.set_cookie("companion_table", access.token("host"), domain="127.0.0.1")
    headers = {"Host": "127.0.0.1:8000", "Origin": "http://127.0.0.1:8000"}
    link = host.flask.post("/api/door/invite", json={}, headers=headers).json["link"]
    assert link.startswith("http://") and ":8000/join#" in link


def test_the_square_is_a_picture() -> None:
    scene = square("http://192.168.1.7:8000/join#" + "0" * 32)
    assert scene.get("role") == "img"
    assert len([shape for shape in scene.walk() if shape.tag == "path"]) == 1
