"""Close looks at places of one sheet, and their results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from vision.image.pose import Pose
from vision.readers.pyramids.cells import Answers
from vision.readers.pyramids.closeup import Closeup, CloseupShown, Named, Namer, closeup, cut
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines, painted_levels
from vision.readers.pyramids.presence import apart, without_doubles
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.sheet import PX_PER_MM, STRIDE, Sheet, directions
from vision.readers.pyramids.weighing import Surroundings, Weigher, color_logs, joined, place_mm, weigh

Floats = NDArray[Any]

# Lone pieces that were missed or misplaced, found again by unexplained plastic beside the empty table.
#
# Cells that know no cloth like this one may point beside their piece: then the close look is taken in the wrong place,
# and it says "lying" for a standing piece, or nothing. Beside the empty table the silhouette is known, so plastic
# that no outline covers asks for another look, where the exact shape of a lone piece holds most of it; and so does a
# piece that does not surely lie, if a standing one would hold nearly as much.

_MOST = 5.0
"""Log odds of plastic that one pixel may claim."""
LEFT_MM2 = 40.0
"""So much plastic that no outline covers, in one patch, is looked at again: a fifth of the smallest base."""
_MOST_PATCHES = 6
"""So many patches, the largest ones, are looked at."""
_REACH_MM = 45.0
"""A lone piece around a patch is within this distance."""
_BESIDE_PX = 3
"""The possible error of an outline; the rest of a patch beside it is none."""
_LONE = 2
"""Taller stacks are not taken for lone pieces."""
_LEAST, _MORE = 200.0, 1.03
"""A silhouette is worth a close look that holds so much plastic, in cells' log odds, and so many times more than each
thing that it may replace."""
_NEARLY = 0.9
"""The same for a silhouette that stands where something lies."""
_SURE = 0.99
"""A surer lying piece is not tried standing."""
_TURNS = (0.0, 22.5, 45.0, 67.5)
_HEADINGS = tuple(float(heading) for heading in range(0, 360, 20))


class Patch(Struct, frozen=True):
    """Plastic that the outlines of all that was found leave over, and where lone pieces may stand or lie instead.

    Or a piece that lies, and where it may stand.
    """

    suspects: tuple[int, ...]
    """Numbers of lone things that were found beside it: they may be the same piece, misplaced."""
    places_mm: tuple[tuple[float, float], ...]
    """The places of the best standing shape, and of the best lying one, if something may lie there."""
    answers: Answers
    """The answers of cells; those of all other found things are ignored, and the others may belong to any place."""


def patches(
    found: Sequence[FoundPieces], kept: Sequence[FoundPieces], answers: Answers, sheet: Sheet, pose: Pose
) -> Iterator[Patch]:
    """Yields patches of unexplained plastic, the largest ones first; none without the empty table.

    Args:
        kept: Known things from an earlier picture.
    """
    fine = answers.fine
    if fine is None:
        return
    drawn = [_drawn(one, sheet, fine.shape) for one in (*found, *kept)]
    for n, one in enumerate(found):
        if one.place.lies and one.confidence < _SURE:
            free, others = _without(fine, drawn, [n])
            odds = np.clip(free, -_MOST, _MOST)
            middle = sheet.to_sheet(one.outline_px.reshape(-1, 2)).mean(axis=0)
            standing = _best(odds, middle, False, sheet, pose)
            if standing.held > _NEARLY * _held(odds, drawn[n]):
                yield Patch((n,), (standing.place_mm,), _free(answers, free, others))

    covered = np.any(drawn, axis=0) if drawn else np.zeros(fine.shape, np.bool_)
    side = 2 * _BESIDE_PX + 1
    near = cv2.dilate(covered.astype(np.uint8), np.ones((side, side), np.uint8))
    left = ((fine > 0) & (near == 0)).astype(np.uint8)
    # The stripe of a cloth parts what belongs to one piece.
    joined = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    _, labels, stats, middles = cv2.connectedComponentsWithStats(joined)
    areas = stats[1:, cv2.CC_STAT_AREA]
    for k in (np.argsort(-areas, kind="stable")[:_MOST_PATCHES] + 1).tolist():
        if areas[k - 1] < LEFT_MM2 * PX_PER_MM**2:
            break
        patch = cv2.dilate((labels == k).astype(np.uint8), np.ones((2 * side + 1, 2 * side + 1), np.uint8)) > 0
        suspects = [n for n, one in enumerate(found) if len(one.place.sizes) <= _LONE and drawn[n][patch].any()]
        free, others = _without(fine, drawn, suspects)
        odds = np.clip(free, -_MOST, _MOST)
        standing, lying = (_best(odds, middles[k], lies, sheet, pose) for lies in (False, True))
        own = [_held(odds, drawn[n]) for n in suspects]
        if max(standing.held, lying.held) > max([_LEAST, *(_MORE * held for held in own)]):
            places = (standing.place_mm, lying.place_mm)
            yield Patch(tuple(suspects), places, _free(answers, free, others))


def _without(
    fine: Floats, drawn: Sequence[NDArray[np.bool_]], suspects: Sequence[int]
) -> tuple[Floats, NDArray[np.bool_]]:
    """(H, W) log odds of plastic that belongs to none but the suspects, and (H, W) where the others are."""
    others = np.zeros(fine.shape, np.bool_)
    for n, one in enumerate(drawn):
        if n not in suspects:
            others |= one
    return np.where(others, 0.0, fine), others


def _held(odds: Floats, shape: NDArray[np.bool_]) -> float:
    """Log odds of plastic inside of a shape (H, W), in cells."""
    return float(odds[shape].sum()) / STRIDE**2


def _drawn(found: FoundPieces, sheet: Sheet, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(H, W) whether a pixel is inside of the outline of a thing, in the sheet."""
    return painted_levels(sheet.to_sheet(found.outline_px), shape) > 0


