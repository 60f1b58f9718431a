"""Where a picture shows what an earlier one showed: light, noise, coarse JPEG and a knock are no change."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.plan import Mat
from vision.image.likeness import Glance, Mask, changed_share, glance_of, unchanged
from vision.image.pose import Pose

MAT = Mat(600, 400, 40)
CORNERS_MM = np.array(MAT.corners_mm())
CAMERA = Pose((1280, 720), 960.0, -0.06, (-0.45, 0.05, 0.03), (-300.0, -190.0, 820.0), 0.0)
KNOCKED = Pose((1280, 720), 975.0, -0.06, (-0.44, 0.04, 0.05), (-306.0, -184.0, 822.0), 0.0)
ELSEWHERE = Pose((1280, 720), 960.0, -0.06, (-0.9, 0.3, 0.2), (-250.0, -190.0, 900.0), 0.0)


def table(seed: int = 1) -> np.ndarray:
    """A picture (720, 1280, 3) with a grain, as a camera sees it."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(90, 150, (45, 80, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (1280, 720), interpolation=cv2.INTER_CUBIC), np.uint8)


def seen(picture: np.ndarray) -> Glance:
    return glance_of(picture, CAMERA)


def same(before: np.ndarray, now: np.ndarray) -> Mask:
    found = unchanged(seen(before), seen(now), CORNERS_MM)
    assert found is not None
    return found


def darker(picture: np.ndarray) -> np.ndarray:
    return np.asarray(picture * (0.45, 0.55, 0.65), np.uint8)


def lamp_on_the_left(picture: np.ndarray) -> np.ndarray:
    gain = np.linspace(1.4, 0.9, picture.shape[1])[None, :, None]
    return np.asarray(np.clip(picture * gain, 0, 255), np.uint8)


def noisy(picture: np.ndarray) -> np.ndarray:
    rustle = np.random.default_rng(2).normal(0, 6, picture.shape)
    return np.asarray(np.clip(picture + rustle, 0, 255), np.uint8)


def coarse(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 25])[1], 1), np.uint8)


@pytest.mark.parametrize("change", [np.copy, darker, lamp_on_the_left, noisy, coarse])
def test_another_light_or_a_worse_picture_is_no_change(change: object) -> None:
    assert same(table(), change(table())).mean() > 0.99  # type: ignore[operator]


@pytest.mark.parametrize("change", [np.copy, darker, lamp_on_the_left, noisy, coarse])
def test_a_piece_is_a_change_in_any_light(change: object) -> None:
    now = table()
    cv2.rectangle(now, (600, 300), (640, 350), (30, 30, 160), -1)
    found = same(table(), change(now))  # type: ignore[operator]
    here = np.array([[(600, 300), (640, 300), (640, 350), (600, 350)]], float)
    assert changed_share(found, here) > 0.9
    assert changed_share(found, here + 200) < 0.1
    assert found.mean() > 0.97


def test_a_knocked_camera_is_laid_over_what_it_saw_before() -> None:
    flat = np.column_stack([CORNERS_MM, np.zeros(4)])
    ends = [pose.project(flat).astype(np.float32) for pose in (CAMERA, KNOCKED)]
    assert np.abs(ends[0] - ends[1]).max() > 5
    matrix = cv2.getPerspectiveTransform(*ends)
    now = np.asarray(cv2.warpPerspective(table(), matrix, (1280, 720), borderMode=cv2.BORDER_REFLECT), np.uint8)
    found = unchanged(seen(table()), glance_of(now, KNOCKED), CORNERS_MM)
    assert found is not None
    assert found[20:-20, 20:-20].mean() > 0.97


def test_a_view_from_elsewhere_says_nothing() -> None:
    assert unchanged(seen(table()), glance_of(table(), ELSEWHERE), CORNERS_MM) is None
    small = np.asarray(cv2.resize(table(), (640, 360)), np.uint8)
    assert unchanged(seen(table()), glance_of(small, CAMERA), CORNERS_MM) is None


def test_nothing_of_a_place_outside_of_the_picture_is_unchanged() -> None:
    outside = np.array([[(-400, -300), (-360, -300), (-360, -250)]], float)
    assert changed_share(np.ones((180, 320), np.uint8), outside) == 1.0
