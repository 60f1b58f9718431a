"""An evening over HTTP: led by whoever has joined, seen by everybody, with results from the journals alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from flask import Flask

from companion.games import GAMES
from companion.referee.evening import KeptEvening
from companion.referee.evening.director import EveningDirector
from companion.referee.evening.journals import TableJournals
from companion.referee.journal import Journal
from simulation.play import played
from tests.web.conftest import Browser
from web.admission.access import Access
from web.http.settings import WebSettings
from web.hub.app import ROUTES, create_hub_app
from web.hub.machines import Machines

PLAYERS = ["Ann", "Ben", "Cem"]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal.open(tmp_path / "table.sqlite")
    yield journal
    journal.close()


@pytest.fixture
def director(journal: Journal, tmp_path: Path) -> Iterator[EveningDirector]:
    tables = TableJournals({"table": lambda: Journal.read(journal.path)}, GAMES)
    yield EveningDirector(KeptEvening(tmp_path / "evening.json"), tables, tables=lambda: ("hall",))
    tables.close()


@pytest.fixture
def app(director: EveningDirector) -> Flask:
    return create_hub_app(Machines(()), director, WebSettings(), Access(pin="123456"))


@pytest.fixture
def host(app: Flask) -> Browser:
    browser = Browser(app, address="127.0.0.1")
    browser.get("/")
    return browser


def test_an_evening_from_its_beginning_to_its_standings(
    host: Browser, director: EveningDirector, journal: Journal, app: Flask
) -> None:
    begun = host.post("/api/evening", {"expected": 1, "system": "round-robin", "players": PLAYERS, "title": "Tuesday"})
    assert begun.status_code == 200 and begun.json["evening"]["planned"] == 3
    for number in range(1, 4):
        told = host.post("/api/evening/round", {"expected": director.now()[0]}).json
        pairings = told["evening"]["rounds"][-1]["pairings"]
        game, rest = pairings if pairings[1]["second"] is None else pairings[::-1]
        assert told["open"] and rest["second"] is None and game["table"] == "hall"
        early = host.post("/api/evening/round", {"expected": told["version"]})
        assert early.status_code == 409 and "still to be played" in early.json["error"]
        # The names stand at the table as people write them, in whatever seats.
        played(journal, Random(number), names=(game["second"].upper(), game["first"]))
        director.look()
        after = Browser(app).get("/api/evening").json
        assert not after["open"] and after["version"] > told["version"]
        done = next(one for one in after["evening"]["rounds"][-1]["pairings"] if one["second"] is not None)
        assert done["result"]["game"] in {header.id for header in journal.games()}
    assert after["over"] and sum(line["points"] for line in after["standings"]) == 6
    assert host.post("/api/evening/round", {"expected": after["version"]}).status_code == 409
    page, wall = host.get("/evening").text, Browser(app).get("/evening/wall").text
    assert "Tuesday" in page and "All rounds were played" in page and "next-round" not in page
    assert "Standings" in wall and "<form" not in wall
    csv = host.get("/api/evening/export/csv")
    assert csv.mimetype == "text/csv" and csv.text.count("\n") > 8
    assert host.get("/api/evening/export/json").json["standings"] == after["standings"]
    ratings = host.get("/api/ratings").json["ratings"]
    assert {one["name"].casefold() for one in ratings} == {"ann", "ben", "cem"}


def test_it_is_there_after_a_restart(host: Browser, director: EveningDirector, tmp_path: Path) -> None:
    host.post("/api/evening", {"expected": 1, "system": "swiss", "players": PLAYERS})
    host.post("/api/evening/round", {"expected": 2})
    again = EveningDirector(KeptEvening(tmp_path / "evening.json"), TableJournals({}, GAMES))
    assert again.now()[1] == director.now()[1]


def test_who_has_gone_home_loses_the_open_game(host: Browser, director: EveningDirector) -> None:
    host.post("/api/evening", {"expected": 1, "system": "swiss", "players": PLAYERS})
    told = host.post("/api/evening/round", {"expected": 2}).json
    gone = next(one for one in told["evening"]["rounds"][0]["pairings"] if one["second"])["second"]
    after = host.post("/api/evening/withdraw", {"expected": 3, "player": gone}).json
    assert not after["open"] and after["evening"]["left"] == [gone]
    assert host.post("/api/evening/withdraw", {"expected": 4, "player": "Eve"}).status_code == 400


def test_two_who_press_at_once_pair_one_round(host: Browser) -> None:
    host.post("/api/evening", {"expected": 1, "system": "swiss", "players": PLAYERS})
    assert host.post("/api/evening", {"expected": 1, "system": "swiss", "players": PLAYERS}).status_code == 409
    assert host.post("/api/evening/round", {"expected": 1}).status_code == 409


def test_only_who_has_joined_leads(app: Flask, host: Browser) -> None:
    phone = Browser(app)
    body = {"expected": 1, "system": "swiss", "players": PLAYERS}
    for path in ("", "/round", "/withdraw"):
        assert phone.post(f"/api/evening{path}", body).status_code == 401
    assert "begin-card" not in phone.get("/evening").text
    assert phone.post("/api/door", {}).status_code == 400
    assert phone.post("/api/door", {"pin": "123456"}).json == {"role": "table"}
    assert phone.post("/api/evening", body).status_code == 200
    assert host.get("/api/door").json["role"] == "host"


def test_every_route_says_who_may_use_it(app: Flask) -> None:
    assert {rule.endpoint for rule in app.url_map.iter_rules()} == set(ROUTES)
    for rule in app.url_map.iter_rules():
        changes = "POST" in (rule.methods or set())
        assert (ROUTES[rule.endpoint] in ("control", "join")) is changes, rule.endpoint


def test_what_does_not_fit_is_refused_in_one_sentence(host: Browser) -> None:
    for body in ({"expected": 1}, {"expected": 1, "system": "knock-out", "players": PLAYERS}, {"x": 1}):
        assert host.post("/api/evening", body).status_code == 400
    assert host.get("/api/evening/export/pdf").status_code == 404
    assert host.get("/api/evening/export/csv").status_code == 404, "before the first evening"
    foreign = host.post("/api/evening/round", {"expected": 1}, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
    assert host.get("/healthz").json["ok"]


def test_a_journal_that_is_away_is_told(host: Browser, director: EveningDirector, tmp_path: Path) -> None:
    director._journals = TableJournals({"none": lambda: Journal.read(tmp_path / "none")}, GAMES)
    director.look()
    assert host.get("/healthz").status_code == 503
    assert "There is no journal" in host.get("/api/evening").json["trouble"]
