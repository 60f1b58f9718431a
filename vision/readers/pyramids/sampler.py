"""Known pieces set out in rows: where each stands, and how this table's light shifts the names of colors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from vision.calibration.calibration import EmptyTable
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.joint_assignment import ConfirmedColors
from vision.readers.pyramids.reader import read
from vision.readers.pyramids.scene import FoundPieces
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[Any]

Rows = Sequence[Sequence[Pyramid]]
"""From the top of the mat down, each from left to right."""

_NEAR_MM = 22.0
"""A piece so near to its place on the grid is the one that was set there."""
_ROUNDS = 12


class Sample(Struct, frozen=True):
    """One known piece."""

    piece: Pyramid
    found: FoundPieces | None
    """The reading at its place, or None."""

    @property
    def color_share(self) -> float:
        """Probability that was given to its true color; 0 where it was not found as a lone piece."""
        if self.found is None or len(self.found.color_logs) != 1:
            return 0.0
        return float(share_of(self.found.color_logs[0])[PYRAMID_COLORS.index(self.piece.color)])


def samples(table: RegisteredImage, empty: EmptyTable, rows: Rows) -> list[Sample]:
    """The reading of each piece of a sampler, row by row."""
    found = read(table.picture, table.pose, table.light, table.mat, empty=empty).scene.found
    nodes = np.array([(float(column), float(row)) for row, pieces in enumerate(rows) for column in range(len(pieces))])
    pieces = [piece for row in rows for piece in row]
    places = np.array([(f.place.x_mm, f.place.y_mm) for f in found]).reshape(-1, 2)
    if not len(places) or not len(nodes):
        return [Sample(piece, None) for piece in pieces]
    tried = [_at_nodes(pieces, found, places, _on_grid(places, nodes, corner)) for corner in _corners(nodes)]
    return max(tried, key=_agreement)


def _corners(nodes: Floats) -> list[Floats]:
    """(2, 2) first and last column and row that were found: pieces of the outermost ones may be overlooked."""
    last = nodes.max(axis=0)
    firsts, ends = product((0.0, 1.0), (0.0, 1.0)), product((0.0, 1.0, 2.0), (0.0, 1.0))
    corners = [np.array([first, last - end]) for first, end in product(firsts, ends)]
    return [corner for corner in corners if (corner[1] > corner[0]).all() or (last == 0).any()]


def _at_nodes(pieces: Sequence[Pyramid], found: Sequence[FoundPieces], places: Floats, grid: Floats) -> list[Sample]:
    out: list[Sample] = []
    for piece, at in zip(pieces, grid, strict=True):
        away = np.hypot(*(places - at).T)
        nearest = int(np.argmin(away))
        out.append(Sample(piece, found[nearest] if away[nearest] < _NEAR_MM else None))
    return out


def _agreement(seen: Sequence[Sample]) -> float:
    """The agreement between the reading and the stated row."""
    sizes = sum(one.found is not None and one.found.place.sizes == (one.piece.size,) for one in seen)
    return sum(one.color_share for one in seen) + sizes


def learned_colors(seen: Sequence[Sample]) -> ConfirmedColors:
    """The table's colors, from lone pieces that were found with their true size."""
    colors = ConfirmedColors()
    lone = [
        (one.found, PYRAMID_COLORS.index(one.piece.color))
        for one in seen
        if one.found is not None and one.found.place.sizes == (one.piece.size,)
    ]
    if lone:
        colors.learn(np.concatenate([found.color_logs for found, _ in lone]), [name for _, name in lone])
    for found, name in lone:
        if found.lone_tone is not None:
            colors.learn_tone(found.lone_tone, name)
    return colors


def _on_grid(places: Floats, nodes: Floats, corner: Floats) -> Floats:
    """(N, 2) where the nodes (column, row) of a regular grid are, so that found places (M, 2) lie near to nodes.

    Starts with the grid whose first and last found columns and rows (`corner`) bound the found places, and is fitted to
    them in turns with choosing neighbors.
    """
    low, high = places.min(axis=0), places.max(axis=0)
    grid = low + (nodes - corner[0]) * (high - low) / np.maximum(corner[1] - corner[0], 1.0)
    for _ in range(_ROUNDS):
        away = np.linalg.norm(places[:, None] - grid[None], axis=2)
        mine = away.argmin(axis=1)
        near = away.min(axis=1) < 2 * _NEAR_MM
        # Of two places at one node, the nearer one counts.
        best = [k for k in np.flatnonzero(near) if away[k, mine[k]] <= away[mine == mine[k], mine[k]].min()]
        design = np.column_stack([nodes[mine[best]], np.ones(len(best))])
        if len(best) < 3 or np.linalg.matrix_rank(design) < design.shape[1]:
            break
        way = np.linalg.lstsq(design, places[best], rcond=None)[0]
        grid = np.column_stack([nodes, np.ones(len(nodes))]) @ way
    return np.asarray(grid)
