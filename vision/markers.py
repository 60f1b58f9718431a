"""ArUco markers in a picture: ids and refined corners.

Many bits a cell are sampled, because small tilted markers are misread otherwise; corners are refined to a fraction of
a pixel, since the whole table hangs on them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""(H, W, 3), BGR."""
Sightings = Mapping[int, tuple[NDArray[np.float64], ...]]
"""For each id that was seen, the corners (4, 2) in pixels of each sighting."""


def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.perspectiveRemovePixelPerCell = 8
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)


def find_markers(picture: Picture) -> Sightings:
    """Markers 0 to 3 in a picture; other ids are ignored.

    Corners go clockwise from the marker's own top left.
    """
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    corners, ids, _ = _detector().detectMarkers(gray)
    seen: dict[int, list[NDArray[np.float64]]] = defaultdict(list)
    if ids is not None:
        for corner, i in zip(corners, np.ravel(ids), strict=True):
            if 0 <= int(i) <= 3:
                seen[int(i)].append(np.asarray(corner, dtype=np.float64).reshape(4, 2))
    return {i: tuple(found) for i, found in sorted(seen.items())}


def looks_mirrored(picture: Picture) -> bool:
    """Whether at least two markers appear only when the picture is flipped: a camera that mirrors."""
    return len(find_markers(cv2.flip(picture, 1))) >= 2


def marker_cells(number: int) -> tuple[tuple[bool, ...], ...]:
    """The cells of marker `number` as printed, True where white: 4 x 4 in a black border, rows from the top."""
    image = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 6)
    return tuple(tuple(bool(cell) for cell in row) for row in np.asarray(image) > 127)
