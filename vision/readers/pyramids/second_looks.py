"""Second looks at lone things: beside the empty table, where plastic is left over or something lies unsurely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from vision.readers.pyramids.doubles import apart, without_doubles
from vision.readers.pyramids.fit import Surroundings
from vision.readers.pyramids.looking import LONE, Looking, Scored
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.silhouettes import patches

_LIKELY, _WHOLE = 5.0, 0.9
"""The log odds and the share of plastic in its outline that a find of a second look must have: shadows are seldom so
dense."""
_PERHAPS, _PART = 0.0, 0.5
"""The same where something was found already."""
_SAME_MM = 4.0
"""Two looks mean one place that is no farther off."""


def looked_again(found: Sequence[Scored], kept: Sequence[FoundPieces], looking: Looking) -> list[Scored]:
    """The same things; lone ones beside unexplained plastic may stand or lie elsewhere, or are new.

    A piece that does not surely lie is always tried standing, too.
    """
    there = without_doubles([one for _, one in found])
    out, gone = list(found), set()
    for patch in patches(there, kept, looking.answers, looking.sheet, looking.pose):
        old = [there[n] for n in patch.suspects]
        if any(id(thing) in gone for thing in old):
            continue
        beside = replace(looking, answers=patch.answers)
        places = [*patch.places_mm, *((one.place.x_mm, one.place.y_mm) for one in old)]
        one = beside.found(beside.near(np.array(places)))
        if one is None or len(one[1].place.sizes) > LONE:
            continue
        score, best = one
        around = Surroundings(patch.answers, looking.sheet, looking.pose, np.array([best.place.x_mm, best.place.y_mm]))
        likely, shown = (_PERHAPS, _PART) if old else (_LIKELY, _WHOLE)
        if score < likely or around.shown(best.place) < shown or any(_same(thing, best) for thing in old):
            continue
        # What was found there is the same piece, or it goes on standing beside it.
        gone |= {id(thing) for thing in old if not apart(thing, best)}
        out.append(one)
    return [thing for thing in out if id(thing[1]) not in gone]


def _same(one: FoundPieces, other: FoundPieces) -> bool:
    """Returns true if two looks agree about one place."""
    away = np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm)
    return (one.place.sizes, one.place.lies) == (other.place.sizes, other.place.lies) and bool(away < _SAME_MM)
