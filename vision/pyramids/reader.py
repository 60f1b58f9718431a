"""Reading the pyramids of one picture, and of the next one with less work.

The order: the sheet of the mat, places that its cells point at, a close look at each of them, and at last colors, named
together if the set is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.layout import Candidate, Sighting
from companion.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Piece, Pyramid
from companion.plan import Mat
from vision.light import Light
from vision.picture import Picture
from vision.pose import Pose
from vision.pyramids import answers as cells
from vision.pyramids import edges, naming
from vision.pyramids.answers import WEIGHTS, Answers
from vision.pyramids.assignment import Limits, assign, with_prior
from vision.pyramids.change import Box, inside, unchanged
from vision.pyramids.choice import Option, choose
from vision.pyramids.closeup import Closeup
from vision.pyramids.confirmed import ConfirmedColors
from vision.pyramids.fit import Surroundings
from vision.pyramids.hypothesis import Hypothesis, outlines
from vision.pyramids.looks import looks
from vision.pyramids.naming import Named, Namer
from vision.pyramids.scene import Found, PyramidScene, Rival
from vision.pyramids.sheet import Sheet, inputs, sheet_of
from vision.pyramids.votes import peaks, votes_of
from vision.pyramids.weighing import Weigher, tones, weigh

Floats = NDArray[Any]

_BELIEVED = 0.5
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
_RIVALS, _RIVAL = 6, 0.002
"""So many guesses are remembered beside the best one, if they are at least so probable."""
WORTH_NAMING = 0.08
"""Pieces of another size are named as candidates if they are at least so probable."""
_COLORS = 4
"""So many colors are named for each piece."""
_APART_MM = 11.0
"""No two things stand closer than this."""
_MARKER = 0.75
"""Nothing stands on a marker: so much of its side around its center is left out."""


class Memory(Struct, frozen=True):
    """What the next reading may begin with."""

    scene: PyramidScene
    small: NDArray[np.uint8]
    """The picture at a quarter of its size, BGR."""
    pose: Pose


class Nets(Struct, frozen=True):
    """The two trained nets, and what edges count."""

    cells: cells.Net
    namer: Namer
    edges: Floats


@cache
def trained(folder: Path = WEIGHTS) -> Nets:
    """The nets from a folder that training wrote; by default those that come with the project."""
    return Nets(cells.Net(folder / cells.FILE), Namer(folder / naming.FILE), edges.load(folder / edges.FILE))


def read(
    picture: Picture,
    pose: Pose,
    light: Light,
    mat: Mat,
    previous: Memory | None = None,
    limits: Limits | None = None,
    nets: Nets | None = None,
    colors: ConfirmedColors | None = None,
) -> Memory:
    """Read a steady picture (H, W, 3) BGR; the scene is `Memory.scene`.

    `previous` is the answer for an earlier picture of the same table: where nothing has changed, its pieces are kept.
    `limits` say how many of each piece can be there, `colors` what this table has taught about its colors.
    """
    small = np.asarray(cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), np.uint8)
    whole = sheet_of(pose, mat, (picture.shape[1], picture.shape[0]))
    kept: list[Found] = []
    parts = [whole]
    if previous is not None and _same_view(previous, small, pose, mat):
        same = unchanged(small, previous.small)
        kept = [found for found in previous.scene.found if inside(found.box, same)]
        parts = whole.around(same)
    found: list[Found] = []
    for sheet in parts:
        found += _things(inputs(picture, sheet, pose, light), sheet, pose, mat, picture, nets or trained(), kept)
    fresh = [one for one in found if all(_apart(one, other) for other in kept)]
    return Memory(PyramidScene(named_together([*kept, *_without_doubles(fresh)], pose, limits, colors)), small, pose)


def _things(
    seen: Floats, sheet: Sheet, pose: Pose, mat: Mat, picture: Picture, nets: Nets, kept: Sequence[Found]
) -> list[Found]:
    """Everything that a sheet shows but what is `kept` from before."""
    answers, weigher = nets.cells(seen), Weigher(picture, nets.edges)
    met = peaks(votes_of(answers, sheet, pose), mat)
    places = [(p.x_mm, p.y_mm) for p in met if _free(p.x_mm, p.y_mm, mat) and not _taken(p.x_mm, p.y_mm, kept)]
    if not places:
        return []
    light = np.ascontiguousarray(seen[:3].transpose(1, 2, 0))
    met_close = looks(np.array(places), light, sheet, pose, nets.namer)
    found: list[tuple[float, Found]] = []
    second = []
    for close, named in met_close:
        one = found_at(close, named, answers, sheet, pose, weigher)
        if one is not None:
            other = _other_place(one[1], answers, sheet, pose)
            if other is not None:
                second.append((len(found), other))
            found.append(one)
    if second:
        again = looks(np.array([other for _, other in second]), light, sheet, pose, nets.namer)
        for (k, _), (close, named) in zip(second, again, strict=True):
            one = found_at(close, named, answers, sheet, pose, weigher)
            if one is not None and one[0] > found[k][0]:
                found[k] = one
    return [one for _, one in found if _free(one.place.x_mm, one.place.y_mm, mat)]


def _free(x_mm: float, y_mm: float, mat: Mat) -> bool:
    """Whether something can stand there: inside of the mat and on none of its markers."""
    reach = mat.marker_mm * _MARKER
    inside = 0 < x_mm < mat.width_mm and 0 < y_mm < mat.height_mm
    return inside and not any(abs(x_mm - x) < reach and abs(y_mm - y) < reach for x, y in mat.corners_mm())


def _taken(x_mm: float, y_mm: float, kept: Sequence[Found]) -> bool:
    """Whether something that is kept stands there, so that nothing else can."""
    return any(np.hypot(x_mm - one.place.x_mm, y_mm - one.place.y_mm) <= _APART_MM for one in kept)


def _other_place(found: Found, answers: Answers, sheet: Sheet, pose: Pose) -> Floats | None:
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
    close: Closeup,
    named: Named,
    answers: Answers,
    sheet: Sheet,
    pose: Pose,
    weigher: Weigher,
    occupied: bool = False,
) -> tuple[float, Found] | None:
    """The best guess and its rivals, and its score; None if nothing is likelier, unless the place is `occupied`."""
    around, weighed = weigh(close, named, answers, sheet, pose)
    if weighed.something < _BELIEVED and not occupied:
        return None
    places, share = weigher(weighed, pose)
    first, *others = (int(k) for k in np.argsort(-share)[: _RIVALS + 1])
    best = places[first]
    if around.shown(best) < _SHOWN and not occupied:
        return None
    rivals = [Rival(places[k], float(share[k]), tones(named, around, places[k])) for k in others if share[k] > _RIVAL]
    found = Found(best, float(share[first]), tuple(rivals), (), tones(named, around, best), *_outline(best, pose))
    return float(weighed.logs.max()), found


def named_together(
    found: Sequence[Found], pose: Pose, limits: Limits | None = None, colors: ConfirmedColors | None = None
) -> tuple[Found, ...]:
    """Colors for all pieces; sizes and colors together if `limits` are known."""
    if limits is not None:
        found = _within(found, pose, limits, colors)
    sizes = [size for f in found for size in f.place.sizes]
    logs = np.concatenate([f.tones for f in found]) if found else np.zeros((0, len(PYRAMID_COLORS)))
    if colors is not None:
        logs = logs + colors.offsets
    names = logs.argmax(axis=1).tolist() if limits is None else assign(logs, sizes, limits)
    if limits is not None:
        logs = with_prior(logs, sizes, limits)
    out, at = [], 0
    for f in found:
        end = at + len(f.place.sizes)
        rivals = tuple(_with_colors(rival, colors) for rival in f.rivals)
        levels = tuple(
            _level(size, names[k], logs[k], f.confidence, [r.pieces[k - at] for r in rivals if _alike(r, f)])
            for k, size in zip(range(at, end), f.place.sizes, strict=True)
        )
        out.append(Found(f.place, f.confidence, rivals, levels, f.tones, f.outline_px, f.box))
        at = end
    return tuple(out)


def _within(found: Sequence[Found], pose: Pose, limits: Limits, colors: ConfirmedColors | None) -> list[Found]:
    """The same things, those with rivals in the sizes that fit best with what can be there."""
    shift = 0.0 if colors is None else colors.offsets
    options = [
        [Option(one.confidence, one.place.sizes, one.tones + shift) for one in (_as_rival(f), *f.rivals)] for f in found
    ]
    out = []
    for f, k in zip(found, choose(options, limits), strict=True):
        if k:
            chosen = f.rivals[k - 1]
            rivals = (_as_rival(f), *f.rivals[: k - 1], *f.rivals[k:])
            f = Found(chosen.place, chosen.confidence, rivals, (), chosen.tones, *_outline(chosen.place, pose))
        out.append(f)
    return out


def _as_rival(found: Found) -> Rival:
    return Rival(found.place, found.confidence, found.tones)


def _outline(place: Hypothesis, pose: Pose) -> tuple[Floats, Box]:
    """(levels, 5, 2) pixels, and the box around them."""
    outline = outlines([place], pose)[0]
    flat = outline.reshape(-1, 2)
    low, high = np.floor(flat.min(axis=0)).astype(int), np.ceil(flat.max(axis=0)).astype(int)
    return outline, (int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def _level(size: str, name: int, logs: Floats, confidence: float, others: Sequence[Candidate]) -> Sighting:
    """One piece: its color and the next likely ones, and `others`, of other sizes."""
    share = _share(logs)
    order = [name, *(int(k) for k in np.argsort(-share) if k != name)][:_COLORS]
    first, *more = (Candidate(Pyramid(PYRAMID_COLORS[k], size), float(share[k]) * confidence) for k in order)
    chances: dict[Piece | None, float] = {one.piece: one.probability for one in more}
    for other in others:
        if isinstance(other.piece, Pyramid) and other.piece.size != size and other.probability > WORTH_NAMING:
            chances[other.piece] = chances.get(other.piece, 0.0) + other.probability
    ranked = sorted(chances.items(), key=lambda one: -one[1])
    return Sighting((first, *(Candidate(piece, chance) for piece, chance in ranked)))


def _with_colors(rival: Rival, colors: ConfirmedColors | None) -> Rival:
    """A rival with its likeliest colors; each piece's probability is that of the sizes and of its color."""
    shares = [_share(tones if colors is None else tones + colors.offsets) for tones in rival.tones]
    pieces = tuple(
        Candidate(Pyramid(PYRAMID_COLORS[int(share.argmax())], size), rival.confidence * float(share.max()))
        for share, size in zip(shares, rival.place.sizes, strict=True)
    )
    return Rival(rival.place, rival.confidence, rival.tones, pieces)


