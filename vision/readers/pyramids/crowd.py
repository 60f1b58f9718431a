"""Pieces of a close group, found by their joint explanation.

Where one piece hides another's foot, cells of both point at places between them, and a close look there sees both at
once. So exact shapes of lone pieces are tried all over such a group: the one that explains most of its plastic and of
its contours is taken first, then the one that explains most of the rest, and so on (greedily, as in Barinova,
Lempitsky and Kohli, On detection of multiple object instances using Hough transforms, CVPR 2010). Afterwards each
shape that was not taken may replace those that it excludes, if that explains more.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from companion.core.plan import Mat
from vision.readers.pyramids.cells import Answers
from vision.readers.pyramids.contours import ContourFit
from vision.readers.pyramids.hypothesis import StackHypothesis, covered, outlines
from vision.readers.pyramids.looking import LEFT_MM2, LONE, Look, Looking, Scored
from vision.readers.pyramids.presence import apart, apart_from_all, clear_of, without_doubles
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.sheet import PX_PER_MM, STRIDE
from vision.readers.pyramids.unexplained import ShapePixels, Unexplained

Floats = NDArray[Any]
Mask = NDArray[np.bool_]

_PIECE = -1.0
"""Plastic that is left over is a piece if contours show the inside of one there with so much on average, in log odds,
else a shadow or a pattern: where groups were read for it in vain it had less than -2, where a piece was found 0.7 and
more."""
_AROUND_PX = 16
"""So much around it is looked at."""
_SEEN = -1.0
"""Log odds of plastic from which a cell belongs to a group."""
_BESIDE = 5
"""Cells so near to an outline are covered by it: half of that on each side."""
_LIES, _STANDS = 0.97, 0.9
"""A surer lying or standing thing is not in doubt."""
_FEWEST, _MOST = 40, 12000
"""Cells of a group that is read again as a whole: a larger one is a table's pattern."""
_MOST_GROUPS = 6
_WITHIN = 0.3
"""A thing of which so much is in a group belongs to it."""


class Group(NamedTuple):
    """Plastic that is seen in one piece."""

    cells: Mask
    """(h, w)."""
    own: list[FoundPieces]
    """The things found in it."""
    beside: list[FoundPieces]
    """The other things there with known places."""


def doubtful_groups(found: Sequence[FoundPieces], kept: Sequence[FoundPieces], looking: Looking) -> Iterator[Group]:
    """Groups in which contours show a piece in plastic that is left over, or something is not sure."""
    plastic = looking.answers.plastic
    shapes = [covered(one.outline_px, looking.sheet, plastic.shape) for one in (*found, *kept)]
    around = np.ones((_BESIDE, _BESIDE), np.uint8)
    taken = cv2.dilate(np.any([np.zeros(plastic.shape, np.bool_), *shapes], axis=0).astype(np.uint8), around)
    left = cv2.morphologyEx(((plastic > 0) & (taken == 0)).astype(np.uint8), cv2.MORPH_CLOSE, around)
    _, patch, stats, _ = cv2.connectedComponentsWithStats(left)
    large = stats[:, cv2.CC_STAT_AREA] * STRIDE**2 >= LEFT_MM2 * PX_PER_MM**2
    large[0] = False
    if not large.any() and not any(_doubtful(one, True) for one in found):
        return
    left_over = large[patch]
    _, labels, stats, _ = cv2.connectedComponentsWithStats((plastic > _SEEN).astype(np.uint8))
    areas = stats[:, cv2.CC_STAT_AREA]
    by_label = [np.bincount(labels[shape], minlength=len(areas)) for shape in shapes]
    left_in = np.bincount(labels[left_over], minlength=len(areas)) > 0
    given = 0
    for label in (np.argsort(-areas[1:], kind="stable") + 1).tolist():
        if not _FEWEST <= areas[label] <= _MOST:
            continue
        own, beside = [], []
        for n, (one, cells) in enumerate(zip((*found, *kept), by_label, strict=True)):
            if n < len(found) and cells[label] > _WITHIN * cells.sum():
                own.append(one)
            elif cells[label]:
                beside.append(one)
        if not (own or beside):  # where nothing at all was found the table looks like plastic
            continue
        inside = labels == label
        doubt = any(_doubtful(one, len(own) > 1) for one in own)
        if not doubt and left_in[label]:
            doubt = any(_shows_piece(patch == k, looking) for k in np.unique(patch[inside & left_over]))
        if not doubt:
            continue
        yield Group(inside, own, beside)
        given += 1
        if given == _MOST_GROUPS:
            return


