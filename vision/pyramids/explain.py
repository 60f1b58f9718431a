"""From evidence to things: each blob of plastic is explained by the guess that a trained ranker likes best.

What a guess covers is taken away and the rest of the blob explained anew, so touching and hidden pieces come out one
by one. "Nothing" is a guess too: a mug, a phone or a pencil is no pyramid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pyramids.evidence import Evidence, View, view_at
from vision.pyramids.hypothesis import Canvas, Hypothesis, outlines
from vision.pyramids.perceptron import Perceptron
from vision.pyramids.seeds import candidates
from vision.pyramids.structure import CLIP, Patch, describe, patch

Floats = NDArray[Any]

MOST_GUESSES = 20
"""Guesses of a blob that are looked at inside."""
SMALL_BASE_MM = 14.3
ROUNDS = 40
"""Pieces that one blob may hold."""
PATIENCE = 3
"""So often may "nothing" be the answer within a blob before the rest of it is let go."""
LEAST_ODDS = 0.0
"""Log odds of any piece against "nothing" from which a piece is reported."""
BIGGEST_BLOB_MM = 175.0
"""A blob that is longer and wider is no group of pieces."""


class Blob(Struct, frozen=True):
    """One explanation: the guesses for a blob with their features, and which was chosen (None: nothing)."""

    guesses: tuple[Hypothesis, ...]
    scores: tuple[float, ...]
    features: Floats
    outlines: tuple[Floats, ...]
    choice: int | None
    log_odds: Floats
    """(guesses,) by the ranker, relative to "nothing"; zeros if another chooser decided."""
    patch: Patch


Chooser = Callable[[tuple[Hypothesis, ...], Floats], tuple[int | None, Floats]]
"""Picks a guess from guesses and their features; the second value are log odds."""


def ranked_by(net: Perceptron) -> Chooser:
    """The trained chooser. "Nothing" must be likelier than all guesses together: two that share the odds of a piece
    evenly are still a piece."""

    def choose(guesses: tuple[Hypothesis, ...], features: Floats) -> tuple[int | None, Floats]:
        odds = net(features.astype(np.float32))[:, 0]
        best = int(odds.argmax())
        return (best if float(np.logaddexp.reduce(odds)) > LEAST_ODDS else None), odds

    return choose


def explain(whole: Evidence, grain: float, view: View, pose: Any, choose: Chooser) -> Iterator[Blob]:
    """Explain all plastic of a part of the picture.

    `view` is of its middle; `whole.plastic` outside of the mat should be very negative.
    """
    left, top = whole.box[:2]
    odds = np.clip(whole.plastic, -CLIP, CLIP)
    scale = view.px_per_mm
    sigma = 0.8 * scale / 1.5
    least = 0.25 * (SMALL_BASE_MM * scale) ** 2
    solid = (cv2.GaussianBlur(odds, (0, 0), sigma) > 0).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=4)
    margin = int(14 * scale)
    height, width = odds.shape
    for i in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[i])
        if area < least or min(w, h) > BIGGEST_BLOB_MM * scale:
            continue
        x0, y0 = max(x - margin, 0), max(y - margin, 0)
        part = np.s_[y0 : min(y + h + margin, height), x0 : min(x + w + margin, width)]
        local = odds[part].copy()
        local[(labels[part] != i) & (solid[part] > 0)] = -0.5
        origin = (left + x0, top + y0)
        place = pose.unproject(np.array([[left + x + w / 2, top + y + h / 2]]))[0]
        near = view_at(pose, float(place[0]), float(place[1]))
        yield from _explain_blob(
            local, origin, whole.contrast[part], whole.colors[part], grain, near, pose, choose, least
        )


def _explain_blob(
    odds: Floats,
    origin: tuple[int, int],
    contrast: Floats,
    colors: Floats,
    grain: float,
    view: View,
    pose: Any,
    choose: Chooser,
    least: float,
) -> Iterator[Blob]:
    sigma = 0.8 * view.px_per_mm / 1.5
    nothing = 0
    for _ in range(ROUNDS):
        solid = (cv2.GaussianBlur(odds, (0, 0), sigma) > 0).astype(np.uint8)
        count, labels, stats, middles = cv2.connectedComponentsWithStats(solid, connectivity=4)
        if count < 2:
            return
        largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
        area = float(stats[largest, cv2.CC_STAT_AREA])
        if area < least:
            return
        found = candidates(odds, origin, middles[largest] + np.array(origin), area, pose)[:MOST_GUESSES]
        if not found:
            odds[labels == largest] = -1.0
            continue
        guesses = tuple(guess for guess, _ in found)
        drawn = tuple(outlines(guesses, pose))
        inside = patch(origin, contrast, odds.copy(), colors, grain, view)
        best = found[0][1]
        features = np.array(
            [describe(g, o, score, best, pose, inside) for (g, score), o in zip(found, drawn, strict=True)],
            dtype=np.float32,
        )
        choice, log_odds = choose(guesses, features)
        yield Blob(guesses, tuple(s for _, s in found), features, drawn, choice, log_odds, inside)
        nothing += choice is None
        if nothing > PATIENCE:
            return
        covered = Canvas(odds, origin, 1).mask(drawn[0 if choice is None else choice])
        odds[cv2.dilate(covered, np.ones((3, 3), np.uint8)) > 0] = -1.0
