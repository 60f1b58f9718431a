"""The net computes what its layers say, and files keep it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.readers.pawns.net import PawnNet, halved, load, patches, save


def small(seed: int = 0) -> PawnNet:
    random = np.random.default_rng(seed)

    def drawn(*shape: int) -> np.ndarray:
        return random.normal(0, 0.3, shape).astype(np.float32)

    return PawnNet(
        (drawn(32, 3), drawn(27, 4), drawn(36, 4)),
        (drawn(3), drawn(4), drawn(4)),
        drawn(3 * 3 * 4 + 2, 5),
        drawn(5),
        drawn(5, 7),
        drawn(7),
    )


def test_a_convolution_is_a_sum_over_each_neighborhood() -> None:
    random = np.random.default_rng(1)
    image, kernel = random.normal(size=(1, 6, 6, 2)), random.normal(size=(18, 3))
    out = patches(image, 3, 1) @ kernel
    padded = np.pad(image[0], ((1, 1), (1, 1), (0, 0)))
    for row, column in ((0, 0), (2, 3), (5, 5)):
        near = padded[row : row + 3, column : column + 3].reshape(-1)
        assert np.allclose(out[0, row, column], near @ kernel, atol=1e-5)


def test_larger_neighborhoods_go_in_steps() -> None:
    image = np.arange(36.0).reshape(1, 6, 6, 1)
    seen = patches(image, 4, 2)
    assert seen.shape == (1, 3, 3, 16)
    assert sorted(seen[0, 1, 1]) == sorted(image[0, 1:5, 1:5, 0].reshape(-1))
    assert (seen[0, 0, 0] == 0).sum() == 8  # seven of sixteen lie beyond the corner, and the first pixel is 0


def test_halving_keeps_the_largest_of_four() -> None:
    values = np.arange(25.0).reshape(1, 5, 5, 1)
    assert halved(values)[0, :, :, 0].tolist() == [[6, 8], [16, 18]]


def test_answers_are_probabilities() -> None:
    odds = small().log_probabilities(np.random.default_rng(2).normal(size=(4, 12, 12, 2)), np.zeros((4, 2)))
    assert odds.shape == (4, 7)
    assert np.allclose(np.exp(odds).sum(1), 1, atol=1e-5)


def test_a_file_keeps_what_was_saved(tmp_path: Path) -> None:
    nets = small(3), small(4)
    save(nets, tmp_path / "nets.npz")
    images, numbers = np.random.default_rng(4).normal(size=(3, 12, 12, 2)), np.ones((3, 2))
    kept = load(tmp_path / "nets.npz")
    assert len(kept) == 2
    for one, other in zip(nets, kept, strict=True):
        assert np.allclose(other.log_probabilities(images, numbers), one.log_probabilities(images, numbers), atol=5e-3)
