"""What the page tells in Ice Stalks."""

from __future__ import annotations

import pytest

from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    table = sessions.start("ice-stalks", ["Ann", "Ben"], {})
    position = {
        "stalks": [["cyan large"], ["red large", "orange large"], ["yellow large"]],
        "taken": [[["green large", "green medium", "green small"]], []],
        "rocks": {"red": 2, "orange": 1, "yellow": 0, "green": 0, "cyan": 3, "blue": 0, "purple": 1},
        "hand": "orange",
        "turn": 0,
    }
    table.set_position(position, "", source="page")
    return table


def test_rocks_are_counted_by_color(table: Table, reader: Browser) -> None:
    told = reader.get("/api/advice").json
    assert {one["color"]: one["left"] for one in told["rocks"]} == {
        "red": 2,
        "orange": 1,
        "yellow": 0,
        "green": 0,
        "cyan": 3,
        "blue": 0,
        "purple": 1,
    }


def test_a_dead_stalk_says_in_one_sentence_why(table: Table, reader: Browser) -> None:
    stalks = {one["spot"]: one for one in reader.get("/api/advice").json["stalks"]}
    dead = stalks["stalks.R3O3"]
    assert dead["dead"] and not dead["ends"]
    assert dead["why"] == "no yellow rock is left to go on toward purple."
    alive = stalks["stalks.C3"]
    assert not alive["dead"] and alive["highest"] >= alive["lowest"] >= 3 and alive["shown"]


def test_a_rock_tells_what_may_be_placed_what_would_kill_and_whether_a_base_may_stand(
    table: Table, reader: Browser
) -> None:
    told = reader.get("/api/advice").json
    rock = told["with"]
    assert rock["drawn"] and told["color"] == "orange"
    assert {one["text"] for one in rock["add"]} == {
        table.session.game.text(move) for move in table.session.legal() if getattr(move, "on", ())
    }
    assert all(breach["rule"] == "ICE-12" for one in rock["kill"] for breach in one["breaches"])
    assert rock["kill"] and rock["base"]["rule"] == "ICE-6"
    ahead = reader.get("/api/advice?about=cyan").json["with"]
    assert not ahead["drawn"] and ahead["problem"].startswith("ICE-4: Player 1 holds an orange rock already.")


def test_taken_stalks_carry_their_points_and_the_rule(table: Table, reader: Browser) -> None:
    ann, ben = reader.get("/api/advice").json["seats"]
    assert [(one["points"], one["rule"]) for one in ann["stalks"]] == [(1, "ICE-18")]
    assert ben["stalks"] == []
