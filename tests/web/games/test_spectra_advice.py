"""What the page tells in Spectra."""

from __future__ import annotations

import pytest

from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    table = sessions.start("spectra", ["Ann", "Ben"], {"colors": "red,blue"})
    position = {
        "trees": [["red large"], ["blue large", "blue medium"]],
        "supplies": [["blue small", "yellow small", "red medium"], ["green small", "purple large"]],
        "turn": 0,
        "drawn": True,
    }
    table.set_position(position, "", source="page")
    return table


def test_every_open_exchange_names_whose_piece_it_takes(table: Table, reader: Browser) -> None:
    told = reader.get("/api/advice").json
    ways = {way["text"]: way["name"] for make in told["makes"] for one in make["ways"] for way in one["sources"]}
    legal = [move for move in table.session.legal() if hasattr(move, "took")]
    assert set(ways) == {table.session.game.text(move) for move in legal}
    assert ways["player 1 gives yellow small + blue small for green small from player 2"] == "Ben"


def test_what_another_player_could_make(table: Table, reader: Browser) -> None:
    told = reader.get("/api/advice?about=1").json
    assert told["seat"] == 1
    assert told["makes"] == []


def test_what_is_left_in_the_bag_by_color_and_size(table: Table, reader: Browser) -> None:
    told = reader.get("/api/advice").json
    left = {one["color"]: one for one in told["bag"]}
    assert (left["blue"]["counts"], left["yellow"]["counts"]) == ([4, 4, 4], [5, 5, 4])
    assert sum(sum(one["counts"]) for one in told["bag"]) == 102 - 8


def test_rows_that_cannot_score_show_no_points(table: Table, reader: Browser) -> None:
    table.play(table.session.game.parse(table.session.state, "player 1 passes the bag"), source="page")
    row = reader.get("/api/journal/rows").json["rows"][-1]
    assert row["sentence"] == "Ann passes the bag." and row["points"] is None
