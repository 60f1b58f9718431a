"""Letting phones in over HTTP: for the host alone, in one sentence where it cannot be done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from tests.web.doubles import Listener
from web.admission.access import Access
from web.admission.phones import Phones
from web.app import create_app
from web.http.settings import WebSettings
from web.language.catalog import CATALOGS


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def app(sessions: SessionManager, listener: Listener) -> Iterator[Flask]:
    access = Access()
    phones = Phones(access, WebSettings(), find=lambda: "192.168.1.7", ours=lambda _: True)
    phones.attach(listener)
    app = create_app(sessions, access=access, phones=phones)
    app.extensions["test-access"] = access
    yield app
    app.extensions["lessons"].close()


@pytest.fixture
def host(app: Flask) -> Browser:
    return Browser(app, app.extensions["test-access"].token("host"), "127.0.0.1")


def at_8000(browser: Browser, path: str, body: Any = None) -> Any:
    """What a browser is told that opened the page as http://localhost:8000."""
    headers = {"Host": "localhost:8000", "Origin": "http://localhost:8000"}
    asked = browser.get(path, headers=headers) if body is None else browser.post(path, body, headers=headers)
    assert asked.status_code == 200, asked.text
    return asked.json


def test_from_closed_to_open_to_closed(app: Flask, host: Browser, listener: Listener) -> None:
    closed = at_8000(host, "/api/phones")
    assert len(closed.pop("fresh")) == 6
    nobody = {"by": None, "may_open": True, "may_change_pin": False, "at": None, "pin": None, "trouble": None}
    assert closed == {**nobody, "kept": None}
    opened = at_8000(host, "/api/phones/open", {"pin": "246810"})
    assert (opened["by"], opened["at"], opened["pin"]) == ("page", "http://192.168.1.7:8000/", "246810")
    assert listener.also == "192.168.1.7"
    invited = at_8000(host, "/api/door/invite", {})
    assert invited["link"].startswith("http://192.168.1.7:8000/join#") and invited["lan"] and invited["pin"] == "246810"
    assert Browser(app).post("/api/door", {"pin": "246810"}).json == {"role": "table"}
    assert at_8000(host, "/api/phones/pin", {"pin": "135791"})["pin"] == "135791"
    assert Browser(app).post("/api/door", {"pin": "246810"}).status_code == 403
    drawn = at_8000(host, "/api/phones/pin", {})["pin"]
    assert drawn != "135791" and len(drawn) == 6
    shut = at_8000(host, "/api/phones/close", {})
    del shut["fresh"]
    assert shut == {**nobody, "kept": drawn} and listener.also is None
    assert host.get("/api/door").json["pin"] is False


def test_nobody_but_the_host_is_told_or_may_change_it(app: Flask) -> None:
    access = app.extensions["test-access"]
    for browser in (Browser(app), Browser(app, access.token("table"))):
        assert browser.get("/api/phones").status_code == 403
        for path in ("open", "close", "pin"):
            assert browser.post(f"/api/phones/{path}", {}).status_code == 403


@pytest.mark.parametrize("pin", ["", "12345", "1234567", "abcdef", "１２３４５６"])
def test_what_is_no_pin_gets_one_sentence(host: Browser, listener: Listener, pin: str) -> None:
    refused = host.post("/api/phones/open", {"pin": pin})
    assert refused.status_code == 400 and "exactly six digits" in refused.json["error"]
    assert listener.also is None


@pytest.mark.parametrize("body", [{"pin": 246810}, {"pin": "1" * 65}, {"pin": "246810", "port": 80}, [], "246810"])
def test_bodies_of_another_form_are_refused(host: Browser, listener: Listener, body: object) -> None:
    for path in ("open", "pin"):
        assert host.post(f"/api/phones/{path}", body).status_code == 400
    assert listener.also is None


def test_a_port_that_is_taken_there_is_said_in_both_languages(host: Browser, listener: Listener) -> None:
    listener.taken.add("192.168.1.7")
    refused = host.post("/api/phones/open", {"pin": "246810"})
    assert refused.status_code == 409
    german = CATALOGS["de"].translate(refused.json["error"])
    assert german.startswith("Der Tisch lässt sich unter 192.168.1.7 nicht für Handys öffnen. Port 8000 ist")


def test_where_the_page_cannot_open_the_table_it_says_so(sessions: SessionManager) -> None:
    access = Access()
    host = Browser(create_app(sessions, access=access), access.token("host"), "127.0.0.1")
    now = host.get("/api/phones").json
    assert (now["by"], now["may_open"], now["at"]) == (None, False, None)
    refused = host.post("/api/phones/open", {})
    assert refused.status_code == 409 and "--lan" in refused.json["error"]
    assert host.post("/api/door/invite", {}).json["lan"] is False


def test_of_a_page_that_the_command_line_opened_the_pin_can_be_changed(sessions: SessionManager) -> None:
    access = Access(pin="123456")
    app = create_app(sessions, settings=WebSettings(lan=True), access=access)
    host = Browser(app, access.token("host"), "127.0.0.1")
    now = host.get("/api/phones").json
    assert (now["by"], now["may_open"], now["may_change_pin"], now["pin"]) == ("command", False, True, "123456")
    assert host.post("/api/phones/pin", {"pin": "246810"}).json["pin"] == "246810"
    assert Browser(app).post("/api/door", {"pin": "246810"}).status_code == 200
    assert host.post("/api/phones/close", {}).status_code == 409
