"""Explains why a table cannot be located in a picture, or why a marker is not visible, and gives advice.

Each cause is checked in the picture. If two causes fit, both are named.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from msgspec import structs

from companion.core.plan import Mat
from vision.image.picture import Picture
from vision.image.pose import Floats, Pose
from vision.registration.checkup import CLIPPED, TableHealth, blur_fault, checked, light_fault
from vision.registration.markers import Sightings, marker_patch
from vision.registration.pose_estimate import Fit, Lens, agreement_px, fitted, usual_lens

# Explains why the markers in a picture do not lie at the corners of the mat.
#
# They may lie in another order or on a mat of another shape or size, or somebody moved them. Each cause is tried,
# and the causes that explain the picture are named.

_SHAPES = np.geomspace(0.5, 2.0, 17)
"""The factors of width to height that are tried first for a wider or narrower mat."""
_HALVINGS = 13
"""The number of bisection steps between two factors, which ends within a thousandth."""
_GOLDEN = (5**0.5 - 1) / 2
_SAME_SHAPE = 0.005
"""A factor closer to 1 than this does not explain anything."""
_SIZED = 0.04
"""The relative difference from which markers have another size; printers and blur change it by a percent or two."""
_MOVABLE = 0.25
"""The relative difference of size or shape up to which moved markers may be the cause, if fewer than four are visible:
a tilt of the camera explains the triangle of any three.
"""
_LOOSE = 60.0
"""A cause with a higher cost may be a chance agreement of moved markers; true causes cost 10 to 32."""
_TIE = 2.0
"""Two explanations fit equally well if their costs differ by no more than this factor."""
_ALSO = " Another cause fits, too. "
_MOVED = (
    "Two or more of them were moved, or the camera shook while it took the picture. Put 0, 1, 2, 3 clockwise from the "
    "top left, and fix the camera so that it does not move."
)


def why_misplaced(seen: Mapping[int, Sequence[Floats]], mat: Mat, size_px: tuple[int, int], lens: Lens | None) -> str:
    """Returns one or two sentences on markers that no pose explains.

    Args:
        seen: Corners (4, 2) in pixels of at least two markers, by id.
        lens: The known lens of the camera; None: a usual webcam.
    """
    markers = {i: np.asarray(sightings[0]) for i, sightings in seen.items() if 0 <= i <= 3 and sightings}
    lens = lens or usual_lens(size_px)
    limit_px = agreement_px(size_px)
    few = len(markers) < 4
    found = [_size(markers, mat, size_px, lens, limit_px)]
    if len(markers) > 2 and (few or found == [None]):  # two fit in either order, and on a mat of any shape
        half_px = limit_px / 2
        found += [_order(markers, mat, size_px, lens, half_px), _shape(markers, mat, size_px, lens, half_px)]
    causes = [one for one in found if one is not None]
    best = min((one.cost for one in causes), default=0.0)
    causes = [one for one in causes if one.cost <= _TIE * (1 + best)]
    movable = few and any(abs(one.factor - 1) <= _MOVABLE for one in causes)
    if movable:  # Three places fit some other order almost always: a small move is likelier than another order.
        causes = [one for one in causes if math.isfinite(one.factor)]
    texts = [one.text for one in causes]
    if not causes or best > _LOOSE or movable:
        texts.append(_MOVED)
    return _ALSO.join(texts)


class _Cause(NamedTuple):
    """An explanation of the markers' places."""

    cost: float
    """The cost of its best fit."""
    text: str
    """The sentence that names it."""
    factor: float = math.inf
    """The true size or shape divided by the given one; infinite for any other cause."""


def _order(
    markers: Mapping[int, Floats], mat: Mat, size_px: tuple[int, int], lens: Lens, limit_px: float
) -> _Cause | None:
    """Returns the best order of the markers; None if no order fits."""
    ids = sorted(markers)
    fits: list[tuple[float, tuple[int, ...]]] = []
    for order in permutations(range(4), len(ids)):
        fit = fitted({place: markers[i] for i, place in zip(ids, order, strict=True)}, {}, mat, size_px, lens)
        if fit is not None and fit.worst_px <= limit_px and abs(fit.marker_scale - 1) <= _SIZED:
            fits.append((fit.cost, order))
    if not fits:
        return None
    best = min(fits)[0]
    # A mat that is turned by half is the same mat, so each order fits in two ways.
    near = [order for cost, order in fits if cost <= _TIE * (1 + best)]
    order = min(near, key=lambda one: sum(i != place for i, place in zip(ids, one, strict=True)))
    wrong = [(i, place) for i, place in zip(ids, order, strict=True) if i != place]
    if len(wrong) == 2 and wrong[0] == wrong[1][::-1]:
        return _Cause(
            best, f"Markers {wrong[0][0]} and {wrong[1][0]} lie in each other's places: put 0, 1, 2, 3 clockwise."
        )
    if (order[1] - order[0]) % 4 == (ids[1] - ids[0]) % 4:
        return _Cause(best, "They begin at another corner: put 0, 1, 2, 3 clockwise from the top left.")
    return _Cause(best, "They lie in another order: put 0, 1, 2, 3 clockwise from the top left.")


