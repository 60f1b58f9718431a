"""Explains why a table cannot be placed in a picture, or why a marker is not seen, and what to do.

Each cause is looked for in the picture. If two causes fit, both are named.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.core.plan import Mat
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.registration.checkup import CLIPPED, TableHealth, blur_fault, checked, light_fault
from vision.registration.markers import Sightings, marker_patch
from vision.registration.misplaced import why_misplaced
from vision.registration.pose_estimate import Lens

BY_HAND = "The four corners can also be given by hand."
_CELLS = 8
"""A marker's place is looked at with one cell of its white rim at each side."""
_PX_PER_CELL = 6
"""The pixels of each cell."""
_GLARE = 0.5
"""Share of a marker's place that a lamp outshines when it is mirrored there."""
_INK = 0.15
"""Share of a marker's place that is dark if its ink can be seen; half of it is black."""
_DARK = 0.6
"""Ink is darker than this share of the place's white."""


def why_unplaced(picture: Picture, seen: Sightings, mat: Mat, lens: Lens | None) -> str:
    """Returns sentences that say why no table was found, and what to do.

    :param picture: the picture in which the table was looked for, (H, W, 3) BGR.
    :param seen: the markers that were found in it.
    :param lens: what is known of the camera; None: a usual webcam.
    """
    health = checked(picture)
    if health.mirrored:
        return "The picture is mirrored: the markers read only when it is flipped. Turn mirroring off in the camera."
    sentences, blinding = _faults(health)
    if len(seen) >= 2:
        if not blinding:
            sentences.append(why_misplaced(seen, mat, (picture.shape[1], picture.shape[0]), lens))
    elif not blinding:
        if seen:
            sentences.append(f"Not seen: {_which([i for i in range(4) if i not in seen])}.")
        sentences.append(
            "They are covered, out of the picture, not printed, or a lamp is mirrored in them: "
            "uncover them, bring them into the picture, or print them with `companion mat`."
        )
    return " ".join((*sentences, BY_HAND))


def why_missing(picture: Picture, pose: Pose, mat: Mat, missing: Sequence[int]) -> str:
    """Returns sentences that say why markers are not seen on a table that was placed without them, and what to do.

    :param pose: where the table is in the picture.
    :param missing: ids of those, at least one.
    """
    sentences, blinding = _faults(checked(picture))
    outside = [i for i in missing if not _inside(picture, pose, mat, i)]
    glaring = [i for i in missing if i not in outside and _outshone(picture, pose, mat, i)]
    covered = [i for i in missing if i not in outside and i not in glaring]
    said: list[str] = []
    if outside:
        said.append(f"Out of the picture: {_which(outside)}. Turn the camera or move the mat.")
    if glaring:
        said.append(f"Outshone by a lamp that is mirrored there: {_which(glaring)}. Move the lamp.")
    if covered:
        said.append(f"Not seen: {_which(covered)}.")
        said += sentences
        if not blinding:
            said.append("Uncover it." if len(covered) == 1 else "Uncover them.")
    return " ".join(said)


def _faults(health: TableHealth) -> tuple[list[str], bool]:
    """Returns sentences on the picture's faults, and True if these alone hide markers."""
    faults = [fault for fault in (light_fault(health), blur_fault(health)) if fault is not None]
    return [f"{fault.seen} {fault.advice}" for fault in faults], any(fault.blinding for fault in faults)


def _inside(picture: Picture, pose: Pose, mat: Mat, number: int) -> bool:
    x, y = mat.corners_mm()[number]
    half = mat.marker_mm / 2
    corners = [
        (x - half, y - half, 0.0),
        (x + half, y - half, 0.0),
        (x + half, y + half, 0.0),
        (x - half, y + half, 0.0),
    ]
    pixels = pose.project(np.array(corners))
    return bool(((pixels >= 0) & (pixels <= (picture.shape[1] - 1, picture.shape[0] - 1))).all())


def _outshone(picture: Picture, pose: Pose, mat: Mat, number: int) -> bool:
    """True if the place of a marker shows white alone."""
    gray, _ = marker_patch(picture, pose, mat, number, _CELLS, _PX_PER_CELL)
    return bool(np.mean(gray >= CLIPPED) > _GLARE and np.mean(gray < _DARK * CLIPPED) < _INK)


def _which(markers: Sequence[int]) -> str:
    """Returns the markers in words: "markers 0, 1 and 3"."""
    if len(markers) == 1:
        return f"marker {markers[0]}"
    return f"markers {', '.join(map(str, markers[:-1]))} and {markers[-1]}"
