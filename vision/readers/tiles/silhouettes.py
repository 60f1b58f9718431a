"""Finds loose tiles: triangles that differ from the bare table around them.

A table has a locally uniform look, however it is lit: anything that is not the same surface under more or less light is
a thing. Tiles are the equilateral triangles of 48 mm among the things, whole or cut off by the picture's border.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.calibration import EmptyTable
from vision.image.light import LINEAR
from vision.image.pose import Floats, coarse, inside, rectified, rectifying_map
from vision.readers.tiles.inks import root
from vision.readers.tiles.lattice import CORNERS, INRADIUS_MM, RIM_MM, TILE_TOP_MM, Placement
from vision.readers.tiles.patches import Spot
from vision.registration.registered_image import RegisteredImage, free_on, free_table

Mask = NDArray[np.bool_]
Field = NDArray[np.float32]

TILE_MM = 48.0
"""The side of a tile in millimeters."""
MM_PER_PX = 2.5
REACH_MM = 220.0
"""The distance in millimeters beyond the markers within which hands may lie."""
_BLOCK_PX = 8
_AROUND_BLOCKS = 7
"""The number of blocks across over which the table's own look is the median."""
_DIFFERENT = 0.055
"""The difference in root space that no shade of the table explains."""
_LEVELS = 200.0
"""The number of steps of root space if it is stored in bytes."""
_AREA_MM2 = TILE_MM**2 * np.sqrt(3) / 4
_CLUSTER = 6.5
"""A thing larger than this number of tiles is something else."""
MATCHES = 0.83
"""The least agreement of a triangle with a thing for a tile; tiles of the open set reach 0.88, mugs 0.8."""
_LONE_MATCHES = 0.75
"""The least agreement if the thing has a tile's size."""
_SET = 36
"""The number of tiles in a set: with more things, they are the table's pattern, and only whole triangles count."""
_GRID_MM, _GRID_DEG = 5.0, 12.0
"""The steps of the search in things that are not one whole tile."""


class Silhouette(NamedTuple):
    """A triangle that differs from the bare table."""

    spot: Spot
    """Its middle and the direction to one of its corners."""
    shown: float
    """The visible share of it."""
    match: float
    """The agreement of the triangle with the differing area; 1 is best."""


class TileGround(NamedTuple):
    """The table seen from above at the tiles' height, without the board."""

    thing: Field
    """(H, W): 1 where something other than bare table is."""
    shown: Field
    """(H, W): 1 where the picture shows the table."""
    origin_mm: float
    """The x and y table place of pixel (0, 0) in millimeters."""


def find_silhouettes(table: RegisteredImage, board: Placement) -> tuple[Silhouette, ...]:
    """Returns triangles of a tile's size beside the board."""
    ground = _ground(table, board)
    markers = np.array(table.mat.corners_mm())
    sheet_tiles = (1.9 * table.mat.marker_mm) ** 2 / _AREA_MM2
    count, labels, stats, middles = cv2.connectedComponentsWithStats(ground.thing.astype(np.uint8), connectivity=4)
    things: list[tuple[Mask, tuple[slice, slice], float]] = []
    for label in range(1, count):
        x, y, width, height, area = (int(v) for v in stats[label])
        tiles = area * MM_PER_PX**2 / _AREA_MM2
        if tiles < 0.15 or tiles > _CLUSTER:
            continue
        middle = middles[label] * MM_PER_PX + ground.origin_mm
        if tiles < sheet_tiles and np.hypot(*(markers - middle).T).min() < 0.3 * table.mat.marker_mm:
            continue  # a marker on its sheet of paper
        box = (slice(max(y - 2, 0), y + height + 2), slice(max(x - 2, 0), x + width + 2))
        things.append((labels[box] == label, box, tiles))
    found: list[Silhouette] = []
    for own, box, tiles in things:
        lone = _lone(own, box, ground) if 0.7 < tiles < 1.4 else None
        if lone is not None:
            found.append(lone)
        elif len(things) <= _SET:
            found += _cluster(own, box, ground)
    away = [float(np.hypot(*(markers - (s.spot.x_mm, s.spot.y_mm)).T).min()) for s in found]
    return tuple(s for s, distance in zip(found, away, strict=True) if distance > 0.8 * table.mat.marker_mm)


