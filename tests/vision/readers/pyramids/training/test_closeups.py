"""Closeups to learn from say what was drawn."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.pieces import PYRAMID_COLORS
from tests.vision.readers.pyramids.ideal import MAT, SIZE_PX, camera, lying, standing
from vision.readers.pyramids.closeup import CHANNELS, HEIGHT, WIDTH
from vision.readers.pyramids.sheet import Sheet, inputs, sheet_of
from vision.readers.pyramids.training.closeups import LEVELS, NONE, CloseupScene, Example, random_example, scene_of
from vision.readers.pyramids.training.drawn.arrangement import Thing, colors_of
from vision.readers.pyramids.training.drawn.camera import DrawnCamera
from vision.readers.pyramids.training.sheets import learned, targets

NOTHING, STANDS, LIES = range(3)


class White:
    """The same white everywhere."""

    def white(self, xy_mm: np.ndarray) -> np.ndarray:
        return np.full((len(xy_mm), 3), 0.5)


def scene(*things: Thing) -> CloseupScene:
    eye: DrawnCamera = camera(40.0)
    sheet: Sheet = sheet_of(eye, MAT, SIZE_PX)
    seen = inputs(np.full((SIZE_PX[1], SIZE_PX[0], 3), 120, np.uint8), sheet, eye, White())
    return scene_of(learned(seen, targets(things, sheet, eye), colors_of(things), "drawn"), things, sheet, eye)


def examples(made: CloseupScene, count: int = 60) -> list[Example]:
    random = np.random.default_rng(1)
    return [random_example(made, random) for _ in range(count)]


def test_a_stack_is_told_level_by_level() -> None:
    found = examples(scene(standing(300, 200, "red large", "blue small")))
    stands = [e for e in found if e.kind == STANDS]
    assert 0 < len(stands) < len(found)
    for example in stands:
        assert example.inputs.shape == (CHANNELS, HEIGHT, WIDTH)
        assert example.sizes.tolist() == [0, 2] + [NONE] * (LEVELS - 2)
        assert example.colors[:2].tolist() == [PYRAMID_COLORS.index("red"), PYRAMID_COLORS.index("blue")]
        assert np.hypot(*example.shift) < 15


def test_a_lying_piece_has_one_size_and_a_tip() -> None:
    lies = [e for e in examples(scene(lying(300, 200, 30.0, "green medium"))) if e.kind == LIES]
    assert lies
    for example in lies:
        assert example.sizes[0] == 1
        assert (example.sizes[1:] == 255).all()
        assert np.hypot(*example.tip) == pytest.approx(1.0)


def test_of_a_bare_place_nothing_else_is_asked() -> None:
    for example in examples(scene()):
        assert example.kind == NOTHING
        assert (example.sizes == 255).all()
        assert (example.colors == 255).all()
