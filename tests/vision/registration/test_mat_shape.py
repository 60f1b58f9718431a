"""A mat whose shape was measured wrong by a few percent, and sheets of known size in place of markers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from companion.core.foundation.errors import NoTable
from companion.core.plan import Mat
from vision.image.picture import read_picture
from vision.image.pose import Pose
from vision.readers.tiles.recognition import read_tiles
from vision.registration.mat_shape import find_shaped
from vision.registration.registered_image import find_table
from vision.registration.unmarked import find_by_sheet

DATA = Path(__file__).parents[2] / "data"
TILES = DATA / "spectrangle" / "spectrangle-0030.jpg"
MAT = Mat(440, 400, 40)
SHEET = Mat(150, 100, 5)


def labels(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.with_suffix(".json").read_text())
    return found


@pytest.mark.parametrize("path", sorted((DATA / "spectrangle").glob("spectrangle-*.jpg")), ids=lambda one: one.stem)
def test_a_right_shape_is_kept(path: Path) -> None:
    about = labels(path)["mat"]
    mat = Mat(about["width_mm"], about["height_mm"], about["marker_mm"])
    corners = [tuple(corner) for corner in about["corners_px"]] if len(about["visible_ids"]) < 2 else None
    assert find_shaped(read_picture(path), mat, corners).table.mat == mat  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [0.96, 0.968, 1.032, 1.04])
@pytest.mark.parametrize("clicked", [False, True], ids=["markers", "corners"])
def test_a_shape_that_is_wrong_by_a_few_percent_is_read_and_the_true_one_said(wrong: float, clicked: bool) -> None:
    corners = [tuple(corner) for corner in labels(TILES)["mat"]["corners_px"]] if clicked else None
    found = find_shaped(read_picture(TILES), structs.replace(MAT, width_mm=440 * wrong), corners)  # type: ignore[arg-type]
    assert found.remark is not None
    said = float(found.remark.split(" times")[0].rsplit(" ", 1)[1])
    assert said == pytest.approx(1.1, abs=0.012)
    mat = found.table.mat
    assert mat.width_mm / mat.height_mm == pytest.approx(1.1, abs=0.012)


def test_a_view_that_does_not_show_the_shape_says_so() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    pose = Pose((1280, 720), 970.0, 0.0, (-0.9, 0.0, 0.0), (-150.0, -100.0, 900.0), 0.0)
    corners = [
        (float(x), float(y)) for x, y in pose.project(np.column_stack([np.array(SHEET.corners_mm()), np.zeros(4)]))
    ]
    remark = find_shaped(picture, SHEET, corners).remark
    assert remark is not None and "does not show" in remark


def test_another_mat_is_still_refused() -> None:
    with pytest.raises(NoTable):
        find_shaped(read_picture(TILES), structs.replace(MAT, width_mm=560))


def test_a_sheet_of_known_size_places_a_table_without_markers() -> None:
    picture = read_picture(TILES)
    table = find_table(picture, MAT)
    x, y = 80.0, 60.0
    flat = [(x, y, 0.0), (x + 210, y, 0.0), (x + 210, y + 148, 0.0), (x, y + 148, 0.0)]
    corners = table.original_px(table.pose.project(np.array(flat)))
    found = find_by_sheet(picture, (210.0, 148.0), corners)
    places = np.array([(x, y, 0.0), (x + 180, y + 200, 0.0), (300.0, 40.0, 0.0)])
    across = found.table.pose.unproject(table.pose.project(places))
    assert np.linalg.norm(across[1] - across[0]) == pytest.approx(np.hypot(180, 200), abs=3)
    assert 0 < across[0][0] < found.table.mat.width_mm
    assert "first corner" in found.remarks[-1]
    assert len([cell for cell in read_tiles(found.table).truth()["cells"] if cell is not None]) == 14
