"""Closeups for training: places where a thing stands or lies, a little missed, and empty places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES
from vision.readers.pyramids.closeup import CHANNELS, HEIGHT, PLACE, WIDTH, Closeup, closeup
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.sheet import STRIDE, Sheet
from vision.readers.pyramids.training.drawn.arrangement import Thing
from vision.readers.pyramids.training.retouch import Retouch
from vision.readers.pyramids.training.sheets import LearnedSheet, as_light, lit

Floats = NDArray[Any]

LEVELS = 7
"""Pieces in the tallest stack."""
NONE = 3
"""Number of the size of a level that is not there."""
_NOTHING, _STANDS, _LIES = range(3)
_COARSE = 16
_BARE = 0.2
"""Share of empty places."""
_MISSED_MM = (1.2, 5.0)
"""One sigma of how far a place is missed, mostly and now and then: what lies is first looked for in its middle."""
_FAR_MISSED = 0.35
_APART_MM = 12.0
"""A place is empty if no thing is nearer than this."""
_RARE = 0.45
"""The share of examples with a lying piece if there is one, or else the taller of two stacks."""
_UNKNOWN = 255
_AROUND_MM, _HEIGHTS_MM = (-14.0, 0.0, 14.0), (0.0, 25.0, 50.0, 75.0)
"""Where points are taken to find out how a place is seen."""
_UNIT_MM, _UNIT_PX = 25.0, 50.0


class CloseupPlace(Struct, frozen=True):
    """Where something stands or lies in a sheet."""

    x_px: float
    y_px: float
    tip_px: tuple[float, float]
    """Where its tip is seen."""
    lies: bool
    sizes: tuple[int, ...]
    colors: tuple[int, ...]
    camera: Floats | None = None
    """(3, 4) from millimeters beside its foot, turned as it is, and 1 to homogeneous sheet pixels; None if it lies."""


class CloseupScene(Struct, frozen=True):
    """A sheet's light and its things."""

    light: NDArray[np.uint8]
    """(H, W, 3) in the bytes of `LearnedSheet`."""
    empty: NDArray[np.uint8] | None
    """The same of the empty table."""
    geometry: NDArray[np.float16]
    """(3, H / 16, W / 16)."""
    piece: NDArray[np.int16]
    """(H / 2, W / 2) number of the piece that is seen, counted through all places; -1 for the table."""
    places: tuple[CloseupPlace, ...]
    group: str
    guessed: bool = False
    """True if the empty table is only a guess."""


class Example(NamedTuple):
    """One closeup and what should be said of it."""

    inputs: Floats
    """(CHANNELS, HEIGHT, WIDTH)."""
    kind: int
    sizes: Floats
    """(LEVELS,) `NONE` above the top, 255 for no answer."""
    colors: Floats
    """(LEVELS,) 255 where no piece is."""
    shift: Floats
    """(2,) the way to the true place, in closeup pixels."""
    tip: Floats
    """(2,) unit vector to a lying piece's tip; zeros for others."""


class Camera(Protocol):
    """A true camera."""

    def project(self, points_mm: Floats) -> Floats: ...


def scene_of(learned: LearnedSheet, things: Sequence[Thing], sheet: Sheet, camera: Camera) -> CloseupScene:
    """The part of a sheet that closeups need, and the visible places of its things."""
    points = np.array([(t.place.x_mm, t.place.y_mm, 0.0) for t in things]).reshape(-1, 3)
    tips = np.array([t.place.points()[-1][4] for t in things]).reshape(-1, 3)
    places_px, tips_px = (sheet.to_sheet(camera.project(p)) if things else p[:, :2] for p in (points, tips))
    places = tuple(
        CloseupPlace(
            float(at[0]),
            float(at[1]),
            (float(tip[0]), float(tip[1])),
            thing.place.lies,
            tuple(PYRAMID_SIZES.index(size) for size in thing.place.sizes),
            tuple(PYRAMID_COLORS.index(color) for color in thing.colors),
            None if thing.place.lies else local_camera(thing.place, sheet, camera),
        )
        for thing, at, tip in zip(things, places_px, tips_px, strict=True)
    )
    light = np.ascontiguousarray(learned.light.transpose(1, 2, 0))
    empty = None if learned.empty is None else np.ascontiguousarray(learned.empty.transpose(1, 2, 0))
    return CloseupScene(light, empty, learned.geometry, learned.targets.piece, places, learned.group, learned.guessed)


