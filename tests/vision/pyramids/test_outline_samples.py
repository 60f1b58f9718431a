"""Samples lie on what is seen of a shape's outlines, and move with it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.pyramids.ideal import camera
from vision.pyramids.hypothesis import StackHypothesis, outlines
from vision.pyramids.outline_samples import SampledShapes, sides_of

EYE = camera(35.0)
TREE = StackHypothesis(250.0, 180.0, 20.0, ("large", "medium"))


def test_sides_behind_a_higher_piece_are_left_out() -> None:
    lower = sides_of(outlines([StackHypothesis(250, 180, 20, ("large",))], EYE)[0])
    both = sides_of(outlines([TREE], EYE)[0])
    assert both.length_px[both.start < 5].sum() < lower.length_px.sum() - 20, "the tip is behind the medium one"


def test_samples_move_with_their_shape() -> None:
    (outline,) = outlines([TREE], EYE)
    sides = sides_of(outline)
    before, after = sides.over(np.stack([outline, outline + np.array([3, -4])]).reshape(2, -1, 2))
    assert after - before == pytest.approx(np.tile((3, -4), (len(before), 1)))


def test_several_shapes_are_sampled_as_each_alone() -> None:
    shapes = outlines([TREE, StackHypothesis(300, 150, 60, ("small",)), TREE.moved(80, 0)], EYE)
    sides = [sides_of(shape) for shape in shapes]
    sampled = SampledShapes(sides, [len(shape) for shape in shapes])
    places = sampled.over(np.concatenate(shapes).reshape(1, -1, 2))
    alone = np.concatenate(
        [one.over(shape.reshape(1, -1, 2)) for one, shape in zip(sides, shapes, strict=True)], axis=1
    )
    assert places == pytest.approx(alone)
    seen = places[..., 0]
    means = [one.mean(one.over(shape.reshape(1, -1, 2))[..., 0])[0] for one, shape in zip(sides, shapes, strict=True)]
    assert sampled.means(seen)[0] == pytest.approx(means)
