"""Reads dice on an unknown table: the dice themselves show how large they appear and from which side they are seen.

Distance, tilt and light are tried, first coarsely and then around the best. The dice themselves decide: only under the
right camera do several outlines have uniform faces, opposite colors in their places or the pips of one pattern. A
person holds a camera level, so only its forward tilt varies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
from msgspec import Struct, structs

from companion.core.foundation.errors import NoBoard
from companion.core.plan import Mat
from vision.image.light import Light
from vision.image.picture import Picture
from vision.image.pose import Pose
from vision.readers.dice.candidates import LEVEL_MM, DieCandidate, candidates
from vision.readers.dice.choice import chances, choose, shape_odds
from vision.readers.dice.palette import learned
from vision.readers.dice.plane import tray_plane
from vision.readers.dice.reader import read_dice
from vision.readers.dice.recognition import DiceReading
from vision.readers.dice.solids import SIDE_MM
from vision.registration.pose_estimate import usual_lens
from vision.registration.registered_image import RegisteredImage, working

_SIDES = tuple(1.16**k / 50 for k in range(18))
"""The sizes that are tried for a die in the middle, as shares of the picture's longer side."""
_WEAK = 4.0
"""Where all dice together say no more, they may be dice with pips of any color, which are sought at each size."""
_TINTED_SIDES = tuple(1.45**k / 38 for k in range(5))
_LEAST_PX = 14
"""The least size in pixels of dice that show faces or pips."""
_TILTED_DEG = 15.0
"""The tilt in degrees at which every size is tried."""
_KEPT, _WORTH = 2, 0.6
"""The largest number of views examined closely, and the least evidence for one relative to the best view."""
_MOVES = ((1.08, 0.0), (1.0, 10.0))
"""The factors of size and turns in degrees by which a view is moved, ever finer."""
_MOST_TILTED_DEG = 60.0
_WHITE, _MOST_WHITE = 0.5, 0.95
_WHITES = (0.4, 0.8, 1.6)
_BRIGHTER = (0.75, 1.0, 1.33)
"""Factors by which white is made brighter."""
_FOUND = 14
"""The largest number of candidates, those with the clearest shapes, whose colors are examined."""
_LEAST_ODDS, _MOST_ODDS = 0.8, 5.0
"""Log odds of a die that count: many doubtful dice make no view likely, and a sure one makes no other likelier."""
_MIRRORING = 1.25
"""Shares of white's light that no face sends back."""
_AT_ONCE = 2
"""The number of views that are judged in parallel."""
_NO_DIE = 0.4
"""A die less sure than this is left out: the table around it is guessed, too."""
_MARKER_MM = 25.0


class View(Struct, frozen=True):
    """A possible view of the camera on the dice, with the odds of the dice under it."""

    side_px: float
    """The size in pixels of a die in the middle of the picture."""
    tilt_deg: float
    white: float
    """The linear light of a white sheet, equal in every color because phones balance their pictures."""
    odds: float = 0.0
    """The log odds of all dice under this view; 0 before it was looked at."""


def read_unmarked_dice(picture: Picture) -> DiceReading:
    """Reads the dice of a photograph without markers, on any table.

    Raises:
        NoBoard: No dice are seen.
    """
    small, factor = working(picture)
    view = best_view(small)
    if view is not None and view.odds > _WEAK:
        tables = [seen_table(small, factor, view)]
    else:
        longer = max(small.shape[:2])
        sides = [share * longer for share in _TINTED_SIDES if share * longer >= _LEAST_PX]
        views = [View(side, _TILTED_DEG, _WHITE) for side in sides]
        tables = [seen_table(small, factor, one) for one in ([view] if view is not None else []) + views]
    with ThreadPoolExecutor(_AT_ONCE) as both:
        readings = list(both.map(_read, tables))
    reading = max(readings, key=lambda one: sum(die.sighting.confidence for die in one.dice), default=None)
    if reading is None or not reading.dice:
        raise NoBoard("No dice are seen. Take the photo from above and nearer, with all dice in it.")
    return reading


def _read(table: RegisteredImage) -> DiceReading:
    return DiceReading(table, tuple(die for die in read_dice(table) if die.sighting.confidence > _NO_DIE))


def best_view(small: Picture) -> View | None:
    """Returns the view for which the dice say most; None where there is none."""
    longer = max(small.shape[:2])
    tried = [View(share * longer, _TILTED_DEG, _WHITE) for share in _SIDES if share * longer >= _LEAST_PX]
    with ThreadPoolExecutor(_AT_ONCE) as both:
        looked = sorted(both.map(lambda one: _judged(small, one, _WHITES), tried), key=lambda one: -one.odds)
        worth = [one for one in looked[:_KEPT] if one.odds > 0 and one.odds > _WORTH * looked[0].odds]
        best = max(both.map(lambda one: _moved(small, one, 1.0), worth), key=lambda one: one.odds, default=None)
    return None if best is None else _judged(small, _moved(small, best, 0.5), _BRIGHTER)


def _moved(small: Picture, view: View, share: float) -> View:
    """Returns the view nearby for which the dice say most, after a share of each move."""
    for factor, turn_deg in _MOVES:
        for sign in (1, -1):
            tilt_deg = min(max(view.tilt_deg + sign * share * turn_deg, 0.0), _MOST_TILTED_DEG)
            side_px = view.side_px * factor ** (sign * share)
            moved = structs.replace(view, side_px=side_px, tilt_deg=tilt_deg, odds=0.0)
            moved = _judged(small, moved, (1.0,))
            if moved.odds > view.odds:
                view = moved
                break
    return view


def _judged(small: Picture, view: View, brighter: Sequence[float]) -> View:
    """Returns a view under the light for which its dice say most, of some that are brighter than its own by factors."""
    table = seen_table(small, 1.0, view)
    found = _clearest(candidates(table, tray_plane(table, LEVEL_MM)))
    best = structs.replace(view, odds=0.0)
    for factor in brighter:
        white = min(factor * view.white, _MOST_WHITE)
        lit = [_under(one, view.white / white) for one in found]
        other = structs.replace(view, white=white)
        odds = _odds(seen_table(small, 1.0, other), lit)
        if odds > best.odds:
            best = structs.replace(other, odds=odds)
    return best


def _clearest(found: Sequence[DieCandidate]) -> list[DieCandidate]:
    """Returns the candidates of the clearest shapes; patterns of pips are all kept."""
    pips = [one for one in found if one.pips is not None]
    colored = [(shape_odds(one, learned()), one) for one in found if one.pips is None]
    colored.sort(key=lambda each: -each[0])
    return [*pips, *(one for _, one in colored[:_FOUND])]


def _under(candidate: DieCandidate, factor: float) -> DieCandidate:
    """Returns a candidate whose faces reflect `factor` times the share of white's light."""
    if factor == 1.0 or candidate.pips is not None:
        return candidate
    faces = []
    for face in candidate.faces:
        lights = face.lights * factor
        dazzled = max(face.dazzled, float((lights.min(axis=1) > _MIRRORING).mean()))
        faces.append(structs.replace(face, lights=lights, color=face.color * factor, dazzled=dazzled))
    return structs.replace(candidate, faces=tuple(faces))


def _odds(table: RegisteredImage, found: Sequence[DieCandidate]) -> float:
    """Returns the summed log odds of the candidates on a table."""
    chosen = choose(table, chances(table, found, learned()), _LEAST_ODDS)
    return sum(min(one.chance.log_odds, _MOST_ODDS) - _LEAST_ODDS for one in chosen)


def seen_table(small: Picture, factor: float, view: View) -> RegisteredImage:
    """Returns the table of a view: level, under a usual lens."""
    height, width = small.shape[:2]
    focal = usual_lens((width, height)).focal_px
    away_mm = SIDE_MM * focal / view.side_px + SIDE_MM
    mat = Mat(width * away_mm / focal, height * away_mm / focal, _MARKER_MM)
    middle = (mat.width_mm / 2, mat.height_mm / 2)
    tilt = -math.radians(view.tilt_deg)
    turn = np.asarray(cv2.Rodrigues(np.array([tilt, 0.0, 0.0]))[0])
    x, y, z = (float(v) for v in np.array([0.0, 0.0, away_mm]) - turn @ np.array([*middle, 0.0]))
    pose = Pose((width, height), focal, 0.0, (tilt, 0.0, 0.0), (x, y, z), 0.0)
    white = math.log(view.white)
    return RegisteredImage(small, factor, mat, pose, Light(middle, (white, white, white), 0.0, 0.0, ()), ())
