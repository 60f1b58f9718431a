"""What the page tells in Roll & Color."""

from __future__ import annotations

import time
from itertools import combinations
from typing import Any

import pytest

from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from tests.web.conftest import Browser

ROLL = "rolls d6 red red blue green, d12 red-orange red red blue purple"


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    """Ann has red and green filled and rolls four red."""
    table = sessions.start("roll-and-color", ["Ann", "Ben"], {})
    table.set_position(
        {"sheets": [{"primary combo 1": "2&2", "green": "0"}, {"red": "1", "blue": "2"}]}, "", source="page"
    )
    table.play(table.session.game.parse(table.session.state, ROLL), source="page")
    return table


def told(browser: Browser, about: str = "") -> Any:
    return browser.get("/api/advice", query_string={"about": about} if about else {}).json


def test_a_roll_that_is_due_names_each_die(sessions: SessionManager, reader: Browser) -> None:
    table = sessions.start("roll-and-color", ["Ann"], {})
    found = told(reader)
    assert found["turn"] is None and found["entries"] == [] and found["dice"] == []
    assert [die["label"] for die in found["roll"]["dice"]] == [f"die {n}" for n in range(1, 10)]
    tell(table, ROLL, "player 1 re-rolls 3 4 5 9")
    found = told(reader)
    assert [die["label"] for die in found["roll"]["dice"]] == ["die 3", "die 4", "die 5", "die 9"]
    assert [die["up"] for die in found["dice"]] == [False, False, True, True, True, False, False, False, True]


def test_while_hints_are_off_nothing_is_called_best(table: Table, reader: Browser) -> None:
    found = told(reader, "points")
    assert found["odds"] is None and not found["hints"]
    order = [row["row"] for part in found["parts"] for row in part["rows"]]
    places = [order.index(entry["row"]) for entry in found["entries"]]
    assert places == sorted(places), "the order of the sheet"


def test_the_best_entries_come_first_and_are_legal(table: Table, reader: Browser) -> None:
    table.session.allow_hints(True, source="page")
    found = told(reader)
    assert found["turn"] == 0
    worth = [entry["points"] for entry in found["entries"]]
    assert worth == sorted(worth, reverse=True)
    assert (worth[0], found["entries"][0]["words"]) == (9, "primary sequence 1: 4 in a row")
    names = {entry["row"] for entry in found["entries"]}
    assert "primary-combo-1" not in names and "primary-combo-2" in names, "the open one of two equal rows"
    assert "spectrum-combo-1" in names and "spectrum-combo-2" not in names, "equal rows once"
    for entry in found["entries"]:
        assert not table.session.state.violations(table.session.game.event(entry["event"]))


def test_rol_3_how_many_dice_the_next_re_roll_takes(table: Table, reader: Browser, phone: Browser) -> None:
    table.session.allow_hints(True, source="page")
    assert told(reader)["next"] == {"order": "first", "least": 4, "most": 4, "rule": "ROL-3"}
    answer = phone.post(
        "/api/table/play", {"expected": table.session.seq, "event": {"type": "reroll", "seat": 0, "dice": [1, 2, 3]}}
    )
    assert answer.status_code == 409 and answer.json["rule"] == "ROL-3"
    table.set_position({"dice": {"d6": ["red"] * 4, "d12": ["red"] * 5}, "rerolls": 3}, "", source="page")
    assert told(reader)["next"]["most"] == 9
    table.set_position({"dice": {"d6": ["red"] * 4, "d12": ["red"] * 5}, "rerolls": 4}, "", source="page")
    found = told(reader, "points")
    assert found["next"] is None and found["odds"]["rerolls"] == [] and found["odds"]["best"] == "stop"


def test_sheets_of_all_players(table: Table, reader: Browser) -> None:
    ann, ben = told(reader)["seats"]
    assert ann["entered"] == {"primary-combo-1": {"cell": 1, "points": 1}, "green": {"cell": 0, "points": 0}}
    assert (ann["total"], ann["left"], ben["total"]) == (1, 22, 3)
    found = told(reader)
    rows = [row for part in found["parts"] for row in part["rows"]]
    assert len(rows) == 24 and rows[0]["cells"] == list("123456") and rows[0]["points"][5] == 0
    assert found["met"][6] == [1, 2, 3, 4]


def test_what_re_rolls_are_worth_is_told_when_asked_for(table: Table, reader: Browser) -> None:
    table.session.allow_hints(True, source="page")
    assert told(reader)["odds"] is None
    began = time.process_time()
    odds = told(reader, "points")["odds"]
    assert time.process_time() - began < 3.0, "half a second is usual"
    assert odds["exact"] and odds["how"].startswith("Exact")
    assert odds["best"] == "reroll" and odds["rerolls"][0]["value"] > odds["stop"]["value"]
    values = [one["value"] for one in odds["rerolls"]]
    assert values == sorted(values, reverse=True) and len(values) == 6 and odds["choices"] > 50
    for one in odds["rerolls"]:
        assert len(one["codes"]) == 4 and not table.session.state.violations(table.session.game.event(one["event"]))
    sheet = told(reader, "sheet")["odds"]
    assert not sheet["exact"] and "estimate" in sheet["how"]


def test_every_choice_of_dice_has_a_value(table: Table, reader: Browser) -> None:
    table.session.allow_hints(True, source="page")
    found = told(reader, "points")
    codes = {die["number"]: die["code"] for die in found["dice"]}
    values = found["odds"]["values"]
    for chosen in combinations(codes, found["next"]["least"]):
        assert " ".join(sorted(codes[number] for number in chosen)) in values
    for one in found["odds"]["rerolls"]:
        assert values[" ".join(sorted(one["codes"]))] == one["value"]
    assert max(values.values()) == found["odds"]["rerolls"][0]["value"]


def test_a_die_can_be_corrected_in_the_roll_that_told_it(table: Table, reader: Browser, phone: Browser) -> None:
    tell(table, "player 1 re-rolls 3 4 5 9", "rolls d12 red-orange orange, d6 blue red")
    die = told(reader)["dice"][8]
    assert (die["number"], die["code"], die["row"], die["at"]) == (9, "d12O", 4, 1)
    faces = [*die["roll"]]
    faces[die["at"]] = "d12 purple"
    command = {
        "expected": table.session.seq,
        "n": die["row"],
        "event": {"type": "rolled", "faces": faces},
        "why": "misread",
    }
    assert phone.post("/api/table/correct", command).status_code == 200
    assert told(reader)["dice"][8]["code"] == "d12P"
