"""Reads dice on a table: from a picture to dice with kinds, faces, places and confidences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection
from companion.core.pieces import WHEEL, Die
from companion.core.plan import Point
from vision.calibration.taught import Look, TaughtDice
from vision.image.light import LINEAR
from vision.readers.dice.box import box_of, tinted_chances, without_parts
from vision.readers.dice.candidates import LEVEL_MM, DieCandidate, candidates
from vision.readers.dice.choice import Chosen, FaceChance, chances, choose
from vision.readers.dice.cocked import Leaning, leaning_dice
from vision.readers.dice.faces import FLOOR, seen_faces
from vision.readers.dice.lean import leans
from vision.readers.dice.marked_faces import face_odds, marked_faces
from vision.readers.dice.naming import top_chances
from vision.readers.dice.outline import DiePlace
from vision.readers.dice.palette import LearnedDice, learned
from vision.readers.dice.plane import Plane, pixels_of, tray_plane
from vision.readers.dice.solids import CUBE, Floats, turned
from vision.readers.dice.tinted_faces import of_one_box, tinted_candidates
from vision.registration.registered_image import RegisteredImage

# Recognizes squares of a cloth that look like dice: the cloth repeats them at equal distances and rotations.
#
# Around a die lies the tray, which has another color, or the die's own color everywhere. Around a square of a cloth lie
# others of its color with another one between them. So from each candidate the ground is looked at along both of its
# sides: a row in which its color comes and goes, or goes on, is a cloth's. What else has that color, is turned alike
# and lies in line with such a square is another one: dice fall as they like.

_LIKELY = -2.0
"""The log odds from which a candidate is checked against the cloth."""
_PITCHES_MM = np.arange(26.0, 102.0, 4.0)
"""The distances in millimeters at which a cloth may repeat; nearer ones belong to the candidate itself."""
_STEPS = np.array([-2.0, -1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0])
"""The places examined in a row, in pitches: at whole ones the color recurs, at half ones another color lies between."""
_WHOLE = np.array([0, 2, 5, 7])
_BETWEEN = np.array([1, 3, 4, 6])
_SOFT_PX = 5
_ALIKE, _OTHER = 0.3, 0.4
"""The difference of logarithms of light up to which a color recurs, and that from which it is another color."""
_TURNED_DEG, _IN_LINE_MM, _HERE_MM, _ROW_MM = 6.0, 2.5, 8.0, 140.0
"""Two squares of one row differ at most by this rotation and this sideways distance; closer ones are the same place,
and in longer rows errors of places and lens add up.
"""
_AGAIN = 3
"""The number of places, out of four at which a color should recur or differ, that must agree."""
_OF_EIGHT = 7
"""The number of all eight places that must agree: around a die on a cloth of its color, other dice and shadows
interfere.
"""


def squares_of_cloth(table: RegisteredImage, ranked: Sequence[FaceChance]) -> list[FaceChance]:
    """Returns candidates at places where the cloth repeats exactly their color."""
    cubes = [one for one in ranked if one.colors is not None and one.candidate.solid is CUBE]
    asked = [one for one in cubes if one.log_odds > _LIKELY]
    if not asked:
        return []
    tops = np.array([one.candidate.top_mm().mean(axis=0) for one in asked])
    middles = table.pose.unproject(table.pose.project(tops))
    axes = np.array([turned(np.eye(3)[:2], one.candidate.place.yaw_deg)[:, :2] for one in asked])
    reach = _PITCHES_MM[:, None] * _STEPS
    spots = middles[:, None, None, None] + axes[:, :, None, None] * reach[None, None, :, :, None]
    away = np.abs(_seen_pattern(table, spots) - _seen_pattern(table, middles)[:, None, None, None]).max(axis=-1)
    alike, other = away < _ALIKE, away > _OTHER
    again = alike[..., _WHOLE].sum(axis=-1) >= _AGAIN
    between = other[..., _BETWEEN].sum(axis=-1)
    comes = (again & (between >= _AGAIN) & (alike[..., _WHOLE].sum(axis=-1) + between >= _OF_EIGHT)).any(axis=-1)
    goes_on = (again & (alike[..., _BETWEEN].sum(axis=-1) >= _AGAIN)).any(axis=-1)
    repeats = comes.any(axis=1) & (comes | goes_on).all(axis=1)
    found = repeats | _in_rows(asked, axes)[:, repeats].any(axis=1)
    return [one for one, is_one in zip(asked, found, strict=True) if is_one]


def _in_rows(asked: Sequence[FaceChance], axes: Floats) -> NDArray[np.bool_]:
    """Returns (N, N): True for candidates with one color, equal rotation and in line; `axes` (N, 2, 2) are their
    sides.
    """
    places = [one.candidate.place for one in asked]
    color = np.array([np.logaddexp.reduce(one.colors.top, axis=0).argmax() for one in asked if one.colors is not None])
    yaw = np.array([place.yaw_deg for place in places])
    apart = np.abs((yaw[None] - yaw[:, None] + CUBE.turn_deg / 2) % CUBE.turn_deg - CUBE.turn_deg / 2)
    at = np.array([(place.x_mm, place.y_mm) for place in places])
    away = np.abs(np.einsum("nmk,nak->nma", at[None] - at[:, None], axes))
    far = np.hypot(away[..., 0], away[..., 1])
    in_line = (away.min(axis=2) < _IN_LINE_MM) & (far > _HERE_MM) & (far < _ROW_MM)
    return np.asarray(in_line & (apart < _TURNED_DEG) & (color[None] == color[:, None]))


def _seen_pattern(table: RegisteredImage, places_mm: Floats) -> Floats:
    """Returns (..., 3): log light over white on the ground at places (..., 2); NaN outside of the picture."""
    flat = places_mm.reshape(-1, 2)
    pixels = pixels_of(table.pose, np.column_stack([flat, np.zeros(len(flat))]))[None]
    soft = cv2.blur(table.picture, (_SOFT_PX, _SOFT_PX))
    levels = cv2.remap(soft, pixels[..., 0], pixels[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)[0]
    logs = np.log(LINEAR[levels] / table.light.white(flat) + FLOOR)
    logs[(pixels[0] < 0).any(axis=-1) | (pixels[0] >= table.pose.size_px).any(axis=-1)] = np.nan
    return np.asarray(logs.reshape(*places_mm.shape[:-1], 3))


_LISTED = 0.001
"""Readings below this probability are not listed."""
_SURE = 0.9
"""Next to a die with this probability no other die is searched."""
_LIKELY_DIE = 0.7
"""Dice with this probability determine the size of the other dice with pips."""
_OF_ONE_BOX = 2
"""The least number of dice with pips that show the look of their box."""
_LEANING_MM = 24.0
"""The largest distance in millimeters between two faces of a leaning die."""
_ONE_MM = 16.0
"""The least distance in millimeters between two dice: a flat and a leaning thing closer than this are one leaning
die.
"""


class SeenDie(Struct, frozen=True):
    """A die in its place."""

    sighting: Detection
    """Its kind and face, with other candidates."""
    place: DiePlace
    """The place of its middle, and its yaw within the angle at which its shape repeats."""
    candidate: DieCandidate
    cocked: bool = False
    """True if it leans, so that no face is up; the detection then names the uppermost face."""

    look: Look | None = None
    """The drawing on its top face; None if it is a pattern of pips."""

    @property
    def told(self) -> bool:
        """Returns true if one face looks up more than all others."""
        return not self.cocked or bool(self.candidate.faces)

    @property
    def die(self) -> Die:
        """The likeliest reading."""
        assert isinstance(self.sighting.piece, Die)
        return self.sighting.piece


def read_dice(
    table: RegisteredImage,
    outline_mm: Sequence[Point] | None = None,
    numbers: LearnedDice | None = None,
    taught: TaughtDice | None = None,
) -> tuple[SeenDie, ...]:
    """Returns all dice in a tray's outline, cocked ones last; None: on the whole mat.

    Args:
        taught: What people taught of these dice; None: what the calibration of the table keeps.
    """
    if taught is None:
        taught = TaughtDice() if table.calibration is None else table.calibration.dice
    numbers = (numbers or learned()).with_colors(taught.colors)
    plane = tray_plane(table, LEVEL_MM, outline_mm)
    ranked = chances(table, candidates(table, plane), numbers)
    squares = squares_of_cloth(table, ranked)
    ranked = [one for one in ranked if all(one is not square for square in squares)]
    dice = decide(table, with_tinted(table, plane, ranked, numbers))
    found = [die.candidate for die in dice]
    explained = [*found, *(square.candidate for square in squares)]
    marked = _marked(table, plane, dice, taught)
    explained += [die.candidate for die in marked]
    others = [_cocked(one) for one in leaning_dice(table, plane, explained, numbers)]
    told = [
        replace(die, cocked=lean.cocked or any(_gap_mm(die, other) < _ONE_MM for other in others))
        for die, lean in zip(dice, leans(table, found), strict=True)
    ]
    told += [other for other in others if all(_gap_mm(die, other) >= _apart_mm(die) for die in told)]
    return tuple(sorted(told + marked, key=lambda die: die.cocked))


def _apart_mm(die: SeenDie) -> float:
    """Returns the least distance of a leaning die from this one."""
    return _LEANING_MM if die.cocked else _ONE_MM


def with_tinted(
    table: RegisteredImage, plane: Plane, ranked: Sequence[FaceChance], numbers: LearnedDice
) -> list[FaceChance]:
    """Returns the chances, and those of dice with pips of any color at places without a certain die."""
    chosen = [one.chance for one in choose(table, ranked)]
    sure = [one.candidate for one in chosen if one.probability > _SURE]
    sides_mm = [
        one.candidate.solid.height_mm for one in chosen if one.kind == "pips-d6" and one.probability > _LIKELY_DIE
    ]
    tinted = [
        die
        for die in tinted_candidates(table, plane, sure, sides_mm)
        if not sides_mm or any(of_one_box(die.solid.height_mm, side_mm) for side_mm in sides_mm)
    ]
    return without_parts([*ranked, *tinted_chances(tinted, box_of([*sure, *tinted], numbers), numbers)])


def decide(table: RegisteredImage, ranked: Sequence[FaceChance]) -> tuple[SeenDie, ...]:
    """Returns the flat dice among candidates, the likeliest first, each named in the light of all."""
    chosen = choose(table, ranked)
    colored = [one.chance for one in chosen if one.chance.colors is not None]
    named = dict(zip(map(id, colored), top_chances([c.colors for c in colored if c.colors is not None]), strict=True))
    return tuple(_seen(one, named.get(id(one.chance))) for one in chosen)


def _gap_mm(one: SeenDie, other: SeenDie) -> float:
    return math.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm)


def _marked(table: RegisteredImage, plane: Plane, dice: Sequence[SeenDie], taught: TaughtDice) -> list[SeenDie]:
    """Returns dice of the same box as those that show pips, whose top faces show a drawing instead."""
    sure = [die for die in dice if die.candidate.pips is not None and die.sighting.confidence > _LIKELY_DIE]
    box = box_of([die.candidate for die in sure], learned())
    if box is None or len(sure) < _OF_ONE_BOX:
        return []
    shown = [int(die.die.face) for die in sure]
    found = []
    for one in marked_faces(table, plane, box, [die.candidate for die in dice], taught):
        odds = face_odds(one.look, shown, taught)
        named = [Candidate(Die("pips-d6", face), one.probability * p) for face, p in enumerate(odds, 1) if p > _LISTED]
        named.sort(key=lambda candidate: -candidate.probability)
        faces = seen_faces(table, one.solid, [one.place])[0]
        candidate = DieCandidate(one.solid, one.place, faces, None)
        found.append(SeenDie(Detection(tuple(named)), one.place, candidate, look=one.look))
    return found


def _cocked(one: Leaning) -> SeenDie:
    return SeenDie(Detection((Candidate(one.die, one.probability),)), one.candidate.place, one.candidate, cocked=True)


def _seen(chosen: Chosen, tops: Floats | None) -> SeenDie:
    chance = chosen.chance
    sure = chance.probability
    rivals = [r for r in chosen.rivals if r.kind != chance.kind][:1]
    other = max((r.probability for r in rivals), default=0.0)
    share = sure / (sure + other)
    same = [chance, *(r for r in chosen.rivals if r.kind == chance.kind)] if tops is None else [chance]
    named = [
        Candidate(die, share * sure * p) for die, p in (_faces(chance, tops) if tops is not None else _pooled(same))
    ]
    for rival in rivals:
        alone = None if rival.colors is None else top_chances([rival.colors])[0]
        named += [Candidate(die, (1 - share) * other * p) for die, p in _faces(rival, alone)]
    named.sort(key=lambda one: -one.probability)
    listed = [named[0], *(one for one in named[1:] if one.probability >= _LISTED)]
    return SeenDie(Detection(tuple(listed)), chance.candidate.place, chance.candidate)


def _pooled(chances: Sequence[FaceChance]) -> list[tuple[Die, float]]:
    """Returns the faces that the patterns at one place show, weighted by the odds of each pattern."""
    weights = np.exp(np.array([one.log_odds for one in chances]) - chances[0].log_odds)
    odds = np.array([one.candidate.pips.odds() for one in chances if one.candidate.pips is not None])
    return [(Die("pips-d6", number), float(p)) for number, p in enumerate(weights @ odds / weights.sum(), 1)]


def _faces(chance: FaceChance, tops: Floats | None) -> list[tuple[Die, float]]:
    """Returns the faces that may be up, with their probabilities."""
    if tops is not None:
        return [(Die(chance.kind, color), float(p)) for color, p in zip(WHEEL, tops, strict=True) if p > 0]
    assert chance.candidate.pips is not None
    return [(Die(chance.kind, number), p) for number, p in enumerate(chance.candidate.pips.odds(), 1)]
