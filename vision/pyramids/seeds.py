"""First guesses for a blob of plastic: every kind of thing that is about as large, put where its outline fits the blob.

A guess's outline is moved so that its middle is the blob's; the search in `fit` does the rest.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_SIZES, SHAPES, STACK_STEP_MM
from vision.pyramids.fit import COARSE, FINE, refine, weigh_all
from vision.pyramids.hypothesis import Canvas, Hypothesis, outlines
from vision.pyramids.models import Projector

Floats = NDArray[Any]
Guess = tuple[Hypothesis, float]
"""A guess and its score."""

Kind = tuple[tuple[str, ...], bool]
"""Sizes and whether it lies."""

STARTS = 12
"""First guesses that are followed up."""
FINALISTS = 5
"""Kinds that are fitted finely."""

CROWD_AREA = 1.6
"""A blob larger than so many large pieces may be several pieces."""
CROWD_GUESSES = 6
"""Places in such a blob that are followed up."""

HIGHEST = 7
"""Pieces in the tallest stack that any game builds."""

STACKS: tuple[tuple[str, ...], ...] = tuple(
    sizes for count in range(1, HIGHEST + 1) for sizes in combinations_with_replacement(PYRAMID_SIZES, count)
)
"""Every stack that shows all its pieces: no piece is larger than the one below it."""

_TYPICAL: tuple[tuple[str, ...], ...] = (
    *((size,) for size in PYRAMID_SIZES),
    ("large", "large"),
    ("large", "medium", "small"),
    ("large",) * 4,
    ("large",) * 7,
)
"""Enough kinds to find where something stands; all stacks are weighed there afterwards."""
_YAWS = (0.0, 22.5, 45.0, 67.5)
_HEADINGS = tuple(range(0, 360, 18))


class Unprojector(Projector, Protocol):
    """A pose that works both ways."""

    def unproject(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """Table millimetres (N, 2) of pixels (N, 2) at a height."""
        ...


def first_guesses(middle_px: Floats, area_px: float, pose: Any) -> list[Hypothesis]:
    """Guesses whose outlines have about this area and their middle here."""
    x, y = (float(v) for v in pose.unproject(middle_px.reshape(1, 2))[0])
    guesses = [Hypothesis(x, y, float(yaw), sizes) for sizes in _TYPICAL for yaw in _YAWS]
    guesses += [Hypothesis(x, y, float(turn), (size,), True) for size in PYRAMID_SIZES for turn in _HEADINGS]
    middles = np.empty((len(guesses), 3))
    for i, outline in enumerate(outlines(guesses, pose)):
        m = cv2.moments(cv2.convexHull(outline.reshape(-1, 1, 2).astype(np.float32)))
        area = max(m["m00"], 1e-6)
        middles[i] = m["m10"] / area, m["m01"] / area, area
    wanted = pose.unproject(2 * middle_px - middles[:, :2])
    return [
        guess.moved(float(goal[0]) - x, float(goal[1]) - y)
        for guess, goal, area in zip(guesses, wanted, middles[:, 2], strict=True)
        if 0.5 * area_px < area < 2.0 * area_px
    ]


def _large_area_px(middle_px: Floats, pose: Any) -> float:
    """Area of a large standing piece's outline here."""
    x, y = (float(v) for v in pose.unproject(middle_px.reshape(1, 2))[0])
    outline = outlines([Hypothesis(x, y, 20.0, ("large",))], pose)[0]
    return float(cv2.contourArea(cv2.convexHull(outline.reshape(-1, 1, 2).astype(np.float32))))


def crowd_guesses(odds: Floats, origin_px: tuple[int, int], pose: Any, canvas: Canvas) -> list[Hypothesis]:
    """Guesses for a blob of several pieces: every place in it is tried, the best that stand apart are kept."""
    rows, columns = np.nonzero(odds[::4, ::4] > 0.5)
    if not len(rows):
        return []
    places = pose.unproject(np.column_stack([columns * 4, rows * 4]) + np.array(origin_px, dtype=np.float64))
    guesses = [
        Hypothesis(float(x), float(y), yaw, (size,)) for x, y in places for size in PYRAMID_SIZES for yaw in (0.0, 45.0)
    ]
    scores = canvas.estimate(np.concatenate(outlines(guesses, pose)))
    kept: list[Hypothesis] = []
    for i in np.argsort(-scores)[:400]:
        guess = guesses[int(i)]
        if all(np.hypot(guess.x_mm - k.x_mm, guess.y_mm - k.y_mm) > 12 for k in kept):
            kept.append(guess)
        if len(kept) == CROWD_GUESSES:
            break
    return kept


def candidates(odds: Floats, origin_px: tuple[int, int], middle_px: Floats, area_px: float, pose: Any) -> list[Guess]:
    """Refined guesses for the blob at `middle_px`, best score first; at most one of each kind.

    `odds` (h, w) are clipped log odds of plastic; pixels of other pieces should be slightly negative.
    """
    rough = Canvas(odds, origin_px, 1)
    firsts = first_guesses(middle_px, area_px, pose)
    scores = weigh_all(firsts, pose, rough)
    tried: dict[Kind, int] = {}
    chosen: list[Hypothesis] = []
    for i in sorted(range(len(firsts)), key=lambda i: -scores[i]):
        kind = firsts[i].sizes, firsts[i].lies
        if tried.get(kind, 0) < (3 if firsts[i].lies else 2 if len(firsts[i].sizes) == 1 else 1):
            tried[kind] = tried.get(kind, 0) + 1
            chosen.append(firsts[i])
        if len(chosen) >= STARTS:
            break
    if area_px > CROWD_AREA * _large_area_px(middle_px, pose):
        chosen += crowd_guesses(odds, origin_px, pose, rough)
    best: dict[Kind, Guess] = {}
    for guess, score in refine(chosen, pose, rough, COARSE):
        kind = guess.sizes, guess.lies
        if kind not in best or score > best[kind][1]:
            best[kind] = guess, score
    fine = Canvas(odds, origin_px, 2)
    ranked = sorted(best.values(), key=lambda g: -g[1])[:FINALISTS]
    found = refine([guess for guess, _ in ranked], pose, fine, FINE, exact=True)
    return _with_stacks(sorted(found, key=lambda g: -g[1]), pose, fine)


def _tip_mm(sizes: tuple[str, ...]) -> float:
    """Height of a stack's tip."""
    return SHAPES[sizes[0]].height_mm + STACK_STEP_MM * (len(sizes) - 1)


def _with_stacks(found: list[Guess], pose: Any, canvas: Canvas, most: int = 16) -> list[Guess]:
    """Add every stack that fits about as well where the best upright guess stands."""
    upright = [guess for guess, _ in found if not guess.lies]
    if not upright:
        return found
    base = upright[0]
    have = {guess.sizes for guess in upright}
    same = [
        Hypothesis(base.x_mm, base.y_mm, base.turn_deg, sizes)
        for sizes in STACKS
        if sizes not in have and abs(_tip_mm(sizes) - _tip_mm(base.sizes)) < 16
    ]
    scores = weigh_all(same, pose, canvas, exact=True)
    top = found[0][1]
    order = sorted(range(len(same)), key=lambda i: -scores[i])[:most]
    near = [same[i] for i in order if scores[i] > 0.7 * top]
    found = [*found, *refine(near, pose, canvas, ((0.8, 3.0),), rounds=1, exact=True)]
    return sorted(found, key=lambda g: -g[1])