def _free(answers: Answers, fine: Floats, others: NDArray[np.bool_]) -> Answers:
    """The same answers, in which no cell is bound to its place, and those of `others` (H, W) are ignored."""
    rows, columns = answers.plastic.shape
    taken = others.reshape(rows, STRIDE, columns, STRIDE).mean(axis=(1, 3)) > 0.5
    return answers.without(taken, fine)


class _Silhouette(NamedTuple):
    """A shape that holds most plastic."""

    held: float
    """Log odds of plastic inside of it, in cells."""
    place_mm: tuple[float, float]


def _best(odds: Floats, middle_px: Floats, lies: bool, sheet: Sheet, pose: Pose) -> _Silhouette:
    """The lone shape, standing or lying, that holds most plastic around a pixel of the sheet.

    Args:
        odds: (H, W) log odds of plastic.
    """
    reach = _REACH_MM * PX_PER_MM
    limit = np.array(odds.shape[::-1])
    low = np.clip(np.floor(middle_px - reach).astype(int), 0, limit - 2) // STRIDE * STRIDE
    high = np.clip(np.ceil(middle_px + reach).astype(int), low + 2, limit) // STRIDE * STRIDE
    part = odds[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    values = cv2.resize(part, None, fx=1 / STRIDE, fy=1 / STRIDE, interpolation=cv2.INTER_AREA)
    x, y = (float(v) for v in pose.unproject(sheet.to_picture(middle_px[None]))[0, :2])
    turns = _HEADINGS if lies else _TURNS
    guesses = [StackHypothesis(x, y, turn, (size,), lies) for size in PYRAMID_SIZES for turn in turns]
    best, at = -np.inf, np.zeros(2)
    for outline in outlines(guesses, pose):
        kernel, anchor = _kernel((sheet.to_sheet(outline[0]) - middle_px) / STRIDE)
        held = cv2.filter2D(values, cv2.CV_32F, kernel, anchor=anchor, borderType=cv2.BORDER_CONSTANT)
        _, most, _, where = cv2.minMaxLoc(held)
        if most > best:
            best, at = most, np.array(where, np.float64)
    place = pose.unproject(sheet.to_picture((at * STRIDE + (STRIDE - 1) / 2 + low)[None]))[0]
    return _Silhouette(float(best), (float(place[0]), float(place[1])))


def _kernel(corners: Floats) -> tuple[NDArray[np.float32], tuple[int, int]]:
    """A shape (5, 2) around its place as a mask, and where in the mask the place is."""
    low = np.minimum(np.floor(corners.min(axis=0)).astype(int), 0) - 1
    high = np.maximum(np.ceil(corners.max(axis=0)).astype(int), 0) + 2
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.rint((corners - low) * 16).astype(np.int32)), 1.0, shift=4)
    return mask, (int(-low[0]), int(-low[1]))


_MISSED_PX = 1.5
"""A place that was missed by more is looked at again from where it should be."""
_PERHAPS = 0.1
"""If something is there at least so probably."""


def closeups(places: Floats, sheet: Sheet, pose: Pose) -> list[Closeup]:
    """How the sheet is cut at places (N, 2) in millimeters."""
    pixels = sheet.to_sheet(pose.project(np.column_stack([places, np.zeros(len(places))])))
    ways = zip(pixels, *directions(sheet, pose, places), strict=True)
    return [closeup(pixel, rise, float(scale)) for pixel, rise, scale in ways]


def named_by(namer: Namer, seen: CloseupShown, closes: Sequence[Closeup]) -> list[Named]:
    """The names that a net gives to closeups: without the print of the table if it has one, and with it if unsure."""
    if seen.plain is None:
        return namer(np.stack([cut(seen, close) for close in closes]))
    plain = np.stack([cut(seen.plain, close) for close in closes])
    return namer(plain, lambda unsure: np.stack([cut(seen, closes[k]) for k in unsure]))


