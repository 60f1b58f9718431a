"""Find the board on the table, at any place and turn.

Everything on a Spectrangle board runs in three directions 60 degrees apart: the tray, the engraved lattice, the gaps
between tiles. So the directions of all edges vote for the turn first, and for the few best turns a template of the
lines is slid over the whole table at once by Fourier transform. The tray's three sides must all be there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.foundation.errors import NoBoard
from companion.core.plan import Mat
from vision.image.edges import Field, find_edges
from vision.image.pose import Pose
from vision.image.rectify import coarse, inside, rectified, rectifying_map
from vision.readers.tiles.lattice import CELL_MM, CORNERS, RIM_MM, ROW_MM, SIDE_MM, TILE_TOP_MM, Placement

MM_PER_PX = 2.5
"""Scale of the search."""
MARGIN_MM = 75.0
"""The distance beyond the mat's corners that the board may reach."""
ENOUGH = 0.62
"""Score below which a find is no board; boards of the open picture set score 0.95 to 1.9."""
TURNS = 3
"""The number of turns that are tried before all get a chance."""

NORMALS_DEG = (90.0, 210.0, 330.0)
"""Directions inward, in board space, of the sides below, right and left."""


class FoundBoard(NamedTuple):
    """A board, give or take a few millimeters; which corner is the apex is not yet known."""

    placement: Placement
    score: float


class BoardLine(NamedTuple):
    """A straight line of the board, in board space."""

    kind: str
    """"rim" (the tray's outer edge), "side" (of the triangle) or "lattice"."""
    direction: int
    """Which of `NORMALS_DEG` it is across."""
    start: tuple[float, float]
    end: tuple[float, float]


def board_lines() -> tuple[BoardLine, ...]:
    """Every line, each running counter-clockwise around the middle."""
    apex, left, right = CORNERS
    lines = []
    for direction, (a, b) in enumerate(((left, right), (right, apex), (apex, left))):
        along = (b - a) / SIDE_MM
        inward = np.array([-along[1], along[0]])

        def line(kind: str, start: NDArray[np.float64], end: NDArray[np.float64], across: int = direction) -> BoardLine:
            return BoardLine(kind, across, (float(start[0]), float(start[1])), (float(end[0]), float(end[1])))

        lines.append(line("rim", a - inward * RIM_MM, b - inward * RIM_MM))
        lines.append(line("side", a - inward * 0.5, b - inward * 0.5))
        for j in range(1, 6):
            shift, short = inward * ROW_MM * j, along * CELL_MM / 2 * j
            lines.append(line("lattice", a + shift + short, b + shift - short))
    return tuple(lines)


def find_board(picture: NDArray[np.uint8], pose: Pose, mat: Mat) -> FoundBoard:
    """The most board-like place on the table.

    Raises:
        NoBoard: There is no tray with three sides and a lattice.
    """
    picture, pose = coarse(picture, pose, MM_PER_PX)
    histogram = _turns(picture, pose, mat)
    best = max((_slide(picture, pose, mat, turn) for turn in _peaks(histogram, TURNS)), key=lambda f: f.score)
    if best.score < ENOUGH:
        wide = [_slide(picture, pose, mat, turn) for turn in np.arange(0.0, 60.0, 3.0)]
        best = max([best, *wide], key=lambda f: f.score)
    if best.score < ENOUGH:
        raise NoBoard(
            "No Spectrangle board was found between the markers. "
            "Put the whole board on the mat, clear of hands, and light it evenly."
        )
    return best


