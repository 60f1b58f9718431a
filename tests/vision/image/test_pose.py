"""Markers to pose: drawn corners of a known camera come back as that camera; corners that lie are caught."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.foundation.errors import NoTable
from companion.core.plan import Mat
from vision.image.pose import Pose
from vision.registration.pose_estimate import center_px, estimate_from_corners, estimate_from_markers

MAT = Mat(440, 400, 40)
SIZE = (1280, 720)
CAMERA = Pose(SIZE, 960.0, -0.06, (-0.45, 0.05, 0.03), (-215.0, -190.0, 820.0), 0.0)
TURNS = (4.0, -9.0, 86.0, 12.0)
"""Markers lie loose: each is turned by some degrees, one by about a quarter."""


def seen(camera: Pose = CAMERA, mat: Mat = MAT, swapped: tuple[int, int] | None = None) -> dict[int, list[np.ndarray]]:
    """Corners of the four markers as a camera sees them; two may have each other's places."""
    places = list(mat.corners_mm())
    if swapped:
        a, b = swapped
        places[a], places[b] = places[b], places[a]
    corners = {}
    for number, ((x, y), turn) in enumerate(zip(places, TURNS, strict=True)):
        angle, half = np.radians(turn), mat.marker_mm / 2
        square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners[number] = [camera.project(np.column_stack([square @ spin + (x, y), np.zeros(4)]))]
    return corners


def gap_px(found: Pose, z_mm: float = 5.0) -> float:
    """Largest distance over the mat between where two cameras see the same places."""
    places = np.array([(x, y, z_mm) for x in np.linspace(0, 440, 5) for y in np.linspace(0, 400, 5)])
    return float(np.hypot(*(found.project(places) - CAMERA.project(places)).T).max())


def test_projecting_and_back_is_the_same_place() -> None:
    places = np.array([[10.0, 20.0], [400.0, 350.0], [-60.0, 200.0]])
    for z_mm in (0.0, 5.0, 40.0):
        pixels = CAMERA.project(np.column_stack([places, np.full(3, z_mm)]))
        assert CAMERA.unproject(pixels, z_mm) == pytest.approx(places, abs=1e-3)


def test_no_pixels_show_no_places() -> None:
    assert CAMERA.unproject(np.zeros((0, 2))).shape == (0, 2)


def test_what_stands_up_leans_away_from_the_camera() -> None:
    foot, tip = CAMERA.project(np.array([[400.0, 50.0, 0.0], [400.0, 50.0, 60.0]]))
    under = CAMERA.project(np.append(CAMERA.eye_mm()[:2], 0.0)[None])[0]
    assert np.hypot(*(tip - under)) > np.hypot(*(foot - under))


def test_four_markers_give_the_camera_back_focal_length_and_lens_included() -> None:
    estimate = estimate_from_markers(seen(), MAT, SIZE)
    assert estimate.used == (0, 1, 2, 3)
    assert gap_px(estimate.pose) < 0.3
    assert estimate.pose.focal_px == pytest.approx(960, rel=0.02)


@pytest.mark.parametrize(
    ("hidden", "limit_px"), [((0,), 2.0), ((2,), 2.0), ((1, 3), 3.0), ((0, 1), 10.0), ((2, 3), 10.0)]
)
def test_two_or_three_markers_come_close(hidden: tuple[int, ...], limit_px: float) -> None:
    """Two on one side leave the far side to the lens's prior; anything else pins it down."""
    corners = {i: c for i, c in seen().items() if i not in hidden}
    assert gap_px(estimate_from_markers(corners, MAT, SIZE).pose) < limit_px


def test_a_second_sheet_with_the_same_number_is_left_out() -> None:
    corners = seen()
    corners[1].insert(0, corners[1][0] + (-90.0, 140.0))
    assert gap_px(estimate_from_markers(corners, MAT, SIZE).pose) < 0.3


