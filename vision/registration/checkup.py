"""How good a picture of a table is, before a game depends on it: light, sharpness, markers.

Whites are measured at the markers, because they are the only things on a table whose white and black are known; without
markers the whole picture has to do.
"""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from vision.image.picture import Picture
from vision.registration.markers import find_markers, looks_mirrored
from vision.registration.sharpness import WIDE_PX, Sharpness, sharpness

CLIPPED = 252
"""From this gray level on nothing can be told from white."""
WHITE_LEAST = 90.0
"""Gray level of white paper below which colors cannot be told."""
WHITE_BLIND = 45.0
"""Gray level of white paper below which markers are missed."""
CLIPPED_MOST = 0.04
"""Share of the picture that may be brighter than the camera can say."""
CLIPPED_BLIND = 0.4
"""Share of the picture above which markers are missed."""
_BRIGHTEST = 99.5
"""Percentile of a picture's grays that is as bright as its white paper: four markers cover a hundredth of it."""


class TableHealth(Struct, frozen=True):
    """What was measured in one picture."""

    size_px: tuple[int, int]
    """Width and height."""
    white: float
    """Gray level 0 to 255 of white paper, or of the picture's bright parts where no marker is."""
    clipped: float
    """Share of pixels that are as bright as the sensor can say."""
    uneven: float
    """The brightest marker's white divided by the darkest one's; 1 without markers."""
    sharpness: Sharpness
    markers: tuple[int, ...]
    """Ids of the markers seen."""
    mirrored: bool
    """The picture is mirrored: markers appear only when it is flipped."""


class Fault(Struct, frozen=True):
    """Something that is wrong with a picture."""

    seen: str
    """A sentence on what was found."""
    advice: str
    """A sentence on what to do about it."""
    blinding: bool
    """True if this fault alone hides markers; otherwise another cause is possible, too."""


def checked(picture: Picture) -> TableHealth:
    """Measure a picture."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = find_markers(picture)
    mirrored = not found and looks_mirrored(picture)
    if mirrored:
        # Its markers are as good a measure as others, and only read the other way around.
        return structs.replace(checked(np.asarray(cv2.flip(picture, 1), np.uint8)), markers=(), mirrored=True)
    crops = [_crop(gray, corners) for sightings in found.values() for corners in sightings]
    whites = [float(np.percentile(crop, 90)) for crop in crops] or [float(np.percentile(gray, _BRIGHTEST))]
    return TableHealth(
        size_px=(gray.shape[1], gray.shape[0]),
        white=float(np.median(whites)),
        clipped=float(np.mean(gray >= CLIPPED)),
        uneven=max(whites) / max(1.0, min(whites)),
        sharpness=sharpness(picture, [corners for sightings in found.values() for corners in sightings]),
        markers=tuple(sorted(found)),
        mirrored=False,
    )


def light_fault(health: TableHealth) -> Fault | None:
    """Returns the fault of the light; None if the light is good."""
    if health.white < WHITE_LEAST:
        what = "white paper" if health.markers else "the brightest part"
        seen = f"Too dark: {what} has gray level {health.white:.0f} of 255."
        return Fault(seen, "Switch a lamp on.", health.white < WHITE_BLIND)
    if health.clipped > CLIPPED_MOST:
        seen = f"{health.clipped:.0%} of the picture is brighter than the camera can say."
        advice = "Move the lamp so that it is not mirrored, or lower the exposure."
        return Fault(seen, advice, health.clipped > CLIPPED_BLIND)
    return None


def blur_fault(health: TableHealth) -> Fault | None:
    """Returns the kind of blur; None if the picture is sharp."""
    narrow, wide = health.sharpness.narrow_px, health.sharpness.wide_px
    match health.sharpness.kind:
        case "sharp":
            return None
        case "shaken":
            seen = f"The picture is shaken: edges are {wide:.0f} pixels wide in one direction, {narrow:.0f} in others."
            advice = (
                "Fix the camera and the table so that they stand still, and give more light: then it exposes shorter."
            )
        case "unfocused":
            seen = f"The picture is out of focus: its sharpest edges are {narrow:.0f} pixels wide."
            advice = "Focus the camera on the table, or wipe its lens."
        case "either":
            seen = f"The picture is out of focus or shaken: its edges are {max(wide, WIDE_PX):.0f} pixels wide."
            advice = "Focus the camera on the table or wipe its lens, and see that it stands still in more light."
        case "unknown":
            seen = "The picture shows no edges."
            advice = "Take the cap off the lens, wipe it, and point it at the table."
    return Fault(seen, advice, True)


def _crop(gray: NDArray[np.uint8], corners: NDArray[np.float64]) -> NDArray[np.uint8]:
    """A marker with some of its white border."""
    low, high = corners.min(0), corners.max(0)
    margin = 0.15 * (high - low)
    x0, y0 = np.maximum(low - margin, 0).astype(int)
    x1, y1 = (high + margin).astype(int) + 1
    return gray[y0:y1, x0:x1]
