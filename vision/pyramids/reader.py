"""Reading the pyramids of one picture, and of the next one with less work.

The order: the sheet of the mat, places that its cells point at, a close look at each of them, contours of the picture
where that leaves doubt, the bands of what stands, on a board the stacks that its game builds, and at last colors; sizes
and colors together if the set is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS, PYRAMID_SIZES, SHAPES
from companion.plan import Mat
from vision.calibration.empty import EmptyTable
from vision.light import Light
from vision.likeness import Glance, Mask, glance_of, unchanged
from vision.picture import Picture
from vision.pose import Pose
from vision.pyramids import answers as cells
from vision.pyramids import contours, naming
from vision.pyramids.answers import WEIGHTS, Answers
from vision.pyramids.assignment import Limits
from vision.pyramids.band_net import FILE as BANDS
from vision.pyramids.band_net import BandNet
from vision.pyramids.bare import beside_empty
from vision.pyramids.board_stacks import FILE as TOPS
from vision.pyramids.board_stacks import BoardStacks
from vision.pyramids.by_bands import by_bands
from vision.pyramids.by_tones import by_tones, measured
from vision.pyramids.change import inside
from vision.pyramids.closeup import Closeup, CloseupShown, shown
from vision.pyramids.confirmed import ConfirmedColors
from vision.pyramids.contour_weights import FILE as FITS
from vision.pyramids.contour_weights import ContourWeights, load_fits
from vision.pyramids.contours import ContourNet, Contours
from vision.pyramids.crops import crops
from vision.pyramids.differing import answers_of
from vision.pyramids.fit import Surroundings
from vision.pyramids.ghosts import SeenPart, without_ghosts, without_ghosts_of_parts
from vision.pyramids.joint_assignment import named_jointly
from vision.pyramids.naming import Named, Namer
from vision.pyramids.scene import FoundPieces, PyramidScene, Rival, outlined
from vision.pyramids.sheet import Sheet, inputs, sheet_of
from vision.pyramids.silhouettes import patches
from vision.pyramids.table_tones import FILE as TONES
from vision.pyramids.table_tones import UNKNOWN, ToneModel, load_tones
from vision.pyramids.votes import peaks, votes_of
from vision.pyramids.weighing import Weigher, color_logs, joined, weigh

Floats = NDArray[Any]

_BELIEVED = 0.6
"""A place where something is at least so probable holds something."""
_OVERLAP = 0.5
"""A lying piece that shares so much of its outline with another thing is the same thing."""
_SHOWN = 0.3
"""Less of a thing's outline shows only something taller in front of it."""
_LONE = 2
"""Taller stacks are not taken for a piece that lies."""
_PLAIN = 0.9
"""What stands so surely is not taken for a piece that lies."""
_CLEARER = 5.0
"""So many more log odds of plastic that a place is looked at again."""
_LIKELY, _WHOLE = 5.0, 0.9
"""What is found by a second look is so likely, in log odds, and so much of its outline shows plastic: shadows are
seldom so dense."""
_PERHAPS, _PART = 0.0, 0.5
"""The same where something was found already."""
_SAME_MM = 4.0
"""Two looks mean one place that is no farther off."""
_RIVALS, _RIVAL = 10, 0.0005
"""So many guesses go on beside the best one, if they are at least so probable: their bands may tell otherwise."""
_MOST_PLACES, _PATTERNED_PLACES = 60, 24
"""Where more places than a game has things look like plastic, the table's pattern does; then so many are looked at."""
_CERTAIN, _PLAINLY_SEEN = 0.95, 25.0
"""On such a table only what is so sure is told, or what has contours that are so likely, in log odds."""
_PALE, _PALE_SURE = ("clear", "white"), 0.95
"""Marks of a table look most like one clear or white piece; without the empty table such a piece must be so sure."""
_SEEN = 10.0
"""Or its contours are so much likelier than the mark's, in log odds."""
_APART_MM = 11.0
"""No two things stand closer than this."""
_TOUCHING = 0.75
"""Of the distance at which two pieces touch: places are a little wrong."""
_MARKER = 0.75
"""Nothing stands on a marker: so much of its side around its center is left out."""


