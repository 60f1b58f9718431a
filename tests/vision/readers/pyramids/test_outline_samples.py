"""Samples lie on what is seen of a shape's outlines, and move with it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.readers.pyramids.ideal import camera
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.shape_lines import Floats, SampledShapes, Sides, sides_of

EYE = camera(35.0)
TREE = StackHypothesis(250.0, 180.0, 20.0, ("large", "medium"))


def mean(sides: Sides, seen: Floats) -> float:
    """Over all sides of what is seen (S,)."""
    return float(seen @ sides.length_px / sides.length_px.sum())


def test_sides_behind_a_higher_piece_are_left_out() -> None:
    lower, both = sides_of(outlines([StackHypothesis(250, 180, 20, ("large",)), TREE], EYE))
    assert both.length_px[both.start < 5].sum() < lower.length_px.sum() - 20, "the tip is behind the medium one"


def test_a_rim_in_front_of_a_lower_piece_counts_less_than_the_silhouette() -> None:
    """Where both are of one color it hardly shows."""
    (outline,) = outlines([StackHypothesis(250, 180, 20, ("large", "small"))], EYE)
    (alone,) = sides_of([outline[1:]])
    (both,) = sides_of([outline])
    upper = both.start >= 5
    assert np.array_equal(both.start[upper] - 5, alone.start), "nothing of the upper piece is hidden"
    corners = outline.reshape(-1, 2)
    places = corners[both.start] + (corners[both.end] - corners[both.start]) * both.share[:, None]
    lower = cv2.convexHull(outline[0].astype(np.float32))
    within = np.array([cv2.pointPolygonTest(lower, place, False) > 0 for place in places[upper].tolist()])
    assert within.any() and not within.all(), "its tip is above all else"
    counts = both.length_px[upper] / alone.length_px
    assert counts[within] == pytest.approx(counts[within].max()) and counts[within].max() < 0.5
    assert counts[~within] == pytest.approx(1.0)


def test_a_piece_of_another_shape_hides_nothing() -> None:
    alone, *_ = sides_of(outlines([TREE], EYE))
    _, beside, _ = sides_of(outlines([TREE.moved(2, 0), TREE, TREE.moved(0, 2)], EYE))
    assert (beside.start.tolist(), beside.end.tolist()) == (alone.start.tolist(), alone.end.tolist())
    assert beside.share == pytest.approx(alone.share)
    assert beside.length_px == pytest.approx(alone.length_px)


def test_samples_move_with_their_shape() -> None:
    (outline,) = outlines([TREE], EYE)
    sampled = SampledShapes(sides_of([outline]))
    before, after = sampled.over(np.stack([outline, outline + np.array([3, -4])]).reshape(2, -1, 2))
    assert after - before == pytest.approx(np.tile((3, -4), (len(before), 1)))


def test_several_shapes_are_sampled_as_each_alone() -> None:
    shapes = outlines([TREE, StackHypothesis(300, 150, 60, ("small",)), TREE.moved(80, 0)], EYE)
    sides = sides_of(shapes)
    sampled = SampledShapes(sides)
    places = sampled.over(np.concatenate(shapes).reshape(1, -1, 2))
    each = [SampledShapes([one]).over(shape.reshape(1, -1, 2)) for one, shape in zip(sides, shapes, strict=True)]
    assert places == pytest.approx(np.concatenate(each, axis=1))
    means = [mean(one, seen[0, :, 0]) for one, seen in zip(sides, each, strict=True)]
    assert sampled.means(places[..., 0])[0] == pytest.approx(means)
