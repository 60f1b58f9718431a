"""A shape's lines are where its exact solid has them, whatever stands in front and however it lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.readers.pyramids.ideal import camera
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.shape_lines import OUTLINE, RIDGE, RIM, ShapeLines, shape_lines

EYE = camera(35.0)


def lines_of(place: StackHypothesis) -> tuple[ShapeLines, np.ndarray]:
    """The lines, and the corners and tips (pieces, 5, 2) in their pixels."""
    (outline,) = outlines([place], EYE)
    low = np.floor(outline.min(axis=(0, 1))) - 6
    high = np.ceil(outline.max(axis=(0, 1))) + 6
    size = int(high[0] - low[0]), int(high[1] - low[1])
    return shape_lines(outline - low, size, place.lies), outline - low


def kind_at(lines: ShapeLines, place: np.ndarray) -> set[int]:
    x, y = np.rint(place).astype(int)
    return set(lines.kinds[y - 1 : y + 2, x - 1 : x + 2].ravel().tolist()) - {0}


def test_a_lone_piece_has_an_outline_and_the_ridge_between_the_sides_that_are_seen() -> None:
    lines, outline = lines_of(StackHypothesis(250, 180, 45, ("large",)))
    base, tip = outline[0, :4], outline[0, 4]
    nearest = base[int(np.argmax(base[:, 1]))]
    assert RIDGE in kind_at(lines, (nearest + tip) / 2)
    assert not (lines.kinds == RIM).any()
    hull = cv2.convexHull(outline[0].astype(np.float32)).reshape(-1, 2)
    middles = (hull + np.roll(hull, -1, axis=0)) / 2
    assert all(OUTLINE in kind_at(lines, middle) for middle in middles)


def test_where_a_higher_piece_begins_there_is_a_rim() -> None:
    lines, outline = lines_of(StackHypothesis(250, 180, 0, ("large", "large")))
    front = sorted(outline[1, :4].tolist(), key=lambda corner: -corner[1])[:2]
    assert RIM in kind_at(lines, np.mean(front, axis=0))
    lone, _ = lines_of(StackHypothesis(250, 180, 0, ("large",)))
    assert (lines.kinds == RIM).sum() > 20 and (lone.kinds == RIM).sum() == 0


@pytest.mark.parametrize("heading", range(0, 360, 45))
@pytest.mark.parametrize("lies", [False, True])
def test_inside_is_the_silhouette(heading: int, lies: bool) -> None:
    lines, outline = lines_of(StackHypothesis(250, 180, heading, ("medium",), lies))
    area = cv2.contourArea(cv2.convexHull(outline[0].astype(np.float32)))
    assert lines.inside.sum() == pytest.approx(area, abs=len(np.argwhere(lines.kinds == OUTLINE)))


def test_a_piece_that_lies_with_its_base_to_the_camera_shows_the_rim_of_the_base() -> None:
    towards, _ = lines_of(StackHypothesis(250, 180, 90, ("large",), True))
    away, _ = lines_of(StackHypothesis(250, 180, 270, ("large",), True))
    assert (towards.kinds == RIM).sum() > 15
    assert (away.kinds == RIM).sum() == 0
