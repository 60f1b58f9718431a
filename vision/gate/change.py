"""Measures the change between two pictures of one table, at a size at which it takes a millisecond.

Cameras change their exposure when a hand comes in, and lamps flicker. So the later picture is first predicted from the
earlier one by a gain and an offset in each channel, and only the unexplained rest counts as change.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.picture import Picture

Thumb = NDArray[np.uint8]
"""A picture at the size at which changes are searched: (h, w, 3) BGR, its longer side 320."""
Map = NDArray[np.uint8]
"""(h, w): one number for each pixel of a thumb."""

THUMB_PX = 320
"""The longer side of a thumb in pixels."""
FLOOR = 14
"""The number of gray levels of 255 that never count as change: sensor noise and compression, after averaging."""
NOISE_TIMES = 4.0
"""A pixel has changed if its difference exceeds this multiple of the median difference, plus half the floor."""
CLIPPED = 250
"""The gray level from which a pixel is clipped and may have been brighter."""
EVENT_GAIN = 0.04
"""The change of the gain from which the light or the camera's exposure counts as changed."""
EVENT_OFFSET = 6.0
"""The change of the offset, in gray levels, from which the light or the exposure counts as changed."""
GRID_PX = (32, 18)
"""Width and height of the grid on which light is fitted."""
FIT_ROUNDS = 2
"""Rounds of the fit of gain and offset."""
SURFACE_ROUNDS = 6
"""Rounds of the fit of an uneven change of light."""
OFFSET_PRIOR = 20.0
"""The strength of the prior that holds the offset at 0, as a share of gray levels squared: on a plain table, offset and
gain have the same effect.
"""


class Exposure(NamedTuple):
    """The relation of two pictures' brightness: now = gain * before + offset, in each channel."""

    gain: tuple[float, float, float]
    offset: tuple[float, float, float]

    def gains(self) -> NDArray[np.float32]:
        """Returns the gains (3,)."""
        return np.array(self.gain, dtype=np.float32)

    def offsets(self) -> NDArray[np.float32]:
        """Returns the offsets (3,) in gray levels."""
        return np.array(self.offset, dtype=np.float32)

    @property
    def event(self) -> bool:
        """Returns true if light or exposure changed visibly."""
        return any(abs(gain - 1) > EVENT_GAIN for gain in self.gain) or any(
            abs(offset) > EVENT_OFFSET for offset in self.offset
        )


SAME_EXPOSURE = Exposure((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))


def thumb_size(picture: Picture) -> tuple[int, int]:
    """Returns width and height of a picture's thumb."""
    height, width = picture.shape[:2]
    scale = THUMB_PX / max(height, width)
    return max(8, round(width * scale)), max(8, round(height * scale))