def _size(
    markers: Mapping[int, Floats], mat: Mat, size_px: tuple[int, int], lens: Lens, limit_px: float
) -> _Cause | None:
    """Returns the cause that markers or mat have another size; None if the given sizes are right, or no size fits."""
    fit = fitted(markers, {}, mat, size_px, lens)
    if fit is None or fit.worst_px > limit_px:
        return None
    # The fit assumes a nearly correct print size; fitting again from its result removes that assumption.
    scale, cost = fit.marker_scale, fit.cost
    for _ in range(2):
        again = fitted(markers, {}, structs.replace(mat, marker_mm=mat.marker_mm * scale), size_px, lens)
        if again is not None:
            scale, cost = scale * again.marker_scale, again.cost
    if abs(scale - 1) <= _SIZED:
        return None
    text = (
        f"The sides of the markers are about {mat.marker_mm * scale:.0f} mm, or the mat is about "
        f"{mat.width_mm / scale:.0f} x {mat.height_mm / scale:.0f} mm: measure both, the mat from the center of one "
        "marker to that of the next."
    )
    return _Cause(cost, text, scale)


def _shape(
    markers: Mapping[int, Floats], mat: Mat, size_px: tuple[int, int], lens: Lens, limit_px: float
) -> _Cause | None:
    """Returns the cause that the mat has another shape; None if the given shape is right, or no shape fits."""

    def tried(wider: float) -> tuple[float, float, Fit | None]:
        fit = fitted(markers, {}, _wider(mat, wider), size_px, lens)
        return (np.inf if fit is None else fit.cost), wider, fit

    best = min((tried(float(wider)) for wider in _SHAPES), key=lambda one: one[0])
    step = float(_SHAPES[1] / _SHAPES[0])
    low, high = best[1] / step, best[1] * step
    left, right = tried(high - (high - low) * _GOLDEN), tried(low + (high - low) * _GOLDEN)
    for _ in range(_HALVINGS):
        best = min(best, left, right, key=lambda one: one[0])
        # In the smaller section the better of the two shapes stands where the other one stood.
        if left[0] < right[0]:
            high, right = right[1], left
            left = tried(high - (high - low) * _GOLDEN)
        else:
            low, left = left[1], right
            right = tried(low + (high - low) * _GOLDEN)
    best = min(best, left, right, key=lambda one: one[0])
    cost, wider, fit = best
    if fit is None or fit.worst_px > limit_px or abs(wider - 1) < _SAME_SHAPE:
        return None
    ratio = mat.width_mm / mat.height_mm
    text = (
        f"The mat is {ratio * wider:.3f} times as wide as high, not {ratio:.3f} times: "
        f"{mat.width_mm * wider:.0f} x {mat.height_mm:.0f} mm would fit, or {mat.width_mm:.0f} x "
        f"{mat.height_mm / wider:.0f} mm. Measure it from the center of one marker to that of the next."
    )
    return _Cause(cost, text, wider)


def _wider(mat: Mat, wider: float) -> Mat:
    return structs.replace(mat, width_mm=mat.width_mm * wider)


BY_HAND = "The four corners can also be given by hand."
_CELLS = 8
"""The width in cells of a marker's place with one cell of its white rim on each side."""
_PX_PER_CELL = 6
"""The number of pixels per cell."""
_GLARE = 0.5
"""The share of a marker's place from which a mirrored lamp hides it."""
_INK = 0.15
"""The dark share of a marker's place from which its ink is visible; half of a marker is black."""
_DARK = 0.6
"""Ink is darker than this share of the place's white."""


def why_unplaced(picture: Picture, seen: Sightings, mat: Mat, lens: Lens | None) -> str:
    """Returns sentences that say why no table was found, with advice.

    Args:
        picture: The picture in which the table was looked for, (H, W, 3) BGR.
        seen: The markers that were found in it.
        lens: The known lens of the camera; None: a usual webcam.
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
    """Returns sentences that say why markers are not visible on a table that was located without them, with advice.

    Args:
        pose: The pose of the table in the picture.
        missing: The ids of these markers, at least one.
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
    """Returns sentences about the picture's faults, and True if these alone hide markers."""
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
