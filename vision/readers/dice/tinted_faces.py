"""Finds candidates for dice with pips of any size and color: the faces of spots, each read as the pattern it shows.

Every size in which dice are sold is tried. A pattern fits only the size that its pips have: the distance of two spots
and their own size go together, so four of the pips of a large six are not a small die. This module does not decide
which candidates are dice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.readers.dice.candidates import DieCandidate, at_height, places_of, uncovered
from vision.readers.dice.faces import seen_faces
from vision.readers.dice.outline import DiePlace, Pixels, clearness, score_places
from vision.readers.dice.pips import (
    NOTHING,
    PX_PER_MM,
    WINDOW_HALF_MM,
    Pips,
    body_and_tint,
    face_grid,
    matched_pattern,
    templates,
    top_patch,
)
from vision.readers.dice.plane import Images, Plane
from vision.readers.dice.solids import SIDE_MM, Floats, cube, turned
from vision.registration.registered_image import RegisteredImage

# Candidates for pips of any color: small round spots on the level of the top faces, and the faces of such spots.
#
# Makers print any color on any body, so a spot differs from the ring around it in whichever channel, and its difference
# is a direction in color space that all pips of a face share. The outermost pips of every face but the one lie at two
# ends of a diagonal, so each pair of like spots at that distance gives a face with its middle and its yaw; a lone spot
# may be a one.

PIP_SHARE = 0.084
"""The radius of a pip in sides of its die."""
_CONTRAST = 0.1
"""The least difference of a spot to the ring around it, as a share of the brighter one."""
_DARKEST = 25.0
"""The level below which differences are noise."""
_DIAGONAL = (0.58, 0.82)
"""The least and largest distance of the outermost pips on a diagonal, in sides of their die."""
_ALIKE = 0.75
"""The least cosine of the angle between the colors of two pips of one face, relative to their body."""
_AS_STRONG = 0.4
"""The least contrast of a pip, as a share of that of another pip of its face."""
_SAME_SHARE = 0.09
_SAME_DEG = 12.0
_RING, _SOFT = 1.5, 0.45
"""The radius of the ring and of the blur, in radii of a pip; on a six a neighbor begins at 1.7."""
_MOST_SPOTS = 160


class Spots(Struct, frozen=True):
    """Spots of one size."""

    places: Floats
    """(N, 2): table places on the plane's level, the clearest first."""
    tints: Floats
    """(N, 3): the levels B, G, R of a spot minus those of the ring around it."""


class SpotFaces(Struct, frozen=True):
    """The possible faces of spots."""

    places: Floats
    """(N, 3): x, y and yaw; the yaw of a single spot is NaN."""
    tints: Floats
    """(N, 3): the tints of their pips."""


def tinted_spots(plane: Plane, side_mm: float, explained_mm: Sequence[Floats]) -> Spots:
    """Returns spots of the size of pips on dice with a side `side_mm`, outside of some outlines (corners, 2) on the
    plane.
    """
    radius_px = PIP_SHARE * side_mm * plane.scale
    levels = plane.levels.astype(np.float32)
    around = cv2.GaussianBlur(levels, (0, 0), 1.7 * radius_px)
    tint = cv2.GaussianBlur(levels, (0, 0), 0.6 * radius_px) - around
    brighter = np.linalg.norm(np.maximum(around, around + tint), axis=2)
    share = np.linalg.norm(tint, axis=2) / np.maximum(brighter, _DARKEST)
    reach = round(2.2 * radius_px) | 1
    peak = ((share >= cv2.dilate(share, np.ones((reach, reach)))) & (share > _CONTRAST)).astype(np.uint8)
    for outline in explained_mm:
        cv2.fillConvexPoly(peak, np.round(plane.pixels(outline)).astype(np.int32), (0,))
    rows, columns = np.nonzero(peak)
    if not len(rows):
        return Spots(np.empty((0, 2)), np.empty((0, 3)))
    tints, round_share = _round(levels, rows, columns, radius_px)
    clearest = np.argsort(-round_share)[:_MOST_SPOTS]
    clearest = clearest[round_share[clearest] > _CONTRAST]
    rows, columns = rows[clearest], columns[clearest]
    return Spots(plane.places(np.column_stack([columns, rows]).astype(np.float64)), tints[clearest])


