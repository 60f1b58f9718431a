"""A picture with the located table, with which every reader of pieces begins."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from companion.core.foundation.errors import NoTable, WrongTable
from companion.core.plan import Mat, Point
from vision.calibration.calibration import Calibration
from vision.calibration.drift import same_table
from vision.image.light import Light, light_from_markers
from vision.image.likeness import SHRINK, Mask, glance_of, unchanged
from vision.image.picture import Picture
from vision.image.pose import Floats, Map, Pose
from vision.registration.diagnosis import why_unplaced
from vision.registration.markers import FAR_CELLS, Sightings, find_markers, look_again
from vision.registration.pose_estimate import (
    Lens,
    PoseEstimate,
    center_px,
    estimate_from_corners,
    estimate_from_markers,
    known_lens,
)

WORKING_SIDE_PX = 1600
"""The longer side in pixels to which larger pictures are reduced: pieces still have ample pixels, and time stays
bounded.
"""

_ENOUGH = 3
"""With fewer markers the pose is so inaccurate that the others are searched in a larger area, too."""


class RegisteredImage(Struct, frozen=True):
    """One picture, its pose and its light. Pixels are those of `picture`, `factor` times the original's."""

    picture: Picture
    factor: float
    mat: Mat
    pose: Pose
    light: Light
    markers: tuple[int, ...]
    """The ids that were found and agree with the pose."""
    moved: tuple[int, ...] = ()
    """The ids that were found elsewhere than at the mat's corners."""
    calibration: Calibration | None = None
    """The calibration of this table."""

    def original_px(self, points_px: Floats) -> tuple[Point, ...]:
        """Returns pixels (N, 2) of `picture` in the original."""
        points = (np.asarray(points_px).reshape(-1, 2) + 0.5) / self.factor - 0.5
        return tuple((float(x), float(y)) for x, y in points)

    def corners_px(self) -> tuple[Point, Point, Point, Point]:
        """Returns the centers of markers 0 to 3 in the original picture."""
        flat = np.column_stack([np.array(self.mat.corners_mm()), np.zeros(4)])
        a, b, c, d = self.original_px(self.pose.project(flat))
        return a, b, c, d


def working(picture: Picture) -> tuple[Picture, float]:
    """Returns the picture at the size that is worked on, and the factor to it."""
    side = max(picture.shape[:2])
    if side <= WORKING_SIDE_PX:
        return picture, 1.0
    factor = WORKING_SIDE_PX / side
    size = round(picture.shape[1] * factor), round(picture.shape[0] * factor)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8), factor


