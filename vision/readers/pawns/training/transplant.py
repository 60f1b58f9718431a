"""Transplants pawns from one space to another, so that rare cases (red on red) become as frequent as needed.

A pawn's pixels are cut out along the outline of the turned shape, at the place where the crop differs most from the
bare board, and put over a bare space that was seen at a similar angle; the shadow darkens the new ground as it did the
old.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readers.pawns.crops import MM_PER_PX, SIDE_PX
from vision.readers.pawns.training.samples import MARGIN_PX, WIDE_PX, Samples
from vision.readers.pawns.wheel import PAWN_HEIGHT_MM, RINGS, SPACES

Floats = NDArray[Any]
Ints = NDArray[Any]

PROFILE_MM = (
    (0.0, 6.0),
    (0.7, 6.0),
    (1.5, 6.0),
    (2.5, 5.6),
    (4.0, 4.7),
    (6.0, 4.0),
    (8.0, 3.4),
    (10.0, 3.0),
    (12.0, 2.7),
    (14.0, 2.6),
)
"""Height and radius of the turned body in millimeters."""
_HEAD_MM = ((18.3, 3.65), (16.0, 3.2))
"""Height and radius in millimeters of the balls that make the head."""
_ALIKE = 0.08
"""The difference of the sines of the eye's elevation up to which a pawn looks the same."""
_SAME_COLOR = 0.35
"""The share of pawns that are put on a path of their own color or beside it."""
_REACH_PX = 4
_BESIDE_MM = (19.0, 36.0)
"""The least and largest distance in millimeters of a neighbor whose shadow or head reaches into a bare space."""
_SHADOWED = 0.8
"""The share of neighbors whose shadow falls into the bare space."""
_SHADOW_PX = 24
_SHADOW_LEAST = 8.0
"""The least darkness of a shadow, summed over pixels."""
_JITTER_PX = 2
"""The largest shift of batches in their crops, in pixels."""


class Batch(NamedTuple):
    """Crops to learn from."""

    light: Floats
    change: Floats
    steepness: Floats
    spaces: Ints
    classes: Ints


def outline(steepness: float, wider_mm: float = 0.0, side_px: int = WIDE_PX) -> NDArray[np.float32]:
    """Returns (side, side), 0 to 1: a pawn in the middle of its space, seen from an eye with this sine of elevation."""
    flat = float(np.sqrt(max(0.0, 1 - steepness**2)))
    image = np.zeros((side_px, side_px), np.uint8)
    middle = (side_px - 1) / 2

    def ball(z_mm: float, wide_mm: float, high_mm: float) -> None:
        row = middle - (z_mm - PAWN_HEIGHT_MM / 2) * flat / MM_PER_PX
        axes = round((wide_mm + wider_mm) / MM_PER_PX * 16), round((high_mm + wider_mm) / MM_PER_PX * 16)
        cv2.ellipse(image, (round(middle * 16), round(row * 16)), axes, 0, 0, 360, 255, -1, cv2.LINE_AA, 4)

    for z, radius in PROFILE_MM:
        ball(z, radius, max(radius * steepness, 0.5))
    for z, radius in _HEAD_MM:
        ball(z, radius, radius)
    return (image / 255).astype(np.float32)


