"""The Spectrum board's mat: one wheel for any number of seats, inside of its markers, and dice beside it."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from companion.app.commands.mat import MATS, mat_command
from companion.core.foundation.errors import BadPlan, WrongUsage
from companion.core.plan import DiceTray, PawnBoard
from companion.core.recording import RecordedMat, Spoken
from companion.games import GAMES, PLANS, RECORDED
from companion.games.spectrum.options import Options
from companion.games.spectrum.plan import DICE_MM, MAT, plan, tray

MAT_FILE = RecordedMat(560, 560, 40)
SETUP: dict[str, Any] = {
    "players": [{"name": "Ada"}, {}],
    "board": {"cx": 281.5, "cy": 278.0, "radius": 240, "red_heading": 88.0},
    "dice": [612, 150, 800, 410],
    "options": {"dice": "d12"},
}


@pytest.mark.parametrize("seats", GAMES["spectrum"].seats)
def test_brd_5_all_players_share_one_board_and_its_dice(seats: int) -> None:
    board, dice = plan(seats).zones
    assert isinstance(board, PawnBoard) and isinstance(dice, DiceTray)
    assert board.center_mm == (MAT.width_mm / 2, MAT.height_mm / 2)
    heaps = GAMES["spectrum"].start(seats, Options()).layout().heaps
    assert dice.spot in heaps


def test_dice_lie_beside_the_printed_mat_and_in_a_wide_picture_of_it() -> None:
    x0, y0, x1, y1 = DICE_MM
    assert x0 > MAT.width_mm + MAT.marker_mm / 2 + 8
    high_mm = MAT.height_mm + MAT.marker_mm + 16
    assert x1 < MAT.width_mm / 2 + high_mm * 16 / 9 / 2
    assert 0 < y0 < y1 < MAT.height_mm


def test_the_mat_is_printed_by_name(tmp_path) -> None:
    done = CliRunner().invoke(mat_command, ["spectrum", "-o", str(tmp_path / "mat.pdf")])
    assert done.exit_code == 0 and "sheets of A4" in done.output
    assert (tmp_path / "mat.pdf").read_bytes().startswith(b"%PDF")
    assert MATS["spectrum"][1].zones == PLANS["spectrum"](2).zones[:1], "nothing is printed where dice lie"


def test_an_unknown_mat_is_refused_with_those_that_there_are(tmp_path) -> None:
    done = CliRunner().invoke(mat_command, ["chess", "-o", str(tmp_path / "mat.pdf")])
    assert isinstance(done.exception, WrongUsage) and "spectrum" in str(done.exception)


def test_a_recording_says_where_board_and_dice_lie_and_begins_as_its_first_picture_shows() -> None:
    found = RECORDED["spectrum"](MAT_FILE, SETUP)
    assert (found.names, found.options) == (("Ada", "Player 2"), {"dice": "d12"})
    assert found.begun and found.position is None and found.said == ()
    assert found.plan.zones == (PawnBoard((281.5, 278.0), 240.0, 88.0), tray((612, 150, 800, 410)))


def test_a_recording_may_leave_the_board_to_be_found_and_rolls_to_be_told() -> None:
    said = [{"before": 3, "text": "rolled d6 red blue"}]
    found = RECORDED["spectrum"](MAT_FILE, {"players": [{}], "position": {"pawns": {}}, "said": said})
    assert found.plan.zones == (PawnBoard(),)
    assert not found.begun and found.said == (Spoken(3, "rolled d6 red blue"),)


@pytest.mark.parametrize(
    "setup",
    (
        {},
        {"players": []},
        {**SETUP, "dice": [1, 2]},
        {**SETUP, "said": [{"before": 0, "text": ""}]},
        {**SETUP, "board": {"radius": -1}},
    ),
    ids=str,
)
def test_a_setup_that_cannot_be_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadPlan, match="Spectrum"):
        RECORDED["spectrum"](MAT_FILE, setup)
