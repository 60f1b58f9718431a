"""From first guesses to the best places: pattern search over place and turn, many guesses side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.pyramids.hypothesis import Canvas, Hypothesis, outlines
from vision.pyramids.models import Projector

COARSE: tuple[tuple[float, float], ...] = ((3.0, 12.0), (1.5, 6.0))
FINE: tuple[tuple[float, float], ...] = ((1.0, 4.0), (0.5, 2.0))
"""Millimetres and degrees of the search's steps, first to last."""


def weigh_all(guesses: Sequence[Hypothesis], pose: Projector, canvas: Canvas, exact: bool = False) -> list[float]:
    """Score of each guess on the canvas; single pieces are sampled unless `exact`."""
    if not guesses:
        return []
    drawn = outlines(guesses, pose)
    singles = [] if exact else [i for i, outline in enumerate(drawn) if len(outline) == 1]
    scores = [0.0] * len(guesses)
    if singles:
        for i, score in zip(singles, canvas.estimate(np.concatenate([drawn[i] for i in singles])), strict=True):
            scores[i] = float(score)
    others = sorted(set(range(len(guesses))).difference(singles))
    if others:
        for i, score in zip(others, canvas.weigh_many([drawn[i] for i in others]), strict=True):
            scores[i] = score
    return scores


def _around(guess: Hypothesis, move: float, turn: float) -> list[Hypothesis]:
    return [
        guess.moved(move, 0),
        guess.moved(-move, 0),
        guess.moved(0, move),
        guess.moved(0, -move),
        guess.moved(0, 0, turn),
        guess.moved(0, 0, -turn),
    ]


def refine(
    guesses: Sequence[Hypothesis],
    pose: Projector,
    canvas: Canvas,
    steps: Sequence[tuple[float, float]],
    rounds: int = 4,
    exact: bool = False,
) -> list[tuple[Hypothesis, float]]:
    """Climb from each guess to the best place and turn near it; guesses there and their scores."""
    best = list(guesses)
    score = weigh_all(best, pose, canvas, exact)
    for move, turn in steps:
        active = list(range(len(best)))
        for _ in range(rounds):
            trials = [trial for i in active for trial in _around(best[i], move, turn)]
            results = weigh_all(trials, pose, canvas, exact)
            diagonals = []
            for n, i in enumerate(active):
                gains = [r - score[i] for r in results[6 * n : 6 * n + 6]]
                along, across = max((0, 1), key=gains.__getitem__), max((2, 3), key=gains.__getitem__)
                # Where both axes gain, their diagonal is tried too.
                if gains[along] > 0 and gains[across] > 0:
                    diagonals.append((i, _joined(best[i], trials[6 * n + along], trials[6 * n + across])))
            extra = dict(
                zip([i for i, _ in diagonals], weigh_all([d for _, d in diagonals], pose, canvas, exact), strict=True)
            )
            joined = dict(diagonals)
            moving = []
            for n, i in enumerate(active):
                top = max(range(6 * n, 6 * n + 6), key=results.__getitem__)
                choice, value = trials[top], results[top]
                if i in joined and extra[i] > value:
                    choice, value = joined[i], extra[i]
                if value > score[i] + 1e-6:
                    best[i], score[i] = choice, value
                    moving.append(i)
            active = moving
            if not active:
                break
    return list(zip(best, score, strict=True))


def _joined(start: Hypothesis, along: Hypothesis, across: Hypothesis) -> Hypothesis:
    return Hypothesis(along.x_mm, across.y_mm, start.turn_deg, start.sizes, start.lies)