class ReaderMemory(Struct, frozen=True):
    """What the next reading may begin with."""

    scene: PyramidScene
    glance: Glance
    same: Mask | None = None
    """Where the picture is as it was in the one before; None where there was none, or another view."""


class Nets(Struct, frozen=True):
    """The four trained nets, what contours count among all guesses and among the stacks of a board, and tones."""

    cells: cells.PyramidNet
    namer: Namer
    bands: BandNet
    contours: ContourNet
    fits: ContourWeights
    tops: ContourWeights
    tones: ToneModel


@cache
def trained(folder: Path = WEIGHTS) -> Nets:
    """The nets from a folder that training wrote; by default those that come with the project."""
    return Nets(
        cells.PyramidNet(folder / cells.FILE),
        Namer(folder / naming.FILE),
        BandNet(folder / BANDS),
        ContourNet(folder / contours.FILE),
        load_fits(folder / FITS),
        load_fits(WEIGHTS / TOPS),  # fitted by themselves, so a training writes none
        load_tones(folder / TONES),
    )


def read(
    picture: Picture,
    pose: Pose,
    light: Light,
    mat: Mat,
    previous: ReaderMemory | None = None,
    limits: Limits | None = None,
    nets: Nets | None = None,
    colors: ConfirmedColors | None = None,
    empty: EmptyTable | None = None,
    boards: Sequence[BoardStacks] = (),
) -> ReaderMemory:
    """Read a steady picture (H, W, 3) BGR; the scene is `ReaderMemory.scene`.

    `previous` is the answer for an earlier picture of the same table: where nothing has changed, its pieces are kept.
    `limits` say how many of each piece can be there, `colors` what this table has taught about its colors, `empty` how
    the table looks without any, `boards` which stacks their games build.
    """
    glance, same = glance_of(picture, pose), None
    whole = sheet_of(pose, mat, (picture.shape[1], picture.shape[0]))
    kept: list[FoundPieces] = []
    parts = [whole]
    if previous is not None:
        same = unchanged(previous.glance, glance, np.array(mat.corners_mm()))
    if previous is not None and same is not None:
        there = [one.seen_by(pose) for one in previous.scene.found]
        kept = [one for one in there if inside(one.box, same)]
        parts = whole.around(same)
    nets = nets or trained()
    weigher = Weigher(Contours(picture, nets.contours), nets.fits, empty is not None)
    looked = [
        _things(seen, sheet, pose, mat, weigher, nets, kept, boards)
        for sheet, seen in zip(parts, _inputs_of(parts, whole, picture, pose, light, empty), strict=True)
    ]
    found = [one for things in looked for one in things.seen.found]
    fresh = without_doubles([one for one in found if all(_apart(one, other) for other in kept)])
    if len(looked) > 1:  # a part by itself has none left
        fresh = without_ghosts_of_parts(fresh, [things.seen for things in looked], kept)
    fresh = measured(fresh, kept, picture, pose, light)
    fresh = by_tones(fresh, kept, UNKNOWN if colors is None else colors.tones, nets.tones)
    named = named_jointly([*kept, *fresh], pose, limits, colors)
    return ReaderMemory(PyramidScene(named, any(things.patterned for things in looked)), glance, same)


def _inputs_of(
    parts: Sequence[Sheet], whole: Sheet, picture: Picture, pose: Pose, light: Light, empty: EmptyTable | None
) -> list[Floats]:
    """The inputs of each part; today's light on the empty table is seen on all of it, whatever is read."""
    if empty is None:
        return [inputs(picture, sheet, pose, light) for sheet in parts]
    seen = beside_empty(inputs(picture, whole, pose, light), whole, pose, empty)
    return [seen[:, *whole.part(sheet)] for sheet in parts]


class _Things(NamedTuple):
    """What a sheet shows."""

    seen: SeenPart
    patterned: bool


