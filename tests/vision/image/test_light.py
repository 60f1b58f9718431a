"""The light on a table from its markers: the same reflectances whatever lamp, exposure or white balance."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.labeled import MAT, load
from vision.image.light import LINEAR, light_from_markers
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.registration.registered_image import find_table

CAMERA = Pose((900, 820), 1000.0, 0.0, (0.0, 0.0, 0.0), (-220.0, -200.0, 560.0), 0.0)
"""Straight above: 1.8 pixels a millimeter."""


def drawn(
    lamp: tuple[float, float, float], falloff: float = 0.0, veil: float = 0.0
) -> tuple[Picture, dict[int, np.ndarray]]:
    """Four white sheets with black squares on gray, lit by B, G, R of `lamp`, darker to the right, under a veil."""
    width, height = CAMERA.size_px
    places = CAMERA.unproject(
        np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).reshape(-1, 2).astype(float)
    )
    reflectance = np.full(len(places), 0.3)
    corners = {}
    for number, (x, y) in enumerate(MAT.corners_mm()):
        away = np.abs(places - (x, y)).max(1)
        reflectance[away < 29] = 0.9
        reflectance[away < 20] = 0.03
        square = np.array([[-20, -20], [20, -20], [20, 20], [-20, 20]]) + np.array((x, y))
        corners[number] = CAMERA.project(np.column_stack([square, np.zeros(4)]))
    lit = reflectance[:, None] * np.array(lamp) * np.exp(-falloff * places[:, :1] / 440) + veil
    levels = np.searchsorted(LINEAR, np.clip(lit, 0, 1))
    return levels.astype(np.uint8).reshape(height, width, 3), corners


@pytest.mark.parametrize("lamp", [(0.7, 0.7, 0.7), (0.3, 0.6, 0.9), (0.8, 0.7, 0.4), (0.1, 0.1, 0.1)])
def test_white_is_white_under_any_lamp(lamp: tuple[float, float, float]) -> None:
    picture, corners = drawn(lamp)
    light = light_from_markers(picture, CAMERA, MAT, corners)
    assert light.markers == (0, 1, 2, 3)
    assert light.white(np.array([[220.0, 200.0]]))[0] == pytest.approx(0.87 * np.array(lamp), rel=0.05)


def test_a_lamp_at_one_side_is_followed_over_the_table() -> None:
    picture, corners = drawn((0.8, 0.8, 0.8), falloff=0.7)
    left, right = light_from_markers(picture, CAMERA, MAT, corners).white(np.array([[0.0, 200.0], [440.0, 200.0]]))
    assert left[0] / right[0] == pytest.approx(np.exp(0.7), rel=0.1)


def test_a_mirrored_window_adds_to_black_and_white_alike_and_changes_nothing() -> None:
    place = np.array([[100.0, 100.0]])
    whites = []
    for veil in (0.0, 0.15):
        picture, corners = drawn((0.6, 0.6, 0.6), veil=veil)
        whites.append(light_from_markers(picture, CAMERA, MAT, corners).white(place))
    assert whites[1] == pytest.approx(whites[0], rel=0.05)


def test_without_a_marker_an_ordinary_exposure_is_taken() -> None:
    picture, _ = drawn((0.7, 0.7, 0.7))
    light = light_from_markers(picture, CAMERA, MAT, {})
    assert light.markers == ()
    assert light.white(np.array([[0.0, 0.0]]))[0] == pytest.approx((0.45, 0.45, 0.45))


def test_a_marker_half_out_of_the_picture_still_tells() -> None:
    picture, corners = drawn((0.7, 0.7, 0.7))
    assert light_from_markers(picture[:, 45:], CAMERA, MAT, {0: corners[0] - (45.0, 0.0)}).markers == (0,)


def test_real_light_is_the_same_after_a_change_of_white_balance() -> None:
    """Twice the blue in the picture is twice the blue of white: what is seen relative to it stays."""
    picture, _ = load("spectrangle-0030")
    blue = np.searchsorted(LINEAR, np.clip(LINEAR[picture[..., 0]] * 1.3, 0, 1)).astype(np.uint8)
    tinted = np.dstack([np.clip(blue, 0, 255), picture[..., 1:]])
    place = np.array([[220.0, 200.0]])
    plain, changed = (find_table(p, MAT).light.white(place)[0] for p in (picture, tinted))
    assert changed / plain == pytest.approx((1.3, 1.0, 1.0), rel=0.06)
