"""What may be a die: every outline that was found, and all that can be said for and against it.

Each solid's outline is looked for on the level of top faces. Then the die is shifted and turned a little until its
faces are as even as they get, or its pips lie as pips do: an outline alone may fit a shadow or a corner of a neighbor
better. Nothing is decided here.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from vision.dice.faces import Face, seen_faces, unevenness
from vision.dice.outline import Place, clearness, refined, score_places, seeds
from vision.dice.pips import Pips, read_pips, top_patch
from vision.dice.plane import Plane, covered, tray_plane
from vision.dice.solids import CUBE, DODECAHEDRON, Floats, Solid, turned
from vision.dice.spots import faces_of_spots, spots
from vision.table import Table

SOLIDS = (CUBE, DODECAHEDRON)
LEVEL_MM = 17.0
"""Between the tops of both solids: a millimetre up or down shifts an outline but leaves its size."""
_LEAST_SCORE = 0.45
_AT_MOST = 30
_SAME_MM = 2.5
_PLAUSIBLE = 0.55
"""Outlines less clear than this are not worth a closer look."""
_SOME_PIPS = 0.42
"""What matches worse has no pips."""
_PIP_OUTLINE = 0.2
"""White dice on white paper have hardly any outline, yet a little."""
_FAR_MM = 0.4
"""Pips so far from where they should be are looked at once more where they are."""


class Candidate(Struct, frozen=True):
    """One outline and what lies in it."""

    solid: Solid
    place: Place
    faces: tuple[Face, ...]
    """Those that the camera sees, the top one first."""
    pips: Pips | None
    """None for solids that have none."""

    @property
    def side_spread(self) -> float:
        """How uneven its side faces are, those that show best counting most."""
        weights = [face.facing for face in self.faces[1:]]
        if not weights:
            return 0.0
        return float(np.average([face.spread for face in self.faces[1:]], weights=weights))

    def top_mm(self) -> Floats:
        """(corners, 3) the top face in table space."""
        corners = self.solid.corners[list(self.solid.faces[0])]
        return self.solid.placed(corners, self.place.x_mm, self.place.y_mm, self.place.yaw_deg)

    def corners_mm(self) -> Floats:
        """(corners, 3) the whole solid in table space."""
        return self.solid.placed(self.solid.corners, self.place.x_mm, self.place.y_mm, self.place.yaw_deg)


def candidates(table: Table) -> list[Candidate]:
    """Every place of the tray where a die may lie."""
    plane = tray_plane(table, LEVEL_MM)
    found: list[Candidate] = []
    for solid, starts in zip(SOLIDS, seeds(plane, SOLIDS, _LEAST_SCORE, _AT_MOST), strict=True):
        places = _settled(table, plane, solid, _uncovered(table, solid, _distinct(refined(plane, solid, starts))))
        found += [Candidate(solid, place, seen_faces(table, solid, place), None) for place in places]
    return found + _with_pips(table, plane)


def _with_pips(table: Table, plane: Plane) -> list[Candidate]:
    """Cubes whose top faces show pips."""
    read: list[tuple[Place, Pips]] = []
    for light in (False, True):
        pairs, singles = faces_of_spots(spots(plane, light))
        starts = np.concatenate([pairs, _turned_ones(plane, singles)])
        scores = clearness(plane, CUBE, starts)
        starts, scores = starts[scores > _PIP_OUTLINE], scores[scores > _PIP_OUTLINE]
        places = _places(CUBE, _at_height(table, starts, CUBE), scores)
        read += [_by_pips(table, place) for place in _uncovered(table, CUBE, places)]
    read.sort(key=lambda one: -one[1].best)
    kept: list[tuple[Place, Pips]] = []
    for place, pips in read:
        if pips.best < _SOME_PIPS:
            break
        if all(np.hypot(place.x_mm - k.x_mm, place.y_mm - k.y_mm) > _SAME_MM for k, _ in kept):
            kept.append((place, pips))
    return [Candidate(CUBE, place, seen_faces(table, CUBE, place), pips) for place, pips in kept]


def _by_pips(table: Table, place: Place) -> tuple[Place, Pips]:
    """The pips of a top face, and where they say that it is."""
    pips = read_pips(top_patch(table, place))
    if pips.best < _SOME_PIPS or max(map(abs, pips.shift_mm)) < _FAR_MM:
        return place, pips
    shift = turned(np.array([*pips.shift_mm, 0.0]), place.yaw_deg)
    moved = Place(place.x_mm + float(shift[0]), place.y_mm + float(shift[1]), place.yaw_deg, place.score)
    again = read_pips(top_patch(table, moved))
    return (moved, again) if again.best > pips.best else (place, pips)


def _turned_ones(plane: Plane, singles: Floats) -> Floats:
    """Faces (N, 3) with one pip in the middle, each turned as its outline shows best."""
    yaws = np.arange(0.0, CUBE.turn_deg, 6.0)
    tried = np.concatenate([np.repeat(singles, len(yaws), axis=0), np.tile(yaws, len(singles))[:, None]], axis=1)
    best = score_places(plane, CUBE, tried).reshape(-1, len(yaws)).argmax(axis=1)
    return np.asarray(tried.reshape(-1, len(yaws), 3)[np.arange(len(singles)), best])


def _distinct(places: list[Place]) -> list[Place]:
    """The best of those that ended at the same place."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: -p.score):
        if all(np.hypot(place.x_mm - k.x_mm, place.y_mm - k.y_mm) > _SAME_MM for k in kept):
            kept.append(place)
    return kept


