"""Reads the pips on a top face: the patch is laid flat and compared with the six patterns of dice.

Patterns are matched as a whole, so a glare over one pip, or a pip of a side face at the edge, does not change a count.
Only a uniform patch matches no pattern.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.dice.outline import DiePlace
from vision.readers.dice.plane import Plane, pixels_of
from vision.readers.dice.solids import CUBE, SIDE_MM, Floats
from vision.registration.registered_image import RegisteredImage

PX_PER_MM = 1.75
_HALF_MM = 8.2
WINDOW_HALF_MM = 6.2
_OFFSETS_MM = (3.6, 4.2)
"""The distances in millimeters from the middle of the face to its outer pips; makers differ."""
_RADII_MM = (1.35,)

_PATTERNS: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = (
    (1, ((0, 0),)),
    (2, ((-1, -1), (1, 1))),
    (2, ((-1, 1), (1, -1))),
    (3, ((-1, -1), (0, 0), (1, 1))),
    (3, ((-1, 1), (0, 0), (1, -1))),
    (4, ((-1, -1), (-1, 1), (1, -1), (1, 1))),
    (5, ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1))),
    (6, ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))),
    (6, ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1))),
)
"""The number of pips and their places, in offsets from the middle, for every face of a die in every rotation."""

_SHARPNESS = 40.0
"""The decrease of the log odds of a number with decreasing correlation of its pattern."""


Color = tuple[float, float, float]
"""Levels as B, G, R."""


class Pips(Struct, frozen=True):
    """The pattern of a face."""

    match: tuple[float, ...]
    """The correlation of the face with the pattern of 1 to 6 pips, -1 to 1."""
    contrast: float
    """The share by which the pips are darker than the body; negative if the body is darker."""
    body: Color
    """The levels of the body."""
    tint: Color
    """The levels of the pips minus those of the body."""
    shift_mm: tuple[float, float]
    """The offset of the best pattern from the middle of the patch, in the patch's directions."""

    @property
    def best(self) -> float:
        """The correlation of the best pattern."""
        return max(self.match)

    @property
    def number(self) -> int:
        """The number of pips of the best pattern."""
        return 1 + int(np.argmax(self.match))

    def odds(self) -> tuple[float, ...]:
        """Returns the probabilities of 1 to 6 pips, assuming a face with pips."""
        weights = np.exp(_SHARPNESS * (np.array(self.match) - self.best))
        return tuple(float(w) for w in weights / weights.sum())


def face_grid(half_mm: float) -> Floats:
    """Returns (N, N, 2): places on a face of the usual size, up to `half_mm` from its middle to each side."""
    count = round(2 * half_mm * PX_PER_MM) + 1
    steps = (np.arange(count) - (count - 1) / 2) / PX_PER_MM
    return np.stack(np.meshgrid(steps, steps), axis=-1)


NOTHING = np.empty(0, np.float32)
"""The value that OpenCV takes for a missing matrix."""


