"""Locates the table in a photograph without markers, from a board or a sheet whose shape is known.

A triangle of known sides in a picture, seen by a lens of a usual angle, has few poses (`cv2.solveP3P`); a circle is an
ellipse, whose axis and middle show the tilt. The content of the shape distinguishes the poses, so the readers' own fits
choose: this module proposes tables, the likeliest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.plan import Mat, Point
from vision.image.light import LINEAR, Light, light_from_markers
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.registration.mat_shape import find_shaped
from vision.registration.pose_estimate import usual_lens
from vision.registration.registered_image import RegisteredImage

AROUND_MM = 700.0
"""The distance in millimeters around the sheet to which the table is read, if the picture shows it."""
_SMALL_MM = 5.0
"""The nominal size of the markers in millimeters: a mat needs one, although no markers lie there."""


class SheetTable(NamedTuple):
    """A table located by a sheet."""

    table: RegisteredImage
    """All of the table that is in the picture and near the sheet."""
    remarks: tuple[str, ...]


def find_by_sheet(picture: Picture, size_mm: tuple[float, float], corners_px: Sequence[Point]) -> SheetTable:
    """Locates a table by a sheet that lies on it.

    Args:
        picture: (H, W, 3) BGR.
        size_mm: The lengths of the sheet's sides.
        corners_px: The sheet's corners, clockwise. The first side is as long as the first length.

    Raises:
        NoTable: No sheet of nearly this shape has these corners.
    """
    sheet = Mat(*size_mm, marker_mm=_SMALL_MM)
    placed, remark = find_shaped(picture, sheet, corners_px)
    width, height = placed.pose.size_px
    middle = np.array([sheet.width_mm, sheet.height_mm]) / 2
    border = [(x * width, y * height) for x in (0.02, 0.5, 0.98) for y in (0.15, 0.5, 0.98)]
    seen = [at for at in placed.pose.unproject(np.array(border)) if np.isfinite(at).all()]
    near = np.clip(np.array([*seen, *np.array(sheet.corners_mm())]), middle - AROUND_MM, middle + AROUND_MM)
    low, high = near.min(axis=0), near.max(axis=0)
    mat = Mat(float(high[0] - low[0]), float(high[1] - low[1]), marker_mm=_SMALL_MM)
    pose = placed.pose.in_frame(np.eye(3), np.array([low[0], low[1], 0.0]))
    light = light_from_markers(placed.picture, pose, mat, {})
    table = RegisteredImage(placed.picture, placed.factor, mat, pose, light, ())
    where = f"Places are measured from {-low[0]:.0f} mm left of the sheet's first corner and {-low[1]:.0f} mm above it."
    shape = () if remark is None else (remark.replace("The mat is", "The sheet is").split(" Measure")[0],)
    return SheetTable(table, (*shape, where))


Floats = NDArray[Any]

_SMALL_PX = 640
"""The width in pixels of the picture in which shapes are searched."""
_LEAST, _MOST = 0.01, 0.6
"""The least and the largest share of the picture that a board covers."""
_FILLS = 0.93
"""A region is a triangle if it fills at least this share of the smallest triangle around it."""
_ROUND = 0.02
"""The largest distance of an outline's points from an ellipse, relative to its radii."""


def triangles(picture: Picture) -> list[Floats]:
    """Returns the corners (3, 2) in pixels of the triangles in a picture, clockwise, the fullest first."""
    scale = min(1.0, _SMALL_PX / max(picture.shape[:2]))
    small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    found: list[tuple[float, Floats]] = []
    for contour in _outlines(small):
        hull = cv2.convexHull(contour).astype(np.float32)
        area, corners = cv2.minEnclosingTriangle(hull)
        share = cv2.contourArea(hull) / max(float(area), 1e-6)
        low, high = hull.min(axis=(0, 1)), hull.max(axis=(0, 1))
        inside = corners is not None and bool(
            (low > 2).all() and high[0] < small.shape[1] - 3 and high[1] < small.shape[0] - 3
        )
        if share > _FILLS and inside:
            found.append((share, _straight(hull.reshape(-1, 2), corners.reshape(3, 2))))
    # Of two of one shape the larger one is the tray's outer edge.
    found.sort(key=lambda one: -one[0])
    kept: list[Floats] = []
    for _, corners in found:
        if all(_apart(corners, other) > _SAME * np.ptp(corners, axis=0).max() for other in kept):
            kept.append(corners)
    return [(corners + 0.5) / scale - 0.5 for corners in kept]


_SAME = 0.012
"""Triangles are the same if their corners differ by less than this share of their size."""


def _apart(one: Floats, other: Floats) -> float:
    return max(float(np.linalg.norm(other - corner, axis=1).min()) for corner in one)