@pytest.mark.parametrize("number", range(4))
def test_a_marker_that_was_moved_is_named_and_left_out(number: int) -> None:
    corners = seen()
    corners[number] = [corners[number][0] + (35.0, -20.0)]
    estimate = estimate_from_markers(corners, MAT, SIZE)
    assert estimate.moved == (number,)
    assert gap_px(estimate.pose) < 4.0


def test_markers_in_each_other_s_places_are_refused() -> None:
    with pytest.raises(NoTable, match="do not lie at the corners"):
        estimate_from_markers(seen(swapped=(0, 1)), MAT, SIZE)


def test_a_mat_of_another_size_is_refused() -> None:
    with pytest.raises(NoTable, match="do not lie at the corners"):
        estimate_from_markers(seen(), Mat(600, 400, 40), SIZE)


def test_markers_of_another_size_still_place_the_table_by_their_four_centers_but_not_by_fewer() -> None:
    small = Mat(440, 400, 30)
    assert gap_px(estimate_from_markers(seen(), small, SIZE).pose) < 2.0
    with pytest.raises(NoTable, match="do not lie at the corners"):
        estimate_from_markers({i: c for i, c in seen().items() if i != 2}, small, SIZE)


def test_one_marker_is_too_few() -> None:
    with pytest.raises(NoTable, match="only marker 3"):
        estimate_from_markers({3: seen()[3]}, MAT, SIZE)


def centers() -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (center_px(c[0]) for c in seen().values())]


def test_the_center_of_a_marker_is_where_its_diagonals_meet() -> None:
    wanted = CAMERA.project(np.column_stack([np.array(MAT.corners_mm()), np.zeros(4)]))
    assert np.array(centers()) == pytest.approx(wanted, abs=0.05)


def test_four_clicks_place_the_table_and_a_marker_that_agrees_sharpens_it() -> None:
    clumsy = [(x + dx, y + dy) for (x, y), dx, dy in zip(centers(), (2, -1, 0, 1), (-1, 2, 1, 0), strict=True)]
    alone = estimate_from_corners(clumsy, MAT, SIZE)
    sharpened = estimate_from_corners(clumsy, MAT, SIZE, {2: seen()[2], 0: [seen()[0][0] + 200.0]})
    assert alone.used == ()
    assert sharpened.used == (2,)
    assert gap_px(alone.pose) < 6.0
    assert gap_px(sharpened.pose) < gap_px(alone.pose) + 0.5


@pytest.mark.parametrize(
    "corners",
    [
        [(100, 100), (100, 500), (900, 500), (900, 100)],
        [(100, 100), (900, 500), (900, 100), (100, 500)],
        [(100, 100), (101, 100), (101, 101), (100, 101)],
        [(100, 100), (500, 100), (900, 100), (500, 101)],
        [(float("nan"), 100), (900, 100), (900, 500), (100, 500)],
    ],
    ids=["counter-clockwise", "crossed", "one point", "on a line", "no number"],
)
def test_corners_that_are_no_table_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(NoTable, match="corners"):
        estimate_from_corners(corners, MAT, SIZE)


def test_a_smaller_picture_of_the_same_camera_sees_the_same_table() -> None:
    places = np.array([[0.0, 0.0, 0.0], [440.0, 400.0, 0.0]])
    whole, half = CAMERA.project(places), CAMERA.scaled(0.5).project(places)
    assert half == pytest.approx((whole + 0.5) / 2 - 0.5)


def test_points_above_the_table_are_seen_where_opencv_sees_them() -> None:
    random = np.random.default_rng(7)
    points = random.uniform((-50, -50, 0), (500, 450, 80), (200, 3))
    flipped = points * (1, 1, -1)
    true, _ = cv2.projectPoints(
        flipped, np.array(CAMERA.rvec), np.array(CAMERA.tvec), CAMERA.matrix(), CAMERA.distortion()
    )
    assert CAMERA.project(points) == pytest.approx(true.reshape(-1, 2))
    assert CAMERA.project(np.zeros((0, 3))).shape == (0, 2)
