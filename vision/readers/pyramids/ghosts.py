"""Things that other things explain: the middle of a tall stack looks like a stack of its own that stands behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vision.readers.pyramids.answers import Answers
from vision.readers.pyramids.painting import covered
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.sheet import Sheet

_OWN = 0.2
"""A thing with a smaller share of uncovered plastic in its outline is none: a thing that far behind is not seen."""


class SeenPart(NamedTuple):
    """The things of one part of a picture; parts overlap."""

    found: Sequence[FoundPieces]
    answers: Answers
    sheet: Sheet


def without_ghosts_of_parts(
    found: Sequence[FoundPieces], parts: Sequence[SeenPart], kept: Sequence[FoundPieces]
) -> list[FoundPieces]:
    """`found`, things of all parts, without those that things of another part cover.

    A part may show a stack but not its place, so that only another part has the reading there.
    """
    there = list(found)
    for part in parts:
        here = {id(one) for one in part.found}
        own, others = ([one for one in there if (id(one) in here) == mine] for mine in (True, False))
        there = [*others, *without_ghosts(own, [*kept, *others], part.answers, part.sheet)]
    return there


def without_ghosts(
    found: Sequence[FoundPieces], kept: Sequence[FoundPieces], answers: Answers, sheet: Sheet
) -> list[FoundPieces]:
    """The same things without those that others cover; of two that cover each other the surer one stays.

    Args:
        kept: Things that are known to be there from an earlier picture.
    """
    plastic = answers.plastic > 0
    shapes = [covered(one.outline_px, sheet, plastic.shape) for one in found]
    covers = np.zeros(plastic.shape, np.int16)
    for shape in (*shapes, *(covered(one.outline_px, sheet, plastic.shape) for one in kept)):
        covers += shape
    there = []
    for k in sorted(range(len(found)), key=lambda k: found[k].confidence):
        shape = shapes[k]
        own = np.count_nonzero(plastic & shape & (covers == 1))
        if own < _OWN * np.count_nonzero(shape):
            covers -= shape
        else:
            there.append(k)
    return [found[k] for k in sorted(there)]
