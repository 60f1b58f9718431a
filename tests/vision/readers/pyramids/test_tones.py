"""Tones are the light of just the pixels that a guess's levels show, and nothing that stands before them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.readers.pyramids.ideal import SIZE_PX
from vision.image.light import LINEAR, Light
from vision.image.pose import Pose
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.tones import AXES, tones

WHITE = 0.5
LIGHT = Light((300.0, 200.0), (float(np.log(WHITE)),) * 3, 0.0, 0.0, (0, 1, 2, 3))
POSE = Pose(SIZE_PX, 950.0, 0.0, (-0.6, 0.0, 0.0), (-300.0, -150.0, 900.0), 0.2)
STACK = StackHypothesis(300.0, 200.0, 20.0, ("large", "large", "small"))
LEVELS = ((40, 60, 200), (200, 80, 60), (90, 180, 90))
TABLE = (128, 128, 128)


def picture(*things: tuple[StackHypothesis, tuple[tuple[int, int, int], ...]]) -> np.ndarray:
    """Things in plain colors, the last one in front."""
    seen = np.full((SIZE_PX[1], SIZE_PX[0], 3), TABLE, np.uint8)
    for place, colors in things:
        for corners, color in zip(outlines([place], POSE)[0], colors, strict=True):
            cv2.fillConvexPoly(seen, cv2.convexHull(np.rint(corners * 16).astype(np.int32)), color, shift=4)
    return seen


def plain(color: tuple[int, int, int]) -> np.ndarray:
    return AXES @ np.log(LINEAR[list(color)] / WHITE + 0.01)


def test_each_level_has_the_light_of_its_own_pixels() -> None:
    ((seen,),) = tones([[STACK]], [], picture((STACK, LEVELS)), POSE, LIGHT)
    assert seen == pytest.approx(np.stack([plain(color) for color in LEVELS]), abs=1e-3)


def test_all_guesses_at_a_place_are_told() -> None:
    lone = StackHypothesis(300.0, 200.0, 20.0, ("large",))
    (told,) = tones([[STACK, lone]], [], picture((lone, LEVELS[:1])), POSE, LIGHT)
    assert [len(seen) for seen in told] == [3, 1]
    assert told[1][0] == pytest.approx(plain(LEVELS[0]), abs=1e-3)


@pytest.mark.parametrize("told", [True, False])
def test_what_a_nearer_thing_hides_is_left_out(told: bool) -> None:
    eye = POSE.eye_mm()
    way = (eye[:2] - (300.0, 200.0)) / np.hypot(*(eye[:2] - (300.0, 200.0)))
    near = StackHypothesis(*(np.array([300.0, 200.0]) + 24 * way), 20.0, ("large",) * 3)
    seen = picture((STACK, LEVELS), (near, ((0, 0, 0),) * 3))
    guesses, beside = ([[STACK], [near]], []) if told else ([[STACK]], [near])
    level = tones(guesses, beside, seen, POSE, LIGHT)[0][0][2]
    assert np.isnan(level).all() or level == pytest.approx(plain(LEVELS[2]), abs=1e-3)
    alone = tones([[STACK]], [], seen, POSE, LIGHT)[0][0]
    assert alone[0][0] < plain(LEVELS[0])[0] - 0.1, "the nearer thing does hide something here"


def test_what_is_outside_of_the_picture_says_nothing() -> None:
    away = StackHypothesis(9000.0, 200.0, 20.0, ("large",))
    ((seen,),) = tones([[away]], [], picture(), POSE, LIGHT)
    assert np.isnan(seen).all()
    assert tones([], [STACK], picture(), POSE, LIGHT) == []