def _outlines(small: Picture) -> Iterator[Floats]:
    """Yields outlines of regions that differ from the picture's border, by several thresholds and by closed edges."""
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.2), cv2.COLOR_BGR2LAB), dtype=np.float32)
    border = np.concatenate(
        [lab[:12].reshape(-1, 3), lab[-12:].reshape(-1, 3), lab[:, :12].reshape(-1, 3), lab[:, -12:].reshape(-1, 3)]
    )
    away = np.linalg.norm(lab - np.median(border, axis=0), axis=2)
    masks = [away > level for level in (8.0, 14.0, 22.0, 34.0, 50.0)]
    masks += [lab[..., 0] < level for level in (50, 70, 90, 110, 130)] + [
        lab[..., 0] > level for level in (90, 120, 150, 180)
    ]
    gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    for blur, low in ((1.0, 20), (1.6, 15), (2.4, 10)):
        edges = cv2.Canny(cv2.GaussianBlur(gray, (0, 0), blur), low, 3 * low)
        masks.append(cv2.dilate(edges, np.ones((3, 3), np.uint8)) > 0)
    total = small.shape[0] * small.shape[1]
    for mask in masks:
        for wide in (1, 5):
            closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((wide, wide), np.uint8))
            opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
            for shape in {id(closed): closed, id(opened): opened}.values():
                for contour in cv2.findContours(shape, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)[0]:
                    if _LEAST * total < cv2.contourArea(cv2.convexHull(contour)) < _MOST * total:
                        yield contour


def _straight(hull: Floats, corners: Floats) -> Floats:
    """Returns the corners at which lines through the middle parts of the sides meet, since a tray's corners are
    rounded.
    """
    lines = []
    for k in range(3):
        a, b = corners[k], corners[(k + 1) % 3]
        along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-6)
        length = float(np.linalg.norm(b - a))
        dense = np.concatenate(
            [hull + (np.roll(hull, -1, axis=0) - hull) * t for t in np.linspace(0, 1, 40, endpoint=False)]
        )
        off = (dense - a) @ np.array([-along[1], along[0]])
        at = (dense - a) @ along
        near = dense[(np.abs(off) < 0.03 * length) & (at > 0.15 * length) & (at < 0.85 * length)]
        if len(near) < 5:
            lines.append((a, along))
            continue
        vx, vy, x, y = (float(v) for v in np.ravel(cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)))
        lines.append((np.array([x, y]), np.array([vx, vy])))
    found = []
    for k in range(3):
        (p, d), (q, e) = lines[k - 1], lines[k]
        matrix = np.column_stack([d, -e])
        if abs(float(np.linalg.det(matrix))) < 1e-6:
            return np.asarray(corners, dtype=np.float64)
        t = np.linalg.solve(matrix, q - p)[0]
        found.append(p + t * d)
    return np.array(found, dtype=np.float64)


def ellipses(picture: Picture) -> list[Floats]:
    """Returns conics (3, 3) in pixels of the ellipses in a picture that are larger than a hand, the roundest first."""
    scale = min(1.0, _SMALL_PX / max(picture.shape[:2]))
    small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    found: list[tuple[float, tuple[float, ...]]] = []
    for contour in _outlines(small):
        hull = cv2.convexHull(contour).reshape(-1, 2).astype(np.float32)
        dense = _dense(hull)
        (x, y), (a, b), turn = cv2.fitEllipseDirect(dense.astype(np.float32))
        if min(a, b) < 40 or max(a, b) > 1.2 * max(small.shape[:2]):
            continue
        angle = np.radians(turn)
        off = (dense - (x, y)) @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        away = np.hypot(off[:, 0] / (a / 2), off[:, 1] / (b / 2))
        wrong = float(np.abs(away - 1).mean())
        if wrong < _ROUND:
            found.append((wrong, (x, y, a / 2, b / 2, angle)))
    found.sort(key=lambda one: one[0])
    kept: list[tuple[float, ...]] = []
    for _, one in found:
        if all(max(abs(p - q) for p, q in zip(one[:4], other[:4], strict=True)) > 0.02 * other[2] for other in kept):
            kept.append(one)
    return [
        _conic((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5, a / scale, b / scale, angle)
        for x, y, a, b, angle in kept
    ]


def _dense(hull: Floats) -> Floats:
    """Returns points along a hull, evenly."""
    sides = np.roll(hull, -1, axis=0) - hull
    return np.concatenate([hull + sides * t for t in np.linspace(0, 1, 8, endpoint=False)])


def _conic(x: float, y: float, a: float, b: float, angle: float) -> Floats:
    cos, sin = np.cos(angle), np.sin(angle)
    place = np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]])
    inverse = np.linalg.inv(place)
    return np.asarray(inverse.T @ np.diag([1 / a**2, 1 / b**2, -1]) @ inverse)


