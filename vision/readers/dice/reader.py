"""Dice on a table: from a picture to dice with kinds, faces, places and how sure each is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.core.layout import Candidate, Detection
from companion.core.pieces import WHEEL, Die
from companion.core.plan import Point
from vision.readers.dice.candidates import LEVEL_MM, DieCandidate, candidates
from vision.readers.dice.choice import Chosen, FaceChance, chances, choose
from vision.readers.dice.cocked import Leaning, leaning_dice
from vision.readers.dice.lean import leans
from vision.readers.dice.learned import LearnedDice, learned
from vision.readers.dice.naming import top_chances
from vision.readers.dice.outline import DiePlace
from vision.readers.dice.pattern import squares_of_cloth
from vision.readers.dice.plane import tray_plane
from vision.readers.dice.solids import Floats
from vision.registration.registered_image import RegisteredImage

_LISTED = 0.001
"""Readings below this probability are not listed."""
_ONE_MM = 16.0
"""No two dice lie closer: something flat and something that leans are one die that leans."""


class SeenDie(Struct, frozen=True):
    """One die as it lies."""

    sighting: Detection
    """Its kind and face, with other candidates."""
    place: DiePlace
    """Where its middle is, and its yaw in the angle that leaves its shape as it is."""
    candidate: DieCandidate
    cocked: bool = False
    """True if it lies aslant, so that no face is up; its detection then names the face that looks up most."""

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
    table: RegisteredImage, outline_mm: Sequence[Point] | None = None, numbers: LearnedDice | None = None
) -> tuple[SeenDie, ...]:
    """All dice in a tray's outline, cocked ones last; None: on the whole mat."""
    taught = numbers or learned()
    plane = tray_plane(table, LEVEL_MM, outline_mm)
    ranked = chances(table, candidates(table, plane), taught)
    squares = squares_of_cloth(table, ranked)
    dice = decide(table, [one for one in ranked if all(one is not square for square in squares)])
    found = [die.candidate for die in dice]
    explained = [*found, *(square.candidate for square in squares)]
    others = [_cocked(one) for one in leaning_dice(table, plane, explained, taught)]
    told = [
        replace(die, cocked=lean.cocked or any(_gap_mm(die, other) < _ONE_MM for other in others))
        for die, lean in zip(dice, leans(table, found), strict=True)
    ]
    told += [other for other in others if all(_gap_mm(die, other) >= _ONE_MM for die in dice)]
    return tuple(sorted(told, key=lambda die: die.cocked))


def decide(table: RegisteredImage, ranked: Sequence[FaceChance]) -> tuple[SeenDie, ...]:
    """The flat dice among candidates, the likeliest first, each named in the light of all."""
    chosen = choose(table, ranked)
    colored = [one.chance for one in chosen if one.chance.colors is not None]
    named = dict(zip(map(id, colored), top_chances([c.colors for c in colored if c.colors is not None]), strict=True))
    return tuple(_seen(one, named.get(id(one.chance))) for one in chosen)


def _gap_mm(one: SeenDie, other: SeenDie) -> float:
    return math.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm)


def _cocked(one: Leaning) -> SeenDie:
    return SeenDie(Detection((Candidate(one.die, one.probability),)), one.candidate.place, one.candidate, cocked=True)


def _seen(chosen: Chosen, tops: Floats | None) -> SeenDie:
    chance = chosen.chance
    sure = chance.probability
    rivals = [r for r in chosen.rivals if r.kind != chance.kind][:1]
    other = max((r.probability for r in rivals), default=0.0)
    share = sure / (sure + other)
    named = [Candidate(die, share * sure * p) for die, p in _faces(chance, tops)]
    for rival in rivals:
        alone = None if rival.colors is None else top_chances([rival.colors])[0]
        named += [Candidate(die, (1 - share) * other * p) for die, p in _faces(rival, alone)]
    named.sort(key=lambda one: -one.probability)
    listed = [named[0], *(one for one in named[1:] if one.probability >= _LISTED)]
    return SeenDie(Detection(tuple(listed)), chance.candidate.place, chance.candidate)


def _faces(chance: FaceChance, tops: Floats | None) -> list[tuple[Die, float]]:
    """The faces that may be up, with their probabilities."""
    if tops is not None:
        return [(Die(chance.kind, color), float(p)) for color, p in zip(WHEEL, tops, strict=True) if p > 0]
    assert chance.candidate.pips is not None
    return [(Die(chance.kind, number), p) for number, p in enumerate(chance.candidate.pips.odds(), 1)]