def _round(levels: Images, rows: Pixels, columns: Pixels, radius_px: float) -> tuple[Floats, Floats]:
    """Returns (N, 3), the levels of spots minus those of their rings, and (N,), their least difference all around.

    An edge differs from one side of its ring, a line from two, so the second smallest difference counts.
    """
    soft = cv2.GaussianBlur(levels, (0, 0), max(_SOFT * radius_px, 0.4))
    around = np.radians(np.arange(0.0, 360.0, 45.0))
    across = (columns[:, None] + _RING * radius_px * np.cos(around)).astype(np.float32)
    down = (rows[:, None] + _RING * radius_px * np.sin(around)).astype(np.float32)
    ring = cv2.remap(soft, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    middle = soft[rows, columns]
    tints = middle - ring.mean(axis=1)
    toward = tints / np.maximum(np.linalg.norm(tints, axis=1), 1e-3)[:, None]
    steps = np.sort(np.einsum("nkc,nc->nk", middle[:, None] - ring, toward), axis=1)[:, 1]
    brighter = np.maximum(np.linalg.norm(middle, axis=1), np.linalg.norm(ring.mean(axis=1), axis=1))
    return tints, np.asarray(steps / np.maximum(brighter, _DARKEST))


def faces_of_tinted_spots(found: Spots, side_mm: float) -> SpotFaces:
    """Returns faces from pairs of spots and from single spots, the latter without a yaw."""
    places, tints = found.places, found.tints
    if not len(places):
        return SpotFaces(np.empty((0, 3)), np.empty((0, 3)))
    gap = places[None] - places[:, None]
    distance = np.hypot(gap[..., 0], gap[..., 1]) / side_mm
    strength = np.linalg.norm(tints, axis=1)
    cosine = tints @ tints.T / np.maximum(strength[:, None] * strength, 1e-6)
    as_strong = np.minimum(strength[:, None], strength) > _AS_STRONG * np.maximum(strength[:, None], strength)
    fits = (distance > _DIAGONAL[0]) & (distance < _DIAGONAL[1]) & (cosine > _ALIKE) & as_strong
    one, other = np.nonzero(np.triu(fits))
    middles = (places[one] + places[other]) / 2
    along = gap[one, other]
    yaw = (np.degrees(np.arctan2(-along[:, 1], along[:, 0])) - 45.0) % 90.0
    pairs = np.column_stack([middles, yaw])
    left = _different(pairs, _SAME_SHARE * side_mm)
    ones = np.column_stack([places, np.full(len(places), np.nan)])
    return SpotFaces(
        np.concatenate([pairs[left], ones]), np.concatenate([(tints[one] + tints[other])[left] / 2, tints])
    )


def _different(faces: Floats, same_mm: float) -> Floats:
    """Returns (N,): True for one of equal faces, which both diagonals give."""
    gap = faces[:, None] - faces[None]
    turn = np.abs((gap[..., 2] + 45.0) % 90.0 - 45.0)
    same = (np.hypot(gap[..., 0], gap[..., 1]) < same_mm) & (turn < _SAME_DEG)
    left = np.ones(len(faces), bool)
    for k in range(len(faces)):
        if left[k]:
            left[k + 1 :] &= ~same[k, k + 1 :]
    return left


# Pips of any color: how far a face's color lies from its body toward its pips, compared with the patterns of dice.
#
# A face has the same number of pixels whatever size the die has. Anything larger than a pip is taken away first: veins
# of marble, the edge of a glare.

_PIP_LEVEL = 98
"""The percentile of levels inside a face with one pip; brighter pixels are a reflection in a pip."""
_WIDEST_MM = 4.4
"""The largest width in millimeters of a pip on a die of the usual size."""


def tinted_glance(plane: Plane, places: Floats, tints: Floats, side_mm: float) -> Floats:
    """Returns (N,): the best correlation of faces at places (N, 3) of a plane with any pattern; an unknown yaw counts
    as 0.

    Args:
        tints: (N, 3) the levels of their pips minus those of their bodies.
    """
    if not len(places):
        return np.empty(0)
    grid = face_grid(WINDOW_HALF_MM).reshape(-1, 2) * (side_mm / SIDE_MM)
    turns = np.radians(np.nan_to_num(places[:, 2]))[:, None]
    cos, sin = np.cos(turns), np.sin(turns)
    x = grid[:, 0] * cos + grid[:, 1] * sin + places[:, :1]
    y = grid[:, 1] * cos - grid[:, 0] * sin + places[:, 1:2]
    at = plane.pixels(np.stack([x, y], axis=-1)).astype(np.float32)
    levels = cv2.remap(plane.levels, at[..., 0], at[..., 1], cv2.INTER_LINEAR).astype(np.float32)
    window = round(math.sqrt(len(grid)))
    ink = np.einsum("nkc,nc->nk", levels, tints.astype(np.float32))
    ink = np.stack([_small_bright(one.reshape(window, window)).ravel() for one in ink])
    ink = np.minimum(ink, np.percentile(ink, _PIP_LEVEL, axis=1)[:, None])
    ink -= ink.mean(axis=1, keepdims=True)
    ink /= np.linalg.norm(ink, axis=1, keepdims=True) + 1e-3
    return np.asarray(cv2.gemm(ink.astype(np.float32), templates()[1], 1.0, NOTHING, 0.0).max(axis=1))


def read_tinted(patch: NDArray[np.uint8], tint: Floats, side_mm: float) -> Pips:
    """Compares a top face laid flat with the patterns, at shifts of up to a tenth of a side.

    Args:
        tint: (3,) the direction from the color of the body to that of the pips.
    """
    levels = patch.astype(np.float32)
    toward = (tint / max(float(np.linalg.norm(tint)), 1e-6)).astype(np.float32)
    ink = _small_bright(levels @ toward)
    inner, inner_ink = levels[4:-4, 4:-4], ink[4:-4, 4:-4]
    high = max(float(np.percentile(inner_ink, _PIP_LEVEL)), 1.0)
    match, (right, down) = matched_pattern(np.minimum(ink, high))
    body = np.median(inner.reshape(-1, 3), axis=0)
    brighter = float(np.linalg.norm(np.maximum(body, body + high * toward)))
    inked = inner_ink >= high
    levels_of = body_and_tint(inner, inked if inked.any() else inner_ink >= inner_ink.max())
    scale = side_mm / SIDE_MM
    return Pips(match, high / max(brighter, _DARKEST), *levels_of, (right * scale, down * scale))


def _small_bright(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the image at places that are brighter than their surroundings on an area no larger than a pip."""
    return np.asarray(cv2.morphologyEx(image.astype(np.float32), cv2.MORPH_TOPHAT, _larger_than_pips()))


@cache
def _larger_than_pips() -> NDArray[np.uint8]:
    side = round(_WIDEST_MM * PX_PER_MM) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


SIDES_MM = (10.4, 12.0, 13.9, SIDE_MM, 18.5, 21.3)
"""The sizes in millimeters that are tried; the steps are small enough for patterns to match."""
_SIZES_APART = 0.15
"""The logarithm of the ratio of sizes from which two dice are not from one box."""
_AT_MOST = 40
_APART = 0.25
"""Two faces whose middles are closer than this share of a side are the same place."""
_SOME_PIPS = 0.42
"""The least match of a face with pips."""
_PAIRED_PIPS = 0.58
"""The least match at a first glance, if two pips give the yaw."""
_FAR = 0.06
"""The distance, in sides, of pips from their expected places beyond which they are read again where they are."""
_WORTH_MORE = 0.55
"""A face with a worse match is not a die, whatever its size and yaw."""
_TRIED = ((1.0, 5.0), (1.0, -5.0), (1.07, 0.0), (0.935, 0.0), (1.0, 3.0), (1.0, -3.0))
"""The factors of the size and turns in degrees that are tried one after the other."""
_SIZES_TRIED = 2
"""The number of sizes at a place, those with the best patterns at a glance, that are examined closely."""


class _Glimpse(NamedTuple):
    """A face at a first glance."""

    side_mm: float
    face: Floats
    """(3,) x, y, yaw."""
    tint: Floats
    fit: float


def tinted_candidates(
    table: RegisteredImage, plane: Plane, dice: Sequence[DieCandidate], sides_mm: Sequence[float]
) -> list[DieCandidate]:
    """Returns cubes whose top faces show pips.

    Args:
        dice: Dice that were read; spots on them do not belong to other dice.
        sides_mm: The sizes of dice with pips that were read; other dice have one of these sizes. Empty allows any size.
    """
    tried = [one for one in SIDES_MM if not sides_mm or any(of_one_box(one, side_mm) for side_mm in sides_mm)]
    explained = [_outline_on_plane(table, plane, die) for die in dice]
    worth = _worth([one for side_mm in tried for one in _glimpses(plane, side_mm, explained)])
    found: list[DieCandidate] = []
    for side_mm in tried:
        solid = cube(side_mm)
        some = [one for one in worth if one.side_mm == side_mm]
        if not some:
            continue
        faces = _turned_ones(plane, np.array([one.face for one in some]), side_mm)
        places = places_of(solid, at_height(table, faces, solid), clearness(plane, solid, faces))
        tints = {(place.x_mm, place.y_mm): one.tint for place, one in zip(places, some, strict=True)}
        for place in uncovered(table, solid, places):
            found += _settled(table, plane, place, tints[place.x_mm, place.y_mm], side_mm)
    return found


def of_one_box(side_mm: float, other_mm: float) -> bool:
    """True if two dice of these sizes may come from one box."""
    return abs(math.log(side_mm / other_mm)) < _SIZES_APART


def _outline_on_plane(table: RegisteredImage, plane: Plane, die: DieCandidate) -> Floats:
    """Returns (corners, 2): the outline of a whole die as it appears on the plane's level."""
    seen = table.pose.unproject(table.pose.project(die.corners_mm()), plane.z_mm)
    return np.asarray(cv2.convexHull(seen.astype(np.float32)).reshape(-1, 2), np.float64)


def _settled(table: RegisteredImage, plane: Plane, place: DiePlace, tint: Floats, side_mm: float) -> list[DieCandidate]:
    """Returns the pips at a place, with the size and the yaw that fit best."""
    place, pips = _by_pips(table, place, tint, side_mm)
    if pips.best < _SOME_PIPS:
        return []
    if pips.best > _WORTH_MORE:
        for factor, turn_deg in _TRIED:
            tried = DiePlace(place.x_mm, place.y_mm, (place.yaw_deg + turn_deg) % 90.0, place.score)
            moved, again = _by_pips(table, tried, tint, side_mm * factor)
            if again.best > pips.best and again.number == pips.number:
                place, pips, side_mm = moved, again, side_mm * factor
    solid = cube(side_mm)
    here = np.array([[place.x_mm, place.y_mm, place.yaw_deg]])
    on_plane = table.pose.project(np.array([[place.x_mm, place.y_mm, side_mm]]))
    here[0, :2] = table.pose.unproject(on_plane, plane.z_mm)[0]
    place = DiePlace(place.x_mm, place.y_mm, place.yaw_deg, float(clearness(plane, solid, here)[0]))
    return [DieCandidate(solid, place, seen_faces(table, solid, [place])[0], pips)]


def _glimpses(plane: Plane, side_mm: float, explained_mm: Sequence[Floats]) -> list[_Glimpse]:
    """Returns faces of one size that look like faces with pips, no two at the same place."""
    faces = faces_of_tinted_spots(tinted_spots(plane, side_mm, explained_mm), side_mm)
    fits = tinted_glance(plane, faces.places, faces.tints, side_mm)
    least = np.where(np.isnan(faces.places[:, 2]), _SOME_PIPS, _PAIRED_PIPS)
    kept: list[int] = []
    for k in np.argsort(-fits):
        if len(kept) == _AT_MOST:
            break
        apart = (np.hypot(*(faces.places[k] - faces.places[j])[:2]) > _APART * side_mm for j in kept)
        if fits[k] > least[k] and all(apart):
            kept.append(int(k))
    return [_Glimpse(side_mm, faces.places[k], faces.tints[k], float(fits[k])) for k in kept]


def _worth(glimpses: list[_Glimpse]) -> list[_Glimpse]:
    """Returns the glimpses with the best patterns at their place, in a few sizes."""
    kept: list[_Glimpse] = []
    for one in sorted(glimpses, key=lambda one: -one.fit):
        here = [other for other in kept if np.hypot(*(one.face - other.face)[:2]) < _APART * one.side_mm]
        if len(here) < _SIZES_TRIED:
            kept.append(one)
    return kept


def _by_pips(table: RegisteredImage, place: DiePlace, tint: Floats, side_mm: float) -> tuple[DiePlace, Pips]:
    """Returns the place of a top face, corrected by its pips, and the pips."""
    pips = read_tinted(top_patch(table, place, side_mm), tint, side_mm)
    if pips.best < _SOME_PIPS:
        return place, pips
    shift = turned(np.array([*pips.shift_mm, 0.0]), place.yaw_deg)
    moved = DiePlace(place.x_mm + float(shift[0]), place.y_mm + float(shift[1]), place.yaw_deg, place.score)
    if max(map(abs, pips.shift_mm)) < _FAR * side_mm:
        return moved, pips
    again = read_tinted(top_patch(table, moved, side_mm), tint, side_mm)
    return (moved, again) if again.best > pips.best else (place, pips)


def _turned_ones(plane: Plane, faces: Floats, side_mm: float) -> Floats:
    """Returns faces (N, 3); those from a single spot get the yaw of their best outline."""
    unturned = np.isnan(faces[:, 2])
    if not unturned.any():
        return faces
    solid = cube(side_mm)
    yaws = np.arange(0.0, solid.turn_deg, 6.0)
    tried = np.repeat(faces[unturned], len(yaws), axis=0)
    tried[:, 2] = np.tile(yaws, int(unturned.sum()))
    best = score_places(plane, solid, tried).reshape(-1, len(yaws)).argmax(axis=1)
    told = faces.copy()
    told[unturned, 2] = yaws[best]
    return told