def _things(
    seen: Floats,
    sheet: Sheet,
    pose: Pose,
    mat: Mat,
    weigher: Weigher,
    nets: Nets,
    kept: Sequence[FoundPieces],
    boards: Sequence[BoardStacks],
) -> _Things:
    """Everything that a sheet shows but what is `kept` from before."""
    answers = answers_of(nets.cells, seen)
    met = peaks(votes_of(answers, sheet, pose), mat)
    places = [(p.x_mm, p.y_mm) for p in met if _free(p.x_mm, p.y_mm, mat) and not _taken(p.x_mm, p.y_mm, kept)]
    patterned = len(places) > _MOST_PLACES
    if patterned:
        places = places[:_PATTERNED_PLACES]
    if not places:
        return _Things(SeenPart([], answers, sheet), patterned)
    view = shown(seen)
    met_close = crops(np.array(places), view, sheet, pose, nets.namer)
    found: list[tuple[float, FoundPieces]] = []
    second = []
    for close, named in met_close:
        one = found_at(close, named, answers, sheet, pose, weigher)
        if one is not None:
            other = _other_place(one[1], answers, sheet, pose)
            if other is not None:
                second.append((len(found), (close, named), other))
            found.append(one)
    if second:
        again = crops(np.array([other for _, _, other in second]), view, sheet, pose, nets.namer)
        for (k, first, _), look in zip(second, again, strict=True):
            found[k] = found_among([first, look], answers, sheet, pose, weigher) or found[k]
    found = _looked_again(found, kept, answers, view, sheet, pose, weigher, nets)
    there = [one for _, one in found if _free(one.place.x_mm, one.place.y_mm, mat)]
    if not weigher.beside:
        there = [one for one in there if not like_a_mark(one) or weigher.seen(one.place, pose) > _SEEN]
    # What is seen twice is dropped first: the other guesses at a place do not all stand in the same spot.
    there = without_doubles([one for one in there if all(_apart(one, other) for other in kept)])
    there = without_ghosts(there, kept, answers, sheet)
    there = by_bands(there, view, sheet, pose, nets.bands)
    among = replace(weigher, weights=nets.tops)
    for board in boards:
        there = board.among(there, answers, sheet, pose, among)
    if patterned:
        there = [one for one in there if one.confidence > _CERTAIN or weigher.seen(one.place, pose) > _PLAINLY_SEEN]
    return _Things(SeenPart(there, answers, sheet), patterned)


def _looked_again(
    found: list[tuple[float, FoundPieces]],
    kept: Sequence[FoundPieces],
    answers: Answers,
    seen: CloseupShown,
    sheet: Sheet,
    pose: Pose,
    weigher: Weigher,
    nets: Nets,
) -> list[tuple[float, FoundPieces]]:
    """The same things; lone ones beside plastic that nothing explains may stand or lie elsewhere, or are new.

    A piece of which it is not sure that it lies is asked in any case whether it stands.
    """
    there = without_doubles([one for _, one in found])
    out, gone = list(found), set()
    for patch in patches(there, kept, answers, sheet, pose):
        old = [there[n] for n in patch.suspects]
        if any(id(thing) in gone for thing in old):
            continue
        places = [*patch.places_mm, *((one.place.x_mm, one.place.y_mm) for one in old)]
        looks = crops(np.array(places), seen, sheet, pose, nets.namer)
        one = found_among(looks, patch.answers, sheet, pose, weigher)
        if one is None or len(one[1].place.sizes) > _LONE:
            continue
        score, best = one
        around = Surroundings(patch.answers, sheet, pose, np.array([best.place.x_mm, best.place.y_mm]))
        likely, shown = (_PERHAPS, _PART) if old else (_LIKELY, _WHOLE)
        if score < likely or around.shown(best.place) < shown or any(_same(thing, best) for thing in old):
            continue
        # What was found there is the same piece, or it goes on standing beside it.
        gone |= {id(thing) for thing in old if not _apart(thing, best)}
        out.append(one)
    return [thing for thing in out if id(thing[1]) not in gone]


def _same(one: FoundPieces, other: FoundPieces) -> bool:
    """Whether two looks say the same of one place."""
    away = np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm)
    return (one.place.sizes, one.place.lies) == (other.place.sizes, other.place.lies) and bool(away < _SAME_MM)


def _free(x_mm: float, y_mm: float, mat: Mat) -> bool:
    """Whether something can stand there: inside of the mat and on none of its markers."""
    reach = mat.marker_mm * _MARKER
    inside = 0 < x_mm < mat.width_mm and 0 < y_mm < mat.height_mm
    return inside and not any(abs(x_mm - x) < reach and abs(y_mm - y) < reach for x, y in mat.corners_mm())


