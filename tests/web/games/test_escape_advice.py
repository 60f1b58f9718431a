"""What the page tells in Spectrum Escape."""

from __future__ import annotations

import pytest

from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    table = sessions.start("escape", ["Ann", "Ben"], {})
    table.set_position(
        {
            "pawns": [{"red": 6, "green": 9}, {"red": 2, "yellow": 9}],
            "personal": ["red", "green"],
            "common": {"d6": ["green", "yellow"], "d12": ["red", "orange", "blue", "blue", "purple"]},
        },
        "",
        source="page",
    )
    return table


def test_a_roll_that_is_due_names_each_die(sessions: SessionManager, reader: Browser) -> None:
    sessions.start("escape", ["Ann", "Ben"], {"first": 2})
    told = reader.get("/api/advice").json
    assert told["order"] == [1, 0] and told["turn"] is None and not told["moves"]
    assert [die["label"] for die in told["roll"]["dice"]] == ["Ann", "Ben", *["common"] * 7]
    assert [die["kind"] for die in told["roll"]["dice"][:2]] == ["spectrum-d6"] * 2
    assert len(told["faces"]["spectrum-d6"]) == 6 and len(told["faces"]["spectrum-d12"]) == 12
    assert all(code in told["pieces"] for codes in told["faces"].values() for code in codes)


def test_every_legal_move_has_its_die_and_says_where_it_leads(table: Table, reader: Browser) -> None:
    told = reader.get("/api/advice").json
    legal = {move["text"]: move for move in told["moves"] if not move["breaches"]}
    assert set(legal) == {table.session.game.text(move) for move in table.session.legal()}
    assert legal["player 1 plays personal red out"]["words"] == "escapes"
    assert legal["player 1 plays personal red out"]["code"] == "d6R"
    assert legal["player 1 plays common red out"]["code"] == "d12R"
    assert legal["player 1 plays common blue to 1"]["words"] == "enters on 1"
    for move in legal.values():
        assert not table.session.state.violations(table.session.game.event(move["event"]))


def test_esc_9_a_die_that_allows_nothing_says_why(table: Table, reader: Browser) -> None:
    told = reader.get("/api/advice").json
    (closed,) = [move for move in told["moves"] if move["breaches"]]
    assert (closed["color"], closed["code"], closed["to"]) == ("yellow", "d6Y", None)
    assert [breach["rule"] for breach in closed["breaches"]] == ["ESC-9"]


def test_dice_that_are_used_are_marked(table: Table, reader: Browser, phone: Browser) -> None:
    answer = phone.post("/api/table/play", {"expected": table.session.seq, "text": "player 1 plays common red"})
    assert answer.status_code == 200
    told = reader.get("/api/advice").json
    used = [die["code"] for die in told["common"] if die["used"]]
    assert used == ["d12R"] and len(told["common"]) == 7
    ann = told["seats"][0]
    assert (ann["escaped"], ann["personal"], ann["used"], ann["done"]) == (1, "d6R", False, "common die used")
    red = next(one for one in told["colors"] if one["color"] == "red")
    assert red["standing"] == [{"seat": 1, "position": 2, "pawn": "pawnB"}] and red["next"] == [3, 3]


def test_esc_13_a_refusal_on_the_page_names_its_rule(table: Table, phone: Browser) -> None:
    answer = phone.post("/api/table/play", {"expected": table.session.seq, "text": "player 1 plays personal blue to 1"})
    assert answer.status_code == 409 and answer.json["rule"] == "ESC-13"
    seen = phone.get("/api/advice/verdict", query_string={"text": "player 1 plays personal red to 8"}).json
    assert not seen["legal"] and seen["breaches"][0]["rule"] == "ESC-7"
    assert seen["sentence"] == "Ann plays personal red to 8."
