"""Fitting goes downhill: derivatives are those of the loss, and a simple difference is learned."""

from __future__ import annotations

import numpy as np
import pytest

from vision.readers.pawns.crops import SIDE_PX
from vision.readers.pawns.training import fitting
from vision.readers.pawns.training.__main__ import PawnCalibration, calibrate
from vision.readers.pawns.training.fitting import Learner, fit


def test_derivatives_are_those_of_the_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "DROPPED", 0.0)
    random = np.random.default_rng(0)
    learner = Learner(2, 3, 7, random)
    images, numbers = random.normal(size=(4, SIDE_PX, SIDE_PX, 2)), random.normal(size=(4, 3))
    classes = random.integers(0, 7, 4)
    _, slopes = learner.slopes(images, numbers, classes)
    for weights, slope in zip(learner.parameters(), slopes, strict=True):
        # Along the slope itself, where the change is largest and rounding matters least.
        step = (1e-3 * slope / np.linalg.norm(slope)).astype(np.float32)
        weights += step
        above, _ = learner.slopes(images, numbers, classes)
        weights -= 2 * step
        below, _ = learner.slopes(images, numbers, classes)
        weights += step
        assert (above - below) / 2e-3 == pytest.approx(np.linalg.norm(slope), rel=0.05)


def test_a_plain_difference_is_learned() -> None:
    def draw(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        classes = random.integers(0, 2, 12)
        images = random.normal(0, 0.2, (12, SIDE_PX, SIDE_PX, 2)).astype(np.float32)
        images[:, 8:14, 8:14, 1] += classes[:, None, None]
        return images, np.zeros((12, 1)), classes

    net = fit(draw, 40, np.random.default_rng(1))
    images, numbers, classes = draw(np.random.default_rng(2))
    assert (net.log_probabilities(images, numbers).argmax(1) == classes).mean() > 0.9


def test_a_net_that_is_too_sure_is_calibrated() -> None:
    random = np.random.default_rng(5)
    classes = random.integers(0, 7, 3000)
    said = np.where(random.random(3000) < 0.8, classes, random.integers(0, 7, 3000))
    raw = np.full((3000, 7), -8.0)
    raw[np.arange(3000), said] = 0.0
    found = calibrate(raw - np.logaddexp.reduce(raw, axis=1, keepdims=True), classes)
    assert found.sharpness < 0.7
    sure = np.exp(found.apply(raw)).max(1).mean()
    assert sure == pytest.approx((said == classes).mean(), abs=0.06)


def test_calibration_is_folded_into_a_net() -> None:
    random = np.random.default_rng(6)
    net = Learner(2, 1, 7, random).net()
    images, numbers = random.normal(size=(3, SIDE_PX, SIDE_PX, 2)), np.zeros((3, 1))
    calibration = PawnCalibration(0.8, 1.5)
    both = (
        calibration.into(net).log_probabilities(images, numbers),
        calibration.apply(net.log_probabilities(images, numbers)),
    )
    assert np.allclose(*both, atol=1e-4)
