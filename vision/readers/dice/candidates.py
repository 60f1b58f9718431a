"""Finds candidates for dice: every outline that was found, with the evidence for and against it.

Each solid's outline is searched on the level of top faces. Then the die is shifted and turned a little until its faces
are as uniform as possible, or its pips fit a pattern best: an outline alone may fit a shadow or a corner of a neighbor
better. This module does not decide which candidates are dice.
"""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import Struct

from vision.readers.dice.faces import Face, seen_faces, unevenness
from vision.readers.dice.outline import DiePlace, clearness, refined, score_places, seeds
from vision.readers.dice.pips import Pips, glance, read_pips, top_patch
from vision.readers.dice.plane import Plane, covered
from vision.readers.dice.solids import CUBE, DODECAHEDRON, Floats, Solid, turned
from vision.registration.registered_image import RegisteredImage

# Candidates for pips: small spots on the level of the top faces, and the faces to which they would belong.
#
# The outermost pips of every face but the one lie at two ends of a diagonal, so each pair of spots at that distance
# gives a face with its middle and its yaw; a lone spot may be a one. This finds white dice on white paper, whose
# outlines hardly show.

_WIDEST_MM = 5.0
"""The width in millimeters below which spots are searched; neighboring pips of a six leave a larger gap."""
_APART_MM = 2.2
"""The least distance in millimeters between spots; neighbors on a six are 3.6 mm apart, less in a picture from the
side.
"""
_CONTRAST = 0.12
"""The least contrast of a spot to its surroundings, as a share of them."""
_DIAGONAL_MM = (9.6, 12.6)
_BLUR_MM = 0.5
_SAME_MM_SPOTS = 1.5
_SAME_DEG = 12.0
_AT_MOST_SPOTS = 60


def spots(plane: Plane, light: bool) -> Floats:
    """Returns (N, 2): table places, on the plane's level, of spots that are darker, or lighter, than their
    surroundings.
    """
    gray = plane.gray
    side = round(_WIDEST_MM * plane.scale) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    change = cv2.morphologyEx(gray, cv2.MORPH_TOPHAT if light else cv2.MORPH_BLACKHAT, kernel)
    around = gray.astype(np.float32) + (0.0 if light else 1.0) * change
    share = cv2.GaussianBlur(change.astype(np.float32) / np.maximum(around, 25.0), (0, 0), _BLUR_MM * plane.scale)
    reach = round(_APART_MM * plane.scale) | 1
    peak = (share >= cv2.dilate(share, np.ones((reach, reach)))) & (share > _CONTRAST)
    rows, columns = np.nonzero(peak)
    clearest = np.argsort(-share[rows, columns])[:_AT_MOST_SPOTS]
    return plane.places(np.column_stack([columns, rows])[clearest].astype(np.float64))


def faces_of_spots(places: Floats) -> list[Floats]:
    """Returns faces (N, 3), x, y and yaw, from pairs of spots and from single spots, the latter without a yaw."""
    if not len(places):
        return []
    gap = places[None] - places[:, None]
    distance = np.hypot(gap[..., 0], gap[..., 1])
    one, other = np.nonzero(np.triu((distance > _DIAGONAL_MM[0]) & (distance < _DIAGONAL_MM[1])))
    middles = (places[one] + places[other]) / 2
    along = gap[one, other]
    yaw = (np.degrees(np.arctan2(-along[:, 1], along[:, 0])) - 45.0) % 90.0
    ones = np.column_stack([places, np.full(len(places), np.nan)])
    return [_different(np.column_stack([middles, yaw])), ones]


def _different(faces: Floats) -> Floats:
    """Returns the faces without duplicates, which both diagonals of a face give."""
    gap = faces[:, None] - faces[None]
    turn = np.abs((gap[..., 2] + 45.0) % 90.0 - 45.0)
    same = (np.hypot(gap[..., 0], gap[..., 1]) < _SAME_MM_SPOTS) & (turn < _SAME_DEG)
    left = np.ones(len(faces), bool)
    for k in range(len(faces)):
        if left[k]:
            left[k + 1 :] &= ~same[k, k + 1 :]
    return faces[left]


