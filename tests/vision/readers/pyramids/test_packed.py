"""Nets come out of their small files as they went in, but for what whole numbers round away."""

from __future__ import annotations

import numpy as np

from vision.image.packed_net import folded, load_net, quantized
from vision.readers.pyramids.cells import CELL_CHANNELS, FILE, WEIGHTS


def test_whole_numbers_keep_weights_within_half_a_step() -> None:
    weights = np.random.default_rng(1).normal(0, 0.1, (6, 4, 3, 3)).astype(np.float32)
    weights[2] *= 100  # an output of its own scale disturbs no other
    whole, scale = quantized(weights)
    assert whole.dtype == np.int8
    assert (np.abs(whole * scale.reshape(-1, 1, 1, 1) - weights).reshape(6, -1).max(axis=1) <= scale * 0.501).all()
    assert (scale[[0, 1, 3, 4, 5]] < 0.01).all()


def test_an_output_of_zeros_stays_zero() -> None:
    whole, scale = quantized(np.zeros((2, 1, 1, 1), np.float32))
    assert not whole.any()
    assert np.isfinite(scale).all()


def test_a_normalization_is_worked_into_the_convolution_before_it() -> None:
    random = np.random.default_rng(2)
    weights = {
        "conv.weight": random.normal(size=(3, 2, 1, 1)),
        "norm.weight": random.uniform(0.5, 2, 3),
        "norm.bias": random.normal(size=3),
        "norm.running_mean": random.normal(size=3),
        "norm.running_var": random.uniform(0.5, 2, 3),
    }
    seen = random.normal(size=2)
    plain = weights["conv.weight"][:, :, 0, 0] @ seen
    spread = np.sqrt(weights["norm.running_var"] + 1e-5)
    wanted = (plain - weights["norm.running_mean"]) / spread * weights["norm.weight"] + weights["norm.bias"]
    kernel, bias = folded(weights, "conv", "norm")
    assert np.allclose(kernel[:, :, 0, 0] @ seen + bias, wanted)


def test_the_projects_own_net_is_small_and_answers() -> None:
    assert sum(file.stat().st_size for file in WEIGHTS.glob("*.npz")) < 2_000_000
    net = load_net(WEIGHTS / FILE)
    cells = np.random.default_rng(3).normal(size=(1, CELL_CHANNELS, 64, 96)).astype(np.float32)
    net.setInput(cells)
    out = net.forward()
    assert out.shape[2:] == (64, 96)
    assert out.std() > 0.1
