"""From a first guess to the best place: pattern search over place and turn."""

from __future__ import annotations

from collections.abc import Sequence

from vision.pyramids.hypothesis import Canvas, Hypothesis, outlines
from vision.pyramids.models import Projector

STEPS: tuple[tuple[float, float], ...] = ((2.5, 10.0), (1.2, 5.0), (0.6, 2.5))
"""Millimetres and degrees of the search, coarse to fine."""


def weigh_all(guesses: Sequence[Hypothesis], pose: Projector, canvas: Canvas) -> list[float]:
    """Score of each guess on the canvas."""
    return [canvas.weigh(outline) for outline in outlines(guesses, pose)]


def refine(
    guess: Hypothesis,
    pose: Projector,
    canvas: Canvas,
    score: float | None = None,
    steps: Sequence[tuple[float, float]] = STEPS,
    rounds: int = 4,
) -> tuple[Hypothesis, float]:
    """Climb to the best place and turn near a guess; the guess there and its score."""
    best = guess
    best_score = weigh_all([guess], pose, canvas)[0] if score is None else score
    for move, turn in steps:
        for _ in range(rounds):
            around = [
                best.moved(move, 0),
                best.moved(-move, 0),
                best.moved(0, move),
                best.moved(0, -move),
                best.moved(0, 0, turn),
                best.moved(0, 0, -turn),
            ]
            scores = weigh_all(around, pose, canvas)
            gains = [s - best_score for s in scores]
            # The two axes are judged together: when both improve, the diagonal is tried first.
            along = max((0, 1), key=gains.__getitem__)
            across = max((2, 3), key=gains.__getitem__)
            if gains[along] > 0 and gains[across] > 0:
                both = Hypothesis(around[along].x_mm, around[across].y_mm, best.turn_deg, best.sizes, best.lies)
                around.append(both)
                scores.append(weigh_all([both], pose, canvas)[0])
            top = max(range(len(around)), key=scores.__getitem__)
            if scores[top] <= best_score + 1e-6:
                break
            best, best_score = around[top], scores[top]
    return best, best_score
