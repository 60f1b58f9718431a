"""Plastic that no outline covers asks for another look, where a lone piece's silhouette fits."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec import structs

from tests.vision.readers.pyramids.conftest import FromAbove
from vision.readers.pyramids.cells import Answers
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.looking import patches
from vision.readers.pyramids.scene import FoundPieces, outlined
from vision.readers.pyramids.sheet import PX_PER_MM, STRIDE, Sheet

POSE = FromAbove()
SHEET = Sheet(PX_PER_MM / 2, (0.0, 0.0), (320, 256))
"""Two pixels of the picture are a millimeter."""
STANDS = StackHypothesis(100.0, 100.0, 20.0, ("medium",))
LIES = StackHypothesis(150.0, 90.0, 40.0, ("large",), True)


def found(place: StackHypothesis) -> FoundPieces:
    return FoundPieces(place, 0.9, (), (), np.zeros((len(place.sizes), 10)), *outlined(place, POSE))


def answers(*places: StackHypothesis) -> Answers:
    """Plastic where these stand or lie, as sharp as a sheet is; all cells point at a corner of the mat."""
    width, height = SHEET.size
    seen = np.zeros((height, width), np.uint8)
    for place in places:
        for piece in outlines([place], POSE)[0]:
            cv2.fillConvexPoly(seen, cv2.convexHull(np.rint(SHEET.to_sheet(piece)).astype(np.int32)), 1)
    fine = np.where(seen > 0, 4.0, -6.0)
    cells = fine[::STRIDE, ::STRIDE]
    return Answers(cells, np.zeros((10, *cells.shape)), np.zeros((2, *cells.shape)), fine)


@pytest.mark.parametrize("place", [STANDS, LIES])
def test_a_missed_piece_is_looked_for_where_its_silhouette_is(place: StackHypothesis) -> None:
    (patch,) = patches([], [], answers(place), SHEET, POSE)  # type: ignore[arg-type]
    assert patch.suspects == ()
    assert not patch.answers.bound, "cells pointed elsewhere: here they count all the same"
    best = patch.places_mm[place.lies]
    assert np.hypot(best[0] - place.x_mm, best[1] - place.y_mm) < 2.5


def test_what_outlines_cover_is_not_looked_at_again() -> None:
    seen = answers(STANDS, LIES)
    assert list(patches([found(STANDS), found(LIES)], [], seen, SHEET, POSE)) == []  # type: ignore[arg-type]
    assert list(patches([found(STANDS)], [found(LIES)], seen, SHEET, POSE)) == []  # type: ignore[arg-type]


def test_a_lone_piece_that_is_misplaced_is_suspected_and_what_stands_elsewhere_says_nothing() -> None:
    seen = answers(STANDS, LIES)
    wrong = found(StackHypothesis(LIES.x_mm - 4, LIES.y_mm, 0.0, ("small",)))
    (patch,) = patches([found(STANDS), wrong], [], seen, SHEET, POSE)  # type: ignore[arg-type]
    assert patch.suspects == (1,)
    assert np.hypot(patch.places_mm[1][0] - LIES.x_mm, patch.places_mm[1][1] - LIES.y_mm) < 2.5
    x, y = np.rint(SHEET.to_sheet(np.array([[2 * STANDS.x_mm, 2 * STANDS.y_mm]]))[0]).astype(int)
    assert seen.fine is not None and patch.answers.fine is not None
    assert (seen.fine[y, x], patch.answers.fine[y, x]) == (4.0, 0.0)


def test_what_lies_may_stand_if_a_standing_shape_holds_as_much() -> None:
    seen = answers(STANDS)
    over = found(StackHypothesis(STANDS.x_mm + 2, STANDS.y_mm + 12, 90.0, ("medium",), True))
    patch = next(iter(patches([over], [], seen, SHEET, POSE)))  # type: ignore[arg-type]
    assert patch.suspects == (0,)
    assert len(patch.places_mm) == 1
    assert np.hypot(patch.places_mm[0][0] - STANDS.x_mm, patch.places_mm[0][1] - STANDS.y_mm) < 2.5
    sure = structs.replace(over, confidence=0.995)
    assert all(len(one.places_mm) == 2 for one in patches([sure], [], seen, SHEET, POSE))  # type: ignore[arg-type]


def test_a_tall_stack_is_not_suspected() -> None:
    wrong = found(StackHypothesis(LIES.x_mm - 4, LIES.y_mm, 0.0, ("small", "small", "small")))
    (patch,) = patches([wrong], [], answers(LIES), SHEET, POSE)  # type: ignore[arg-type]
    assert patch.suspects == ()


def test_without_the_empty_table_no_silhouette_is_known() -> None:
    seen = answers(STANDS)
    alone = Answers(seen.plastic, seen.colors, seen.place_px)
    assert list(patches([], [], alone, SHEET, POSE)) == []  # type: ignore[arg-type]


def test_what_is_smaller_than_a_fifth_of_a_small_base_is_left_alone() -> None:
    seen = answers()
    assert seen.fine is not None
    seen.fine[100:106, 100:106] = 4.0
    assert list(patches([], [], seen, SHEET, POSE)) == []  # type: ignore[arg-type]
