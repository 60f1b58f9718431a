"""Second looks at groups: what their shapes explain together is looked at, each by its own plastic alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from companion.core.plan import Mat
from vision.readers.pyramids.answers import Answers
from vision.readers.pyramids.crowd import explained
from vision.readers.pyramids.doubles import apart, apart_from_all, without_doubles
from vision.readers.pyramids.groups import doubtful_groups
from vision.readers.pyramids.hypothesis import outlines
from vision.readers.pyramids.looking import Look, Looking, Scored
from vision.readers.pyramids.painting import covered
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.sheet import STRIDE

_NEW = 2.5
"""The log odds that a thing in an empty group must have: a shadow has an outline, too."""


def crowds_looked_again(
    found: Sequence[Scored], kept: Sequence[FoundPieces], looking: Looking, mat: Mat
) -> list[Scored]:
    """The same things, but groups that their things do not explain are read again as a whole."""
    scores = {id(one): score for score, one in found}
    out = without_doubles([one for _, one in found if apart_from_all(one, kept)])
    for group in list(doubtful_groups(out, kept, looking)):
        beside = [one.place for one in group.beside]
        places = [one.place for one in explained(group.cells, [one.place for one in group.own], beside, looking, mat)]
        if not places or len(places) + len(beside) < 2:  # nothing is around it that could have misled the first look
            continue
        looks = looking.just_at(np.array([(place.x_mm, place.y_mm) for place in places]))
        looks = [look if place.lies else _standing(look) for place, look in zip(places, looks, strict=True)]
        shapes = [covered(o, looking.sheet, group.cells.shape) for o in outlines([*places, *beside], looking.pose)]
        old = {id(one) for one in group.own}
        # Beside the empty table it is known which plastic is a stack's own.
        stacks = {one.place for one in group.own if looking.weigher.beside and len(one.place.sizes) > 1}
        for k, look in enumerate(looks):
            if places[k] in stacks:
                continue
            others = np.any([np.zeros_like(group.cells), *shapes[:k], *shapes[k + 1 :]], axis=0)
            one = replace(looking, answers=_without(looking.answers, others)).found([look], occupied=True)
            if one is None:
                continue
            clash = {id(other) for other in out if not apart(one[1], other)}
            if clash <= old and (clash or _surely_new(one)):
                out = [*(other for other in out if id(other) not in clash), one[1]]
                scores[id(one[1])] = one[0]
    return [(scores[id(one)], one) for one in out]


def _without(answers: Answers, others: NDArray[np.bool_]) -> Answers:
    """The same answers, in which cells of `others` (h, w) are ignored, and all others may belong to any place."""
    fine = answers.fine
    if fine is not None:
        fine = np.where(others.repeat(STRIDE, axis=0).repeat(STRIDE, axis=1), 0.0, fine)
    return answers.without(others, fine)


def _surely_new(found: Scored) -> bool:
    """Returns true if a thing may be listed where none was found: the tip of a shadow looks like a small piece."""
    score, one = found
    return score > _NEW and one.place.sizes != PYRAMID_SIZES[-1:]


def _standing(look: Look) -> Look:
    """The same look at a place where something stands, by all that its group explains."""
    close, named = look
    return close, replace(named, guesses=tuple(guess for guess in named.guesses if not guess.lies))
