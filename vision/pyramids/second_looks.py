"""Second looks: where plastic is left over or something lies unsurely, the thing or its whole group is read again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.pieces import PYRAMID_SIZES
from companion.plan import Mat
from vision.pyramids.answers import Answers
from vision.pyramids.crowd import explained
from vision.pyramids.doubles import apart, apart_from_all, without_doubles
from vision.pyramids.fit import Surroundings
from vision.pyramids.hypothesis import outlines
from vision.pyramids.looking import LONE, Look, Looking, Scored
from vision.pyramids.painting import covered
from vision.pyramids.scene import FoundPieces
from vision.pyramids.sheet import PX_PER_MM, STRIDE
from vision.pyramids.silhouettes import patches

Floats = NDArray[Any]
Mask = NDArray[np.bool_]

_LIKELY, _WHOLE = 5.0, 0.9
"""What is found by a second look is so likely, in log odds, and so much of its outline shows plastic: shadows are
seldom so dense."""
_PERHAPS, _PART = 0.0, 0.5
"""The same where something was found already."""
_SAME_MM = 4.0
"""Two looks mean one place that is no farther off."""
_SEEN = -1.0
"""Log odds of plastic from which a cell belongs to a group."""
_LEFT_MM2 = 40.0
"""So much plastic in one patch that nothing covers is left over: a fifth of the smallest base."""
_BESIDE = 5
"""Cells so near to an outline are covered by it: half of that on each side."""
_LIES, _STANDS = 0.97, 0.9
"""What lies or stands at least so surely leaves no doubt."""
_FEWEST, _MOST = 40, 12000
"""Cells of a group that is read again as a whole: what is larger is a table's pattern."""
_NEW = 2.5
"""What is found in a group where nothing was is so likely, in log odds: a shadow has an outline, too."""
_MOST_GROUPS = 6
_WITHIN = 0.3
"""A thing of which so much is in a group belongs to it."""


def looked_again(found: Sequence[Scored], kept: Sequence[FoundPieces], looking: Looking) -> list[Scored]:
    """The same things; lone ones beside plastic that nothing explains may stand or lie elsewhere, or are new.

    A piece of which it is not sure that it lies is asked in any case whether it stands.
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


def crowds_looked_again(
    found: Sequence[Scored], kept: Sequence[FoundPieces], looking: Looking, mat: Mat
) -> list[Scored]:
    """The same things, but groups that are not explained by what was found in them are read again as a whole."""
    scores = {id(one): score for score, one in found}
    out = without_doubles([one for _, one in found if apart_from_all(one, kept)])
    for group in list(_groups(out, kept, looking)):
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


class _Group(NamedTuple):
    """Plastic that is seen in one piece."""

    cells: Mask
    """(h, w)."""
    own: list[FoundPieces]
    """What was found in it."""
    beside: list[FoundPieces]
    """What else is seen there and is known to be where it is."""


def _groups(found: Sequence[FoundPieces], kept: Sequence[FoundPieces], looking: Looking) -> Iterator[_Group]:
    """Groups in which plastic is left over, or something is not sure."""
    plastic = looking.answers.plastic
    shapes = [covered(one.outline_px, looking.sheet, plastic.shape) for one in (*found, *kept)]
    around = np.ones((_BESIDE, _BESIDE), np.uint8)
    taken = cv2.dilate(np.any([np.zeros(plastic.shape, np.bool_), *shapes], axis=0).astype(np.uint8), around)
    left = cv2.morphologyEx(((plastic > 0) & (taken == 0)).astype(np.uint8), cv2.MORPH_CLOSE, around)
    _, patch, stats, _ = cv2.connectedComponentsWithStats(left)
    large = stats[:, cv2.CC_STAT_AREA] * STRIDE**2 >= _LEFT_MM2 * PX_PER_MM**2
    large[0] = False
    if not large.any() and not any(_doubtful(one, True) for one in found):
        return
    left_over = large[patch]
    _, labels, stats, _ = cv2.connectedComponentsWithStats((plastic > _SEEN).astype(np.uint8))
    areas = stats[1:, cv2.CC_STAT_AREA]
    given = 0
    for label in (np.argsort(-areas, kind="stable") + 1).tolist():
        if not _FEWEST <= areas[label - 1] <= _MOST:
            continue
        cells = labels == label
        own, beside = [], []
        for n, (one, shape) in enumerate(zip((*found, *kept), shapes, strict=True)):
            inside = np.count_nonzero(shape & cells)
            if n < len(found) and inside > _WITHIN * np.count_nonzero(shape):
                own.append(one)
            elif inside:
                beside.append(one)
        doubt = left_over[cells].any() or any(_doubtful(one, len(own) > 1) for one in own)
        if not doubt or not (own or beside):  # where nothing at all was found the table looks like plastic
            continue
        yield _Group(cells, own, beside)
        given += 1
        if given == _MOST_GROUPS:
            return


def _doubtful(found: FoundPieces, crowded: bool) -> bool:
    """Whether something may be misread because of what stands around it; then it is a lone piece."""
    if found.place.lies:
        return found.confidence < _LIES
    return crowded and len(found.place.sizes) <= LONE and found.confidence < _STANDS


def _without(answers: Answers, others: Mask) -> Answers:
    """The same answers, in which cells of `others` (h, w) say nothing, and all else may belong to any place."""
    fine = answers.fine
    if fine is not None:
        fine = np.where(others.repeat(STRIDE, axis=0).repeat(STRIDE, axis=1), 0.0, fine)
    return replace(answers, plastic=np.where(others, 0.0, answers.plastic), fine=fine, bound=False)


def _surely_new(found: Scored) -> bool:
    """Whether something may be told where nothing was found: the tip of a shadow looks like a small piece."""
    score, one = found
    return score > _NEW and one.place.sizes != PYRAMID_SIZES[-1:]


def _standing(look: Look) -> Look:
    """The same look at a place where something stands, by all that its group explains."""
    close, named = look
    return close, replace(named, guesses=tuple(guess for guess in named.guesses if not guess.lies))


def _same(one: FoundPieces, other: FoundPieces) -> bool:
    """Whether two looks say the same of one place."""
    away = np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm)
    return (one.place.sizes, one.place.lies) == (other.place.sizes, other.place.lies) and bool(away < _SAME_MM)