@cache
def templates() -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Returns numbers (T,) and patterns (pixels, T), each with mean 0 and length 1."""
    grid = face_grid(WINDOW_HALF_MM)
    numbers, columns = [], []
    for number, spots in _PATTERNS:
        for offset in _OFFSETS_MM if number > 1 else _OFFSETS_MM[:1]:
            for radius in _RADII_MM:
                ink = np.zeros(grid.shape[:2])
                for spot in spots:
                    away = np.hypot(*(grid - np.array(spot) * offset).transpose(2, 0, 1))
                    ink = np.maximum(ink, 1 / (1 + np.exp((away - radius) / 0.25)))
                ink -= ink.mean()
                numbers.append(number)
                columns.append((ink / np.linalg.norm(ink)).astype(np.float32).ravel())
    return np.array(numbers), np.column_stack(columns)


def glance(plane: Plane, places: Floats) -> Floats:
    """Returns (N,): the best correlation of faces at places (N, 3) of a plane with any pattern; an unknown yaw counts
    as 0.
    """
    if not len(places):
        return np.empty(0)
    grid = face_grid(WINDOW_HALF_MM).reshape(-1, 2)
    turns = np.radians(np.nan_to_num(places[:, 2]))[:, None]
    cos, sin = np.cos(turns), np.sin(turns)
    x = grid[:, 0] * cos + grid[:, 1] * sin + places[:, :1]
    y = grid[:, 1] * cos - grid[:, 0] * sin + places[:, 1:2]
    at = plane.pixels(np.stack([x, y], axis=-1)).astype(np.float32)
    gray = cv2.remap(plane.gray, at[..., 0], at[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    gray -= gray.mean(axis=1, keepdims=True)
    gray /= np.linalg.norm(gray, axis=1, keepdims=True) + 1e-3
    matches = np.asarray(cv2.gemm(gray, templates()[1], 1.0, NOTHING, 0.0))
    return np.asarray(np.abs(matches).max(axis=1))


def top_patch(table: RegisteredImage, place: DiePlace, side_mm: float = SIDE_MM) -> NDArray[np.uint8]:
    """Returns (N, N, 3): the top face of a cube laid flat, with a margin."""
    grid = face_grid(_HALF_MM) * (side_mm / SIDE_MM)
    points = np.concatenate([grid.reshape(-1, 2), np.full((grid[..., 0].size, 1), side_mm)], axis=1)
    at = pixels_of(table.pose, CUBE.placed(points, place.x_mm, place.y_mm, place.yaw_deg)).reshape(*grid.shape)
    return np.asarray(
        cv2.remap(table.picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def read_pips(patch: NDArray[np.uint8]) -> Pips:
    """Compares a patch with the patterns at shifts of up to a millimeter and a half."""
    levels = patch.astype(np.float32)
    gray = levels.mean(axis=2)
    inner = gray[4:-4, 4:-4]
    body = float(np.median(inner))
    lighter = np.clip((gray - body) / max(body, 8.0), -1.0, 1.0)
    low, high = np.percentile(inner, (4, 96))
    contrast = (body - float(low)) / max(body, 8.0)
    sign = -1.0
    if high - body > 2.0 * (body - low):
        sign, contrast = 1.0, -(float(high) - body) / max(float(high), 8.0)
    match, shift_mm = matched_pattern(np.maximum(sign * lighter, 0.0))
    inked = inner <= low if sign < 0 else inner >= high
    return Pips(match, contrast, *body_and_tint(levels[4:-4, 4:-4], inked), shift_mm)


def body_and_tint(levels: NDArray[np.float32], inked: NDArray[np.bool_]) -> tuple[Color, Color]:
    """Returns the levels of a face's body, and those of its inked pixels minus the body's."""
    body = np.median(levels.reshape(-1, 3), axis=0)
    tint = np.median(levels[inked], axis=0) - body
    return (float(body[0]), float(body[1]), float(body[2])), (float(tint[0]), float(tint[1]), float(tint[2]))


def matched_pattern(ink: NDArray[np.float32]) -> tuple[tuple[float, ...], tuple[float, float]]:
    """Returns the correlation with each number of pips, and the shift of the best pattern, for a die of the usual
    size.
    """
    numbers, patterns = templates()
    side = face_grid(WINDOW_HALF_MM).shape[0]
    windows = np.lib.stride_tricks.sliding_window_view(ink, (side, side))
    flat = windows.reshape(-1, side * side)
    flat = flat - flat.mean(axis=1, keepdims=True)
    scores = cv2.gemm(flat, patterns, 1.0, NOTHING, 0.0) / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-3)
    each = scores.max(axis=0)
    at = np.unravel_index(int(scores[:, int(np.argmax(each))].argmax()), windows.shape[:2])
    down, right = ((k - (n - 1) / 2) / PX_PER_MM for k, n in zip(at, windows.shape[:2], strict=True))
    match = tuple(float(each[numbers == number].max()) for number in range(1, 7))
    return match, (right, down)
