"""Finds ArUco markers in a picture: their ids and refined corners.

Many bits per cell are sampled, because small tilted markers are misread otherwise; corners are refined to a fraction of
a pixel, since the pose of the whole table depends on them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.plan import Mat
from vision.image.picture import Picture
from vision.image.pose import Floats, Pose, rectified, rectifying_map

Sightings = Mapping[int, tuple[NDArray[np.float64], ...]]
"""For each id that was seen, the corners (4, 2) in pixels of each sighting."""

ENOUGH_MARKERS = 2
"""The least number of markers, each seen exactly once, that locate a table."""
NEAR_CELLS, FAR_CELLS = (16,), (22, 26)
"""The sides in cells of the patches in which a missed marker is searched, one after the other; a marker with its border
has six. A pose from two markers at one side of the mat is 40 mm off at the other.
"""
_PX_PER_CELL = 12.0


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _parameters() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.perspectiveRemovePixelPerCell = 8
    return parameters


def find_markers(picture: Picture) -> Sightings:
    """Returns markers 0 to 3 in a picture; other ids are ignored.

    Corners go clockwise from the marker's own top left.
    """
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    corners, ids, _ = cv2.aruco.ArucoDetector(_dictionary(), _parameters()).detectMarkers(gray)
    seen: dict[int, list[NDArray[np.float64]]] = defaultdict(list)
    if ids is not None:
        for corner, i in zip(corners, np.ravel(ids), strict=True):
            if 0 <= int(i) <= 3:
                seen[int(i)].append(np.asarray(corner, dtype=np.float64).reshape(4, 2))
    return {i: tuple(found) for i, found in sorted(seen.items())}


def markers_seen_once(picture: Picture) -> dict[int, NDArray[np.float64]]:
    """Returns the corners (4, 2) in pixels of each marker that is seen exactly once, by id."""
    return {number: seen[0] for number, seen in find_markers(picture).items() if len(seen) == 1}


def look_again(
    picture: Picture, pose: Pose, mat: Mat, ids: Iterable[int], patches_cells: Sequence[int] = NEAR_CELLS
) -> Sightings:
    """Searches missed markers where a pose expects them, in a patch seen from above.

    The patch has a fixed scale, so thresholds fit a marker however small or large it is in the picture.
    """
    seen: dict[int, tuple[NDArray[np.float64], ...]] = {}
    for i in ids:
        for cells in patches_cells:
            found = _in_patch(picture, pose, mat, i, cells)
            if found:
                seen[i] = found
                break
    return seen


def _in_patch(picture: Picture, pose: Pose, mat: Mat, number: int, cells: int) -> tuple[NDArray[np.float64], ...]:
    """Returns the corners (4, 2) of each sighting of a marker in a patch around its expected place."""
    patch, place = marker_patch(picture, pose, mat, number, cells, _PX_PER_CELL)
    parameters = _parameters()
    parameters.adaptiveThreshWinSizeMin, parameters.adaptiveThreshWinSizeMax = 33, 93
    parameters.adaptiveThreshWinSizeStep = 30
    corners, found, _ = cv2.aruco.ArucoDetector(_dictionary(), parameters).detectMarkers(patch)
    if found is None:
        return ()
    mine = [corner for corner, i in zip(corners, np.ravel(found), strict=True) if int(i) == number]
    flat = [place(np.asarray(corner, dtype=np.float64).reshape(4, 2)) for corner in mine]
    return tuple(pose.project(np.column_stack([one, np.zeros(4)])) for one in flat)


def marker_patch(
    picture: Picture, pose: Pose, mat: Mat, number: int, cells: int, px_per_cell: float
) -> tuple[NDArray[np.uint8], Callable[[Floats], Floats]]:
    """Returns the gray patch (S, S) of a marker's place from above, and the map from its pixels to the table in mm.

    Args:
        cells: The number of a marker's cells across the patch; a marker itself has six.
    """
    size = round(cells * px_per_cell)
    scale_mm = mat.marker_mm / 6 / px_per_cell
    middle = np.array(mat.corners_mm()[number])

    def place(pixels: Floats) -> Floats:
        return np.asarray((pixels - size / 2) * scale_mm + middle)

    patch = cv2.cvtColor(rectified(picture, rectifying_map(pose, (size, size), 0.0, place)), cv2.COLOR_BGR2GRAY)
    return np.asarray(patch, np.uint8), place


def looks_mirrored(picture: Picture) -> bool:
    """True if at least two markers appear only when the picture is flipped: a camera that mirrors."""
    return len(find_markers(np.asarray(cv2.flip(picture, 1), np.uint8))) >= 2


def marker_cells(number: int) -> tuple[tuple[bool, ...], ...]:
    """Returns the cells of marker `number` as printed, True where white: 4 x 4 in a black border, rows from the top."""
    image = cv2.aruco.generateImageMarker(_dictionary(), number, 6)
    return tuple(tuple(bool(cell) for cell in row) for row in np.asarray(image) > 127)