def poses_of_circle(
    conic_px: Floats,
    radius_mm: float,
    z_mm: float,
    middle_mm: tuple[float, float],
    size_px: tuple[int, int],
    focal_px: float,
) -> list[Pose]:
    """Returns the two poses in which a circle at a height over the table looks like this ellipse, from above it."""
    width, height = size_px
    matrix = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
    values, vectors = np.linalg.eigh(matrix.T @ conic_px @ matrix)
    if (values < 0).sum() == 2:
        values, vectors = -values, vectors
    order = [2, 1, 0] if values[0] < 0 else [1, 0, 2]
    (one, two, three), axes = values[order], vectors[:, order]
    if not one >= two > 0 > three:
        return []
    steep, flat = np.sqrt((one - two) / (one - three)), np.sqrt((two - three) / (one - three))
    away = radius_mm * two / np.sqrt(-one * three)
    poses = []
    for side in (1.0, -1.0):
        normal = axes @ np.array([side * steep, 0.0, -flat])
        middle = away * (axes @ np.array([side * three / two * steep, 0.0, -one / two * flat]))
        if middle[2] < 0:
            middle, normal = -middle, -normal
        if normal @ middle > 0:
            normal = -normal
        right = np.cross([0.0, 1.0, 0.0], -normal)
        right /= np.linalg.norm(right)
        rotation = np.column_stack([right, np.cross(-normal, right), -normal])
        moved = middle - rotation @ np.array([*middle_mm, -z_mm])
        r = tuple(float(v) for v in np.ravel(cv2.Rodrigues(rotation)[0]))
        pose = Pose(
            size_px, focal_px, 0.0, (r[0], r[1], r[2]), (float(moved[0]), float(moved[1]), float(moved[2])), 1.0
        )
        if pose.eye_mm()[2] > 100:
            poses.append(pose)
    return poses


def poses_of_triangle(
    corners_px: Floats,
    side_mm: float,
    z_mm: float,
    middle_mm: tuple[float, float],
    size_px: tuple[int, int],
    focal_px: float,
) -> list[Pose]:
    """Returns poses in which an equilateral triangle at a height over the table looks like this, from above it."""
    reach = side_mm / np.sqrt(3.0)
    ordered = corners_px if _clockwise(corners_px) else corners_px[::-1]
    angles = np.radians([-90, 30, 150])
    points = np.column_stack(
        [middle_mm[0] + reach * np.cos(angles), middle_mm[1] + reach * np.sin(angles), np.full(3, -z_mm)]
    )
    width, height = size_px
    matrix = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
    count, rvecs, tvecs = cv2.solveP3P(
        points.reshape(3, 1, 3), ordered.reshape(3, 1, 2).astype(np.float64), matrix, None, cv2.SOLVEPNP_P3P
    )
    poses = []
    for rvec, tvec in zip(rvecs[:count], tvecs[:count], strict=True):
        r, t = (tuple(float(v) for v in np.ravel(vector)) for vector in (rvec, tvec))
        pose = Pose(size_px, focal_px, 0.0, (r[0], r[1], r[2]), (t[0], t[1], t[2]), 1.0)
        if pose.eye_mm()[2] > 100:
            poses.append(pose)
    return poses


def _clockwise(corners: Floats) -> bool:
    (ax, ay), (bx, by), (cx, cy) = corners
    return bool((bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0)


def light_by_white(picture: Picture, pose: Pose, mat: Mat, outline_px: Floats) -> Light:
    """Returns the light estimated from the whitest things within an outline: digits, numbers, stars, paper."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(outline_px).astype(np.int32)], 1)
    seen = picture[mask > 0]
    seen = seen[seen.max(axis=1) < _BURNT]
    if len(seen) < 100:
        seen = picture.reshape(-1, 3)
    least = seen.min(axis=1)
    white = LINEAR[np.median(seen[least >= np.quantile(least, 0.985)], axis=0).astype(np.uint8)]
    b, g, r = (float(v) for v in np.log(np.maximum(white, 0.02)))
    return Light((mat.width_mm / 2, mat.height_mm / 2), (b, g, r), 0.0, 0.0, ())


_BURNT = 252


def unmarked_table(picture: Picture, factor: float, mat: Mat, pose: Pose, outline_px: Floats) -> RegisteredImage:
    """Returns a table that was located by the things on it."""
    return RegisteredImage(picture, factor, mat, pose, light_by_white(picture, pose, mat, outline_px), ())


def focal_lengths(size_px: tuple[int, int]) -> Sequence[float]:
    """Returns the focal lengths of usual lenses in pixels, the most usual first."""
    usual = usual_lens(size_px).focal_px
    return (usual, usual * 1.25, usual * 0.82)