def _alike(rival: Rival, found: Found) -> bool:
    """Whether levels can be told apart one by one."""
    return not rival.place.lies and not found.place.lies and len(rival.place.sizes) == len(found.place.sizes)


def _share(logs: Floats) -> Floats:
    share = np.exp(logs - logs.max())
    return np.asarray(share / share.sum())


def _apart(one: Found, other: Found) -> bool:
    """Whether two things can both be there: far enough from each other, and none lies where the other is."""
    if np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm) <= _APART_MM:
        return False
    if not (one.place.lies or other.place.lies):
        return True
    hulls = [cv2.convexHull(f.outline_px.reshape(-1, 2).astype(np.float32)) for f in (one, other)]
    smaller = min(cv2.contourArea(hull) for hull in hulls)
    shared, _ = cv2.intersectConvexConvex(np.asarray(hulls[0]), np.asarray(hulls[1]))
    return bool(shared < _OVERLAP * max(smaller, 1.0))


def _without_doubles(found: Sequence[Found]) -> list[Found]:
    """Of two things closer than any two pieces can stand, the surer one."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: -f.confidence):
        if all(_apart(one, other) for other in kept):
            kept.append(one)
    return kept


def _same_view(previous: Memory, small: NDArray[np.uint8], pose: Pose, mat: Mat) -> bool:
    """Whether camera and table are where they were."""
    if previous.small.shape != small.shape:
        return False
    corners = np.column_stack([np.array(mat.corners_mm()), np.zeros(4)])
    return bool(np.abs(pose.project(corners) - previous.pose.project(corners)).max() < 1.5)
