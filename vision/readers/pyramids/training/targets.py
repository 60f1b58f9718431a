"""The target answers for a sheet of known pieces: the first wall that each cell's ray meets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES
from vision.readers.pyramids.answers import LIFT_MM, OFFSET_PX
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.models import lifts_mm
from vision.readers.pyramids.sheet import STRIDE, Sheet
from vision.readers.pyramids.training.drawn.tracing import crossings, solid

Floats = NDArray[Any]


class Tracer(Protocol):
    """A true camera."""

    place_mm: Floats

    def project(self, points_mm: Floats) -> Floats: ...
    def rays(self, pixels: Floats) -> Floats: ...


class Known(Protocol):
    """A stack or a lying piece that is known."""

    @property
    def place(self) -> StackHypothesis: ...
    @property
    def colors(self) -> tuple[str, ...]: ...


class Targets(Struct, frozen=True):
    """Maps over the cells of a sheet (h, w), one cell for every `STRIDE` pixels."""

    piece: NDArray[np.int16]
    """Number of the piece that is seen, -1 for the table."""
    color: NDArray[np.uint8]
    """0 table, else 1 + number of the color."""
    size: NDArray[np.uint8]
    lies: NDArray[np.uint8]
    offset: NDArray[np.float16]
    """(2, h, w) way to the place of the table above which the piece stands or lies, in units of `OFFSET_PX`."""
    lift: NDArray[np.float16]
    """Height of the piece's base in units of `LIFT_MM`."""
    edge: NDArray[np.uint8]
    """1 where a neighbor cell shows another piece."""
    valid: NDArray[np.uint8]
    """0 where the truth is not known."""


def cells_px(sheet: Sheet) -> Floats:
    """(h, w, 2) middles of a sheet's cells in sheet pixels."""
    ys, xs = np.mgrid[0 : sheet.size[1] // STRIDE, 0 : sheet.size[0] // STRIDE]
    return np.stack([xs, ys], axis=-1) * float(STRIDE) + (STRIDE - 1) / 2


def targets(things: Sequence[Known], sheet: Sheet, camera: Tracer) -> Targets:
    """The answers for known things."""
    points = [corners for thing in things for corners in thing.place.points()]
    colors = [PYRAMID_COLORS.index(name) for thing in things for name in thing.colors]
    sizes = [PYRAMID_SIZES.index(size) for thing in things for size in thing.place.sizes]
    lies = [thing.place.lies for thing in things for _ in thing.place.sizes]
    bases = [
        (thing.place.x_mm, thing.place.y_mm, 0.0 if thing.place.lies else lift)
        for thing in things
        for lift in ([0.0] if thing.place.lies else lifts_mm(thing.place.sizes))
    ]
    cells = cells_px(sheet)
    shape = cells.shape[:2]
    piece, nearest = np.full(shape, -1, np.int16), np.full(shape, np.inf)
    for k, corners in enumerate(points):
        seen = (sheet.to_sheet(camera.project(corners)) / STRIDE) - 0.25
        low = np.maximum(np.floor(seen.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 1, (shape[1], shape[0]))
        if (low >= high).any():
            continue
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        rays = camera.rays(sheet.to_picture(cells[part].reshape(-1, 2)))
        walls = crossings([solid(corners)], camera.place_mm, rays)
        if not walls.distance.shape[1]:
            continue
        distance = walls.distance[:, 0].reshape(cells[part].shape[:2])
        front = distance < nearest[part]
        piece[part][front], nearest[part][front] = k, distance[front]
    there = piece >= 0
    number = np.where(there, piece, 0)

    def spread(values: Sequence[float], empty: float) -> Floats:
        table = np.array(values if values else [empty], dtype=np.float64)
        return np.where(there, table[number], empty)

    places = np.array(bases).reshape(-1, 3) * (1, 1, 0)
    middles = sheet.to_sheet(camera.project(places)) if bases else np.zeros((1, 2))
    offset = np.where(there[..., None], middles[number] - cells, 0.0) / OFFSET_PX
    edge = np.zeros(shape, np.uint8)
    for axis in (0, 1):
        differs = np.diff(piece, axis=axis) != 0
        ahead = np.s_[:-1, :] if axis == 0 else np.s_[:, :-1]
        behind = np.s_[1:, :] if axis == 0 else np.s_[:, 1:]
        edge[ahead] |= differs
        edge[behind] |= differs
    return Targets(
        piece,
        spread([c + 1 for c in colors], 0).astype(np.uint8),
        spread(sizes, 0).astype(np.uint8),
        spread(lies, 0).astype(np.uint8),
        offset.transpose(2, 0, 1).astype(np.float16),
        (spread([b[2] for b in bases], 0) / LIFT_MM).astype(np.float16),
        edge,
        np.ones(shape, np.uint8),
    )
