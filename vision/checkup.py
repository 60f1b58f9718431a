"""How good a picture of a table is, before a game depends on it: light, sharpness, markers.

Whites and edges are measured at the markers, because they are the only things on a table whose white, black and
straight sides are known; without markers the whole picture has to do.
"""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.markers import find_markers, looks_mirrored
from vision.picture import Picture

CLIPPED = 252
"""From this gray level on nothing can be told from white."""
BLOCKS = 6
"""Without markers, evenness is measured over so many by so many places."""


class TableHealth(Struct, frozen=True):
    """What was measured in one picture."""

    size_px: tuple[int, int]
    """Width and height."""
    white: float
    """Gray level 0 to 255 of white paper, or of the picture's bright parts where no marker is."""
    clipped: float
    """Share of pixels that are as bright as the sensor can say."""
    uneven: float
    """How many times brighter the brightest place is than the darkest one."""
    edge_px: float
    """Width of the sharpest edges: below 2 is sharp, above 5 is a blur, at 1280 pixels across."""
    markers: tuple[int, ...]
    """Ids of the markers seen."""
    mirrored: bool
    """The picture is mirrored: markers appear only when it is flipped."""


def checked(picture: Picture) -> TableHealth:
    """Measure a picture."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = find_markers(picture)
    crops = [_crop(gray, corners) for sightings in found.values() for corners in sightings]
    if crops:
        whites = [float(np.percentile(crop, 90)) for crop in crops]
        edge = float(np.median([_edge_px(crop) for crop in crops]))
    else:
        whites = [float(np.percentile(block, 90)) for block in _blocks(gray)]
        edge = _edge_px(gray)
    scale = gray.shape[1] / 1280
    return TableHealth(
        size_px=(gray.shape[1], gray.shape[0]),
        white=float(np.median(whites)),
        clipped=float(np.mean(gray >= CLIPPED)),
        uneven=max(whites) / max(1.0, min(whites)),
        edge_px=edge / scale,
        markers=tuple(sorted(found)),
        mirrored=not found and looks_mirrored(picture),
    )


def _crop(gray: NDArray[np.uint8], corners: NDArray[np.float64]) -> NDArray[np.uint8]:
    """A marker with some of its white border."""
    low, high = corners.min(0), corners.max(0)
    margin = 0.15 * (high - low)
    x0, y0 = np.maximum(low - margin, 0).astype(int)
    x1, y1 = (high + margin).astype(int) + 1
    return gray[y0:y1, x0:x1]


def _blocks(gray: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """The picture cut into places."""
    return [part for row in np.array_split(gray, BLOCKS, axis=0) for part in np.array_split(row, BLOCKS, axis=1)]


def _edge_px(gray: NDArray[np.uint8]) -> float:
    """Contrast over steepest slope: the pixels that the sharpest edges take from dark to bright."""
    dark, bright = np.percentile(gray, (5, 95))
    across = cv2.Sobel(gray, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(gray, cv2.CV_32F, 0, 1, scale=1 / 8)
    slope = float(np.percentile(cv2.magnitude(across, down), 98))
    return float(bright - dark) / max(slope, 0.1)
