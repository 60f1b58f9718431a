"""What of a stack's pixels the naming net is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.pyramids.evidence import View
from vision.pyramids.hypothesis import Hypothesis, outlines
from vision.pyramids.naming import FEATURES, LIGHTS, level_looks, name_features
from vision.pyramids.structure import Patch, patch, regions

STACK = Hypothesis(40, 40, 20, ("large", "medium"))


@pytest.fixture
def seen(above: Any) -> tuple[Patch, np.ndarray]:
    """A stack whose lower level is darker than the table by 1, whose upper level by 2, with glare on one pixel in 8."""
    outline = outlines([STACK], above)[0]
    blank = np.zeros((160, 160), np.float32)
    bare = patch((0, 0), blank[..., None].repeat(3, 2), blank, np.zeros((160, 160, 10)), 0.05, View(2, (0, -1), 0))
    level = (regions(bare, outline, False) + 4) // 5
    contrast = np.repeat(-level[..., None].astype(np.float32), 3, 2)
    contrast[::4, ::2] = 1.5
    colors = np.full((160, 160, 10), -3.0, np.float32)
    colors[level == 1, 2] = 0
    colors[level == 2, 5] = 0
    return patch((0, 0), contrast, blank + 3, colors, 0.05, View(2, (0, -1), 0)), outline


def test_each_level_is_looked_at_where_it_shows(seen: tuple[Patch, np.ndarray]) -> None:
    looks = level_looks(*seen, False)
    assert looks.tones.argmax(axis=1).tolist() == [2, 5]
    assert (looks.pixels > 100).all()


def test_glare_does_not_change_a_levels_light(seen: tuple[Patch, np.ndarray]) -> None:
    lights = level_looks(*seen, False).lights
    assert lights.shape == (2, LIGHTS)
    assert lights[:, :3] == pytest.approx(np.array([[-1] * 3, [-2] * 3]), abs=0.01)


def test_the_levels_below_and_above_are_told_too(seen: tuple[Patch, np.ndarray]) -> None:
    looks = level_looks(*seen, False)
    numbers = name_features(STACK, looks, np.zeros(3), 0.5)
    assert numbers.shape == (2, FEATURES)
    assert numbers[1, 10:20] == pytest.approx(looks.tones[0], abs=1e-5)
    assert numbers[0, 20:30] == pytest.approx(looks.tones[1], abs=1e-5)
    assert not numbers[0, 10:20].any()
    assert not numbers[1, 20:30].any()
