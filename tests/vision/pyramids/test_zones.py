"""What the game confirms teaches the table's colors."""

from __future__ import annotations

import numpy as np

from companion.layout import Layout, Sighting
from companion.pieces import PYRAMID_COLORS, Pyramid
from vision.pyramids.hypothesis import Hypothesis
from vision.pyramids.scene import Found
from vision.pyramids.zones import PyramidZones

SPOT = "seat0.stash"


def found(x: float, size: str, likely: str, other: str) -> Found:
    """A piece read as `likely`, that may as well be `other`."""
    tones = np.full((1, len(PYRAMID_COLORS)), -9.0)
    tones[0, PYRAMID_COLORS.index(likely)], tones[0, PYRAMID_COLORS.index(other)] = 0.0, -1.0
    return Found(Hypothesis(x, 100.0, 0.0, (size,)), 0.9, (), (), tones, np.zeros((1, 5, 2)), (0, 0, 1, 1))


def position(*pieces: Pyramid) -> Layout:
    return Layout(heaps={SPOT: tuple(Sighting.sure(piece) for piece in pieces)})


def zones(*standing: Found) -> PyramidZones:
    eyes = PyramidZones()
    eyes._standing = {SPOT: list(standing)}
    return eyes


def offset(eyes: PyramidZones, color: str) -> float:
    return float(eyes._colors.offsets[PYRAMID_COLORS.index(color)])


def test_a_color_that_is_taken_for_another_is_learned() -> None:
    eyes = zones(*[found(100.0 + 30 * k, "small", "orange", "red") for k in range(4)])
    eyes.settle(position(*[Pyramid("red", "small")] * 4))
    assert offset(eyes, "red") - offset(eyes, "orange") > 0.5
    before = offset(eyes, "red")
    eyes.settle(position(*[Pyramid("red", "small")] * 4))
    assert offset(eyes, "red") == before, "the same reading teaches once"


def test_nothing_is_learned_where_sizes_disagree_or_a_spot_is_unknown() -> None:
    eyes = zones(found(100.0, "small", "orange", "red"))
    eyes.settle(position(Pyramid("red", "large")))
    eyes.settle(Layout())
    assert not eyes._colors.offsets.any()
