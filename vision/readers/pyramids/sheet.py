"""The part of a picture that shows the mat, at one scale and in units of white paper: the input of the net.

Scale, light and the direction in which things rise are known from the markers, so they are evened out or given, and
need not be learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.calibration.calibration import EmptyTable
from vision.calibration.difference import TableDifference, difference
from vision.image.light import LINEAR, Light
from vision.image.likeness import SHRINK, Mask
from vision.image.picture import Picture
from vision.image.pose import Pose, rectifying_map

Floats = NDArray[Any]

Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the picture, ends excluded."""


def inside(box: Box, same: Mask) -> bool:
    """Returns true if all of a box is unchanged."""
    part = same[max(box[1], 0) // SHRINK : -(-box[3] // SHRINK), max(box[0], 0) // SHRINK : -(-box[2] // SHRINK)]
    return bool(part.all()) if part.size else True


def changed_boxes(same: Mask) -> list[Box]:
    """Boxes around all that has changed, joined where they touch, in pixels of the full picture."""
    joined = cv2.dilate(1 - same, np.ones((9, 9), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    found = []
    for x, y, width, height, _ in stats.reshape(-1, 5)[1:]:
        found.append(tuple(int(v) * SHRINK for v in (x, y, x + width, y + height)))
    return found  # type: ignore[return-value]


PX_PER_MM = 1.25
"""Scale of a sheet at the middle of the mat."""
STRIDE = 2
"""The net answers for every so many pixels of a sheet."""
LIGHT, GEOMETRY, RATIO, KNOWN = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 10)
CHANNELS = 10
"""Log reflectance B, G, R; the picture's way of a millimeter upwards, x and y, and the log of the local scale; the log
of light over that of the empty table, B, G, R; whether the latter is known."""
_ROUND = 32
_COARSE = 16
FLOOR = 0.02
"""Added to a share of white before its logarithm, so that noise in the dark stays small."""
MIDDLE = 1.5
"""Added to the logarithm, so that most tables are near zero."""
_TALLEST_MM = 70.0
_BORDER_MM = 12.0
_CONTEXT = 40
"""Sheet pixels around a change that the net sees."""


class Viewer(Protocol):
    """A pose: where table points are seen, and which table points pixels see."""

    def project(self, points_mm: Floats) -> Floats: ...
    def unproject(self, pixels: Floats) -> Floats: ...


class White(Protocol):
    """The look of white paper on the table."""

    def white(self, xy_mm: Floats) -> Floats: ...


class Sheet(Struct, frozen=True):
    """How a picture is cut and scaled."""

    scale: float
    """Sheet pixels for one picture pixel."""
    origin_px: tuple[float, float]
    """Picture pixel, x and y, that the sheet's first pixel's outer corner shows."""
    size: tuple[int, int]
    """Width and height in sheet pixels, multiples of 32."""

    def to_sheet(self, pixels: Floats) -> Floats:
        """Returns the sheet pixels (N, 2) of picture pixels (N, 2); both count from the middle of the first pixel."""
        return np.asarray((np.asarray(pixels) + 0.5 - self.origin_px) * self.scale - 0.5)

    def to_picture(self, pixels: Floats) -> Floats:
        """(N, 2) sheet pixels to picture pixels."""
        return np.asarray((np.asarray(pixels) + 0.5) / self.scale + self.origin_px - 0.5)

    def matrix(self) -> Floats:
        """(2, 3) affine from picture to sheet pixels."""
        return np.column_stack([np.eye(2) * self.scale, self.to_sheet(np.zeros(2))])

    def part(self, sheet: Sheet) -> tuple[slice, slice]:
        """Rows and columns of this sheet that another one of `around` shows."""
        left, top = np.round((np.array(sheet.origin_px) - self.origin_px) * self.scale).astype(int)
        return slice(top, top + sheet.size[1]), slice(left, left + sheet.size[0])

    def around(self, same: NDArray[np.uint8]) -> list[Sheet]:
        """Sheets of the same scale around all that has changed: `same` is 1 where a quarter-size picture is unchanged.

        Where most has changed, the whole sheet.
        """
        parts = []
        for box in changed_boxes(same):
            low, high = self.to_sheet(np.array([box[:2], box[2:]], dtype=np.float64))
            first = np.clip(np.floor((low - _CONTEXT) / _ROUND) * _ROUND, 0, self.size)
            last = np.clip(np.ceil((high + _CONTEXT) / _ROUND) * _ROUND, 0, self.size)
            if (last > first).all():
                origin = first / self.scale + self.origin_px
                parts.append(
                    Sheet(
                        self.scale,
                        (float(origin[0]), float(origin[1])),
                        (int(last[0] - first[0]), int(last[1] - first[1])),
                    )
                )
        area = sum(part.size[0] * part.size[1] for part in parts)
        return parts if area < 0.7 * self.size[0] * self.size[1] else [self]


def sheet_of(pose: Viewer, mat: Mat, picture_size: tuple[int, int]) -> Sheet:
    """The sheet of a mat, with room above it for what stands at its far side."""
    x, y = mat.width_mm / 2, mat.height_mm / 2
    near = pose.project(np.array([(x, y, 0.0), (x + 5, y, 0.0), (x, y + 5, 0.0)]))
    right, down = (near[1] - near[0]) / 5, (near[2] - near[0]) / 5
    scale = PX_PER_MM / float(np.sqrt(abs(right[0] * down[1] - right[1] * down[0])))
    b = _BORDER_MM
    corners = np.array(
        [(-b, -b), (mat.width_mm + b, -b), (mat.width_mm + b, mat.height_mm + b), (-b, mat.height_mm + b)]
    )
    low_high = np.concatenate([np.column_stack([corners, np.full(4, z)]) for z in (0.0, _TALLEST_MM)])
    seen = pose.project(low_high)
    limit = np.array(picture_size)
    low = np.clip(np.floor(seen.min(axis=0)), 0, limit - 1)
    high = np.clip(np.ceil(seen.max(axis=0)), low + 1, limit)
    width, height = (int(np.ceil(v / _ROUND)) * _ROUND for v in (high - low) * scale)
    return Sheet(scale, (float(low[0]), float(low[1])), (width, height))


def inputs(picture: NDArray[np.uint8], sheet: Sheet, pose: Viewer, light: White) -> Floats:
    """(CHANNELS, height, width) float32, the net's input; without the empty table."""
    width, height = sheet.size
    flags = cv2.INTER_AREA if sheet.scale < 0.7 else cv2.INTER_LINEAR
    cut = cv2.warpAffine(picture, sheet.matrix(), (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    white, rise, size = _geometry(sheet, pose, light)
    out = np.zeros((CHANNELS, height, width), np.float32)
    logs_of([cv2.LUT(one, LINEAR) for one in cv2.split(cut)], _wide(white, (width, height)), out[LIGHT])
    for coarse, wide in zip((rise[..., 0], rise[..., 1], size), out[GEOMETRY], strict=True):
        cv2.resize(coarse.astype(np.float32), (width, height), wide, interpolation=cv2.INTER_LINEAR)
    return out


def beside(seen: Floats, difference: TableDifference) -> Floats:
    """The inputs (CHANNELS, H, W) of a sheet with what differs from the empty table; they are filled in."""
    seen[RATIO], seen[KNOWN] = difference.ratio, difference.known
    return seen


def _geometry(sheet: Sheet, pose: Viewer, light: White) -> tuple[Floats, Floats, Floats]:
    """White (h, w, 3), rise (h, w, 2) and log scale (h, w), each for the middles of coarse squares."""
    ground = _ground_mm(sheet, pose)
    shape, ground = ground.shape[:2], ground.reshape(-1, 2)
    rise, size = directions(sheet, pose, ground)
    return light.white(ground).reshape(*shape, 3), rise.reshape(*shape, 2), size.reshape(shape)


def white_on(sheet: Sheet, pose: Viewer, light: White) -> Floats:
    """Returns the light (H, W, 3) that white paper would show at each pixel of a sheet."""
    return _wide(_geometry(sheet, pose, light)[0], sheet.size)


def _ground_mm(sheet: Sheet, pose: Viewer) -> Floats:
    """(h, w, 2) the table places that the middles of coarse squares show; `wide` makes a map of them."""
    width, height = sheet.size[0] // _COARSE, sheet.size[1] // _COARSE
    ys, xs = np.mgrid[0:height, 0:width] * _COARSE + (_COARSE - 1) / 2
    pixels = sheet.to_picture(np.column_stack([xs.ravel(), ys.ravel()]))
    return np.asarray(pose.unproject(pixels)[:, :2]).reshape(height, width, 2)


def logs_of(linear: Sequence[Floats], white: Floats, out: Floats) -> Floats:
    """Log light as the nets know it, of linear light, three times (H, W), and of white paper (H, W, 3).

    Args:
        out: (3, H, W) float32, filled in.
    """
    for one, paper, logs in zip(linear, cv2.split(white), out, strict=True):
        reflectance = np.asarray(cv2.divide(one, paper), np.float32)
        reflectance += np.float32(FLOOR)
        cv2.log(reflectance, logs)
        logs += np.float32(MIDDLE)
    return out


def directions(sheet: Sheet, pose: Viewer, places_mm: Floats) -> tuple[Floats, Floats]:
    """At places (N, 2) of the table: the sheet's way of a millimeter upwards (N, 2) and the log of its scale (N,).

    Both are relative to `PX_PER_MM`.
    """
    ground = np.column_stack([places_mm, np.zeros(len(places_mm))])
    base = pose.project(ground)
    up, x_way, y_way = np.eye(3)[[2, 0, 1]] * 10.0
    rise = (pose.project(ground + up) - base) * sheet.scale / (10 * PX_PER_MM)
    right = (pose.project(ground + x_way) - base) / 10
    down = (pose.project(ground + y_way) - base) / 10
    area = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
    return rise, np.log(np.sqrt(np.maximum(area, 1e-6)) * sheet.scale / PX_PER_MM)


def _wide(coarse: Floats, size: tuple[int, int]) -> Floats:
    return np.asarray(cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_LINEAR))


def seen_on(picture: Picture, sheet: Sheet, pose: Pose, light: Light, empty: EmptyTable | None) -> Floats:
    """The inputs (CHANNELS, H, W) of a sheet, beside the empty table where that is known."""
    seen = inputs(picture, sheet, pose, light)
    return seen if empty is None else beside_empty(seen, sheet, pose, empty)


def beside_empty(seen: Floats, sheet: Sheet, pose: Pose, empty: EmptyTable) -> Floats:
    """The same inputs, with how they differ from the empty table."""
    return beside(seen, differs(seen, sheet, pose, empty))


def differs(seen: Floats, sheet: Sheet, pose: Pose, empty: EmptyTable) -> TableDifference:
    """How the inputs (CHANNELS, H, W) of a picture's sheet differ from the empty table at the same places."""
    light, known = bare_light(sheet, pose, empty)
    return difference(seen[LIGHT], light, known)


def bare_light(sheet: Sheet, pose: Pose, empty: EmptyTable) -> tuple[Floats, Floats]:
    """Log light (3, H, W) of the empty table as a sheet of some camera would show it, and where it is known (H, W)."""
    if empty.same_view(pose):
        return _same_view(sheet, empty)

    def place(pixels: Floats) -> Floats:
        return np.asarray(pose.unproject(sheet.to_picture(pixels))[:, :2])

    mapping = rectifying_map(empty.pose, sheet.size, 0.0, place)
    reflectance, known = empty.reflectance(mapping)
    light = np.empty((3, *known.shape), np.float32)
    return logs_of(cv2.split(reflectance), white_on(sheet, pose, empty.light), light), known


@lru_cache(maxsize=1)
def _same_view(sheet: Sheet, empty: EmptyTable) -> tuple[Floats, Floats]:
    """The same for the camera that saw the table empty, which mostly is the one that sees it now."""
    light = inputs(empty.picture, sheet, empty.pose, empty.light)[LIGHT].copy()
    corners = sheet.to_sheet(np.array([(1.0, 1.0), (empty.pose.size_px[0] - 2.0, empty.pose.size_px[1] - 2.0)]))
    known = np.zeros(light.shape[1:], np.float32)
    (left, top), (right, bottom) = np.clip(np.round(corners).astype(int), 0, sheet.size)
    known[top:bottom, left:right] = 1
    for one in (light, known):
        one.setflags(write=False)
    return light, known
