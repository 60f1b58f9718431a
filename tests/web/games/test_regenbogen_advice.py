"""What the page tells in Regenbogen."""

from __future__ import annotations

import msgspec
import pytest

from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from tests.web.conftest import Browser


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    return sessions.start("regenbogen", ["Ann", "Ben"], {})


def test_every_legal_move_says_what_it_does(table: Table, reader: Browser) -> None:
    found = reader.get("/api/advice").json
    legal = {table.session.game.text(move) for move in table.session.legal()}
    assert {move["text"] for move in found["moves"]} == legal - {"player 1 offers a draw"}
    assert all(move["words"] and move["spot"] in found["cells"] for move in found["moves"])
    by_text = {move["text"]: move for move in found["moves"]}
    assert by_text["player 1 summons on b3 with b2"]["note"] == "+3"
    assert found["turn"] == 0 and found["moved"] is None


def test_cells_and_stores(table: Table, reader: Browser) -> None:
    tell(
        table, "white moves b2 to b4", "white summons on c5 with b4", "black moves b7 to b6", "black fights c5 with b6"
    )
    found = reader.get("/api/advice").json
    assert found["cells"]["c5"]["piece"] is None, "blue does 4 damage to orange, its opposite (RGB-18)"
    assert found["cells"]["d1"]["piece"]["spells"] == 4
    white = found["seats"][0]
    assert [store["color"] for store in white["stores"]][-1] == "ultima"
    assert white["spells"] == 4 and white["cleric"] == 5
    assert {one["name"]: one["left"] for one in white["dominations"]}["Ultima"] == 1


def test_a_piece_that_has_moved_is_named_and_it_alone_may_act(table: Table, reader: Browser) -> None:
    tell(table, "white moves b2 to b4")
    found = reader.get("/api/advice").json
    assert found["moved"] == "b4" and {move["piece"] for move in found["moves"]} == {"b4"}


def test_rgb_17_a_cleric_in_danger_is_asked_about(table: Table, reader: Browser) -> None:
    pieces = dict(reader.get("/api/advice").json["position"]["pieces"])
    pieces |= {"c4": "white purple spirit 0", "d5": "black cleric 1"}
    del pieces["c8"]
    table.set_position({"pieces": pieces, "spells": [4, 2]}, "", source="page")
    tell(table, "white self-destructs c4")
    found = reader.get("/api/advice").json
    assert found["saving"] == [1] and found["moves"] == []


def test_the_written_position_brings_the_same_one_back(table: Table, reader: Browser) -> None:
    tell(table, "white moves b2 to b4")
    written = reader.get("/api/advice").json["position"]
    again = table.session.game.from_record(
        2, table.session.game.Options(), msgspec.json.decode(msgspec.json.encode(written))
    )
    assert (again.board, again.spells, again.turn, again.moved) == (
        table.session.state.board,
        table.session.state.spells,
        table.session.state.turn,
        table.session.state.moved,
    )


def test_the_end_leaves_nothing_to_do(table: Table, reader: Browser) -> None:
    tell(table, "white offers a draw", "black accepts the draw")
    found = reader.get("/api/advice").json
    assert found["turn"] is None and found["moves"] == []
