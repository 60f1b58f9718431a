"""Spectrum Escape's table: the board, the common dice, and a corner for each personal die."""

from __future__ import annotations

from itertools import combinations
from math import hypot
from typing import Any

import pytest

from companion.app.printing.mat_pdf import mat_pdf
from companion.core.foundation.errors import BadPlan
from companion.core.plan import DiceTray, PawnBoard
from companion.core.recording import RecordedMat
from companion.games import GAMES, PLANS, RECORDED
from companion.games.escape.manifest import CORNERS_MM, MAT, die_spot
from companion.games.escape.options import Options
from companion.games.spectrum.plan import BOARD

GAME = GAMES["escape"]
MAT_FILE = RecordedMat(560, 560, 40)
SETUP: dict[str, Any] = {
    "players": [{}, {"name": "Ben"}],
    "dice": [612, 150, 800, 410],
    "own_dice": [[32, 464, 96, 528], [464, 32, 528, 96]],
}


@pytest.mark.parametrize("seats", GAME.seats)
def test_esc_12_every_heap_of_dice_has_its_place(seats: int) -> None:
    zones = PLANS["escape"](seats).zones
    spots = [zone.spot for zone in zones if isinstance(zone, DiceTray)]
    heaps = GAME.start(seats, Options()).layout().heaps
    assert spots == ["dice", *map(die_spot, range(seats))]
    assert set(spots) == {spot for spot in heaps if spot.endswith(("dice", ".die"))}
    assert zones[0] == BOARD


def test_a_die_in_a_corner_hides_neither_board_nor_marker() -> None:
    assert BOARD.center_mm is not None and BOARD.radius_mm is not None
    for x0, y0, x1, y1 in CORNERS_MM:
        corners = [(x, y) for x in (x0, x1) for y in (y0, y1)]
        assert min(hypot(x - BOARD.center_mm[0], y - BOARD.center_mm[1]) for x, y in corners) > BOARD.radius_mm + 17
        assert min(hypot(x - mx, y - my) for x, y in corners for mx, my in MAT.corners_mm()) > MAT.marker_mm
    assert len(set(CORNERS_MM)) == 4


@pytest.mark.parametrize("seats", GAME.seats)
def test_esc_16_seats_go_round_clockwise(seats: int) -> None:
    boxes = [zone.outline_mm for zone in PLANS["escape"](seats).zones[2:]]
    middles = [(box[0][0] + box[2][0] - MAT.width_mm, box[0][1] + box[2][1] - MAT.height_mm) for box in boxes]
    turns = [a[0] * b[1] - a[1] * b[0] for a, b in combinations(middles[:2], 2)]
    assert all(turn >= 0 for turn in turns)


def test_the_poster_says_whose_die_lies_where() -> None:
    assert mat_pdf(PLANS["escape"](4), "Spectrum Escape", "a3", lambda _: [[True] * 6] * 6).startswith(b"%PDF")


def test_a_recording_says_where_everything_lies() -> None:
    found = RECORDED["escape"](MAT_FILE, SETUP)
    assert found.names == ("Player 1", "Ben") and not found.begun
    assert [type(zone) for zone in found.plan.zones] == [PawnBoard, DiceTray, DiceTray, DiceTray]


@pytest.mark.parametrize(
    "setup", ({}, {**SETUP, "own_dice": [[32, 464, 96, 528]]}, {**SETUP, "dice": "right"}), ids=str
)
def test_a_setup_that_cannot_be_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadPlan):
        RECORDED["escape"](MAT_FILE, setup)
