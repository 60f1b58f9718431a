"""What games tell besides their boards, and verdicts on moves that nobody has made."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.plan import Plan, PyramidZone, TileBoard
from companion.games import PLANS
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser
from web.api.setup import suited


@pytest.fixture
def spectra(sessions: SessionManager) -> Table:
    table = sessions.start("spectra", ["Ann", "Ben"], {"colors": "blue,purple"})
    position = {
        "trees": [["blue large"], ["purple large"]],
        "supplies": [["orange large", "yellow small", "green medium", "blue medium"], ["yellow medium"]],
        "turn": 0,
        "drawn": True,
    }
    table.set_position(position, "", source="page")
    return table


@pytest.fixture
def stalks(sessions: SessionManager) -> Table:
    table = sessions.start("ice-stalks", ["Ann", "Ben"], {})
    table.set_position({"stalks": [["cyan large"]], "hand": "blue", "turn": 1}, "", source="page")
    return table


def verdict(browser: Browser, text: str) -> Any:
    return browser.get("/api/advice/verdict", query_string={"text": text}).json


def test_what_can_i_make_says_whose_piece_it_takes(spectra: Table, reader: Browser) -> None:
    told = reader.get("/api/advice").json
    made = {make["took"]: make for make in told["makes"]}
    assert [source["name"] for way in made["Y2"]["ways"] for source in way["sources"]] == ["Ben"]
    assert [source["name"] for way in made["B3"]["ways"] for source in way["sources"]] == ["the bag"]
    assert made["B3"]["grows"] and not made["Y2"]["grows"]
    for make in told["makes"]:
        for way in make["ways"]:
            for source in way["sources"]:
                assert not spectra.session.state.violations(spectra.session.game.event(source["event"])), source["text"]
    assert [add["piece"] for add in told["adds"]] == ["B2"]
    assert [breach["rule"] for breach in told["reminders"]] == ["SPA-9"]
    assert told["bag"][0] == {"color": "red", "letter": "R", "counts": [5, 5, 5]}
    assert sum(sum(left["counts"]) for left in told["bag"]) == 102 - 7
    assert reader.get("/api/advice?about=1").json["makes"] == []
    assert reader.get("/api/advice?about=9").json["seat"] == 0


def test_a_draw_may_be_told_while_a_move_is_due(sessions: SessionManager, reader: Browser) -> None:
    table = sessions.start("spectra", ["Ann", "Ben", "Cid"], {})
    assert reader.get("/api/table").json["turn"]["draw"] == {"seats": [0, 1, 2], "count": 1, "hidden": False}
    table.play(table.session.game.parse(table.session.state, "player 2 draws yellow small"), source="page")
    turn = reader.get("/api/table").json["turn"]
    assert turn["draw"] is None and turn["seats"] == [1]
    assert [(other["offer"], other["reminders"]) for other in turn["others"]] == [("Pass the bag on", [])]


def test_spa_9_reminders_come_with_the_button_that_ends_the_turn(spectra: Table, reader: Browser) -> None:
    (other,) = reader.get("/api/table").json["turn"]["others"]
    assert [breach["rule"] for breach in other["reminders"]] == ["SPA-9"]


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("player 1 gives orange large + yellow small for red medium from bag", []),
        ("player 1 gives orange large + yellow small for blue medium from bag", ["SPA-14"]),
        ("player 1 gives orange large + yellow small for red large from bag", ["SPA-15"]),
        ("player 1 gives green medium + blue medium for yellow medium from bag", ["SPA-20"]),
        ("player 1 gives blue large + blue medium for red small from bag", ["SPA-12", "SPA-14"]),
        ("player 2 passes the bag", ["SPA-6"]),
    ],
)
def test_verdicts_name_the_rule_and_change_nothing(
    spectra: Table, reader: Browser, line: str, rules: list[str]
) -> None:
    found = verdict(reader, line)
    assert [breach["rule"] for breach in found["breaches"]] == rules
    assert found["legal"] is (not rules) and found["text"] == line and found["problem"] == ""
    assert spectra.session.seq == 1


def test_a_verdict_on_what_cannot_be_read_or_cannot_be(spectra: Table, reader: Browser) -> None:
    assert reader.get("/api/advice/verdict", query_string={"text": "player 1 eats it"}).status_code == 422
    assert reader.get("/api/advice/verdict", query_string={"text": " "}).status_code == 400
    assert reader.get("/api/advice/verdict", query_string={"text": "x" * 1001}).status_code == 400


def test_what_a_rock_allows_and_what_it_would_kill(stalks: Table, reader: Browser) -> None:
    told = reader.get("/api/advice").json
    found = told["with"]
    assert told["color"] == "blue" and found["drawn"]
    assert [(one["piece"], one["stalk"]) for one in found["add"]] == [("B2", ["C3"])]
    assert [(one["piece"], [breach["rule"] for breach in one["breaches"]]) for one in found["kill"]] == [
        ("B3", ["ICE-12"])
    ]
    assert not found["base"]["allowed"] and found["base"]["rule"] == "ICE-6"
    (stalk,) = told["stalks"]
    assert not stalk["dead"] and stalk["lowest"] == 3 and stalk["ends"] >= len(stalk["shown"])
    assert {rock["color"]: rock["left"] for rock in told["rocks"]}["cyan"] == 4


def test_a_rock_may_be_asked_about_before_it_is_drawn(sessions: SessionManager, reader: Browser) -> None:
    table = sessions.start("ice-stalks", ["Ann", "Ben"], {})
    table.set_position({"stalks": [["purple large"]], "rocks": {"blue": 1, "red": 1}}, "", source="page")
    told = reader.get("/api/advice?about=blue").json
    assert told["color"] == "blue" and not told["with"]["drawn"]
    assert [one["piece"] for one in told["with"]["kill"]] == ["B3", "B2"]
    assert told["with"]["base"]["allowed"]
    assert reader.get("/api/advice?about=green").json["with"]["problem"].startswith("ICE-2")
    (stalk,) = told["stalks"]
    assert stalk["dead"] and stalk["why"]
    assert reader.get("/api/advice").json["with"] is None


def test_a_new_game_gets_the_plan_of_its_mat_unless_its_zones_are_there(
    phone: Browser, sessions: SessionManager
) -> None:
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    here = sessions.plan
    assert suited(here, "spectrangle", 2) is here
    assert suited(Plan(here.mat, (TileBoard(),)), "spectrangle", 3).zones == (TileBoard(),)
    answer = phone.post("/api/games", {"game": "spectra", "names": ["Ann", "Ben", "Cid"]})
    assert answer.status_code == 201
    assert sessions.plan == PLANS["spectra"](3)
    first = sessions.plan.zones[0]
    assert isinstance(first, PyramidZone)
    dragged = Plan(sessions.plan.mat, (PyramidZone(first.spot, corners, "trees"), *sessions.plan.zones[1:]), corners)
    assert suited(dragged, "spectra", 3) is dragged, "zones that were dragged stay"
    assert suited(dragged, "ice-stalks", 2) == PLANS["ice-stalks"](2)
