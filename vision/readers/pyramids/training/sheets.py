"""Sheets to learn from: what the net sees and what it should answer, small enough to keep hundreds in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES
from vision.calibration.difference import LIMIT
from vision.readers.pyramids.cells import LIFT_MM, OFFSET_PX
from vision.readers.pyramids.hypothesis import StackHypothesis, lifts_mm
from vision.readers.pyramids.sheet import GEOMETRY, KNOWN, LIGHT, RATIO, STRIDE, Sheet
from vision.readers.pyramids.training.drawn.camera import crossings, solid
from vision.readers.pyramids.training.retouch import Retouch

Floats = NDArray[Any]

_ALONE, _ALONE_IF_GUESSED = 0.3, 0.6
"""Shares of examples whose table was never shown empty: where a picture of it is there, and where it is guessed."""
_CUT_OFF = 0.06
"""Share whose empty table is known in part: the camera was knocked since."""
_MOVED, _MOVED_PX = 0.3, 0.5
"""Share whose empty picture lies a little beside, and one sigma of that."""
_BLURRED, _BLUR_PX = 0.25, (0.4, 1.0)
"""Share that is out of focus, and one sigma of that."""
_LIGHTER = 0.03
"""One sigma of the error of today's light on the empty table, in logarithms."""
_SHADE = 25.0
_WIDE = 4


def lit(
    light: Floats, empty: Floats | None, random: np.random.Generator, guessed: bool = False
) -> tuple[Floats, Floats, Floats]:
    """Log light (3, h, w), its log ratio to the empty table and where that is known (1, h, w), as another day has them.

    Args:
        empty: (3, h, w) log light of the empty table; None: it is unknown.
        guessed: True if that is only a guess (`guessed_empty`).
    """
    if random.random() < _BLURRED:
        blur = random.uniform(*_BLUR_PX)
        light, empty = _blurred(light, blur), None if empty is None else _blurred(empty, blur)
    shift = random.normal(0, 0.12) + random.normal(0, 0.05, (3, 1, 1))
    stretch = random.uniform(0.85, 1.15) if random.random() < 0.4 else 1.0
    sigma = random.uniform(0, 0.12) if random.random() < 0.4 else 0.0
    noise: Floats = random.normal(0, sigma, light.shape) if sigma else np.zeros(light.shape)
    now = np.asarray((light + shift) * stretch + noise, np.float32)
    ratio, known = np.zeros(light.shape, np.float32), np.zeros((1, *light.shape[1:]), np.float32)
    if empty is None or random.random() < (_ALONE_IF_GUESSED if guessed else _ALONE):
        return now, ratio, known
    if random.random() < _MOVED:
        empty = _moved(empty, random.normal(0, _MOVED_PX, 2))
    known[:] = 1
    if random.random() < _CUT_OFF:
        ys, xs = np.mgrid[0 : light.shape[1], 0 : light.shape[2]]
        angle = random.uniform(0, 2 * np.pi)
        side = (xs - light.shape[2] / 2) * np.cos(angle) + (ys - light.shape[1] / 2) * np.sin(angle)
        known[0] = side > random.normal(0, 25)
    apart = (light - empty) * stretch + noise + random.normal(0, _LIGHTER, (3, 1, 1))
    return now, np.asarray(np.clip(apart * known, -LIMIT, LIMIT), np.float32), known


def _blurred(light: Floats, sigma: float) -> Floats:
    wide = np.ascontiguousarray(light.transpose(1, 2, 0), np.float32)
    return np.asarray(cv2.GaussianBlur(wide, (0, 0), sigma).transpose(2, 0, 1))