SOLIDS = (CUBE, DODECAHEDRON)
LEVEL_MM = 17.0
"""A height in millimeters between the tops of both solids: a small error shifts an outline but leaves its size."""
_LEAST_SCORE = 0.45
_AT_MOST = 24
_SAME_MM = 2.5
_NO_MOVE = np.zeros((1, 3))
_NOT_EVEN = -0.7
"""The least difference of clear outline and uneven faces for a closer look."""
_MOST_PIPS = 14
_PIPS_APART_MM = 4.0
_SOME_PIPS = 0.42
"""The least match of a face with pips."""
_PAIRED_PIPS = 0.58
"""The least match at a first glance, if two pips give the yaw."""
_FAR_MM = 1.0
"""The distance in millimeters of pips from their expected places beyond which they are read again where they are."""


class DieCandidate(Struct, frozen=True):
    """An outline with the evidence inside it."""

    solid: Solid
    place: DiePlace
    faces: tuple[Face, ...]
    """The visible faces, the top one first."""
    pips: Pips | None
    """The pips; None for solids without pips."""

    @property
    def side_spread(self) -> float:
        """The unevenness of its side faces, weighted by how directly they are seen."""
        weights = [face.facing for face in self.faces[1:]]
        if not weights:
            return 0.0
        return float(np.average([face.spread for face in self.faces[1:]], weights=weights))

    def top_mm(self) -> Floats:
        """Returns (corners, 3): the top face in table space, in millimeters."""
        corners = self.solid.corners[list(self.solid.faces[0])]
        return self.solid.placed(corners, self.place.x_mm, self.place.y_mm, self.place.yaw_deg)

    def corners_mm(self) -> Floats:
        """Returns (corners, 3): the whole solid in table space, in millimeters."""
        return self.solid.placed(self.solid.corners, self.place.x_mm, self.place.y_mm, self.place.yaw_deg)


def candidates(table: RegisteredImage, plane: Plane) -> list[DieCandidate]:
    """Returns every place of a tray where a die may lie."""
    found: list[DieCandidate] = []
    for solid, starts in zip(SOLIDS, seeds(plane, SOLIDS, _LEAST_SCORE, _AT_MOST), strict=True):
        places = uncovered(table, solid, _distinct(refined(plane, solid, starts)))
        settled = _settled(table, plane, solid, places)
        found += [
            DieCandidate(solid, place, faces, None)
            for place, faces in zip(settled, seen_faces(table, solid, settled), strict=True)
        ]
    return found + with_pips(table, plane)


def with_pips(table: RegisteredImage, plane: Plane) -> list[DieCandidate]:
    """Returns cubes whose top faces show pips."""
    starts = []
    for light in (False, True):
        starts += faces_of_spots(spots(plane, light))
    if not starts:
        return []
    faces = np.concatenate(starts)
    faces = _turned_ones(plane, faces[_clearest(faces, glance(plane, faces))])
    places = places_of(CUBE, at_height(table, faces, CUBE), clearness(plane, CUBE, faces))
    read = [_by_pips(table, place) for place in uncovered(table, CUBE, places)]
    shown = [one for one in read if one[1].best >= _SOME_PIPS]
    seen = seen_faces(table, CUBE, [place for place, _ in shown])
    return [DieCandidate(CUBE, place, faces, pips) for (place, pips), faces in zip(shown, seen, strict=True)]


def _clearest(faces: Floats, glances: Floats) -> list[int]:
    """Returns the indices of the places that look most like faces with pips, no two at the same place."""
    kept: list[int] = []
    least = np.where(np.isnan(faces[:, 2]), _SOME_PIPS, _PAIRED_PIPS)
    for k in np.argsort(-glances):
        if len(kept) == _MOST_PIPS:
            break
        if glances[k] > least[k] and all(np.hypot(*(faces[k] - faces[j])[:2]) > _PIPS_APART_MM for j in kept):
            kept.append(int(k))
    return kept


def _by_pips(table: RegisteredImage, place: DiePlace) -> tuple[DiePlace, Pips]:
    """Returns the place of a top face, corrected by its pips, and the pips."""
    pips = read_pips(top_patch(table, place))
    if pips.best < _SOME_PIPS:
        return place, pips
    shift = turned(np.array([*pips.shift_mm, 0.0]), place.yaw_deg)
    moved = DiePlace(place.x_mm + float(shift[0]), place.y_mm + float(shift[1]), place.yaw_deg, place.score)
    if max(map(abs, pips.shift_mm)) < _FAR_MM:
        return moved, pips
    again = read_pips(top_patch(table, moved))
    return (moved, again) if again.best > pips.best else (place, pips)