def thumbnail(picture: Picture) -> Thumb:
    """Returns a picture at thumb size; halved as long as possible, which averages noise away at little cost."""
    size = thumb_size(picture)
    small = picture
    while small.shape[1] >= 2 * size[0] and small.shape[0] >= 2 * size[1]:
        half = cv2.resize(small, (small.shape[1] // 2, small.shape[0] // 2), interpolation=cv2.INTER_AREA)
        small = np.asarray(half, dtype=np.uint8)
    if (small.shape[1], small.shape[0]) != size:
        small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    return small


def quick_exposure(before: Thumb, now: Thumb) -> Exposure:
    """Returns the gain of each channel between two pictures that follow each other closely: the middle one of many
    places.
    """
    old, new = _grid(before), _grid(now)
    ratios = np.sort((new + 4) / (old + 4), axis=0)
    return Exposure(_three(ratios[len(ratios) // 2]), (0.0, 0.0, 0.0))


def fit_exposure(before: Thumb, now: Thumb) -> Exposure:
    """Returns the gain and offset of each channel that explain most of the picture; moving parts are left out of the
    fit.
    """
    old, new = _grid(before), _grid(now)
    open_range = (old.max(1) < CLIPPED) & (new.max(1) < CLIPPED)
    if np.count_nonzero(open_range) < 32:
        return SAME_EXPOSURE
    old, new = old[open_range], new[open_range]
    gain = np.median((new + 4) / (old + 4), axis=0)
    offset = np.zeros(3, dtype=np.float32)
    for _ in range(FIT_ROUNDS):
        error = np.abs(new - gain * old - offset).max(1)
        fits = error <= max(5.0, 2.5 * float(np.median(error)))
        x, y = old[fits], new[fits]
        # Least squares around a prior (gain from the means, offset 0), so that a plain table stays well posed.
        mean_x, mean_y = x.mean(0), y.mean(0)
        spread = ((x - mean_x) ** 2).mean(0)
        along = ((x - mean_x) * (y - mean_y)).mean(0)
        level = mean_y / np.maximum(mean_x, 1.0)
        gain = (along + OFFSET_PRIOR * level) / (spread + OFFSET_PRIOR)
        offset = mean_y - gain * mean_x
    return Exposure(_three(gain), _three(offset))


def _grid(thumb: Thumb) -> NDArray[np.float32]:
    """Returns (576, 3): mean colors of places all over a thumb."""
    size = GRID_PX if thumb.shape[1] >= thumb.shape[0] else GRID_PX[::-1]
    return cv2.resize(thumb, size, interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(np.float32)


def relit(before: Thumb, now: Thumb) -> Thumb:
    """Returns `before` as it would look under the light of `now`, which may change from place to place.

    A lamp switched on beside the table is a smooth factor over the picture. Its logarithm is fitted by a quadratic
    surface, with less weight for places where something moved (Tukey's biweight).
    """
    grid = GRID_PX if before.shape[1] >= before.shape[0] else GRID_PX[::-1]
    old, new = _grid(before).astype(np.float64), _grid(now).astype(np.float64)
    ratio = np.log((new.mean(1) + 4) / (old.mean(1) + 4))
    terms = _surface(grid)
    weight = ((old.max(1) < CLIPPED) & (new.max(1) < CLIPPED)).astype(np.float64)
    fit = np.zeros(terms.shape[1])
    fit[0] = np.median(ratio)
    for _ in range(SURFACE_ROUNDS):
        error = ratio - terms @ fit
        scale = max(0.02, 4.0 * float(np.median(np.abs(error))))
        trust = weight * np.clip(1 - (error / scale) ** 2, 0, None) ** 2
        normal = terms.T @ (terms * trust[:, None]) + 1e-3 * np.eye(terms.shape[1])
        fit = np.linalg.solve(normal, terms.T @ (ratio * trust))
    height, width = before.shape[:2]
    factor = np.exp(np.clip(_surface((width, height)) @ fit, -1.5, 1.5)).reshape(height, width, 1)
    return np.asarray(np.clip(before * factor + 0.5, 0, 255), dtype=np.uint8)


def _surface(size: tuple[int, int]) -> NDArray[np.float64]:
    """Returns (width * height, 6): 1, x, y, xx, xy, yy over a grid, with x and y from -1 to 1."""
    across, down = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    x, y = across.ravel(), down.ravel()
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def predicted(before: Thumb, exposure: Exposure) -> Thumb:
    """Returns `before` as it would look under another exposure."""
    if exposure == SAME_EXPOSURE:
        return before
    levels = np.arange(256, dtype=np.float32)[:, None]
    table = np.clip(levels * exposure.gains() + exposure.offsets() + 0.5, 0, 255)
    return np.asarray(cv2.LUT(before, table.astype(np.uint8).reshape(256, 1, 3)), dtype=np.uint8)


def difference(before: Thumb, now: Thumb, exposure: Exposure) -> Map:
    """Returns the distance of each pixel from the prediction by `before`: the largest difference of the three
    channels.
    """
    expected = predicted(before, exposure)
    apart = cv2.absdiff(now, expected)
    if min(exposure.gain) < 1 - EVENT_GAIN:
        # A clipped pixel was brighter than its value, so it may stay brighter than predicted.
        apart[(before >= CLIPPED) & (now >= expected)] = 0
    blue, green, red = cv2.split(apart)
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)


def threshold(apart: Map) -> int:
    """Returns the difference from which a pixel has changed, given the noise of the whole picture."""
    counts = np.cumsum(cv2.calcHist([apart], [0], None, [256], [0, 256]).ravel())
    middle = int(np.searchsorted(counts, counts[-1] / 2))
    return int(min(120, max(FLOOR, FLOOR / 2 + NOISE_TIMES * middle)))


def changed(apart: Map, level: int) -> Map:
    """Returns a map with 1 where a pixel and its neighbors changed, else 0; single pixels are noise."""
    _, raised = cv2.threshold(apart, level, 1, cv2.THRESH_BINARY)
    return np.asarray(cv2.morphologyEx(raised, cv2.MORPH_OPEN, _SQUARE_2), dtype=np.uint8)


_SQUARE_2 = np.ones((2, 2), dtype=np.uint8)


def _three(values: NDArray[np.floating]) -> tuple[float, float, float]:
    blue, green, red = (float(value) for value in values)
    return blue, green, red


# Detects a move of the camera between two pictures, and aligns one with the other.
#
# Corners of markers, board and pieces are followed from one thumb to the other; corners that a hand hides or a player
# moved are outvoted. A table that stands still gives a motion of a few hundredths of a pixel.

POINTS = 100
"""The largest number of corners that are tracked."""
POINTS_LEAST = 8
"""The least number of agreeing corners for an answer."""
AGREE_PX = 0.8
"""The distance in thumb pixels within which a corner agrees with the common motion."""
AGREE_SHARE = 0.5
"""The least share of the corners that must agree."""


class Shift(NamedTuple):
    """A common motion of the whole picture."""

    matrix: NDArray[np.float64]
    """(2, 3): maps thumb pixels of the earlier picture to the later one."""
    px: float
    """The median distance in thumb pixels by which the agreeing corners moved."""


def find_shift(before: Thumb, now: Thumb) -> Shift | None:
    """Returns the camera's motion between two pictures; None if they have too little in common."""
    old, new = cv2.cvtColor(before, cv2.COLOR_BGR2GRAY), cv2.cvtColor(now, cv2.COLOR_BGR2GRAY)
    corners = cv2.goodFeaturesToTrack(old, POINTS, 0.02, 6)
    if corners is None:
        return None
    start = np.asarray(corners, dtype=np.float32).reshape(-1, 1, 2)
    if len(start) < POINTS_LEAST:
        return None
    end, found, _ = cv2.calcOpticalFlowPyrLK(old, new, start, start.copy(), winSize=(13, 13), maxLevel=3)
    kept = np.ravel(found) > 0
    source, target = start.reshape(-1, 2)[kept], np.asarray(end).reshape(-1, 2)[kept]
    if len(source) < POINTS_LEAST:
        return None
    matrix, agree = cv2.estimateAffine2D(source, target, method=cv2.RANSAC, ransacReprojThreshold=AGREE_PX)
    if matrix is None:
        return None
    chosen = np.ravel(agree) > 0
    if np.count_nonzero(chosen) < max(POINTS_LEAST, AGREE_SHARE * len(source)):
        return None
    moved = np.linalg.norm(target[chosen] - source[chosen], axis=1)
    return Shift(np.asarray(matrix, dtype=np.float64), float(np.median(moved)))


def laid_over(before: Thumb, shift: Shift) -> Thumb:
    """Returns the earlier picture as the moved camera would have seen it; its new border repeats the old one."""
    size = (before.shape[1], before.shape[0])
    return np.asarray(
        cv2.warpAffine(before, shift.matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )
