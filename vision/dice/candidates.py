"""What may be a die: every outline that was found, and all that can be said for and against it.

Each solid's outline is looked for on the level of top faces; then faces, pips and colors at that place are measured.
Nothing is decided here.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from vision.dice.faces import Face, seen_faces
from vision.dice.outline import Place, refined, seeds
from vision.dice.pips import Pips, read_pips, top_patch
from vision.dice.plane import covered, tray_plane
from vision.dice.solids import CUBE, DODECAHEDRON, Floats, Solid, turned
from vision.table import Table

SOLIDS = (CUBE, DODECAHEDRON)
LEVEL_MM = 17.0
"""Between the tops of both solids: a millimetre up or down shifts an outline but leaves its size."""
_LEAST_SCORE = 0.42
_AT_MOST = 30
_SAME_MM = 2.5
_EVIDENT_PIPS = 0.6
"""From this correlation on the pips tell better where a die is than its outline."""


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
        places = [_at_height(table, place, solid.height_mm) for place in _distinct(refined(plane, solid, starts))]
        tops = [solid.placed(solid.corners[list(solid.faces[0])], p.x_mm, p.y_mm, p.yaw_deg)[:, :2] for p in places]
        hidden = covered(table, tops, solid.height_mm)
        found += [measured(table, solid, place) for place, hides in zip(places, hidden, strict=True) if not hides]
    return found


def measured(table: Table, solid: Solid, place: Place) -> Candidate:
    """Look at the faces of a die at a place, which its pips may shift a little."""
    pips = None
    if solid is CUBE:
        pips = read_pips(top_patch(table, place))
        if pips.best > _EVIDENT_PIPS and max(map(abs, pips.shift_mm)) > 0.5:
            shift = turned(np.array([*pips.shift_mm, 0.0]), place.yaw_deg)
            place = Place(place.x_mm + float(shift[0]), place.y_mm + float(shift[1]), place.yaw_deg, place.score)
            pips = read_pips(top_patch(table, place))
    return Candidate(solid, place, tuple(seen_faces(table, solid, place)), pips)


def _distinct(places: list[Place]) -> list[Place]:
    """The best of those that ended at the same place."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: -p.score):
        if all(np.hypot(place.x_mm - k.x_mm, place.y_mm - k.y_mm) > _SAME_MM for k in kept):
            kept.append(place)
    return kept


def _at_height(table: Table, place: Place, height_mm: float) -> Place:
    """The same outline in the picture, on another level."""
    pixels = table.pose.project(np.array([[place.x_mm, place.y_mm, LEVEL_MM]]))
    x, y = table.pose.unproject(pixels, height_mm)[0]
    return Place(float(x), float(y), place.yaw_deg, place.score)
