"""A live table without markers: its board, or the dice on it, show where it lies."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.unmarked import painted_over
from companion.app.demos import load_demo
from companion.core.foundation.errors import NoTable
from companion.core.plan import DiceTray, Mat, Plan
from companion.games import PLANS, RECORDED
from vision.image.picture import Picture, read_picture
from vision.registration.registered_image import find_table
from vision.table_reader import TableReader

DICE = Path(__file__).parents[1] / "data" / "dice"


def without_markers(picture: Picture, mat: Mat) -> Picture:
    """The picture with its markers painted over."""
    label = {
        "mat": {
            "width_mm": mat.width_mm,
            "height_mm": mat.height_mm,
            "marker_mm": mat.marker_mm,
            "corners_px": find_table(picture, mat).corners_px(),
        }
    }
    return painted_over(picture, label)


def pushed(picture: Picture) -> Picture:
    """The picture after the camera was pushed."""
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 4.0, 0.97)
    turn[:, 2] += (18, -11)
    return np.asarray(cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def recorded(game: str, *frames: str) -> tuple[Plan, list[Picture]]:
    """The plan of a recorded game, and some of its pictures."""
    demo, folder = load_demo(game)
    plan = RECORDED[game](demo.mat, demo.setup).plan
    return plan, [read_picture(folder / frame) for frame in frames]


@pytest.mark.parametrize(
    ("game", "frames"),
    [("spectrangle", ("frame-0000.jpg", "frame-0006.jpg")), ("spectrum", ("frame-0000.jpg", "frame-0006.jpg"))],
)
def test_a_game_is_read_without_markers_as_with_them(game: str, frames: tuple[str, str]) -> None:
    plan, pictures = recorded(game, *frames)
    with_markers, without = TableReader(plan), TableReader(plan)
    for picture in pictures:
        marked = with_markers.read(picture)
        alone = without.read(without_markers(picture, plan.mat))
        assert marked.markers and not alone.markers
        assert {spot: seen.piece for spot, seen in alone.layout.cells.items()} == {
            spot: seen.piece for spot, seen in marked.layout.cells.items()
        }


def test_a_pushed_camera_is_placed_anew() -> None:
    plan, (picture,) = recorded("spectrangle", "frame-0006.jpg")
    bare = without_markers(picture, plan.mat)
    reader = TableReader(plan)
    before = reader.read(bare).layout.cells
    now = reader.read(pushed(bare)).layout.cells
    assert {spot: seen.piece for spot, seen in now.items()} == {spot: seen.piece for spot, seen in before.items()}


def test_markers_that_come_into_view_place_the_table_again() -> None:
    plan, (picture,) = recorded("spectrangle", "frame-0006.jpg")
    reader = TableReader(plan)
    assert not reader.read(without_markers(picture, plan.mat)).markers
    assert len(reader.read(picture).markers) >= 3


def test_a_roll_on_any_table_is_read_as_a_heap() -> None:
    label = json.loads((DICE / "dice-0020.json").read_text())
    bare = painted_over(read_picture(DICE / "dice-0020.jpg"), label)
    tray = DiceTray("dice", ((0.0, 0.0), (60.0, 0.0), (60.0, 40.0), (0.0, 40.0)))
    reader = TableReader(Plan(Mat(240.0, 200.0, 25.0), (tray,)))
    for _ in range(2):
        heap = reader.read(bare).layout.heaps["dice"]
        assert len(heap) == len(label["truth"]["dice"])


@pytest.mark.parametrize("game", ["spectrangle", "spectra"])
def test_a_table_that_nothing_shows_is_refused_in_a_sentence(game: str) -> None:
    reader = TableReader(PLANS[game](2))
    for _ in range(2):
        with pytest.raises(NoTable, match="marker"):
            reader.read(np.full((480, 640, 3), 120, np.uint8))