def find_table(
    picture: Picture,
    mat: Mat,
    corners_px: Sequence[Point] | None = None,
    before: RegisteredImage | None = None,
    calibration: Calibration | None = None,
) -> RegisteredImage:
    """Locates the table in a picture.

    Args:
        corners_px: Centers of markers 0 to 3 as a person clicked them; then no marker is needed.
        before: The table in an earlier picture of the same camera; its pose is kept while the markers agree with it, so
            that a hand over one of them has no effect.
        calibration: The calibration of this table; as long as the camera stands where it stood, its pose is kept, and
            the lens is known anyway.

    Raises:
        NoTable: It cannot be placed; the message has the observation and the advice.
        WrongTable: It is not the table of the calibration.
    """
    small, factor = working(picture)
    size_px = (small.shape[1], small.shape[0])
    seen = find_markers(small)
    fresh = before is None
    if calibration is not None:
        if calibration.mat != mat:
            raise WrongTable(_other_mat(calibration.mat, mat))
        before = before or _as_calibrated(calibration, small, factor)
    if before is not None and before.pose.size_px == size_px and before.mat == mat and _still(seen, before):
        near = agreeing(seen, before.pose, mat, tuple(seen))
        light = light_from_markers(small, before.pose, mat, near) if near else before.light
        table = RegisteredImage(small, factor, mat, before.pose, light, tuple(near), calibration=calibration)
        return _checked(table) if fresh else table
    lens = None if calibration is None else _lens(calibration, size_px)
    if corners_px is not None:
        clicks = [((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5) for x, y in corners_px]
        estimate = estimate_from_corners(clicks, mat, size_px, seen, lens)
    else:
        try:
            estimate, seen = _from_markers(small, seen, mat, lens)
        except NoTable as error:
            raise NoTable(f"{error} {why_unplaced(small, seen, mat, lens)}") from None
    light = light_from_markers(small, estimate.pose, mat, agreeing(seen, estimate.pose, mat, estimate.used))
    return _checked(
        RegisteredImage(small, factor, mat, estimate.pose, light, estimate.used, estimate.moved, calibration)
    )


def _as_calibrated(calibration: Calibration, small: Picture, factor: float) -> RegisteredImage | None:
    """Returns the table as a calibration saw it; None if the picture has another shape."""
    empty = calibration.empty
    width, height = small.shape[1], small.shape[0]
    scale = width / empty.pose.size_px[0]
    if abs(height - empty.pose.size_px[1] * scale) > 1:
        return None
    pose = structs.replace(empty.pose.scaled(scale), size_px=(width, height))
    return RegisteredImage(small, factor, empty.mat, pose, empty.light, (0, 1, 2, 3))


def _lens(calibration: Calibration, size_px: tuple[int, int]) -> Lens:
    pose = calibration.empty.pose
    return known_lens(pose.scaled(max(size_px) / max(pose.size_px)))


def _other_mat(known: Mat, mat: Mat) -> str:
    return (
        f"The calibration was made for a {known.width_mm:g} x {known.height_mm:g} mm mat with {known.marker_mm:g} mm "
        f"markers, not for {mat.width_mm:g} x {mat.height_mm:g} mm with {mat.marker_mm:g} mm. Calibrate it again."
    )


def _checked(table: RegisteredImage) -> RegisteredImage:
    """Returns the table, unless it is plainly not the one that was shown empty. Under cards most of it may be hidden.

    Raises:
        WrongTable: It is not.
    """
    known = table.calibration
    if (
        known is not None
        and known.domain != "cards"
        and not same_table(table.picture, table.pose, table.light, known.empty)
    ):
        raise WrongTable(
            "This table does not look like the one that was shown empty. Clear it and calibrate it anew, or choose "
            "the calibration that belongs to it."
        )
    return table


def _from_markers(
    small: Picture, seen: Sightings, mat: Mat, lens: Lens | None = None
) -> tuple[PoseEstimate, Sightings]:
    """Returns the pose, searching further markers where the pose so far expects them."""
    size_px = (small.shape[1], small.shape[0])
    estimate = estimate_from_markers(seen, mat, size_px, lens)
    while missing := [i for i in range(4) if i not in seen]:
        more = look_again(small, estimate.pose, mat, missing)
        if not more and len(seen) < _ENOUGH:
            more = look_again(small, estimate.pose, mat, missing, FAR_CELLS)
        if not more:
            break
        seen = {**seen, **more}
        estimate = estimate_from_markers(seen, mat, size_px, lens)
    return estimate, seen


def _still(seen: Sightings, before: RegisteredImage) -> bool:
    """Returns true if there is no sign that the camera or the mat moved since `before`."""
    limit_px = 1.5 * max(before.pose.size_px) / 1280
    flat = np.column_stack([np.array(before.mat.corners_mm()), np.zeros(4)])
    expected = before.pose.project(flat)
    off = [min(float(np.hypot(*(center_px(c) - expected[i]))) for c in found) for i, found in seen.items()]
    return len(seen) <= len(before.markers) and all(distance < limit_px for distance in off)


def agreeing(seen: Sightings, pose: Pose, mat: Mat, ids: Sequence[int]) -> dict[int, NDArray[np.float64]]:
    """Returns for each id the sighting that lies where the pose has it."""
    flat = np.column_stack([np.array(mat.corners_mm()), np.zeros(4)])
    expected = pose.project(flat)
    return {i: min(seen[i], key=lambda c: float(np.hypot(*(center_px(c) - expected[i])))) for i in ids if i in seen}


def free_table(table: RegisteredImage) -> Mask | None:
    """Returns (h, w) with 1 where a picture, at a quarter of its size, shows the empty table; None if that is
    unknown.
    """
    if table.calibration is None:
        return None
    empty = table.calibration.empty
    before = glance_of(empty.picture, empty.pose)
    return unchanged(before, glance_of(table.picture, table.pose), np.array(table.mat.corners_mm()))


def free_on(free: Mask, mapping: Map) -> NDArray[np.bool_]:
    """Returns (H, W): the mask `free` on a patch of a plane, whose pixels `mapping` (H, W, 2) maps to the picture."""
    small = ((mapping + 0.5) / SHRINK - 0.5).astype(np.float32)
    seen = cv2.remap(
        free, small[..., 0], small[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=0
    )
    return np.asarray(seen > 0)
