"""Reads a Spectrangle board that locates the table by itself: its triangle gives the poses, its lattice selects one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from companion.core.foundation.errors import NoBoard
from companion.core.plan import Mat
from vision.image.picture import Picture
from vision.image.pose import Floats, Pose
from vision.readers.tiles.board_finder import WINDOWS_MM, BoardFit, LineOffsets, fit_board, line_offsets
from vision.readers.tiles.lattice import FLOOR_MM, RIM_MM, SIDE_MM, TILE_TOP_MM, Placement
from vision.readers.tiles.recognition import TileReading
from vision.readers.tiles.scene import read_scene
from vision.registration.registered_image import working
from vision.registration.unmarked import focal_lengths, poses_of_triangle, triangles, unmarked_table

_MAT = Mat(440.0, 400.0, 40.0)
"""The assumed mat around the board; any board lies in its middle."""
_MIDDLE = (_MAT.width_mm / 2, _MAT.height_mm / 2)
_TRIED = 8
"""The largest number of triangles of a picture that are tried."""
_NEAR_MM = (4.5,)
"""The search distance in millimeters of a first fit of the lattice."""
_CLOSER = 2
"""The number of likeliest triangles that are also tried with other lenses."""
_REFINED = 6
"""The largest number of poses that are refined."""
_LEAST, _FOREIGN = 1e-3, 0.3
"""The least confidence that counts, and the doubt in a cell that holds something foreign."""
_PLAIN = 0.7
"""A reading with less doubt ends the search."""
_REACHES_MM = (9.0, 6.0, 4.0, 3.0, 2.2)
_CLOSE_MM = (3.0, 2.2)
_DELTAS = np.array([1e-4, 1e-4, 1e-4, 0.3, 0.3, 0.3, 1e-3])
_PULL = np.array([1e-3, 1e-3, 1e-3, 1e-7, 1e-7, 1e-7, 40.0])
"""The weak regularization of the steps; the last entry pulls toward the usual lens, in squared millimeters."""
_ENOUGH = 1.0
"""The least agreement; boards of the open pictures reach at least 1.24."""


def read_unmarked_tiles(picture: Picture) -> TileReading:
    """Reads the board of a photograph without markers.

    Raises:
        NoBoard: No triangle with a board's lattice is seen.
    """
    small, factor = working(picture)
    start = Placement(*_MIDDLE, 90.0)
    best: tuple[float, TileReading] | None = None
    seen = False
    for pose, outline in _poses(small, start):
        refined = _refined(small, pose, start)
        for where, windows_mm in ((refined, _CLOSE_MM), (pose, WINDOWS_MM)):
            fit = fit_board(small, where, start, windows_mm)
            if _agreement(fit) < _ENOUGH:
                continue
            seen = True
            table = unmarked_table(small, factor, _MAT, where, outline)
            reading = TileReading(table, read_scene(table, fit, loose=False))
            doubt = _doubt(reading)
            if best is None or doubt < best[0]:
                best = doubt, reading
        if best is not None and best[0] < _PLAIN:
            break
    if not seen or best is None:
        raise NoBoard("No Spectrangle board is seen. Take the photo from above, with the whole board in it.")
    return best[1]


def _poses(small: Picture, start: Placement) -> list[tuple[Pose, Floats]]:
    """Returns poses in which a triangle of the picture has a board's lines, the likeliest first, with the triangle."""
    size_px = (small.shape[1], small.shape[0])
    side_mm = SIDE_MM + 2 * RIM_MM * math.sqrt(3)
    usual, *others = focal_lengths(size_px)

    def looks(outlines: Sequence[Floats], focal_px: float) -> list[tuple[float, Pose, Floats]]:
        return [
            (_agreement(fit_board(small, pose, start, _NEAR_MM)), pose, outline)
            for outline in outlines
            for pose in poses_of_triangle(outline, side_mm, TILE_TOP_MM, _MIDDLE, size_px, focal_px)
        ]

    first = sorted(looks(triangles(small)[:_TRIED], usual), key=lambda one: -one[0])
    outlines = list({id(outline): outline for _, _, outline in first}.values())[:_CLOSER]
    more = [look for focal_px in others for look in looks(outlines, focal_px)]
    found = sorted([*first, *more], key=lambda one: -one[0])
    return [(pose, outline) for _, pose, outline in found[:_REFINED]]


def _doubt(reading: TileReading) -> float:
    """Returns the evidence of a reading against its pose: cells that look like no tile, or like several."""
    cells = reading.scene.board.cells
    unsure = -sum(math.log(max(cell.joint.confidence, _LEAST)) for cell in cells)
    return unsure + _FOREIGN * sum(bool(cell.foreign) for cell in cells)


def _agreement(fit: BoardFit) -> float:
    """Returns a score to compare poses: the lattice distinguishes them, and a tray has three sides."""
    return min(fit.rim) + 3 * fit.lattice


def _refined(small: Picture, pose: Pose, placement: Placement) -> Pose:
    """Returns the pose and lens for which the lines of the board agree best with the picture."""
    for reach_mm in _REACHES_MM:
        seen = line_offsets(small, pose, placement, reach_mm)
        there = placement.to_table(seen.middle + seen.normal * seen.offset[:, None])
        pixels = pose.project(np.column_stack([there, seen.z_mm]))
        parameters = np.array([*pose.rvec, *pose.tvec, 0.0])

        def residuals(p: Floats, pose: Pose = pose, seen: LineOffsets = seen, pixels: Floats = pixels) -> Floats:
            moved = _moved(pose, p)
            found = np.empty((len(pixels), 2))
            for z_mm in (TILE_TOP_MM, FLOOR_MM):
                mine = seen.z_mm == z_mm
                found[mine] = moved.unproject(pixels[mine], z_mm)
            return np.asarray(((placement.to_board(found) - seen.middle) * seen.normal).sum(1))

        for _ in range(3):
            now = residuals(parameters)
            scale = max(1.5 * float(np.median(np.abs(now))), 0.3)
            weight = seen.weight / (1 + (now / scale) ** 2)
            slopes = np.column_stack(
                [(residuals(parameters + step) - now) / step[k] for k, step in enumerate(np.diag(_DELTAS))]
            )
            normal = slopes.T @ (slopes * weight[:, None]) + np.diag(_PULL)
            pull = np.zeros(7)
            pull[6] = _PULL[6] * parameters[6]
            parameters = parameters - np.linalg.solve(normal, slopes.T @ (now * weight) + pull)
        pose = _moved(pose, parameters)
    return pose


def _moved(pose: Pose, p: Floats) -> Pose:
    a, b, c, x, y, z, wider = (float(value) for value in p)
    return replace(pose, rvec=(a, b, c), tvec=(x, y, z), focal_px=pose.focal_px * math.exp(wider))