def _turns(picture: NDArray[np.uint8], pose: Pose, mat: Mat) -> Field:
    """(120,): for each half degree of turn, how strongly all three directions of edges are there."""
    scale, margin = 2.0, 30.0
    size = int((mat.width_mm + 2 * margin) / scale), int((mat.height_mm + 2 * margin) / scale)
    mapping = rectifying_map(pose, size, TILE_TOP_MM, lambda p: p * scale - margin)
    view = cv2.GaussianBlur(rectified(picture, mapping), (0, 0), 0.8)
    edges = find_edges(np.asarray(view, dtype=np.uint8))
    strength = edges.strength
    direction = np.asarray(cv2.phase(edges.along_x, -edges.along_y, angleInDegrees=True))
    strength[~inside(mapping, pose.size_px, 4)] = 0
    strength[strength < 0.17] = 0
    bins = ((direction % 180) * 2).astype(np.int32) % 360
    votes = np.bincount(bins.ravel(), strength.ravel(), 360)
    smooth = np.exp(-0.5 * (((np.arange(360) + 180) % 360 - 180) / 2.4) ** 2)
    votes = np.real(np.fft.ifft(np.fft.fft(votes) * np.fft.fft(smooth)))
    votes = np.maximum(votes - np.median(votes), 1e-3 * votes.max() + 1e-9).reshape(3, 120)
    return np.asarray(np.exp(np.log(votes).mean(0)), dtype=np.float32)


def _peaks(histogram: Field, count: int) -> list[float]:
    """The strongest turns in degrees, 0 to 60, at least 4 degrees apart."""
    left, turns = histogram.copy(), []
    for _ in range(count):
        k = int(left.argmax())
        turns.append((k + 0.5) / 2)
        left[(np.arange(-8, 9) + k) % 120] = -1
    return turns


@lru_cache(maxsize=4)
def _templates(size: int) -> dict[tuple[int, str, int], NDArray[np.complex128]]:
    """Conjugate transforms of the lines, by way up (1 or -1), kind and direction."""
    out: dict[tuple[int, str, int], NDArray[np.complex128]] = {}
    for way in (1, -1):
        for kinds in (("rim",), ("side", "lattice")):
            for direction in range(3):
                image = np.zeros((size, size), np.float32)
                for line in board_lines():
                    if line.kind in kinds and line.direction == direction:
                        ends = [
                            (round(8 * (size / 2 + way * u / MM_PER_PX)), round(8 * (size / 2 - way * v / MM_PER_PX)))
                            for u, v in (line.start, line.end)
                        ]
                        cv2.line(image, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 3)
                soft = cv2.GaussianBlur(image, (0, 0), 1.2)
                spectrum = np.fft.rfft2(np.fft.ifftshift(soft / soft.sum()))
                out[way, kinds[0], direction] = np.conj(spectrum)
    return out


def _slide(picture: NDArray[np.uint8], pose: Pose, mat: Mat, turn_deg: float) -> FoundBoard:
    """The best place for one turn, either way up."""
    middle = Placement(mat.width_mm / 2, mat.height_mm / 2, turn_deg)
    size = cv2.getOptimalDFTSize(int((max(mat.width_mm, mat.height_mm) + 2 * MARGIN_MM) / MM_PER_PX))
    size += size % 2

    def place(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        return middle.to_table((pixels - size / 2) * (MM_PER_PX, -MM_PER_PX))

    mapping = rectifying_map(pose, (size, size), TILE_TOP_MM, place)
    mask = cv2.erode(inside(mapping, pose.size_px, 4).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    edges = find_edges(rectified(picture, mapping))
    edges.strength[~mask] = 0
    templates = _templates(size)
    spectra = []
    for normal in NORMALS_DEG:
        field = edges.across(normal)
        field -= np.float32(field[mask].mean() if mask.any() else 0.0) * mask
        spectra.append(np.fft.rfft2(field))
    best = FoundBoard(middle, -1.0)
    for way in (1, -1):
        sides = np.stack([np.fft.irfft2(spectra[k] * templates[way, "rim", k], (size, size)) for k in range(3)])
        inner = np.fft.irfft2(sum(spectra[k] * templates[way, "side", k] for k in range(3)), (size, size)) / 3
        sides.sort(axis=0)
        # The faintest side counts most: a row of tiles or a sheet of paper has one or two such edges, a tray three.
        score = sides[0] + 0.7 * sides[1] + 0.5 * sides[2] + 0.7 * inner
        k = int(score.argmax())
        value = float(score.flat[k])
        if value > best.score:
            x, y = place(np.array([[k % size, k // size]], dtype=np.float64))[0]
            best = FoundBoard(Placement(float(x), float(y), turn_deg if way == 1 else turn_deg - 180), value)
    return best