def _taken(x_mm: float, y_mm: float, kept: Sequence[FoundPieces]) -> bool:
    """Whether something that is kept stands there, so that nothing else can."""
    return any(np.hypot(x_mm - one.place.x_mm, y_mm - one.place.y_mm) <= _APART_MM for one in kept)


def like_a_mark(found: FoundPieces) -> bool:
    """Whether a table's own light mark may as well be seen: one clear or white piece that is not sure to be there."""
    if len(found.place.sizes) > 1 or found.confidence > _PALE_SURE:
        return False
    return PYRAMID_COLORS[int(found.color_logs[0].argmax())] in _PALE


def _other_place(found: FoundPieces, answers: Answers, sheet: Sheet, pose: Pose) -> Floats | None:
    """Where a piece would lie, if that explains the plastic better than what was found standing there alone."""
    if found.place.lies or len(found.place.sizes) > _LONE or found.confidence > _PLAIN:
        return None
    place = np.array([found.place.x_mm, found.place.y_mm])
    around = Surroundings(answers, sheet, pose, place)
    fit = around.lying(place, PYRAMID_SIZES)
    if fit.score < around.best([found.place]).score + _CLEARER:
        return None
    return np.array([fit.place.x_mm, fit.place.y_mm])


def found_at(
    close: Closeup, named: Named, answers: Answers, sheet: Sheet, pose: Pose, weigher: Weigher, occupied: bool = False
) -> tuple[float, FoundPieces] | None:
    """The best guess and its rivals, and its score; None if nothing is likelier, unless the place is `occupied`."""
    return found_among([(close, named)], answers, sheet, pose, weigher, occupied)


def found_among(
    looks: Sequence[tuple[Closeup, Named]],
    answers: Answers,
    sheet: Sheet,
    pose: Pose,
    weigher: Weigher,
    occupied: bool = False,
) -> tuple[float, FoundPieces] | None:
    """The same of several close looks at one thing, which may be in any of their places."""
    told = [weigh(close, named, answers, sheet, pose) for close, named in looks]
    weighed = joined([one for _, one in told])
    if weighed.something < _BELIEVED and not occupied:
        return None
    places, share = weigher(weighed, pose)
    look = np.repeat(np.arange(len(looks)), [len(one.places) for _, one in told])
    first, *others = (int(k) for k in np.argsort(-share)[: _RIVALS + 1])
    best = places[first]
    if told[look[first]][0].shown(best) < _SHOWN and not occupied:
        return None

    def colors(k: int) -> Floats:
        return color_logs(looks[look[k]][1], told[look[k]][0], places[k])

    rivals = [Rival(places[k], float(share[k]), colors(k)) for k in others if share[k] > _RIVAL]
    found = FoundPieces(best, float(share[first]), tuple(rivals), (), colors(first), *outlined(best, pose))
    return float(weighed.logs.max()), found


def _apart(one: FoundPieces, other: FoundPieces) -> bool:
    """Whether two things can both be there: far enough from each other, and none lies where the other is."""
    away = np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm)
    if away <= _APART_MM:
        return False
    if not (one.place.lies or other.place.lies):
        # Two squares that do not overlap, however they are turned, are apart by half of each side.
        sides = [SHAPES[found.place.sizes[0]].base_mm for found in (one, other)]
        return bool(away > _TOUCHING * sum(sides) / 2)
    hulls = [cv2.convexHull(f.outline_px.reshape(-1, 2).astype(np.float32)) for f in (one, other)]
    smaller = min(cv2.contourArea(hull) for hull in hulls)
    shared, _ = cv2.intersectConvexConvex(np.asarray(hulls[0]), np.asarray(hulls[1]))
    return bool(shared < _OVERLAP * max(smaller, 1.0))


def without_doubles(found: Sequence[FoundPieces]) -> list[FoundPieces]:
    """Of two things closer than any two pieces can stand, the surer one."""
    kept: list[FoundPieces] = []
    for one in sorted(found, key=lambda f: -f.confidence):
        if all(_apart(one, other) for other in kept):
            kept.append(one)
    return kept