class Transplanter:
    """The pawns of some pictures with their outlines, ready to be transplanted."""

    def __init__(self, samples: Samples) -> None:
        self.samples = samples
        self.places = np.argwhere(samples.classes > 0)
        self.classes = samples.classes[self.places[:, 0], self.places[:, 1]]
        self.steepness = samples.steepness[self.places[:, 0], self.places[:, 1]]
        self.masks = np.stack([_found(samples, p, s) for p, s in self.places])
        self.shadows = np.stack(
            [_toward_shadow(samples, p, s, m) for (p, s), m in zip(self.places, self.masks, strict=True)]
        )

    def batch(self, count: int, random: np.random.Generator) -> Batch:
        """Returns `count` pawns on spaces where none stood."""
        which, _, light, change, mask = self._drawn(count, random)
        return self._planted(which, light, change, mask, self.classes[which], random)

    def beside(self, count: int, random: np.random.Generator) -> Batch:
        """Returns `count` bare spaces with a pawn beside them, whose shadow or head does not make a pawn on this
        space.
        """
        which, mirrored, light, change, mask = self._drawn(count, random)
        away = random.uniform(*_BESIDE_MM, count) / MM_PER_PX
        angle = random.uniform(0, 2 * np.pi, count)
        # Most of them so that the shadow, if there is one, falls where a pawn would stand.
        shadow = self.shadows[which] * np.where(mirrored, -1, 1)[:, None] ** (1, 0)
        known = (np.hypot(*shadow.T) > 0) & (random.random(count) < _SHADOWED)
        into = np.arctan2(-shadow[:, 1], -shadow[:, 0]) + random.normal(0, 0.3, count)
        angle = np.where(known, into, angle)
        columns = np.rint(away * np.cos(angle)).astype(int)
        rows = np.rint(away * np.sin(angle) * self.steepness[which]).astype(int)
        light, change, mask = (_shifted(part, rows, columns) for part in (light, change, mask))
        return self._planted(which, light, change, mask, np.zeros(count, np.int64), random)

    def _drawn(self, count: int, random: np.random.Generator) -> tuple[Ints, NDArray[np.bool_], Floats, Floats, Floats]:
        """Returns the indices of some pawns, whether each is mirrored, and their crops and outlines."""
        which = random.integers(0, len(self.places), count)
        pictures, spaces = self.places[which].T
        light, change = (
            part[pictures, spaces].astype(np.float32) for part in (self.samples.light, self.samples.change)
        )
        mask = self.masks[which][..., None]
        flip = random.random(count) < 0.5
        for part in (light, change, mask):
            part[flip] = part[flip, :, ::-1]
        return which, flip, light, change, mask

    def _planted(
        self, which: Ints, light: Floats, change: Floats, mask: Floats, classes: Ints, random: np.random.Generator
    ) -> Batch:
        """Returns cut-out pawns with their shadows on bare spaces."""
        s = self.samples
        pictures, spaces = np.array([self._ground(int(k), random) for k in which]).T
        ground = s.light[pictures, spaces].astype(np.float32)
        bare = ground - s.change[pictures, spaces].astype(np.float32)
        shadow = _shadow(change)
        seen = mask * light + (1 - mask) * (ground + shadow * (1 - mask))
        return Batch(seen, seen - bare, s.steepness[pictures, spaces], spaces, classes)

    def _ground(self, k: int, random: np.random.Generator) -> tuple[int, int]:
        """Returns a bare picture and space for pawn `k`, seen at a similar angle."""
        s = self.samples
        picture = space = 0
        for _ in range(30):
            picture = int(random.integers(len(s.classes)))
            space = int(random.integers(len(SPACES)))
            if random.random() < _SAME_COLOR:
                path = (2 * (int(self.classes[k]) - 1) + int(random.integers(-1, 2))) % 12
                space = path * RINGS + int(random.integers(RINGS))
            alike = abs(float(s.steepness[picture, space]) - float(self.steepness[k])) < _ALIKE
            if s.classes[picture, space] == 0 and alike:
                break
        return picture, space


def _found(samples: Samples, picture: int, space: int) -> NDArray[np.float32]:
    """Returns the outline of a pawn at its place, up to 4 mm from the middle of its space."""
    steepness = float(samples.steepness[picture, space])
    change = np.minimum(np.abs(samples.change[picture, space].astype(np.float32)).max(-1), 1.0)
    inner, outer = outline(steepness), outline(steepness, 2.4)
    ring = np.clip(outer - inner, 0, 1)
    answer = cv2.filter2D(change, -1, inner / inner.sum() - ring / ring.sum(), borderType=cv2.BORDER_REPLICATE)
    middle = WIDE_PX // 2
    window = answer[middle - _REACH_PX : middle + _REACH_PX + 1, middle - _REACH_PX : middle + _REACH_PX + 1]
    steps = np.arange(-_REACH_PX, _REACH_PX + 1)
    at = int((window - 0.004 * (steps[:, None] ** 2 + steps**2)).argmax())
    rows, columns = at // len(steps) - _REACH_PX, at % len(steps) - _REACH_PX
    # A little narrower than the shape: a rim of the old ground would give the transplant away.
    narrow = np.roll(outline(steepness, -0.35), (rows, columns), axis=(0, 1))
    return np.asarray(cv2.GaussianBlur(narrow, (0, 0), 0.6), dtype=np.float32)


