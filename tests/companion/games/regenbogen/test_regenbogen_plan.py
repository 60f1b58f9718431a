"""The printed mat has every cell, its color in words, and room for its markers; a recording says where its board lies."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion.app.commands.mat import mat_command
from companion.app.printing.mat_pdf import mat_pdf
from companion.core.foundation.errors import BadPlan
from companion.core.plan import Plan, PyramidBoard
from companion.core.recording import RecordedMat
from companion.games import GAMES, RECORDED
from companion.games.regenbogen.data import DATA
from companion.games.regenbogen.manifest import MAT, plan

GAME = GAMES["regenbogen"]


def board(found: Plan) -> PyramidBoard:
    (zone,) = found.zones
    assert isinstance(zone, PyramidBoard)
    return zone


def test_rgb_6_the_plan_has_the_cells_that_the_game_predicts() -> None:
    spots = [spot for row in board(plan(2)).rows for spot in row if spot]
    assert len(spots) == 44 and set(spots) == set(GAME.start(2, GAME.Options()).layout().cells)
    assert board(plan(2)).rows[0] == ("", "b8", "c8", "d8", "e8", ""), "White sits at the bottom"


def test_rgb_6_each_cell_is_printed_in_its_color() -> None:
    zone = board(plan(2))
    for spots, tints in zip(zone.rows, zone.tints, strict=True):
        for spot, tint in zip(spots, tints, strict=True):
            assert tint == DATA.board.cells.get(spot, "").replace("ultima", "clear")


def test_the_board_stays_clear_of_the_markers() -> None:
    xs, ys = zip(*board(plan(2)).outline_mm, strict=True)
    patch = MAT.marker_mm / 2 + 8
    assert patch <= min(xs) < max(xs) <= MAT.width_mm - patch
    assert patch <= min(ys) < max(ys) <= MAT.height_mm - patch


def test_a_plan_comes_back_from_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(plan(2)), type=Plan) == plan(2)


def test_the_mat_is_printed_by_name(tmp_path) -> None:
    done = CliRunner().invoke(mat_command, ["regenbogen", "--paper", "a3", "-o", str(tmp_path / "mat.pdf")])
    assert done.exit_code == 0 and "4 sheets of A3" in done.output


def test_the_poster_names_cells_and_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    from reportlab.pdfgen.canvas import Canvas

    said: list[str] = []
    write = Canvas.drawCentredString
    monkeypatch.setattr(
        Canvas, "drawCentredString", lambda self, x, y, text, **more: (said.append(text), write(self, x, y, text))[1]
    )
    mat_pdf(plan(2), "Regenbogen", "a3", lambda _: [[True] * 6] * 6)
    for spot, color in DATA.board.cells.items():
        assert f"{spot} {color.replace('ultima', 'white')}" in said


RECORDED_MAT = RecordedMat(440, 552, 40)
SETUP: dict[str, Any] = {
    "board": [[52, 52], [388, 52], [388, 500], [52, 500]],
    "players": [{"name": "Ada"}, {}],
    "options": {"boost_stacks": True},
    "position": {"turn": 1},
}


def test_a_recording_says_where_its_board_lies_and_may_give_its_position() -> None:
    found = RECORDED["regenbogen"](RECORDED_MAT, SETUP)
    assert (found.names, found.options) == (("Ada", "Black"), {"boost_stacks": True})
    assert found.position == {"turn": 1} and not found.begun and found.draws == "told"
    assert board(found.plan) == board(plan(2))


def test_a_recording_without_a_position_begins_at_the_start() -> None:
    found = RECORDED["regenbogen"](RECORDED_MAT, {"board": SETUP["board"]})
    assert found.position is None and found.names == ("White", "Black")


@pytest.mark.parametrize("wrong", [{}, {"board": [[0, 0]]}, {**SETUP, "players": [{}]}])
def test_a_setup_that_says_too_little_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadPlan, match=r"docs/records\.md"):
        RECORDED["regenbogen"](RECORDED_MAT, wrong)
