"""What contours count is fitted so that true guesses become the likeliest."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.readers.pyramids.contours import FEATURES, UNEXPLAINED, ContourWeights, load_fits
from vision.readers.pyramids.training.contours import ChoiceSet, FitChoice, fitted, keep_fits, likeliest


def drawn(weights: np.ndarray, count: int, seed: int = 3) -> list[ChoiceSet]:
    """Choices made by the model itself."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        features = random.normal(size=(4, FEATURES))
        odds = features @ weights
        share = np.exp(odds - odds.max())
        found.append(ChoiceSet(features, int(random.choice(4, p=share / share.sum()))))
    return found


def test_weights_that_made_the_choices_are_found_again() -> None:
    true = np.linspace(-1, 1, FEATURES)
    found = likeliest(drawn(true, 4000))
    assert np.abs(found - true).max() < 0.2


def test_places_with_one_guess_teach_nothing() -> None:
    known = drawn(np.ones(FEATURES), 300)
    lone = [ChoiceSet(np.ones((1, FEATURES)), 0)] * 50
    assert np.abs(likeliest(lone)).max() == 0
    assert np.sign(likeliest(known + lone)).min() > 0


def test_guesses_that_are_told_apart_at_once_end() -> None:
    """Where one feature tells every time, no weight would be large enough."""
    features = np.zeros((2, FEATURES))
    features[0, 4] = 1.0
    found = likeliest([ChoiceSet(features, 0)] * 20)
    assert 1 < found[4] < 100
    assert np.abs(np.delete(found, 4)).max() < 1e-6


def test_what_is_unexplained_only_tells_stacks_from_each_other() -> None:
    """A lying piece shows more through its plastic than its lines say."""
    random = np.random.default_rng(5)
    stacks = [FitChoice(random.normal(size=(3, FEATURES)), np.array([True, False, False]), 1) for _ in range(200)]
    for choice in stacks:
        choice.features[:, UNEXPLAINED] = [[-3], [0], [2]]
    found = fitted(stacks)
    assert np.abs(found.whole[UNEXPLAINED]).max() == 0
    assert found.standing[UNEXPLAINED].max() < 0, "more of it is a reason against a stack"


def test_a_true_piece_that_lies_teaches_nothing_of_stacks() -> None:
    random = np.random.default_rng(5)
    lies = [FitChoice(random.normal(size=(3, FEATURES)), np.array([False, True, False]), 1) for _ in range(50)]
    assert np.abs(fitted(lies).standing).max() == 0
    assert np.abs(fitted(lies).whole).max() > 0


def test_what_is_kept_is_what_reading_loads(tmp_path: Path) -> None:
    weights = ContourWeights(np.arange(FEATURES) / 7, -np.arange(FEATURES) / 3)
    keep_fits(weights, tmp_path / "fits.npz")
    assert [one.tolist() for one in load_fits(tmp_path / "fits.npz")] == [one.tolist() for one in weights]