def _shadow(change: Floats) -> Floats:
    """Returns (..., 1): the darkening that is a shadow, by which all channels lose about the same."""
    top, low = change.max(-1, keepdims=True), change.min(-1, keepdims=True)
    gray = (top < -0.06) & (top - low < 0.3)
    return np.asarray(np.where(gray, np.clip(change.mean(-1, keepdims=True), -1.2, 0), 0))


def _toward_shadow(samples: Samples, picture: int, space: int, mask: Floats) -> Floats:
    """Returns (2,), x right, y down over the ground: from a pawn's foot to the middle of its shadow; zeros without
    one.
    """
    dark = -_shadow(samples.change[picture, space].astype(np.float32))[..., 0] * (mask < 0.05)
    dark[dark < 0.15] = 0
    steepness = float(samples.steepness[picture, space])
    middle = (WIDE_PX - 1) / 2
    foot = middle + PAWN_HEIGHT_MM / 2 * np.sqrt(1 - steepness**2) / MM_PER_PX
    rows, columns = np.indices(dark.shape)
    x, y = columns - middle, (rows - foot) / max(steepness, 0.3)
    dark[np.hypot(x, y) > _SHADOW_PX] = 0
    if dark.sum() < _SHADOW_LEAST:
        return np.zeros(2)
    return np.asarray([(x * dark).sum() / dark.sum(), (y * dark).sum() / dark.sum()])


def _shifted(images: Floats, rows: Ints, columns: Ints) -> Floats:
    """Returns images (N, S, S, C), each moved by its rows and columns; zeros move in."""
    out = np.zeros_like(images)
    side = images.shape[1]
    for image, to, down, right in zip(images, out, rows, columns, strict=True):
        target = np.s_[max(down, 0) : side + min(down, 0), max(right, 0) : side + min(right, 0)]
        source = np.s_[max(-down, 0) : side + min(-down, 0), max(-right, 0) : side + min(-right, 0)]
        to[target] = image[source]
    return out


_GRAIN = np.random.default_rng(0).standard_normal((256, SIDE_PX, SIDE_PX, 3), dtype=np.float32)


def moved(batch: Batch, random: np.random.Generator) -> Batch:
    """Returns the crops at the reader's size, each batch slightly moved, randomly mirrored, and in a changed light."""
    count = len(batch.classes)
    row, column = (int(v) for v in MARGIN_PX + random.integers(-_JITTER_PX, _JITTER_PX + 1, 2))
    part = np.s_[:, row : row + SIDE_PX, column : column + SIDE_PX]
    light, change = batch.light[part].astype(np.float32), batch.change[part].astype(np.float32)
    flip = random.random(count) < 0.5
    light[flip], change[flip] = light[flip, :, ::-1], change[flip, :, ::-1]

    def shift(common: float, each: float) -> Floats:
        drawn = random.normal(0, common, (count, 1, 1, 1)) + random.normal(0, each, (count, 1, 1, 3))
        return drawn.astype(np.float32)

    grain = _GRAIN[random.integers(0, len(_GRAIN), count)]
    grain *= random.uniform(-0.05, 0.05, (count, 1, 1, 1)).astype(np.float32)
    light += grain
    light += shift(0.12, 0.05)
    change += grain
    change += shift(0.04, 0.02)
    steepness = batch.steepness + random.normal(0, 0.02, count)
    return Batch(light, change, steepness, batch.spaces, batch.classes)
