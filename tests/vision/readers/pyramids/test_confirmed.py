"""A table's own colors."""

from __future__ import annotations

import numpy as np

from companion.core.pieces import PYRAMID_COLORS
from vision.readers.pyramids.joint_assignment import ConfirmedColors

RED, ORANGE = PYRAMID_COLORS.index("red"), PYRAMID_COLORS.index("orange")


def tone(red: float, orange: float) -> np.ndarray:
    found = np.full(len(PYRAMID_COLORS), -8.0)
    found[RED], found[ORANGE] = red, orange
    return found


def test_a_color_that_is_always_mistaken_is_learned() -> None:
    colors = ConfirmedColors()
    colors.learn(np.stack([tone(0.0, 1.5)] * 8 + [tone(-3.0, 3.0)] * 8), [RED] * 8 + [ORANGE] * 8)
    assert int((tone(0.0, 1.5) + colors.offsets).argmax()) == RED
    assert int((tone(-3.0, 3.0) + colors.offsets).argmax()) == ORANGE


def test_few_pieces_teach_little() -> None:
    colors = ConfirmedColors()
    colors.learn(tone(0.0, 9.0)[None], [RED])
    assert np.abs(colors.offsets).max() < 4
    assert int((tone(0.0, 9.0) + colors.offsets).argmax()) == ORANGE


def test_right_readings_change_nothing_much() -> None:
    colors = ConfirmedColors()
    colors.learn(np.stack([tone(9.0, 0.0), tone(0.0, 9.0)] * 20), [RED, ORANGE] * 20)
    assert np.abs(colors.offsets).max() < 0.1


def test_nothing_confirmed_nothing_learned() -> None:
    colors = ConfirmedColors()
    colors.learn(np.zeros((0, len(PYRAMID_COLORS))), [])
    assert not colors.offsets.any()
