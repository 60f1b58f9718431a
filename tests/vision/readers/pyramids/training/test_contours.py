"""Parts to learn contours from show what is there, in other light, turned and mirrored."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.readers.pyramids.ideal import camera
from vision.readers.pyramids.contours import KINDS
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.shape_lines import OUTLINE
from vision.readers.pyramids.training.contours import SIDE_PX, contour_scene, random_contours

EYE = camera(35.0)
BEHIND, BEFORE = StackHypothesis(250, 150, 20, ("large",)), StackHypothesis(250, 180, 20, ("large", "large"))
PICTURE = np.full((720, 1280, 3), 130, np.uint8)


def test_what_is_nearer_stands_in_front() -> None:
    both = contour_scene(PICTURE, [BEFORE, BEHIND], EYE)
    alone = contour_scene(PICTURE, [BEFORE], EYE)
    shown = alone.inside == 1
    assert np.array_equal(both.kinds[shown], alone.kinds[shown])
    assert both.inside.sum() > alone.inside.sum() + 500
    assert np.array_equal(both.inside, contour_scene(PICTURE, [BEHIND, BEFORE], EYE).inside), "in whatever order"


def test_lines_follow_the_picture_when_it_is_turned_and_mirrored() -> None:
    place = contour_scene(PICTURE, [BEFORE], EYE)
    dark = np.where(place.inside[..., None] == 1, 40, 130).astype(np.uint8) + np.zeros((1, 1, 3), np.uint8)
    scene = contour_scene(dark, [BEFORE], EYE)
    random = np.random.default_rng(1)
    shares = []
    for _ in range(40):
        part = random_contours(scene, random)
        assert part.seen.shape == (3, SIDE_PX, SIDE_PX) and part.true.shape == (KINDS, SIDE_PX, SIDE_PX)
        inside = part.true[-1] == 1
        if 400 < inside.sum() < SIDE_PX**2 - 400:
            shares.append(part.seen[1][inside].mean() < part.seen[1][~inside].mean() - 0.5)
        assert not (part.true[:3].sum(axis=0) > 1).any(), "a pixel has one kind of line"
    assert len(shares) > 20 and all(shares)


def test_an_empty_table_teaches_that_nothing_is_there() -> None:
    scene = contour_scene(PICTURE, [], EYE)
    part = random_contours(scene, np.random.default_rng(2))
    assert not part.true.any()
    assert (scene.kinds == OUTLINE).sum() == 0


@pytest.mark.parametrize("place", [StackHypothesis(-900, 150, 0, ("small",)), StackHypothesis(300, 900, 0, ("small",))])
def test_what_is_out_of_the_picture_is_not_drawn(place: StackHypothesis) -> None:
    assert not contour_scene(PICTURE, [place], EYE).inside.any()
