"""Reading the pyramids of one picture, and of the next one with less work.

The order: the sheet of the mat, the net's answers for its cells, peaks of their votes, an exact stack or lying piece
for each peak, and at last colors, named together if the set is known.
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
from companion.pieces import PYRAMID_COLORS, Pyramid
from companion.plan import Mat
from vision.light import Light
from vision.picture import Picture
from vision.pose import Pose
from vision.pyramids.assignment import Limits, assign, with_prior
from vision.pyramids.cells.answers import FILE, WEIGHTS, Answers, Net
from vision.pyramids.cells.change import Box, inside, unchanged
from vision.pyramids.cells.search import Fit, Patch, level_colors, search
from vision.pyramids.cells.sheet import Sheet, inputs, sheet_of
from vision.pyramids.cells.votes import peaks, votes_of
from vision.pyramids.hypothesis import outlines
from vision.pyramids.scene import Found, PyramidScene

Floats = NDArray[Any]

_LEAST_A_CELL = 1.9
"""What a cell must say for a thing, on the mean, that the thing is believed."""
_DOUBT = 0.012
"""How much of a difference in score counts as log odds: neighboring cells say much the same."""
_TONE = 0.05
"""The same for colors."""
_MARKER = 0.75
"""Nothing stands on a marker: so much of its side around its center is left out."""


class Memory(Struct, frozen=True):
    """What the next reading may begin with."""

    scene: PyramidScene
    small: NDArray[np.uint8]
    """The picture at a quarter of its size, BGR."""
    pose: Pose


@cache
def trained(folder: Path = WEIGHTS) -> Net:
    """The net from a folder that training wrote; by default the one that comes with the project."""
    return Net(folder / FILE)


def read(
    picture: Picture,
    pose: Pose,
    light: Light,
    mat: Mat,
    previous: Memory | None = None,
    limits: Limits | None = None,
    net: Net | None = None,
) -> Memory:
    """Read a steady picture (H, W, 3) BGR; the scene is `Memory.scene`.

    `previous` is the answer for an earlier picture of the same table: where nothing has changed, its pieces are kept.
    `limits` say how many of each piece can be there.
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
        answers = (net or trained())(inputs(picture, sheet, pose, light))
        found += _things(answers, sheet, pose, mat)
    fresh = [one for one in found if all(_apart(one, other) for other in kept)]
    return Memory(PyramidScene(_named([*kept, *_without_doubles(fresh)], limits)), small, pose)


def _things(answers: Answers, sheet: Sheet, pose: Pose, mat: Mat) -> list[Found]:
    """Everything that a sheet shows."""
    votes = votes_of(answers, sheet, pose)
    found = []
    for peak in peaks(votes, mat):
        reach = mat.marker_mm * _MARKER
        if any(abs(peak.x_mm - x) < reach and abs(peak.y_mm - y) < reach for x, y in mat.corners_mm()):
            continue
        if not (0 < peak.x_mm < mat.width_mm and 0 < peak.y_mm < mat.height_mm):
            continue
        patch = Patch(answers, votes, peak, sheet, pose)
        fits = search(patch)
        if fits[0].score > _LEAST_A_CELL * fits[0].cells:
            found.append(_found(patch, fits, pose))
    return found


def _found(patch: Patch, fits: Sequence[Fit], pose: Pose) -> Found:
    """The best fit with its colors and its strongest rival."""
    best = fits[0]
    nothing = Fit(best.place, _LEAST_A_CELL * best.cells, best.cells)
    scores = np.array([fit.score for fit in (*fits, nothing)])
    weights = np.exp((scores - scores[0]) * _DOUBT * 10)
    weights /= weights.sum()
    others = sorted(zip(weights[1:-1], fits[1:], strict=True), key=lambda pair: -pair[0])
    outline = outlines([best.place], pose)[0]
    flat = outline.reshape(-1, 2)
    low, high = np.floor(flat.min(axis=0)).astype(int), np.ceil(flat.max(axis=0)).astype(int)
    return Found(
        best.place,
        float(weights[0]),
        others[0][1].place if others else None,
        float(others[0][0]) if others else 0.0,
        (),
        level_colors(patch, best.place) * _TONE,
        outline,
        (int(low[0]), int(low[1]), int(high[0]), int(high[1])),
    )


def _named(found: Sequence[Found], limits: Limits | None) -> tuple[Found, ...]:
    """Colors for all pieces, together if `limits` are known."""
    sizes = [size for f in found for size in f.place.sizes]
    logs = np.concatenate([f.tones for f in found]) if found else np.zeros((0, len(PYRAMID_COLORS)))
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
    return bool(np.hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm) > 7.0)


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


__all__ = ["Box", "Memory", "read", "trained"]
