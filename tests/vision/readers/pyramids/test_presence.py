"""Beside the empty table a piece is told from a shadow by its faces and by where its outline ends."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from vision.readers.pyramids.cells import Answers
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.presence import load_presence
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.sheet import CHANNELS, KNOWN, RATIO, STRIDE, Sheet

HEIGHT, WIDTH = 160, 192
SHEET = Sheet(1.0, (0.0, 0.0), (WIDTH, HEIGHT))


class Aside:
    """A camera far away that sees a millimeter as 1.25 pixels, and heights as two thirds of that."""

    def project(self, points_mm: np.ndarray) -> np.ndarray:
        x, y, z = np.asarray(points_mm, np.float64).reshape(-1, 3).T
        return np.column_stack([x * 1.25, y * 0.9 - z * 0.8])

    def unproject(self, pixels: np.ndarray) -> np.ndarray:
        x, y = np.asarray(pixels).T
        return np.column_stack([x / 1.25, y / 0.9, 0 * x])


@pytest.fixture
def found() -> FoundPieces:
    place = StackHypothesis(75.0, 100.0, 20.0, ("large",))
    rival = Rival(replace(place, sizes=("medium",)), 0.2, np.zeros((1, 10)))
    return FoundPieces(place, 0.75, (rival,), (), np.zeros((1, 10)), *outlined(place, Aside()))


def answers(plastic: np.ndarray) -> Answers:
    fine = np.where(plastic, 3.0, -6.0)
    rows, columns = HEIGHT // STRIDE, WIDTH // STRIDE
    cells = fine[::STRIDE, ::STRIDE]
    return Answers(cells, np.zeros((10, rows, columns)), np.zeros((2, rows, columns)), fine)


def inputs(ratio: np.ndarray) -> np.ndarray:
    seen = np.zeros((CHANNELS, HEIGHT, WIDTH), np.float32)
    seen[RATIO], seen[KNOWN] = ratio, 1
    return seen


def hull(found: FoundPieces) -> np.ndarray:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(found.outline_px.reshape(-1, 2)).astype(np.int32)), 1)
    return mask > 0


def test_a_piece_of_two_faces_is_there(found: FoundPieces) -> None:
    ratio = np.zeros((3, HEIGHT, WIDTH), np.float32)
    inside = hull(found)
    left = inside & (np.arange(WIDTH) < found.outline_px[..., 0].mean())
    ratio[:, inside], ratio[:, left] = np.array([[-1.2], [-1.0], [0.3]]), np.array([[-0.8], [-0.7], [0.5]])
    (kept,) = load_presence().among([found], [], answers(inside), inputs(ratio), SHEET)
    assert kept is found, "its confidence is not touched"


def test_an_even_shadow_that_fades_out_is_nothing(found: FoundPieces) -> None:
    shade = np.zeros((HEIGHT, WIDTH), np.float32)
    x, y = found.outline_px.reshape(-1, 2).mean(axis=0)
    cv2.ellipse(shade, (int(x), int(y)), (45, 30), 20, 0, 360, -0.25, -1)
    ratio = np.repeat(cv2.GaussianBlur(shade, (0, 0), 8)[None], 3, axis=0)
    assert not load_presence().among([found], [], answers(shade < -0.1), inputs(ratio), SHEET)


def test_where_the_empty_table_is_not_known_nothing_is_taken_away(found: FoundPieces) -> None:
    seen, told = inputs(np.zeros((3, HEIGHT, WIDTH))), answers(hull(found))
    assert not load_presence().among([found], [], told, seen, SHEET)
    seen[KNOWN][0, hull(found)] = 0
    assert load_presence().among([found], [], told, seen, SHEET) == [found]
    assert load_presence().among([found], [], replace(told, fine=None), seen, SHEET) == [found]
