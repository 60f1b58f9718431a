"""Fits the net with Adam, in numpy, reproducibly (the random source is an argument)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.readers.pawns.crops import SIDE_PX
from vision.readers.pawns.net import SHAPES, PawnNet, halved, patches

Floats = NDArray[Any]
Ints = NDArray[Any]
Drawn = tuple[Floats, Floats, Ints]
"""Images (N, S, S, C), numbers (N, E) and classes (N,)."""

CHANNELS = (16, 24, 32)
HIDDEN = 64
SMOOTHING = 0.02
"""The share of the probability that is spread over all classes: labels are right, but borders are blurred."""
DROPPED = 0.2
"""The share of the values before the hidden layer that is left out of each step."""


class Learner:
    """The weights with Adam's moments."""

    def __init__(self, channels: int, numbers: int, classes: int, random: np.random.Generator) -> None:
        sizes = (channels, *CHANNELS)
        side = SIDE_PX // 2 // 2
        flat = side * side * CHANNELS[-1] + numbers
        self.random = random
        self.kernels = [
            (random.normal(size=(shape.size**2 * a, b)) * np.sqrt(2 / (shape.size**2 * a))).astype(np.float32)
            for shape, a, b in zip(SHAPES, sizes, CHANNELS, strict=False)
        ]
        self.offsets = [np.zeros(b, np.float32) for b in CHANNELS]
        self.hidden = (random.normal(size=(flat, HIDDEN)) * np.sqrt(2 / flat)).astype(np.float32)
        self.hidden_offset = np.zeros(HIDDEN, np.float32)
        self.last = (random.normal(size=(HIDDEN, classes)) * np.sqrt(1 / HIDDEN)).astype(np.float32)
        self.last_offset = np.zeros(classes, np.float32)
        self.first = [np.zeros_like(p) for p in self.parameters()]
        self.second = [np.zeros_like(p) for p in self.parameters()]
        self.step = 0

    def parameters(self) -> list[Floats]:
        """Returns all weights, changed in place."""
        return [*self.kernels, *self.offsets, self.hidden, self.hidden_offset, self.last, self.last_offset]

    def net(self) -> PawnNet:
        """Returns the weights in the reader's form."""
        return PawnNet(
            tuple(k.copy() for k in self.kernels),
            tuple(o.copy() for o in self.offsets),
            self.hidden.copy(),
            self.hidden_offset.copy(),
            self.last.copy(),
            self.last_offset.copy(),
        )

    def slopes(self, images: Floats, numbers: Floats, classes: Ints) -> tuple[float, list[Floats]]:
        """Returns the loss of a batch, and its derivatives by `parameters`."""
        values = images.astype(np.float32)
        inputs, outs = [], []
        for shape, kernel, offset in zip(SHAPES, self.kernels, self.offsets, strict=True):
            columns = patches(values, shape.size, shape.step)
            out = np.maximum(columns @ kernel + offset, 0)
            inputs.append(columns.reshape(-1, columns.shape[-1]))
            outs.append(out)
            values = halved(out) if shape.halves else out
        pixels = values.reshape(len(values), -1)
        flat = np.concatenate([pixels, numbers.astype(np.float32)], axis=1)
        kept = (self.random.random(flat.shape) >= DROPPED).astype(np.float32) / np.float32(1 - DROPPED)
        flat = flat * kept
        hidden = np.maximum(flat @ self.hidden + self.hidden_offset, 0)
        odds = hidden @ self.last + self.last_offset
        odds -= odds.max(axis=1, keepdims=True)
        odds -= np.log(np.exp(odds).sum(axis=1, keepdims=True))
        wanted = np.full_like(odds, SMOOTHING / odds.shape[1])
        wanted[np.arange(len(classes)), classes] += 1 - SMOOTHING
        loss = float(-(wanted * odds).sum(axis=1).mean())
        slope = (np.exp(odds) - wanted) / len(odds)
        last, last_offset = hidden.T @ slope, slope.sum(axis=0)
        slope = (slope @ self.last.T) * (hidden > 0)
        dense, dense_offset = flat.T @ slope, slope.sum(axis=0)
        back = ((slope @ self.hidden.T) * kept)[:, : pixels.shape[1]].reshape(values.shape)
        kernels: list[Floats] = []
        offsets: list[Floats] = []
        for i in range(len(self.kernels) - 1, -1, -1):
            out = outs[i]
            if SHAPES[i].halves:
                back = _doubled(back, out)
            back = (back * (out > 0)).reshape(-1, out.shape[-1])
            kernels.insert(0, inputs[i].T @ back)
            offsets.insert(0, back.sum(axis=0))
            if i:
                back = _gathered(back, self.kernels[i], out.shape[:3])
        return loss, [*kernels, *offsets, dense, dense_offset, last, last_offset]

    def learn(self, slopes: list[Floats], rate: float, decay: float) -> None:
        """Makes one step of Adam, with weight decay for all weights that multiply."""
        self.step += 1
        for k, (p, g) in enumerate(zip(self.parameters(), slopes, strict=True)):
            self.first[k] = 0.9 * self.first[k] + 0.1 * g
            self.second[k] = 0.999 * self.second[k] + 0.001 * g * g
            move = self.first[k] / (1 - 0.9**self.step) / (np.sqrt(self.second[k] / (1 - 0.999**self.step)) + 1e-8)
            if p.ndim > 1:
                move = move + decay * p
            p -= (rate * move).astype(np.float32)


def _doubled(slope: Floats, out: Floats) -> Floats:
    """Returns derivatives by `out` (N, H, W, C) of its 2 x 2 maxima, given those by the maxima."""
    count, height, width, channels = out.shape
    best = halved(out)
    result = np.zeros((count, height, width, channels), np.float32)
    rows, columns = best.shape[1] * 2, best.shape[2] * 2
    for i in range(2):
        for j in range(2):
            part = np.s_[:, i:rows:2, j:columns:2]
            result[part] = slope * (out[part] == best)
    return result


def _gathered(back: Floats, kernel: Floats, shape: tuple[int, ...]) -> Floats:
    """Returns derivatives by the input of a 3 x 3 convolution, from those by its output (N * H * W, out)."""
    count, height, width = shape
    channels = kernel.shape[0] // 9
    padded = np.zeros((count, height + 2, width + 2, channels), np.float32)
    for k in range(9):
        part = back @ kernel[k * channels : (k + 1) * channels].T
        padded[:, k // 3 : k // 3 + height, k % 3 : k % 3 + width] += part.reshape(count, height, width, channels)
    return padded[:, 1:-1, 1:-1]


def fit(
    draw: Callable[[np.random.Generator], Drawn],
    steps: int,
    random: np.random.Generator,
    rate: float = 3e-3,
    decay: float = 1e-2,
    tell: Callable[[int, float], None] = lambda step, loss: None,
) -> PawnNet:
    """Returns a net fitted to batches that `draw` gives; the rate rises over the first quarter and falls to 0."""
    images, numbers, _ = draw(random)
    learner = Learner(images.shape[-1], numbers.shape[1], 7, random)
    usual = 0.0
    for step in range(steps):
        share = step / steps
        rising = 0.5 - 0.5 * np.cos(np.pi * share / 0.25)
        falling = 0.5 + 0.5 * np.cos(np.pi * (share - 0.25) / 0.75)
        pace = rising if share < 0.25 else falling
        loss, slopes = learner.slopes(*draw(random))
        learner.learn(slopes, rate * (0.04 + 0.96 * float(pace)), decay)
        usual = loss if step == 0 else 0.97 * usual + 0.03 * loss
        tell(step + 1, usual)
    return learner.net()
