"""Finding the table: four markers, three, two, clicked corners; and what is said when it cannot be found."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.foundation.errors import NoTable
from tests.vision.labeled import MAT, Corners, clicked, load
from vision.image.picture import Picture
from vision.registration.registered_image import find_table

NAME = "spectrangle-0030"
"""A picture in which all four markers are in sight."""


def painted(picture: Picture, corners: Corners, hidden: tuple[int, ...]) -> Picture:
    """The picture with some markers painted over in the color of the table beside them."""
    out = picture.copy()
    for number in hidden:
        x, y = (round(v) for v in corners[number])
        out[max(y - 60, 0) : y + 60, max(x - 60, 0) : x + 60] = np.median(picture[::9, ::9].reshape(-1, 3), axis=0)
    return out


def gap_px(found: Corners, wanted: Corners) -> float:
    return float(np.hypot(*(np.array(found) - np.array(wanted)).T).max())


def test_four_markers_place_the_table() -> None:
    picture, label = load(NAME)
    table = find_table(picture, MAT)
    assert table.markers == (0, 1, 2, 3)
    assert gap_px(table.corners_px(), label["mat"]["corners_px"]) < 1.5


def test_the_pose_is_the_camera_s() -> None:
    """A point 5 mm above the table lands where the labeled camera sees it, lens distortion included."""
    picture, label = load(NAME)
    table = find_table(picture, MAT)
    places = np.array([(x, y, 5.0) for x in (60, 220, 380) for y in (60, 200, 340)])
    camera = label["camera"]
    flipped = places * (1, 1, -1)
    wanted = cv2.projectPoints(flipped, *(np.array(camera[key], float) for key in ("rvec", "tvec", "K", "dist")))[
        0
    ].reshape(-1, 2)
    assert float(np.hypot(*(table.pose.project(places) - wanted).T).max()) < 2.0


@pytest.mark.parametrize("hidden", [(0,), (3,), (0, 2), (1, 2)])
def test_two_or_three_markers_are_enough(hidden: tuple[int, ...]) -> None:
    picture, label = load(NAME)
    table = find_table(painted(picture, label["mat"]["corners_px"], hidden), MAT)
    assert set(table.markers) == {0, 1, 2, 3} - set(hidden)
    assert gap_px(table.corners_px(), label["mat"]["corners_px"]) < 6.0


def test_clicked_corners_need_no_marker() -> None:
    picture, label = load(NAME)
    corners = label["mat"]["corners_px"]
    table = find_table(painted(picture, corners, (0, 1, 2, 3)), MAT, [tuple(corner) for corner in corners])
    assert gap_px(table.corners_px(), corners) < 1.5


@pytest.mark.parametrize("hidden", [(0, 1, 2, 3), (0, 1, 2)])
def test_fewer_markers_are_no_table_and_the_sentence_says_what_to_do(hidden: tuple[int, ...]) -> None:
    picture, label = load(NAME)
    with pytest.raises(NoTable, match="marker") as caught:
        find_table(painted(picture, label["mat"]["corners_px"], hidden), MAT)
    assert str(caught.value).endswith(".")


def test_a_mirrored_picture_is_called_so() -> None:
    picture, _ = load(NAME)
    with pytest.raises(NoTable, match="mirrored"):
        find_table(np.ascontiguousarray(picture[:, ::-1]), MAT)


def test_a_marker_that_was_moved_does_not_pull_the_table_with_it() -> None:
    picture, label = load(NAME)
    corners = label["mat"]["corners_px"]
    x, y = (round(v) for v in corners[2])
    moved = painted(picture, corners, (2,))
    patch = picture[y - 50 : y + 50, x - 50 : x + 50]
    moved[y - 180 : y - 80, x - 50 : x + 50] = patch
    table = find_table(moved, MAT)
    assert 2 not in table.markers
    assert gap_px(table.corners_px(), corners) < 6.0


def test_light_makes_the_markers_white_white_and_their_black_black() -> None:
    picture, label = load(NAME)
    table = find_table(picture, MAT, clicked(label))
    white = table.light.white(np.array([(0.0, 0.0), (220.0, 200.0), (440.0, 400.0)]))
    assert white.shape == (3, 3)
    assert (white > 0.02).all()
