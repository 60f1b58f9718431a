"""Reading the pyramids of one picture, and of the next one with less work.

The order: the sheet of the mat, places that its cells point at, a close look at each of them, and at last colors, named
together if the set is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.layout import Candidate, Sighting
from companion.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Pyramid
from companion.plan import Mat
from vision.light import Light
from vision.picture import Picture
from vision.pose import Pose
from vision.pyramids import answers as cells
from vision.pyramids import naming
from vision.pyramids.answers import WEIGHTS, Answers
from vision.pyramids.assignment import Limits, assign, with_prior
from vision.pyramids.change import inside, unchanged
from vision.pyramids.closeup import PLACE, Closeup, closeup, cut
from vision.pyramids.confirmed import ConfirmedColors
from vision.pyramids.fit import Surroundings
from vision.pyramids.hypothesis import Hypothesis, outlines
from vision.pyramids.naming import Named, Namer
from vision.pyramids.scene import Found, PyramidScene
from vision.pyramids.sheet import Sheet, directions, inputs, sheet_of
from vision.pyramids.votes import peaks, votes_of

Floats = NDArray[Any]

_BELIEVED = 0.5
"""A place where something is at least so probable holds something."""
_LEAST = 0.1
"""The same before its outline was weighed."""
_CLOSE, _OUTLINE = 1.0, 0.006
"""What the close look counts, and what a cell of plastic inside of the outline does: neighbors say much the same."""
_OVERLAP = 0.5
"""A lying piece that shares so much of its outline with another thing is the same thing."""
_SHOWN = 0.3
"""Less of a thing's outline shows only something taller in front of it."""
_LONE = 2
"""Taller stacks are not taken for a piece that lies."""
_CLEARER = 5.0
"""So many more log odds of plastic that a place is looked at again."""
_CLOSE_TONE, _CELL_TONE = 0.5, 0.025
"""The same for colors."""
_APART_MM = 11.0
"""No two things stand closer than this."""
_MARKER = 0.75
"""Nothing stands on a marker: so much of its side around its center is left out."""
_MISSED_PX = 1.5
"""A place that was missed by more is looked at again from where it should be."""


class Memory(Struct, frozen=True):
    """What the next reading may begin with."""

    scene: PyramidScene
    small: NDArray[np.uint8]
    """The picture at a quarter of its size, BGR."""
    pose: Pose


class Nets(Struct, frozen=True):
    """The two trained nets."""

    cells: cells.Net
    namer: Namer


@cache
def trained(folder: Path = WEIGHTS) -> Nets:
    """The nets from a folder that training wrote; by default those that come with the project."""
    return Nets(cells.Net(folder / cells.FILE), Namer(folder / naming.FILE))


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
        found += _things(inputs(picture, sheet, pose, light), sheet, pose, mat, nets or trained())
    fresh = [one for one in found if all(_apart(one, other) for other in kept)]
    return Memory(PyramidScene(_named([*kept, *_without_doubles(fresh)], limits, colors)), small, pose)


def _things(seen: Floats, sheet: Sheet, pose: Pose, mat: Mat, nets: Nets) -> list[Found]:
    """Everything that a sheet shows."""
    answers = nets.cells(seen)
    met = peaks(votes_of(answers, sheet, pose), mat)
    places = [(peak.x_mm, peak.y_mm) for peak in met if _free(peak.x_mm, peak.y_mm, mat)]
    if not places:
        return []
    light = np.ascontiguousarray(seen[:3].transpose(1, 2, 0))
    looks = _looks(np.array(places), light, sheet, pose, nets.namer)
    found: list[tuple[float, Found]] = []
    second = []
    for place, close, named in looks:
        one = _found(place, close, named, answers, sheet, pose)
        if one is not None:
            other = _other_place(one[1], answers, sheet, pose)
            if other is not None:
                second.append((len(found), other))
            found.append(one)
    if second:
        again = _looks(np.array([other for _, other in second]), light, sheet, pose, nets.namer)
        for (k, _), (place, close, named) in zip(second, again, strict=True):
            one = _found(place, close, named, answers, sheet, pose)
            if one is not None and one[0] > found[k][0]:
                found[k] = one
    return [one for _, one in found if _free(one.place.x_mm, one.place.y_mm, mat)]


def _free(x_mm: float, y_mm: float, mat: Mat) -> bool:
    """Whether something can stand there: inside of the mat and on none of its markers."""
    reach = mat.marker_mm * _MARKER
    inside = 0 < x_mm < mat.width_mm and 0 < y_mm < mat.height_mm
    return inside and not any(abs(x_mm - x) < reach and abs(y_mm - y) < reach for x, y in mat.corners_mm())


def _other_place(found: Found, answers: Answers, sheet: Sheet, pose: Pose) -> Floats | None:
    """Where a piece would lie, if that explains the plastic better than what was found standing there alone."""
    if found.place.lies or len(found.place.sizes) > _LONE:
        return None
    place = np.array([found.place.x_mm, found.place.y_mm])
    around = Surroundings(answers, sheet, pose, place)
    fit = around.lying(place, PYRAMID_SIZES)
    if fit.score < around.best([found.place]).score + _CLEARER:
        return None
    return np.array([fit.place.x_mm, fit.place.y_mm])