def _ground(table: RegisteredImage, board: Placement) -> TileGround:
    mat = table.mat
    width = int((mat.width_mm + 2 * REACH_MM) / MM_PER_PX) // _BLOCK_PX * _BLOCK_PX
    height = int((mat.height_mm + 2 * REACH_MM) / MM_PER_PX) // _BLOCK_PX * _BLOCK_PX
    picture, pose = coarse(table.picture, table.pose, MM_PER_PX)
    mapping = rectifying_map(pose, (width, height), TILE_TOP_MM, lambda p: p * MM_PER_PX - REACH_MM)
    view = rectified(picture, mapping)
    shown = inside(mapping, pose.size_px, 1).astype(np.uint8)
    tray = CORNERS * (1 + (RIM_MM + 2) / INRADIUS_MM)
    outline = np.round((board.to_table(tray) + REACH_MM) / MM_PER_PX).astype(np.int32)
    cv2.fillConvexPoly(shown, outline, 0)
    levels = np.clip(root(LINEAR) * _LEVELS, 0, 255).astype(np.uint8)[view]
    bare = _bare(levels, np.asarray(shown > 0, dtype=np.bool_))
    if table.calibration is not None:
        bare = _remembered(table, table.calibration.empty, (width, height), bare)
    # The shade of the bare table that comes nearest; shadows are darker table, not things.
    seen = levels.astype(np.float32)
    shade = (seen * bare).sum(2) / np.maximum((bare * bare).sum(2), 1.0)
    shade = np.clip(shade, 0.5, 1.05)
    difference = np.abs(seen - shade[..., None] * bare).max(2) / np.float32(_LEVELS)
    usual = float(np.median(difference[::3, ::3][shown[::3, ::3] > 0])) if shown.any() else 0.0
    thing = ((difference > max(_DIFFERENT, 5 * usual)) & (shown > 0)).astype(np.uint8)
    free = free_table(table)
    if free is not None:
        scale = np.float32(table.pose.size_px[0] / pose.size_px[0])
        thing[free_on(free, mapping * scale)] = 0
    # Digits and discs may look like table; whatever a thing encloses belongs to it.
    outlines, _ = cv2.findContours(thing, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    large = [_mended(o) for o in outlines if len(o) > 12]
    filled = np.zeros_like(thing)
    cv2.drawContours(filled, large, -1, 1, cv2.FILLED)
    return TileGround((filled & shown).astype(np.float32), shown.astype(np.float32), -REACH_MM)


def _remembered(table: RegisteredImage, empty: EmptyTable, size: tuple[int, int], guess: Field) -> Field:
    """Returns (H, W, 3): the empty table's look under today's light; the guessed look where it was not seen."""
    small, pose = coarse(empty.picture, empty.pose, MM_PER_PX)
    mapping = rectifying_map(pose, size, TILE_TOP_MM, lambda p: p * MM_PER_PX - REACH_MM)
    known = inside(mapping, pose.size_px, 1)
    middle = np.array([[table.mat.width_mm / 2, table.mat.height_mm / 2]])
    today = (table.light.white(middle) / empty.light.white(middle)).astype(np.float32)
    levels = np.clip(root(LINEAR[rectified(small, mapping)] * today) * _LEVELS, 0, 255)
    return np.asarray(np.where(known[..., None], levels, guess), np.float32)


def _mended(outline: NDArray[np.int32]) -> NDArray[np.int32]:
    """Returns the hull of an outline of one tile's size, since a white disc on a white table may leave a dent in it."""
    hull = cv2.convexHull(outline)
    tiles = cv2.contourArea(hull) * MM_PER_PX**2 / _AREA_MM2
    if 0.75 < tiles < 1.25 and cv2.contourArea(outline) > 0.5 * cv2.contourArea(hull):
        return np.asarray(hull, dtype=np.int32)
    return outline


def _bare(levels: NDArray[np.uint8], shown: Mask) -> Field:
    """Returns (H, W, 3): the table's own look everywhere, as medians over blocks, then over their neighborhoods."""
    height, width = shown.shape
    rows, columns = height // _BLOCK_PX, width // _BLOCK_PX
    half = _BLOCK_PX // 2
    blocks = levels[::2, ::2].reshape(rows, half, columns, half, 3).transpose(0, 2, 1, 3, 4)
    medians = np.median(blocks.reshape(rows, columns, half * half, 3), axis=2).astype(np.float32)
    quarters = shown[::2, ::2].reshape(rows, half, columns, half).transpose(0, 2, 1, 3)
    whole = np.asarray(quarters.reshape(rows, columns, -1).all(2), dtype=np.bool_)
    if not whole.any():
        return np.full((height, width, 3), float(medians.mean()), np.float32)
    # Blocks that the board or the border covers take the look of those around them.
    weight = cv2.GaussianBlur(whole.astype(np.float32), (0, 0), 4) + 1e-6
    spread = cv2.GaussianBlur(medians * whole[..., None], (0, 0), 4) / weight[..., None]
    everywhere = np.median(medians[whole], axis=0)
    spread = np.where(weight[..., None] > 1e-3, spread, everywhere)
    filled = np.where(whole[..., None], medians, spread)
    smooth = cv2.medianBlur(np.clip(filled, 0, 255).astype(np.uint8), _AROUND_BLOCKS)
    return np.asarray(cv2.resize(smooth.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR))


@lru_cache(maxsize=1)
def _probes() -> tuple[Floats, Floats]:
    """Returns points inside a tile with its corner along +x, and points around it, (N, 2) in millimeters, y up."""
    axis = np.arange(-40.0, 40.1, 2.5)
    spots = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    inradius = TILE_MM / (2 * np.sqrt(3))
    normals = np.radians([60.0, 180.0, 300.0])
    beyond = np.max(spots @ np.stack([np.cos(normals), np.sin(normals)]), axis=1) - inradius
    return spots[beyond < -1.0], spots[(beyond > 2.5) & (beyond < 7.0)]


def _score(candidates: Floats, thing: Field, ground: TileGround, every: int = 1) -> tuple[Floats, Floats]:
    """Returns agreement and visible share of triangles (N, 3): x, y and heading in table space and degrees.

    Args:
        every: The stride of the probes that are examined.
    """
    inner, ring = (probes[::every] for probes in _probes())
    probes = np.concatenate([inner, ring])
    angle = np.radians(candidates[:, 2])
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x = candidates[:, 0, None] + probes[:, 0] * cos - probes[:, 1] * sin
    y = candidates[:, 1, None] - (probes[:, 0] * sin + probes[:, 1] * cos)
    height, width = thing.shape
    px = np.rint((x - ground.origin_mm) / MM_PER_PX).astype(np.int64)
    py = np.rint((y - ground.origin_mm) / MM_PER_PX).astype(np.int64)
    within = (px >= 0) & (py >= 0) & (px < width) & (py < height)
    flat = np.where(within, py * width + px, 0)
    there = thing.ravel()[flat] * within
    shown = ground.shown.ravel()[flat] * within
    split = len(inner)
    share = shown[:, :split].mean(1)
    full = (there[:, :split] * shown[:, :split]).sum(1) / np.maximum(shown[:, :split].sum(1), 1)
    around = there[:, split:].sum(1) / np.maximum(shown[:, split:].sum(1), 10 / every)
    return np.where(share > 0.15, full - 0.7 * around - 0.1 * (1 - share), -1.0), share


def _climb(start: Floats, thing: Field, ground: TileGround) -> Silhouette:
    """Returns the best triangle near (3,) x, y, heading."""
    best, score, share = start, -1.0, 0.0
    for move, turn in ((2.0, 6.0), (1.0, 3.0), (0.5, 1.5)):
        steps = np.stack(np.meshgrid([-move, 0, move], [-move, 0, move], [-turn, 0, turn]), axis=-1).reshape(-1, 3)
        for _ in range(3):
            scores, shares = _score(best + steps, thing, ground)
            k = int(scores.argmax())
            if scores[k] <= score:
                break
            best, score, share = best + steps[k], float(scores[k]), float(shares[k])
    return Silhouette(Spot(float(best[0]), float(best[1]), float(best[2])), share, score)


def _lone(own: Mask, box: tuple[slice, slice], ground: TileGround) -> Silhouette | None:
    """Returns a thing of one tile's size as a tile, its rotation from its third moment; None if it is not a
    triangle.
    """
    ys, xs = np.nonzero(own)
    x, y = xs.mean(), ys.mean()
    arms = (xs - x) - 1j * (ys - y)
    turn = float(np.degrees(np.angle((arms**3).sum())) / 3)
    start = np.array(
        [(x + box[1].start) * MM_PER_PX + ground.origin_mm, (y + box[0].start) * MM_PER_PX + ground.origin_mm, turn]
    )
    found = _climb(start, ground.thing, ground)
    return found if found.match >= _LONE_MATCHES else None


def _cluster(own: Mask, box: tuple[slice, slice], ground: TileGround) -> list[Silhouette]:
    """Returns the tiles in a thing that the border cuts off or that consists of several tiles, the best first."""
    rest = np.zeros_like(ground.thing)
    rest[box][own] = 1
    left, top = box[1].start * MM_PER_PX + ground.origin_mm, box[0].start * MM_PER_PX + ground.origin_mm
    width, height = own.shape[1] * MM_PER_PX, own.shape[0] * MM_PER_PX
    cut_off = _beside_hidden(own, box, ground)
    margin = 20.0 if cut_off else 0.0
    grid = np.stack(
        np.meshgrid(
            np.arange(left - margin, left + width + margin, _GRID_MM),
            np.arange(top - margin, top + height + margin, _GRID_MM),
            np.arange(0, 120, _GRID_DEG),
        ),
        axis=-1,
    ).reshape(-1, 3)
    # A tile's middle lies on the thing itself or, if the border cuts it off, outside of the picture.
    px = np.clip(np.rint((grid[:, :2] - ground.origin_mm) / MM_PER_PX).astype(int), 0, np.array(rest.shape[::-1]) - 1)
    grid = grid[(rest[px[:, 1], px[:, 0]] > 0) | (ground.shown[px[:, 1], px[:, 0]] == 0)]
    found: list[Silhouette] = []
    for _ in range(round(_CLUSTER)):
        if not len(grid):
            break
        scores, _ = _score(grid, rest, ground, 5)
        best = _climb(grid[int(scores.argmax())], rest, ground)
        if best.match < MATCHES or best.shown < 0.2:
            break
        found.append(best)
        angles = np.radians(best.spot.heading_deg + np.array([0, 120, 240]))
        radius = TILE_MM / np.sqrt(3) + 3
        corners = np.column_stack([best.spot.x_mm + np.cos(angles) * radius, best.spot.y_mm - np.sin(angles) * radius])
        cv2.fillConvexPoly(rest, np.rint((corners - ground.origin_mm) / MM_PER_PX).astype(np.int32), 0.0)
        if rest.sum() * MM_PER_PX**2 < 0.15 * _AREA_MM2:
            break
    return found


def _beside_hidden(own: Mask, box: tuple[slice, slice], ground: TileGround) -> bool:
    """Returns true if a thing reaches the border of the picture."""
    shown = ground.shown[box] > 0
    near = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    at_edge = box[0].start == 0 or box[1].start == 0 or box[0].stop >= ground.shown.shape[0]
    return bool((near & ~shown).any() or at_edge or box[1].stop >= ground.shown.shape[1])