def _shows_piece(patch: Mask, looking: Looking) -> bool:
    """Returns true if contours show the inside of a piece in a patch (h, w) of cells."""
    rows, columns = np.nonzero(patch)
    cells = np.column_stack([columns, rows]) * STRIDE + (STRIDE - 1) / 2
    pixels = np.rint(looking.sheet.to_picture(cells)).astype(int)
    low, high = pixels.min(axis=0) - _AROUND_PX, pixels.max(axis=0) + _AROUND_PX
    odds, first = looking.weigher.contours.around(low, high)
    x, y = np.clip(pixels - first, 0, (odds.shape[2] - 1, odds.shape[1] - 1)).T
    return bool(odds[-1][y, x].mean() > _PIECE)


def _doubtful(found: FoundPieces, crowded: bool) -> bool:
    """Returns true if a thing may be misread because of its surroundings; then it is a lone piece."""
    if found.place.lies:
        return found.confidence < _LIES
    return crowded and len(found.place.sizes) <= LONE and found.confidence < _STANDS


_LEAST, _OWN = 2.0, 0.3
"""A shape explains so much, in log odds, and so much of its inside is explained by no other."""
_NAMED, _LYING = 6.0, 3.0
"""The advantage of things from a close look over tried ones, standing and lying. Beside others it takes standing things
for lying ones more often than the reverse: their plastic is seen there, too."""
_MORE = 0.2
"""So much more is explained by what replaces others."""
_ROUNDS = 6
_STEP_MM, _TURNS = 2.0, (0.0, 15.0, 30.0, 45.0, 60.0, 75.0)
"""Where lone pieces are tried, and how they are turned."""
_LIKELY = 0.25
"""The mean likelihood of a contour under the outline of a shape that is tried in full."""
_APART_MM = 3.0
"""Of shapes of one size that are closer only the likeliest is tried in full."""
_MOST_TRIED = 100
"""So many of each size."""


class Explained(NamedTuple):
    """One shape of a group."""

    place: StackHypothesis
    gain: float
    """Log odds that it explains and all others do not."""


def explained(
    cells: Mask, named: Sequence[StackHypothesis], beside: Sequence[StackHypothesis], looking: Looking, mat: Mat
) -> list[Explained]:
    """The things of a group, the best explanation first.

    Args:
        cells: (h, w) the group's cells.
        named: The things from close looks; these may also lie.
        beside: The known things, which explain their own part.
    """
    grid = _places(cells, looking, mat)
    if not len(grid):
        return []
    corners = [(x, y) for x in (grid[:, 0].min(), grid[:, 0].max()) for y in (grid[:, 1].min(), grid[:, 1].max())]
    reach = [StackHypothesis(float(x), float(y), turn, PYRAMID_SIZES[:1]) for x, y in corners for turn in (0.0, 45.0)]
    fit = looking.weigher.around([*reach, *named], looking.pose)
    left = Unexplained(fit, grid.mean(axis=0), looking)
    for one in left.pixels(beside):
        left.take(one)
    places = [*named, *_tried(grid, fit)]
    starts = [_LYING if place.lies else _NAMED for place in named] + [0.0] * (len(places) - len(named))
    pixels = left.pixels(places, starts)
    there = [k for k, place in enumerate(places) if all(clear_of(place, other) for other in beside)]
    choice = _Choice([places[k] for k in there], [pixels[k] for k in there], left)
    choice.begin()
    for _ in range(_ROUNDS):
        if not choice.improve():
            break
    return choice.told()