def _moved(empty: Floats, by_px: Floats) -> Floats:
    matrix = np.array([[1, 0, by_px[0]], [0, 1, by_px[1]]])
    size = empty.shape[2], empty.shape[1]
    wide = cv2.warpAffine(
        np.ascontiguousarray(empty.transpose(1, 2, 0), np.float32), matrix, size, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(wide.transpose(2, 0, 1))


def guessed_empty(light: Floats, table: NDArray[np.bool_]) -> Floats:
    """(3, H, W) log light of a plain table that was never shown empty, from its free part.

    Its grain stays where it is free; shade, which is smooth, does not. Good enough to learn from, not to read by.

    Args:
        light: (3, H, W) of a picture with pieces.
        table: (H, W) the free part.
    """
    small = np.ascontiguousarray(light.transpose(1, 2, 0)[::_WIDE, ::_WIDE], np.float32)
    free = cv2.erode(table.astype(np.uint8), np.ones((7, 7), np.uint8))[::_WIDE, ::_WIDE].astype(np.float32)
    ground = _spread(small, free, _SHADE / _WIDE * 3)
    # Shade pulls a mean down, so values plainly below it are left out.
    bright = free * (np.abs(small - ground).max(axis=2) < 0.15)
    ground = _spread(small, np.maximum(bright, 1e-3 * free), _SHADE / _WIDE * 2)
    shade = _spread(small, free, 1.5) - ground
    shade[free < 0.5] = 0
    size = light.shape[2], light.shape[1]
    wide, dark = (cv2.resize(one, size, interpolation=cv2.INTER_LINEAR).transpose(2, 0, 1) for one in (ground, shade))
    return np.asarray(np.where(table, light - dark, wide), np.float32)


def _spread(values: Floats, weight: Floats, sigma: float) -> Floats:
    """(h, w, 3) weighted mean of the surroundings."""
    total = cv2.GaussianBlur(values * weight[..., None], (0, 0), sigma)
    return np.asarray(total / np.maximum(cv2.GaussianBlur(weight, (0, 0), sigma), 1e-4)[..., None])


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


SIDE = 144
"""Side of a crop, sheet pixels: little table around what stands there."""
_RIM = 4
"""Cells at a crop's border that are not asked for: what they show may be cut off."""
_COARSE = 16
LIGHT_LOW, LIGHT_STEPS = -2.6, 52.0
"""Log light of byte 0, and bytes for one unit of it."""


class LearnedSheet(Struct, frozen=True):
    """One sheet with its answers."""

    light: NDArray[np.uint8]
    """(3, H, W) log reflectance in bytes."""
    empty: NDArray[np.uint8] | None
    """The same of the empty table under the same light; None if it was never shown."""
    geometry: NDArray[np.float16]
    """(3, H / 16, W / 16)."""
    targets: Targets
    centers: NDArray[np.intp]
    """(N, 2) rows and columns of some cells that show pieces."""
    group: str
    """Sheets of one group share a table and are held out together."""
    colors: tuple[int, ...]
    """Of the pieces that the targets number."""
    guessed: bool = False
    """True if the empty table is only a guess."""


class Crop(NamedTuple):
    """A square of a sheet, turned, mirrored and lit at random."""

    light: Floats
    geometry: Floats
    ratio: Floats
    known: Floats
    color: Floats
    size: Floats
    lies: Floats
    offset: Floats
    lift: Floats
    edge: Floats
    valid: Floats


def learned(inputs: Floats, targets: Targets, colors: Sequence[int], group: str, guessed: bool = False) -> LearnedSheet:
    """Keep a sheet's inputs (CHANNELS, H, W) and its answers; `guessed`: its empty table is only a guess."""
    light = inputs[LIGHT].astype(np.float32)
    empty = as_bytes(light - inputs[RATIO]) if inputs[KNOWN].all() else None
    half = _COARSE // 2
    geometry = inputs[GEOMETRY, half::_COARSE, half::_COARSE].astype(np.float16)
    centers = np.argwhere(targets.piece >= 0)[::50]
    return LearnedSheet(as_bytes(light), empty, geometry, targets, centers, group, tuple(colors), guessed)


def as_bytes(light: Floats) -> NDArray[np.uint8]:
    """Log light, small enough to keep hundreds of sheets."""
    return np.clip(np.round((light - LIGHT_LOW) * LIGHT_STEPS), 0, 255).astype(np.uint8)


def as_light(kept: NDArray[np.uint8]) -> Floats:
    """Log light again, float32."""
    return np.asarray(kept / np.float32(LIGHT_STEPS) + np.float32(LIGHT_LOW))


def random_crop(sheet: LearnedSheet, random: np.random.Generator, retouch: Retouch | None = None) -> Crop:
    """Mostly a place with pieces; with `retouch` on another table."""
    height, width = sheet.targets.color.shape
    side = SIDE // STRIDE
    if len(sheet.centers) and random.random() < 0.85:
        row, column = sheet.centers[random.integers(len(sheet.centers))] - random.integers(8, side - 8, 2)
    else:
        row, column = random.integers(0, max(height - side, 1)), random.integers(0, max(width - side, 1))
    row, column = (min(max(int(v), 0), most - side) // 8 * 8 for v, most in ((row, height), (column, width)))
    y, x = row * STRIDE, column * STRIDE
    light = as_light(sheet.light[:, y : y + SIDE, x : x + SIDE])
    empty = None if sheet.empty is None else as_light(sheet.empty[:, y : y + SIDE, x : x + SIDE])
    coarse = np.s_[:, y // _COARSE : (y + SIDE) // _COARSE, x // _COARSE : (x + SIDE) // _COARSE]
    geometry = sheet.geometry[coarse].repeat(_COARSE // STRIDE, 1).repeat(_COARSE // STRIDE, 2).astype(np.float32)
    part, t = np.s_[row : row + side, column : column + side], sheet.targets
    valid = np.zeros((side, side), np.uint8)
    valid[_RIM:-_RIM, _RIM:-_RIM] = t.valid[part][_RIM:-_RIM, _RIM:-_RIM]
    color = t.color[part]
    if retouch is not None:
        light, empty, colors = retouch(light, empty, t.piece[part], sheet.colors, random)
        color = np.array([*(c + 1 for c in colors), 0], np.uint8)[t.piece[part]]
    maps: list[Floats] = [color, t.size[part], t.lies[part], t.lift[part], t.edge[part], valid]
    offset = t.offset[:, row : row + side, column : column + side].astype(np.float32)
    shown = lit(light, empty, random, sheet.guessed)
    return _turned(shown, geometry, offset, maps, int(random.integers(4)), bool(random.random() < 0.5))


def _turned(
    shown: tuple[Floats, Floats, Floats],
    geometry: Floats,
    offset: Floats,
    maps: Sequence[Floats],
    quarters: int,
    mirrored: bool,
) -> Crop:
    """Turned by quarters and mirrored; directions turn along."""

    def whole(values: Floats) -> Floats:
        turned = np.rot90(values, quarters, (-2, -1))
        return np.ascontiguousarray(turned[..., ::-1] if mirrored else turned)

    def directions(values: Floats) -> Floats:
        x, y = values
        for _ in range(quarters):
            x, y = y, -x
        return np.stack([-x if mirrored else x, y])

    geometry, offset = whole(geometry), whole(offset)
    geometry[:2], offset = directions(geometry[:2]), directions(offset)
    color, size, lies, lift, edge, valid = (whole(one) for one in maps)
    light, ratio, known = (whole(one).astype(np.float32) for one in shown)
    return Crop(light, geometry, ratio, known[:, ::STRIDE, ::STRIDE], color, size, lies, offset, lift, edge, valid)