def local_camera(place: StackHypothesis, sheet: Sheet, camera: Camera) -> Floats:
    """(3, 4) float32, how a camera and a sheet see what stands at a place, as one projection (direct linear transform).

    Exact but for the lens, which over the room of one stack is less than a tenth of a pixel.
    """
    around = np.array([(x, y, z) for x in _AROUND_MM for y in _AROUND_MM for z in _HEIGHTS_MM])
    turn = math.radians(place.turn_deg)
    x = place.x_mm + around[:, 0] * math.cos(turn) + around[:, 1] * math.sin(turn)
    y = place.y_mm - around[:, 0] * math.sin(turn) + around[:, 1] * math.cos(turn)
    pixels = sheet.to_sheet(camera.project(np.column_stack([x, y, around[:, 2]])))
    middle = pixels.mean(axis=0)
    u, v = ((pixels - middle) / _UNIT_PX).T
    points = np.column_stack([around / _UNIT_MM, np.ones(len(around))])
    nothing = np.zeros_like(points)
    rows = np.concatenate(
        [
            np.column_stack([points, nothing, -u[:, None] * points]),
            np.column_stack([nothing, points, -v[:, None] * points]),
        ]
    )
    found = np.linalg.svd(rows)[2][-1].reshape(3, 4)
    back = np.array([(_UNIT_PX, 0, middle[0]), (0, _UNIT_PX, middle[1]), (0, 0, 1)])
    whole = back @ found @ np.diag([1 / _UNIT_MM] * 3 + [1])
    return np.asarray(whole / whole[2, 3], np.float32)


def random_example(scene: CloseupScene, random: np.random.Generator, retouch: Retouch | None = None) -> Example:
    """A closeup of one of a scene's places, or of an empty place; with `retouch` on another table."""
    height, width = scene.light.shape[:2]
    places = [p for p in scene.places if 0 <= p.x_px < width and 0 <= p.y_px < height]
    if not places or random.random() < _BARE:
        return _bare(scene, places, random, retouch)
    place = _chosen(places, random)
    at = np.array([place.x_px, place.y_px])
    sigma_mm = _MISSED_MM[int(random.random() < _FAR_MISSED)]
    missed = np.clip(random.normal(0, sigma_mm, 2), -9, 9) * 1.25 * np.exp(geometry_at(scene, at)[2])
    close = varied(scene, at + missed, random)
    sizes, colors = np.full(LEVELS, _UNKNOWN if place.lies else NONE), np.full(LEVELS, _UNKNOWN)
    seen, now = lit_closeup(scene, close, random, retouch)
    first = sum(len(other.colors) for other in scene.places[: scene.places.index(place)])
    sizes[: len(place.sizes)], colors[: len(place.colors)] = place.sizes, now[first : first + len(place.colors)]
    tip = np.zeros(2)
    if place.lies:
        tip = close.matrix[:, :2] @ (np.array(place.tip_px) - at)
        tip /= max(float(np.hypot(*tip)), 1e-6)
    shift = close.matrix @ np.array([*at, 1.0]) - PLACE
    return Example(seen, _LIES if place.lies else _STANDS, sizes, colors, shift, tip)


def _chosen(places: Sequence[CloseupPlace], random: np.random.Generator) -> CloseupPlace:
    """A random place; rare and hard ones more often."""
    first, second = (places[int(k)] for k in random.integers(len(places), size=2))
    if random.random() > _RARE:
        return first
    lying = [place for place in places if place.lies]
    if lying:
        return lying[int(random.integers(len(lying)))]
    return max(first, second, key=lambda place: len(place.sizes))


