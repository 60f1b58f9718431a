"""Several nets judge together: their mean, of a crop and of its mirror picture."""

from __future__ import annotations

import numpy as np

from tests.vision.readers.pawns.test_net import small
from vision.readers.pawns.reader import judged

CROPS = np.random.default_rng(7).normal(size=(5, 12, 12, 2)).astype(np.float32)
NUMBERS = np.zeros((5, 2), np.float32)


def test_a_crop_and_its_mirror_picture_are_judged_alike() -> None:
    nets = small(1), small(2)
    assert np.allclose(judged(nets, CROPS, NUMBERS), judged(nets, CROPS[:, :, ::-1], NUMBERS), atol=1e-5)


def test_the_mean_of_two_nets_lies_between_them() -> None:
    one, other = (judged((small(seed),), CROPS, NUMBERS) for seed in (1, 2))
    both = judged((small(1), small(2)), CROPS, NUMBERS)
    assert np.allclose(np.exp(both).sum(1), 1, atol=1e-5)
    middle = (one + other) / 2
    assert np.allclose(both, middle - np.logaddexp.reduce(middle, axis=1, keepdims=True), atol=1e-5)