def _uncovered(table: Table, solid: Solid, places: list[Place]) -> list[Place]:
    """Those that would not hide a marker that was read."""
    top = solid.corners[list(solid.faces[0])]
    outlines = [solid.placed(top, p.x_mm, p.y_mm, p.yaw_deg)[:, :2] for p in places]
    return [place for place, hides in zip(places, covered(table, outlines, LEVEL_MM), strict=True) if not hides]


def _settled(table: Table, plane: Plane, solid: Solid, places: list[Place]) -> list[Place]:
    """The places on the level of the top faces, moved to where outline and faces fit best together."""
    here = np.array([[p.x_mm, p.y_mm, p.yaw_deg] for p in places]).reshape(-1, 3)
    score = np.array([p.score for p in places])
    worth = score > _PLAUSIBLE
    for step_mm, step_deg, flip_deg in ((1.2, 6.0, solid.turn_deg / 2), (0.6, 3.0, 0.0)):
        if not worth.any():
            break
        moves = np.array(
            [(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], dtype=np.float64
        ) * (step_mm, step_mm, step_deg)
        if flip_deg:
            moves = np.concatenate([moves, [(0.0, 0.0, flip_deg)]])
        tried = (here[worth][:, None] + moves).reshape(-1, 3)
        outline = score_places(plane, solid, tried)
        total = (outline - unevenness(table, solid, _at_height(table, tried, solid))).reshape(-1, len(moves))
        k = total.argmax(axis=1) + np.arange(len(total)) * len(moves)
        here[worth], score[worth] = tried[k], outline[k]
    return _places(solid, _at_height(table, here, solid), score)


def _places(solid: Solid, rows: Floats, scores: Floats) -> list[Place]:
    return [
        Place(float(x), float(y), float(yaw % solid.turn_deg), float(score))
        for (x, y, yaw), score in zip(rows, scores, strict=True)
    ]


def _at_height(table: Table, places: Floats, solid: Solid) -> Floats:
    """Places (N, 3) of the same outlines in the picture on the level of a solid's top face."""
    if not len(places):
        return places
    pixels = table.pose.project(np.column_stack([places[:, :2], np.full(len(places), LEVEL_MM)]))
    return np.column_stack([table.pose.unproject(pixels, solid.height_mm), places[:, 2]])