def _turned_ones(plane: Plane, faces: Floats) -> Floats:
    """Returns faces (N, 3); those from a single spot get the yaw of their best outline."""
    unturned = np.isnan(faces[:, 2])
    if not unturned.any():
        return faces
    yaws = np.arange(0.0, CUBE.turn_deg, 6.0)
    tried = np.repeat(faces[unturned], len(yaws), axis=0)
    tried[:, 2] = np.tile(yaws, int(unturned.sum()))
    best = score_places(plane, CUBE, tried).reshape(-1, len(yaws)).argmax(axis=1)
    told = faces.copy()
    told[unturned, 2] = yaws[best]
    return told


def _distinct(places: list[DiePlace]) -> list[DiePlace]:
    """Returns the best of the places that coincide."""
    kept: list[DiePlace] = []
    for place in sorted(places, key=lambda p: -p.score):
        if all(np.hypot(place.x_mm - k.x_mm, place.y_mm - k.y_mm) > _SAME_MM for k in kept):
            kept.append(place)
    return kept


def uncovered(table: RegisteredImage, solid: Solid, places: list[DiePlace]) -> list[DiePlace]:
    """Returns the places that would not hide a marker that was read."""
    top = solid.corners[list(solid.faces[0])]
    outlines = [solid.placed(top, p.x_mm, p.y_mm, p.yaw_deg)[:, :2] for p in places]
    return [place for place, hides in zip(places, covered(table, outlines, LEVEL_MM), strict=True) if not hides]


def _settled(table: RegisteredImage, plane: Plane, solid: Solid, places: list[DiePlace]) -> list[DiePlace]:
    """Returns the places on the level of the top faces, moved to where outline and faces fit best together.

    Those that cannot be dice of this solid are left out.
    """
    here = np.array([[p.x_mm, p.y_mm, p.yaw_deg] for p in places]).reshape(-1, 3)
    score = np.array([p.score for p in places])
    flip = (solid.turn_deg / 2,) if solid is DODECAHEDRON else ()
    for moves, least, most in (
        (_NO_MOVE, _NOT_EVEN, 18),
        (_moves(1.2, 6.0, *flip), -0.2, 14),
        (_moves(0.6, 3.0), 0.0, 14),
    ):
        tried = (here[:, None] + moves).reshape(-1, 3)
        outline = score_places(plane, solid, tried)
        total = (outline - unevenness(table, solid, at_height(table, tried, solid))).reshape(-1, len(moves))
        k = total.argmax(axis=1) + np.arange(len(total)) * len(moves)
        best = total.max(axis=1)
        worth = best > max(least, np.sort(best)[-most] - 1e-9 if len(best) > most else least)
        here, score = tried[k][worth], outline[k][worth]
        if not len(here):
            return []
    return places_of(solid, at_height(table, here, solid), score)


def _moves(step_mm: float, step_deg: float, *turns_deg: float) -> Floats:
    """Returns (M, 3): no move, a step to each side, a turn each way, and some more turns."""
    sides = [(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    steps = np.array(sides, dtype=np.float64) * (step_mm, step_mm, step_deg)
    return np.concatenate([steps, [(0.0, 0.0, turn) for turn in turns_deg]]) if turns_deg else steps


def places_of(solid: Solid, rows: Floats, scores: Floats) -> list[DiePlace]:
    """Returns rows (N, 3) of x, y and yaw as places of a solid."""
    return [
        DiePlace(float(x), float(y), float(yaw % solid.turn_deg), float(score))
        for (x, y, yaw), score in zip(rows, scores, strict=True)
    ]


def at_height(table: RegisteredImage, places: Floats, solid: Solid) -> Floats:
    """Returns places (N, 3) that give the same outlines in the picture at the height of a solid's top face."""
    if not len(places):
        return places
    pixels = table.pose.project(np.column_stack([places[:, :2], np.full(len(places), LEVEL_MM)]))
    return np.column_stack([table.pose.unproject(pixels, solid.height_mm), places[:, 2]])