def _bare(
    scene: CloseupScene, places: Sequence[CloseupPlace], random: np.random.Generator, retouch: Retouch | None
) -> Example:
    height, width = scene.light.shape[:2]
    at = random.uniform((0, 0), (width, height))
    for _ in range(10):
        if places and random.random() < 0.6:
            near, angle = places[int(random.integers(len(places)))], random.uniform(0, 2 * np.pi)
            away = random.uniform(14, 45) * 1.25
            at = np.array([near.x_px + away * np.cos(angle), near.y_px + away * np.sin(angle)])
        else:
            at = random.uniform((0, 0), (width, height))
        at = np.clip(at, 0, (width - 1, height - 1))
        apart = _APART_MM * 1.25 * np.exp(geometry_at(scene, at)[2])
        if all(np.hypot(at[0] - p.x_px, at[1] - p.y_px) > apart for p in places):
            break
    unknown = np.full(LEVELS, _UNKNOWN)
    seen, _ = lit_closeup(scene, varied(scene, at, random), random, retouch)
    return Example(seen, _NOTHING, unknown, unknown, np.zeros(2), np.zeros(2))


def geometry_at(scene: CloseupScene, at: Floats) -> Floats:
    """(3,) rise x and y and the log of the scale at a pixel of a sheet."""
    row, column = (
        int(np.clip(v // _COARSE, 0, most - 1)) for v, most in zip(at[::-1], scene.geometry.shape[1:], strict=True)
    )
    return np.asarray(scene.geometry[:, row, column], dtype=np.float64)


def varied(scene: CloseupScene, at: Floats, random: np.random.Generator) -> Closeup:
    """A closeup of a pixel of a sheet, now and then mirrored, turned and scaled a little amiss."""
    rise_x, rise_y, log_scale = geometry_at(scene, at)
    rise = np.array([rise_x, rise_y])
    turn = random.normal(0, 0.05)
    if np.hypot(*rise) < 0.12:
        turn = random.uniform(0, 2 * np.pi)
    return closeup(at, rise, log_scale + random.normal(0, 0.015), turn, bool(random.random() < 0.5))


def lit_closeup(
    scene: CloseupScene, close: Closeup, random: np.random.Generator, retouch: Retouch | None
) -> tuple[Floats, list[int]]:
    """A closeup's inputs, and the colors of all pieces of the scene."""
    out = np.empty((CHANNELS, HEIGHT, WIDTH), np.float32)
    colors = [color for place in scene.places for color in place.colors]
    if retouch is not None:
        low, high = _window(scene, close)
        close = Closeup(np.column_stack([close.matrix[:, :2], close.matrix @ (*low, 1.0)]), close.rise)
        part = np.s_[low[1] // STRIDE : high[1] // STRIDE, low[0] // STRIDE : high[0] // STRIDE]
        box = np.s_[low[1] : high[1], low[0] : high[0]]
        window = as_light(scene.light[box]).transpose(2, 0, 1)
        bare = None if scene.empty is None else as_light(scene.empty[box]).transpose(2, 0, 1)
        window, bare, colors = retouch(window, bare, scene.piece[part], colors, random)
        seen, empty = (None if one is None else _cut(one, close) for one in (window, bare))
    else:
        seen, empty = (None if one is None else as_light(close.light(one)).transpose(2, 0, 1) for one in _both(scene))
    assert seen is not None
    out[:3], out[4:7], out[7:] = lit(seen, empty, random, scene.guessed)
    out[3] = close.rise
    return out, colors


def _both(scene: CloseupScene) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    return scene.light, scene.empty


def _cut(light: Floats, close: Closeup) -> Floats:
    """(3, HEIGHT, WIDTH) of a window's light (3, h, w)."""
    return close.light(np.ascontiguousarray(light.transpose(1, 2, 0))).transpose(2, 0, 1)


def _window(scene: CloseupScene, close: Closeup) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The even first and last x and y of a sheet that a closeup shows."""
    corners = close.back(np.array([(0, 0), (WIDTH, 0), (0, HEIGHT), (WIDTH, HEIGHT)], dtype=np.float64))
    limit = np.array(scene.piece.shape[::-1]) * STRIDE
    low = np.clip(np.floor(corners.min(axis=0) / STRIDE - 1).astype(int) * STRIDE, 0, limit - STRIDE)
    return low, np.clip(np.ceil(corners.max(axis=0) / STRIDE + 1).astype(int) * STRIDE, low + STRIDE, limit)
