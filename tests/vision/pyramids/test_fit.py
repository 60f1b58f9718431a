"""A drawn silhouette is found again: place, turn and size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.pyramids.fit import COARSE, FINE, refine
from vision.pyramids.hypothesis import Canvas, Hypothesis, outlines
from vision.pyramids.seeds import STACKS, candidates


def odds_of(truth: Hypothesis, above: Any) -> np.ndarray:
    """Evidence that shows just this."""
    blank = Canvas(np.zeros((160, 160), np.float32), (0, 0), 1)
    return np.where(blank.mask(outlines([truth], above)[0]) > 0, 2.0, -2.0).astype(np.float32)


def test_refining_climbs_to_the_truth(above: Any) -> None:
    truth = Hypothesis(40, 38, 20, ("large",))
    canvas = Canvas(odds_of(truth, above), (0, 0), 2)
    (found, _), *_ = refine([Hypothesis(44, 35, 32, ("large",))], above, canvas, COARSE + FINE)
    assert (found.x_mm, found.y_mm) == pytest.approx((40, 38), abs=0.7)
    assert (found.turn_deg - 20) % 90 == pytest.approx(0, abs=4) or (found.turn_deg - 20) % 90 == pytest.approx(
        90, abs=4
    )


@pytest.mark.parametrize("size", ["large", "medium", "small"])
def test_a_lying_piece_is_found_with_heading_and_size(size: str, above: Any) -> None:
    truth = Hypothesis(38, 38, 120, (size,), True)
    odds = odds_of(truth, above)
    middle = np.argwhere(odds > 0).mean(axis=0)[::-1]
    best = candidates(odds, (0, 0), middle, float((odds > 0).sum()), above)[0][0]
    assert best.lies and best.sizes == (size,)
    assert (best.turn_deg - 120 + 180) % 360 - 180 == pytest.approx(0, abs=6)
    assert (best.x_mm, best.y_mm) == pytest.approx((38, 38), abs=1.5)


def test_stacks_are_all_that_show_every_piece() -> None:
    assert len(STACKS) == 119
    assert ("large", "medium", "small") in STACKS
    assert ("small", "large") not in STACKS
