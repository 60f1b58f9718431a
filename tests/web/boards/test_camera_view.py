"""The drawing of where the camera is, and of where it would see more."""

from __future__ import annotations

import re

import pytest

from companion.core.plan import Mat
from web.scene.boards.setup_steps import camera
from web.scene.shape import Shape

MAT = Mat(600, 400, 40)


def heights(drawn: Shape) -> list[float]:
    """How far below the picture's top each camera is."""
    return [float(number) for number in re.findall(r"'cy', '([-\d.]+)'", repr(drawn))]


@pytest.mark.parametrize(("better_deg", "cameras"), [(None, 1), (55.0, 2)])
def test_one_camera_or_two(better_deg: float | None, cameras: int) -> None:
    drawn = camera(MAT, 85.0, better_deg)
    words = dict(drawn.attributes)["aria-label"]
    assert len(heights(drawn)) == cameras and "85 degrees" in str(words) and ("55" in str(words)) == (cameras == 2)


def test_the_better_camera_is_drawn_lower() -> None:
    now, better = heights(camera(MAT, 85.0, 55.0))
    assert better > now