def _looks(
    places: Floats, light: Floats, sheet: Sheet, pose: Pose, namer: Namer
) -> list[tuple[Floats, Closeup, Named]]:
    """Places (N, 2) with their closeups and names; those that were missed by much are looked at again."""

    def look(at: Floats) -> tuple[list[Closeup], list[Named]]:
        pixels = sheet.to_sheet(pose.project(np.column_stack([at, np.zeros(len(at))])))
        ways = zip(pixels, *directions(sheet, pose, at), strict=True)
        closes = [closeup(pixel, rise, float(scale)) for pixel, rise, scale in ways]
        return closes, namer(np.stack([cut(light, close) for close in closes]))

    closes, found = look(places)
    again = [
        k
        for k, name in enumerate(found)
        if np.hypot(*name.shift_px) > _MISSED_PX and sum(g.probability for g in name.guesses) > _BELIEVED / 5
    ]
    if again:
        moved = np.array([_place_mm(closes[k], found[k], sheet, pose) for k in again])
        places = places.copy()
        places[again] = moved
        new_closes, new_found = look(moved)
        for k, close, name in zip(again, new_closes, new_found, strict=True):
            closes[k], found[k] = close, name
    return list(zip(places, closes, found, strict=True))


def _place_mm(close: Closeup, named: Named, sheet: Sheet, pose: Pose) -> Floats:
    """(2,) where a thing is by its closeup."""
    pixel = sheet.to_picture(close.back((np.array(PLACE) + named.shift_px)[None]))
    return np.asarray(pose.unproject(pixel)[0, :2])


def _found(
    place: Floats, close: Closeup, named: Named, answers: Answers, sheet: Sheet, pose: Pose
) -> tuple[float, Found] | None:
    """The best guess with its colors and its strongest rival, and its score; None if nothing is likelier."""
    x, y = (float(v) for v in _place_mm(close, named, sheet, pose))
    around = Surroundings(answers, sheet, pose, np.array([x, y]))
    heading = _heading(close, named, sheet, pose)
    turn: float | None = None
    fits = []
    for guess in named.guesses:
        one = Hypothesis(x, y, heading if guess.lies else turn or 0.0, guess.sizes, guess.lies)
        fit = around.turned(one) if guess.lies or turn is None else around.best([one])
        turn = fit.place.turn_deg if not guess.lies and turn is None else turn
        fits.append(fit)
    logs = np.array([math.log(max(g.probability, 1e-9)) for g in named.guesses]) * _CLOSE
    logs += np.array([fit.score for fit in fits]) * _OUTLINE
    nothing = math.log(max(1 - sum(g.probability for g in named.guesses), 1e-6)) * _CLOSE
    share = np.exp(np.array([*logs, nothing]) - max(*logs, nothing))
    share /= share.sum()
    order = np.argsort(-share[:-1])
    if share[:-1].sum() < _BELIEVED:
        return None
    first, second = int(order[0]), int(order[1])
    best = fits[first].place
    if around.shown(best) < _SHOWN:
        return None
    tones = named.tones[: len(best.sizes)] * _CLOSE_TONE + around.tones(best) * _CELL_TONE
    outline = outlines([best], pose)[0]
    flat = outline.reshape(-1, 2)
    low, high = np.floor(flat.min(axis=0)).astype(int), np.ceil(flat.max(axis=0)).astype(int)
    found = Found(
        best,
        float(share[first]),
        fits[second].place,
        float(share[second]),
        (),
        tones,
        outline,
        (int(low[0]), int(low[1]), int(high[0]), int(high[1])),
    )
    return float(logs[first]), found


def _heading(close: Closeup, named: Named, sheet: Sheet, pose: Pose) -> float:
    """Degrees, counter-clockwise seen from above, in which a lying piece's tip points."""
    there = np.array(PLACE) + named.shift_px
    ends = sheet.to_picture(close.back(np.stack([there, there + 20 * named.tip])))
    (x0, y0), (x1, y1) = pose.unproject(ends)[:, :2]
    return math.degrees(math.atan2(y0 - y1, x1 - x0)) % 360


def _named(found: Sequence[Found], limits: Limits | None, colors: ConfirmedColors | None) -> tuple[Found, ...]:
    """Colors for all pieces, together if `limits` are known."""
    sizes = [size for f in found for size in f.place.sizes]
    logs = np.concatenate([f.tones for f in found]) if found else np.zeros((0, len(PYRAMID_COLORS)))
    if colors is not None:
        logs = logs + colors.offsets
    names = logs.argmax(axis=1).tolist() if limits is None else assign(logs, sizes, limits)
    if limits is not None:
        logs = with_prior(logs, sizes, limits)
    out, at = [], 0
    for f in found:
        levels = []
        for size in f.place.sizes:
            share = np.exp(logs[at] - logs[at].max())
            share /= share.sum()
            order = [names[at], *(int(i) for i in np.argsort(-share) if i != names[at])][:4]
            levels.append(
                Sighting(
                    tuple(Candidate(Pyramid(PYRAMID_COLORS[i], size), float(share[i]) * f.confidence) for i in order)
                )
            )
            at += 1
        out.append(
            Found(f.place, f.confidence, f.rival, f.rival_confidence, tuple(levels), f.tones, f.outline_px, f.box)
        )
    return tuple(out)


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
