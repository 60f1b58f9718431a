"""ArUco markers in a picture: ids and refined corners.

Many bits a cell are sampled, because small tilted markers are misread otherwise; corners are refined to a fraction of
a pixel, since the whole table hangs on them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.plan import Mat
from vision.picture import Picture
from vision.pose import Floats, Pose
from vision.rectify import rectified, rectifying_map

Sightings = Mapping[int, tuple[NDArray[np.float64], ...]]
"""For each id that was seen, the corners (4, 2) in pixels of each sighting."""


_PATCH_CELLS = 16
"""Side of the patch in which a missed marker is looked for, in cells; a marker with its border has six."""
_PX_PER_CELL = 12.0


def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _parameters() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.perspectiveRemovePixelPerCell = 8
    return parameters


def find_markers(picture: Picture) -> Sightings:
    """Markers 0 to 3 in a picture; other ids are ignored.

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


def look_again(picture: Picture, pose: Pose, mat: Mat, ids: Iterable[int]) -> Sightings:
    """Look for markers where a pose expects them, in a patch seen from above; the first look missed them.

    The patch has a fixed scale, so thresholds fit a marker however small or large it is in the picture.
    """
    seen: dict[int, tuple[NDArray[np.float64], ...]] = {}
    size = round(_PATCH_CELLS * _PX_PER_CELL)
    scale_mm = mat.marker_mm / 6 / _PX_PER_CELL
    for i in ids:
        middle = np.array(mat.corners_mm()[i])

        def place(pixels: Floats, middle: Floats = middle) -> Floats:
            return (pixels - size / 2) * scale_mm + middle

        mapping = rectifying_map(pose, (size, size), 0.0, place)
        patch = cv2.cvtColor(rectified(picture, mapping), cv2.COLOR_BGR2GRAY)
        parameters = _parameters()
        parameters.adaptiveThreshWinSizeMin, parameters.adaptiveThreshWinSizeMax = 33, 93
        parameters.adaptiveThreshWinSizeStep = 30
        corners, found, _ = cv2.aruco.ArucoDetector(_dictionary(), parameters).detectMarkers(patch)
        if found is None:
            continue
        for corner, number in zip(corners, np.ravel(found), strict=True):
            if int(number) == i:
                flat = place(np.asarray(corner, dtype=np.float64).reshape(4, 2))
                pixels = pose.project(np.column_stack([flat, np.zeros(4)]))
                seen[i] = (*seen.get(i, ()), pixels)
    return seen


def looks_mirrored(picture: Picture) -> bool:
    """Whether at least two markers appear only when the picture is flipped: a camera that mirrors."""
    return len(find_markers(np.asarray(cv2.flip(picture, 1), np.uint8))) >= 2


def marker_cells(number: int) -> tuple[tuple[bool, ...], ...]:
    """The cells of marker `number` as printed, True where white: 4 x 4 in a black border, rows from the top."""
    image = cv2.aruco.generateImageMarker(_dictionary(), number, 6)
    return tuple(tuple(bool(cell) for cell in row) for row in np.asarray(image) > 127)
