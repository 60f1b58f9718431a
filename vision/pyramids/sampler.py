"""Known pieces set out in rows: where each stands, and how this table's light shifts the names of colors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS, Pyramid
from vision.calibration.empty import EmptyTable
from vision.pyramids.assignment import share_of
from vision.pyramids.confirmed import ConfirmedColors
from vision.pyramids.reader import read
from vision.pyramids.scene import Found
from vision.table import Table

Floats = NDArray[Any]

Rows = Sequence[Sequence[Pyramid]]
"""From the top of the mat down, each from left to right."""

_NEAR_MM = 22.0
"""A piece so near to its place on the grid is the one that was set there."""
_ROUNDS = 12


class Sample(Struct, frozen=True):
    """One known piece."""

    piece: Pyramid
    found: Found | None
    """What was read at its place; None where nothing was."""

    @property
    def color_share(self) -> float:
        """Probability that was given to its true color; 0 where it was not found as a lone piece."""
        if self.found is None or len(self.found.tones) != 1:
            return 0.0
        return float(share_of(self.found.tones[0])[PYRAMID_COLORS.index(self.piece.color)])


def samples(table: Table, empty: EmptyTable, rows: Rows) -> list[Sample]:
    """What was read of each piece of a sampler, row by row."""
    found = read(table.picture, table.pose, table.light, table.mat, empty=empty).scene.found
    nodes = [(float(column), float(row)) for row, pieces in enumerate(rows) for column in range(len(pieces))]
    pieces = [piece for row in rows for piece in row]
    places = np.array([(f.place.x_mm, f.place.y_mm) for f in found]).reshape(-1, 2)
    if not len(places) or not nodes:
        return [Sample(piece, None) for piece in pieces]
    grid = _on_grid(places, np.array(nodes))
    out: list[Sample] = []
    for piece, at in zip(pieces, grid, strict=True):
        away = np.hypot(*(places - at).T)
        nearest = int(np.argmin(away))
        out.append(Sample(piece, found[nearest] if away[nearest] < _NEAR_MM else None))
    return out


def learned_colors(seen: Sequence[Sample]) -> tuple[float, ...]:
    """Offsets of the colors' log likelihoods, from lone pieces that were found with their true size."""
    colors = ConfirmedColors()
    lone = [one for one in seen if one.found is not None and one.found.place.sizes == (one.piece.size,)]
    if lone:
        tones = np.concatenate([one.found.tones for one in lone if one.found is not None])
        colors.learn(tones, [PYRAMID_COLORS.index(one.piece.color) for one in lone])
    return tuple(float(offset) for offset in colors.offsets)


def _on_grid(places: Floats, nodes: Floats) -> Floats:
    """(N, 2) where the nodes (column, row) of a regular grid are, so that found places (M, 2) lie near to nodes.

    Starts with the grid that fills what was found, and is fitted to it in turns with choosing neighbors.
    """
    low, high = places.min(axis=0), places.max(axis=0)
    many = np.maximum(nodes.max(axis=0), 1.0)
    grid = low + nodes * (high - low) / many
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