def crops(places: Floats, seen: CloseupShown, sheet: Sheet, pose: Pose, namer: Namer) -> list[tuple[Closeup, Named]]:
    """Closeups and names of places (N, 2); those that were missed by much are looked at again."""

    def look(at: Floats) -> tuple[list[Closeup], list[Named]]:
        closes = closeups(at, sheet, pose)
        return closes, named_by(namer, seen, closes)

    closes, found = look(places)
    again = [
        k
        for k, name in enumerate(found)
        if np.hypot(*name.shift_px) > _MISSED_PX and sum(g.probability for g in name.guesses) > _PERHAPS
    ]
    if again:
        new_closes, new_found = look(np.array([place_mm(closes[k], found[k], sheet, pose) for k in again]))
        for k, close, name in zip(again, new_closes, new_found, strict=True):
            closes[k], found[k] = close, name
    return list(zip(closes, found, strict=True))


Look = tuple[Closeup, Named]
Scored = tuple[float, FoundPieces]
"""A found thing, and its log odds before contours."""

LONE = 2
"""Taller stacks are not taken for a piece that lies."""
_BELIEVED = 0.6
"""A place where something is at least so probable holds something."""
_SHOWN = 0.3
"""Less of a thing's outline shows only something taller in front of it."""
_PLAIN = 0.9
"""A surer standing thing is not taken for a lying piece."""
_CLEARER = 5.0
"""So many more log odds of plastic that a place is looked at again."""
_RIVALS, _RIVAL = 10, 0.0005
"""The number of guesses that go on beside the best one, and their least probability: their bands may decide otherwise.
"""


class Looking(Struct, frozen=True):
    """A sheet that is looked at closely."""

    answers: Answers
    shown: CloseupShown
    sheet: Sheet
    pose: Pose
    weigher: Weigher
    namer: Namer

    def near(self, places_mm: Floats) -> list[Look]:
        """Looks at places (N, 2) or, where a first look says that it missed by much, at the place that it means."""
        return crops(places_mm, self.shown, self.sheet, self.pose, self.namer)

    def just_at(self, places_mm: Floats) -> list[Look]:
        """Looks at places (N, 2) that are known to be right."""
        closes = closeups(places_mm, self.sheet, self.pose)
        names = named_by(self.namer, self.shown, closes)
        return [(close, replace(name, shift_px=np.zeros(2))) for close, name in zip(closes, names, strict=True)]

    def found(self, looks: Sequence[Look], occupied: bool = False) -> Scored | None:
        """The best guess of several looks at one thing, which may be in any of their places, and its rivals.

        None if "no thing" is likelier, unless the place is `occupied`.
        """
        told = [weigh(close, named, self.answers, self.sheet, self.pose) for close, named in looks]
        weighed = joined([one for _, one in told])
        if weighed.something < _BELIEVED and not occupied:
            return None
        places, share = self.weigher(weighed, self.pose)
        look = np.repeat(np.arange(len(looks)), [len(one.places) for _, one in told])
        first, *others = (int(k) for k in np.argsort(-share)[: _RIVALS + 1])
        best = places[first]
        if told[look[first]][0].shown(best) < _SHOWN and not occupied:
            return None

        def colors(k: int) -> Floats:
            return color_logs(looks[look[k]][1], told[look[k]][0], places[k])

        rivals = [Rival(places[k], float(share[k]), colors(k)) for k in others if share[k] > _RIVAL]
        found = FoundPieces(best, float(share[first]), tuple(rivals), (), colors(first), *outlined(best, self.pose))
        return float(weighed.logs.max()), found

    def all_near(self, places_mm: Floats) -> list[Scored]:
        """The things near places (N, 2); a place where a thing may lie instead of standing is looked at, too."""
        found: list[Scored] = []
        second: list[tuple[int, Look, Floats]] = []
        for look in self.near(places_mm):
            one = self.found([look])
            if one is None:
                continue
            other = self._other_place(one[1])
            if other is not None:
                second.append((len(found), look, other))
            found.append(one)
        if second:
            again = self.near(np.array([other for _, _, other in second]))
            for (k, first, _), look in zip(second, again, strict=True):
                found[k] = self.found([first, look]) or found[k]
        return found

    def _other_place(self, found: FoundPieces) -> Floats | None:
        """The place of a lying piece, if it explains the plastic better than the thing found standing there alone."""
        if found.place.lies or len(found.place.sizes) > LONE or found.confidence > _PLAIN:
            return None
        place = np.array([found.place.x_mm, found.place.y_mm])
        around = Surroundings(self.answers, self.sheet, self.pose, place)
        fit = around.lying(place, PYRAMID_SIZES)
        if fit.score < around.best([found.place]).score + _CLEARER:
            return None
        return np.array([fit.place.x_mm, fit.place.y_mm])


_LIKELY, _WHOLE = 5.0, 0.9
"""The log odds and the share of plastic in its outline that a find of a second look must have: shadows are seldom so
dense."""
_LIKELY_THERE, _WHOLE_THERE = 0.0, 0.5
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
        likely, shown = (_LIKELY_THERE, _WHOLE_THERE) if old else (_LIKELY, _WHOLE)
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
