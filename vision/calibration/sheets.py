"""Computes the mat as seen from above, in a picture and in the empty table's picture, place by place in millimeters."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.calibration.empty import EmptyTable
from vision.image.light import LINEAR, Light
from vision.image.picture import Picture
from vision.image.pose import Map, Pose, inside, rectified, rectifying_map

Floats = NDArray[Any]

MM_PER_PX = 2.0
_FLOOR = 0.02


class Sheets(Struct, frozen=True):
    """Two views of one mat from straight above; a pixel is `MM_PER_PX` wide, and the first one is at marker 0."""

    now: Floats
    """(3, H, W) float32 in B, G, R: the logarithm of the picture over white paper."""
    before: Floats
    """(3, H, W) float32: the same logarithm for the empty table."""
    both: NDArray[np.bool_]
    """A mask (H, W) of the places that both views show."""
    off_markers: NDArray[np.bool_]
    """A mask (H, W) of the table without markers, which look alike on every table."""


def sheets(picture: Picture, pose: Pose, light: Light, empty: EmptyTable) -> Sheets:
    """Returns a picture (H, W, 3) BGR beside the empty table."""
    now, mapping = _seen(picture, pose, light, empty.mat)
    before, known, off_markers = _before(empty)
    return Sheets(now, before, inside(mapping, (picture.shape[1], picture.shape[0])) & known, off_markers)


@lru_cache(maxsize=2)
def _before(empty: EmptyTable) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """Returns the parts that stay constant: the empty table, the mask of its known places, and that of places off
    markers.
    """
    before, mapping = _seen(empty.picture, empty.pose, empty.light, empty.mat)
    kept = before, empty.known(mapping), _off_markers(_ground_mm(empty.mat), empty.mat).reshape(before.shape[1:])
    for one in kept:
        one.setflags(write=False)
    return kept


def _seen(shown: Picture, camera: Pose, white: Light, mat: Mat) -> tuple[Floats, Map]:
    """Returns (3, H, W), the logarithm of the picture over white paper, and the mask of the places that the picture
    shows.
    """
    width, height = _size(mat)
    mapping = rectifying_map(camera, (width, height), 0.0, _place_mm)
    paper = white.white(_ground_mm(mat)).reshape(height, width, 3)
    reflectance = LINEAR[rectified(shown, mapping)] / paper
    return np.log(reflectance + _FLOOR).transpose(2, 0, 1).astype(np.float32), mapping


def _size(mat: Mat) -> tuple[int, int]:
    return round(mat.width_mm / MM_PER_PX), round(mat.height_mm / MM_PER_PX)


def _place_mm(pixels: Floats) -> Floats:
    return (pixels + 0.5) * MM_PER_PX


@lru_cache(maxsize=2)
def _ground_mm(mat: Mat) -> Floats:
    """Returns (N, 2): the table place of each pixel in millimeters."""
    width, height = _size(mat)
    ys, xs = np.mgrid[0:height, 0:width]
    ground = _place_mm(np.column_stack([xs.ravel(), ys.ravel()]))
    ground.setflags(write=False)
    return ground


def _off_markers(ground_mm: Floats, mat: Mat) -> NDArray[np.bool_]:
    """Returns (N,): True for places (N, 2) that show the table itself instead of a marker."""
    away = np.abs(ground_mm[:, None] - np.array(mat.corners_mm())).max(axis=2)
    return np.asarray(away.min(axis=1) > mat.marker_mm)
