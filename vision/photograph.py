"""Reads one photograph of which only the kind of pieces is known: the reading, its doubtful spots, and their outlines.

Mats of known sizes are tried first, then the size that the markers themselves show: the square of each marker is a
measure of the table around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, structs

from companion.core.foundation.errors import NoTable
from companion.core.pieces import Tile
from companion.core.plan import Mat, Point
from companion.core.protocols.eyes import OverlayMark
from vision.domains import DomainReading, domain_reader
from vision.image.picture import Picture
from vision.image.pose import Floats
from vision.readers.dice.unmarked import read_unmarked_dice
from vision.readers.pawns.unmarked import read_unmarked_pawns
from vision.readers.tiles.recognition import TileReading
from vision.readers.tiles.unmarked import read_unmarked_tiles
from vision.registration.markers import ENOUGH_MARKERS, markers_seen_once
from vision.registration.pose_estimate import agreement_px, center_px, fitted, usual_lens
from vision.registration.registered_image import RegisteredImage, find_table, working

MARKER_MM: Mapping[str, float] = {"dice": 25.0}
"""Domain to the side of its printed markers in millimeters, if it is not 40."""
_MARKER_MM = 40.0
_NEEDED: Mapping[str, str] = {
    "pyramids": "How large a pyramid is, and whose it is by its place, shows only beside something of known size.",
    "cards": "To which pile a card belongs shows only beside something of known size.",
}
"""Domain to the reason why it cannot be read without markers."""
_DOUBTFUL = 0.9
"""A reading below this confidence is shown to people as doubtful."""
_LIKELY = 0.01
_CANDIDATES = 4
_STEPS = (0.08, 0.03, 0.01, 0.003)
"""The shares by which the sides of a mat are tried longer and shorter."""


class Photograph(Struct, frozen=True):
    """The reading of a photograph."""

    reading: Mapping[str, Any]
    """The reading in the words of the labeled picture set."""
    marks: tuple[OverlayMark, ...]
    """The outlines in the photograph's pixels."""
    candidates: Mapping[str, tuple[str, ...]]
    """Spot of a doubtful tile to the names of its candidates in their orientation, likeliest first; "" is an empty
    cell.
    """
    doubtful: tuple[str, ...]
    """The spots of doubtful tiles."""


def read_photograph(
    picture: Picture, domain: str, mats: Sequence[Mat], corners_px: Sequence[Point] | None = None
) -> Photograph:
    """Reads a photograph.

    Args:
        mats: The mats on which these pieces usually lie.
        corners_px: Where a person says that the corners of the first of `mats` are.

    Raises:
        SeeError: The table or its pieces are not found.
    """
    return _told(photograph_reading(picture, domain, mats, corners_px))


UNMARKED: Mapping[str, Callable[[Picture], DomainReading]] = {
    "spectrangle": read_unmarked_tiles,
    "spectrum": read_unmarked_pawns,
    "dice": read_unmarked_dice,
}
"""Domain to its reader that needs no markers: a board of known shape, or the size of dice, shows the table."""


def photograph_reading(
    picture: Picture, domain: str, mats: Sequence[Mat] = (), corners_px: Sequence[Point] | None = None
) -> DomainReading:
    """Reads a photograph by its markers or, without markers, by the board or the dice on the table.

    Raises:
        SeeError: The table or its pieces are not found.
    """
    alone = UNMARKED.get(domain) if corners_px is None else None
    if alone is not None and len(markers_seen_once(working(picture)[0])) < ENOUGH_MARKERS:
        return alone(picture)
    return domain_reader(domain)(photographed_table(picture, mats, corners_px, domain))


def _told(reading: DomainReading) -> Photograph:
    candidates: dict[str, tuple[str, ...]] = {}
    doubtful = []
    if isinstance(reading, TileReading):
        for number, cell in enumerate(reading.scene.board.cells):
            names = [
                one.piece.name if isinstance(one.piece, Tile) else ""
                for one in cell.joint.candidates
                if one.probability > _LIKELY
            ]
            candidates[f"c{number}"] = tuple(names[:_CANDIDATES])
            if cell.joint.confidence < _DOUBTFUL or cell.foreign or cell.burnt:
                doubtful.append(f"c{number}")
    return Photograph(reading.truth(), reading.marks(), candidates, tuple(doubtful))


def photographed_table(
    picture: Picture, mats: Sequence[Mat], corners_px: Sequence[Point] | None = None, domain: str = ""
) -> RegisteredImage:
    """Returns the table in a photograph for one kind of pieces.

    Raises:
        NoTable: Too few markers are seen, or they agree with no table.
    """
    if corners_px is not None and mats:
        return find_table(picture, mats[0], corners_px)
    small, _ = working(picture)
    size_px = (small.shape[1], small.shape[0])
    markers = markers_seen_once(small)
    if len(markers) < ENOUGH_MARKERS:
        needed = f" {_NEEDED[domain]}" if domain in _NEEDED else ""
        raise NoTable(
            f"{len(markers)} of the four markers are seen.{needed} Lay the markers at the corners of the table so that "
            "all are in the photo, or tap the four corners of the mat."
        )
    marker_mm = mats[0].marker_mm if mats else MARKER_MM.get(domain, _MARKER_MM)
    lens = usual_lens(size_px)
    fits = [(fit, mat) for mat in mats if (fit := fitted(markers, {}, mat, size_px, lens)) is not None]
    right = [(fit.cost, k) for k, (fit, _) in enumerate(fits) if fit.worst_px <= agreement_px(size_px)]
    if right:
        return find_table(picture, fits[min(right)[1]][1])
    return find_table(picture, measured_mat(markers, marker_mm, size_px))


def measured_mat(markers: Mapping[int, Floats], marker_mm: float, size_px: tuple[int, int]) -> Mat:
    """Returns the mat with markers of a known size at its corners."""
    sides: dict[bool, list[float]] = {True: [], False: []}
    for one in markers:
        for other in markers:
            wide = {one, other} in ({0, 1}, {2, 3})
            if wide or {one, other} in ({1, 2}, {0, 3}):
                width = float(np.linalg.norm(np.roll(markers[one], -1, axis=0) - markers[one], axis=1).mean())
                away = float(np.linalg.norm(center_px(markers[one]) - center_px(markers[other])))
                sides[wide].append(away / width * marker_mm)
    width_mm, height_mm = (float(np.mean(sides[wide] or sides[not wide] or [400.0])) for wide in (True, False))
    best = Mat(min(max(width_mm, 100.0), 3000.0), min(max(height_mm, 100.0), 3000.0), marker_mm)
    lens = usual_lens(size_px)

    def cost(mat: Mat) -> float:
        fit = fitted(markers, {}, mat, size_px, lens)
        return float("inf") if fit is None else fit.cost

    least = cost(best)
    for step in _STEPS:
        for _ in range(6):
            tried = [
                structs.replace(best, width_mm=best.width_mm * (1 + a), height_mm=best.height_mm * (1 + b))
                for a, b in ((step, 0), (-step, 0), (0, step), (0, -step), (step, step), (-step, -step))
            ]
            costs = [cost(mat) for mat in tried]
            if min(costs) >= least:
                break
            least = min(costs)
            best = tried[costs.index(least)]
    return best
