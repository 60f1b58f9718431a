"""Which faces of a piece are in view, and which pixels belong to which level."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.pyramids.evidence import View
from vision.pyramids.hypothesis import Hypothesis, outlines
from vision.pyramids.structure import FEATURES, describe, patch, regions, visible_faces


class Oblique:
    """A camera far away that looks down at 45 degrees: what rises goes up in the picture."""

    def project(self, points_mm: np.ndarray) -> np.ndarray:
        points = np.asarray(points_mm, dtype=float)
        return np.column_stack([points[:, 0], (points[:, 1] - points[:, 2]) * 0.7]) * 2


def blank(shape: tuple[int, int] = (160, 160)) -> Any:
    odds = np.full(shape, -2.0, np.float32)
    colors = np.zeros((*shape, 10), np.float32)
    return patch((0, 0), np.zeros((*shape, 3), np.float32), odds, colors, 0.05, View(2.0, (0.0, -1.0), 0.7))


def test_from_above_all_four_sides_of_a_standing_piece_are_seen(above: Any) -> None:
    outline = outlines([Hypothesis(40, 40, 20, ("large",))], above)[0][0]
    assert visible_faces(outline, False) == [0, 1, 2, 3]


def test_from_the_side_the_far_face_is_hidden() -> None:
    outline = outlines([Hypothesis(40, 60, 0, ("large",))], Oblique())[0][0]
    faces = visible_faces(outline, False)
    assert 2 in faces and 0 not in faces


def test_the_base_of_a_lying_piece_is_seen_only_from_its_side() -> None:
    towards, away = (outlines([Hypothesis(40, 60, turn, ("large",), True)], Oblique())[0][0] for turn in (90, 270))
    assert 4 in visible_faces(towards, True)
    assert 4 not in visible_faces(away, True)


@pytest.mark.parametrize("sizes", [("large",), ("large", "medium", "small"), ("large",) * 7])
def test_each_level_of_a_stack_keeps_some_pixels(sizes: tuple[str, ...]) -> None:
    outline = outlines([Hypothesis(40, 90, 0, sizes)], Oblique())[0]
    label = regions(blank(), outline, False)
    assert {int(v) for v in (label[label > 0] - 1) // 5} == set(range(len(sizes)))


@pytest.mark.parametrize(
    "guess", [Hypothesis(40, 60, 10, ("large", "small")), Hypothesis(40, 60, 200, ("small",), True)]
)
def test_a_description_is_finite_and_complete(guess: Hypothesis) -> None:
    numbers = describe(guess, outlines([guess], Oblique())[0], 10.0, 20.0, Oblique(), blank())
    assert numbers.shape == (FEATURES,)
    assert np.isfinite(numbers).all()
