"""Stores a trained net in one small file: a graph without weights, and the weights at an eighth of their size.

Weights of a layer are integers from -127 to 127 times one scale for each output, which changes answers less than
another training run would. They are stored as training has them, with the normalization separate from its convolution,
so that OpenCV can read and training can continue from the same file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

WHOLE, SCALE, PLAIN = "whole ", "scale ", "plain "
"""The prefixes of a tensor's name in the file."""
_EPSILON = 1e-5
"""The number that PyTorch adds to variances."""


def load_weights(path: Path) -> dict[str, Floats]:
    """Returns all tensors of a net by their names in training, float32; counters stay whole."""
    with np.load(path) as file:
        kept = {name: file[name] for name in file.files}
    found = {name.removeprefix(PLAIN): value for name, value in kept.items() if name.startswith(PLAIN)}
    for name, whole in kept.items():
        if name.startswith(WHOLE):
            scale = kept[SCALE + name.removeprefix(WHOLE)]
            found[name.removeprefix(WHOLE)] = whole * scale.reshape(-1, *[1] * (whole.ndim - 1))
    return found


def quantized(weights: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Returns integers of the same shape, and the scale (outputs,) of each output."""
    flat = np.abs(weights.reshape(len(weights), -1)).max(axis=1)
    scale = np.maximum(flat, 1e-12).astype(np.float32) / 127
    whole = np.round(weights / scale.reshape(-1, *[1] * (weights.ndim - 1)))
    return np.clip(whole, -127, 127).astype(np.int8), scale


def folded(weights: dict[str, Floats], layer: str, norm: str) -> tuple[Floats, Floats]:
    """Returns a convolution's weights and bias, merged with the normalization after it; `norm` is its name or empty."""
    kernel = weights[f"{layer}.weight"]
    if not norm:
        return kernel, weights[f"{layer}.bias"]
    gain = weights[f"{norm}.weight"] / np.sqrt(weights[f"{norm}.running_var"] + _EPSILON)
    bias = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * gain
    return kernel * gain.reshape(-1, 1, 1, 1), bias


def load_net(path: Path) -> cv2.dnn.Net:
    """Returns the net, run by OpenCV."""
    weights = load_weights(path)
    with np.load(path) as file:
        graph = bytearray(file["graph"].tobytes())
        layers = zip(file["layers"].tolist(), file["norms"].tolist(), file["places"].tolist(), strict=True)
    for layer, norm, places in layers:
        for values, at in zip(folded(weights, layer, norm), places, strict=True):
            data = np.ascontiguousarray(values, "<f4").tobytes()
            graph[at : at + len(data)] = data
    return cv2.dnn.readNetFromONNX(np.frombuffer(bytes(graph), np.uint8))
