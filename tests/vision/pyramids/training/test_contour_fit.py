"""What contours count is fitted so that true guesses become the likeliest."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.pyramids.contour_fit import FEATURES, load_fits
from vision.pyramids.training.contour_fit import FitChoice, fitted, keep_fits


def drawn(weights: np.ndarray, count: int, seed: int = 3) -> list[FitChoice]:
    """Choices made by the model itself."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        features = random.normal(size=(4, FEATURES))
        odds = features @ weights
        share = np.exp(odds - odds.max())
        found.append(FitChoice(features, int(random.choice(4, p=share / share.sum()))))
    return found


def test_weights_that_made_the_choices_are_found_again() -> None:
    true = np.linspace(-1, 1, FEATURES)
    found = fitted(drawn(true, 4000))
    assert np.abs(found - true).max() < 0.2


def test_places_with_one_guess_teach_nothing() -> None:
    known = drawn(np.ones(FEATURES), 300)
    lone = [FitChoice(np.ones((1, FEATURES)), 0)] * 50
    assert np.abs(fitted(lone)).max() == 0
    assert np.sign(fitted(known + lone)).min() > 0


def test_guesses_that_are_told_apart_at_once_end() -> None:
    """Where one feature tells every time, no weight would be large enough."""
    features = np.zeros((2, FEATURES))
    features[0, 4] = 1.0
    found = fitted([FitChoice(features, 0)] * 20)
    assert 1 < found[4] < 100
    assert np.abs(np.delete(found, 4)).max() < 1e-6


def test_what_is_kept_is_what_reading_loads(tmp_path: Path) -> None:
    weights = fitted(drawn(np.ones(FEATURES), 200))
    keep_fits(weights, tmp_path / "fits.npz")
    assert np.array_equal(load_fits(tmp_path / "fits.npz"), weights)
