"""A net that is right less often than it says is made less sure."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pyramids.perceptron import Perceptron
from vision.pyramids.training.calibration import choice_factor, class_factor, scaled


def test_a_net_that_is_surer_than_right_is_cooled_to_its_share_of_hits() -> None:
    outputs = [np.array([5.0, 0.0])] * 10
    factor = class_factor(outputs, [0] * 9 + [1])
    assert 1 / (1 + np.exp(-5 * factor)) == pytest.approx(0.9, abs=0.02)


def test_a_net_that_is_less_sure_than_right_is_warmed() -> None:
    assert class_factor([np.array([1.0, 0.0])] * 20, [0] * 19 + [1]) > 1.5


def test_nothing_is_one_of_the_choices() -> None:
    odds = [np.array([4.0, -9.0])] * 10
    factor = choice_factor(odds, [0] * 8 + [None] * 2)
    assert 1 / (1 + np.exp(-4 * factor)) == pytest.approx(0.8, abs=0.03)


def test_a_scaled_net_gives_scaled_outputs() -> None:
    net = Perceptron((np.eye(2, dtype=np.float32),), (np.array([1.0, 0.0], np.float32),))
    assert scaled(net, 0.5)(np.array([[2.0, 4.0]], np.float32)).tolist() == [[1.5, 2.0]]