def _places(cells: Mask, looking: Looking, mat: Mat) -> Floats:
    """(N, 2) places of the table, in millimeters, that are seen in a group."""
    rows, columns = np.nonzero(cells)
    box = np.array([(x, y) for x in (columns.min(), columns.max()) for y in (rows.min(), rows.max())], np.float64)
    pixels = looking.sheet.to_picture(box * STRIDE + (STRIDE - 1) / 2)
    ends = looking.pose.unproject(pixels)[:, :2]
    low, high = np.maximum(ends.min(axis=0), 0), np.minimum(ends.max(axis=0), (mat.width_mm, mat.height_mm))
    across, down = (np.arange(a + _STEP_MM / 2, b, _STEP_MM) for a, b in zip(low, high, strict=True))
    places = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    if not len(places):
        return np.asarray(places)
    seen = looking.sheet.to_sheet(looking.pose.project(np.column_stack([places, np.zeros(len(places))])))
    x, y = np.rint((seen - (STRIDE - 1) / 2) / STRIDE).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < cells.shape[1]) & (y < cells.shape[0])
    inside[inside] = cells[y[inside], x[inside]]
    return np.asarray(places[inside])


def _tried(grid: Floats, fit: ContourFit) -> list[StackHypothesis]:
    """Lone pieces of all sizes, in places and turns in which contours are likely under their outlines."""
    found = []
    for size, likely in zip(PYRAMID_SIZES, fit.likely_at(grid, _TURNS), strict=True):
        best, free = likely.max(axis=1), np.ones(len(grid), np.bool_)
        tried = 0
        for k in np.argsort(-best, kind="stable"):
            if best[k] < _LIKELY or tried == _MOST_TRIED:
                break
            if free[k]:
                free &= np.hypot(*(grid - grid[k]).T) > _APART_MM
                x, y = grid[k].tolist()
                found.append(StackHypothesis(x, y, _TURNS[int(likely[k].argmax())], (size,)))
                tried += 1
    return fit.moved(found)


class _Choice:
    """Shapes that are taken, of some of which many exclude each other."""

    def __init__(self, places: Sequence[StackHypothesis], pixels: Sequence[ShapePixels], left: Unexplained) -> None:
        self._places, self._pixels, self._left = places, pixels, left
        self._taken: list[int] = []

    def begin(self) -> None:
        """Takes the best explanation of the rest, again and again."""
        heap = [(-self._left.gain(one), k) for k, one in enumerate(self._pixels)]
        heapq.heapify(heap)
        while heap:
            _, k = heapq.heappop(heap)
            if self._excluded(k) or self._left.own(self._pixels[k]) < _OWN:
                continue
            gain = self._left.gain(self._pixels[k])
            if heap and gain < -heap[0][0]:  # what was taken since explains a part of it
                heapq.heappush(heap, (-gain, k))
            elif gain < _LEAST:
                return
            else:
                self._take(k)

    def improve(self) -> bool:
        """Replaces things of less worth than those they exclude; returns true if one was replaced."""
        before = set(self._taken)
        for k in range(len(self._places)):
            if k not in self._taken:
                self._replace(k)
        for k in list(self._taken):
            self._leave(k)
            if self._worth(k) >= _LEAST:
                self._take(k)
        return set(self._taken) != before

    def told(self) -> list[Explained]:
        """The taken shapes."""
        found = []
        for k in list(self._taken):
            self._leave(k)
            found.append(Explained(self._places[k], self._left.gain(self._pixels[k])))
            self._take(k)
        return sorted(found, key=lambda one: -one.gain)

    def _replace(self, k: int) -> None:
        rivals, lost = self._excluded(k), 0.0
        for n in rivals:
            self._leave(n)
            lost += self._left.gain(self._pixels[n])
        if self._worth(k) >= max(lost + _MORE, _LEAST):
            self._take(k)
        else:
            for n in rivals:
                self._take(n)

    def _worth(self, k: int) -> float:
        """The worth of a shape; 0 if others cover most of it."""
        return self._left.gain(self._pixels[k]) if self._left.own(self._pixels[k]) >= _OWN else 0.0

    def _excluded(self, k: int) -> list[int]:
        """The taken shapes that cannot stand beside a shape."""
        return [n for n in self._taken if not clear_of(self._places[k], self._places[n])]

    def _take(self, k: int) -> None:
        self._left.take(self._pixels[k])
        self._taken.append(k)

    def _leave(self, k: int) -> None:
        self._left.leave(self._pixels[k])
        self._taken.remove(k)


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
