"""Fitting small perceptrons with Adam, in numpy, the same way every time (the random source is handed in)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.pyramids.perceptron import Perceptron

Floats = NDArray[Any]
Ints = NDArray[Any]


class _Learner:
    """Weights with Adam's moments; inputs are standardized inside."""

    def __init__(
        self, sizes: Sequence[int], sample: Floats, steps: int, rate: float, decay: float, random: np.random.Generator
    ) -> None:
        self.mean = sample.mean(axis=0).astype(np.float32)
        self.spread = (sample.std(axis=0) + 1e-3).astype(np.float32)
        self.weights = [(random.normal(size=(a, b)) * np.sqrt(2 / a)).astype(np.float32) for a, b in pairwise(sizes)]
        self.biases = [np.zeros(b, np.float32) for b in sizes[1:]]
        self.rate, self.decay, self.steps, self.step = rate, decay, steps, 0
        self.first = [np.zeros_like(p) for p in (*self.weights, *self.biases)]
        self.second = [np.zeros_like(p) for p in (*self.weights, *self.biases)]

    def forward(self, inputs: Floats) -> list[Floats]:
        """Values of all layers, standardized inputs first."""
        values = [((inputs - self.mean) / self.spread).astype(np.float32)]
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            out = values[-1] @ weight + bias
            values.append(np.maximum(out, 0) if i < len(self.weights) - 1 else out)
        return values

    def learn(self, values: list[Floats], slope: Floats) -> None:
        """One step down, given the loss's derivative by the outputs."""
        weight_slopes: list[Floats] = []
        bias_slopes: list[Floats] = []
        for i in range(len(self.weights) - 1, -1, -1):
            weight_slopes.insert(0, values[i].T @ slope)
            bias_slopes.insert(0, slope.sum(axis=0))
            if i:
                slope = (slope @ self.weights[i].T) * (values[i] > 0)
        self.step += 1
        rate = self.rate * 0.5 * (1 + np.cos(np.pi * self.step / self.steps))
        for k, (p, g) in enumerate(zip((*self.weights, *self.biases), (*weight_slopes, *bias_slopes), strict=True)):
            self.first[k] = 0.9 * self.first[k] + 0.1 * g
            self.second[k] = 0.999 * self.second[k] + 0.001 * g * g
            move = self.first[k] / (1 - 0.9**self.step) / (np.sqrt(self.second[k] / (1 - 0.999**self.step)) + 1e-8)
            if k < len(self.weights):
                move = move + self.decay * p
            p -= (rate * move).astype(np.float32)

    def perceptron(self) -> Perceptron:
        """The weights with the standardizing folded in."""
        first = self.weights[0] / self.spread[:, None]
        bias = self.biases[0] - (self.mean / self.spread) @ self.weights[0]
        return Perceptron((first, *self.weights[1:]), (bias.astype(np.float32), *self.biases[1:]))


def fit_classes(
    inputs: Floats,
    classes: Ints,
    hidden: Sequence[int],
    random: np.random.Generator,
    class_weights: Floats | None = None,
    epochs: int = 12,
    batch: int = 2048,
    rate: float = 3e-3,
    decay: float = 3e-4,
    vary: Callable[[Floats], Floats] | None = None,
    count: int | None = None,
) -> Perceptron:
    """A net whose softmax gives the class of each row of `inputs` (N, F); `vary` changes each batch."""
    n = len(inputs)
    total = int(classes.max()) + 1 if count is None else count
    learner = _Learner(
        (inputs.shape[1], *hidden, total),
        inputs[:: max(1, n // 50_000)].astype(np.float32),
        epochs * max(n // batch, 1),
        rate,
        decay,
        random,
    )
    for _ in range(epochs):
        order = random.permutation(n)
        for start in range(0, max(n - batch, 0) + 1, batch):
            rows = order[start : start + batch]
            x = inputs[rows].astype(np.float32)
            values = learner.forward(x if vary is None else vary(x))
            slope = values[-1] - values[-1].max(axis=1, keepdims=True)
            slope = np.exp(slope)
            slope /= slope.sum(axis=1, keepdims=True)
            slope[np.arange(len(rows)), classes[rows]] -= 1
            if class_weights is not None:
                slope *= class_weights[classes[rows]][:, None]
            learner.learn(values, (slope / len(rows)).astype(np.float32))
    return learner.perceptron()


def fit_choices(
    groups: Sequence[tuple[Floats, int | None]],
    hidden: int,
    random: np.random.Generator,
    epochs: int = 40,
    batch: int = 32,
    rate: float = 4e-3,
    decay: float = 5e-3,
    noise: float = 0.1,
    members: int = 3,
) -> Perceptron:
    """A net that gives each guess its log odds against "nothing".

    A group is the features (guesses, F) of one blob and the number of the right guess, None if it is no piece.
    `members` nets are fitted and joined to one that answers with their mean.
    """
    every = np.concatenate([g for g, _ in groups])
    nets = []
    for _ in range(members):
        learner = _Learner(
            (every.shape[1], hidden, 1), every, epochs * max(len(groups) // batch, 1), rate, decay, random
        )
        for _ in range(epochs):
            order = random.permutation(len(groups))
            for start in range(0, max(len(groups) - batch, 0) + 1, batch):
                chosen = [groups[i] for i in order[start : start + batch]]
                x = np.concatenate([g for g, _ in chosen])
                x = x + noise * learner.spread * random.normal(size=x.shape)
                values = learner.forward(x)
                slope = np.empty(len(x), np.float32)
                at = 0
                for features, right in chosen:
                    size = len(features)
                    odds = np.append(values[-1][at : at + size, 0], 0.0)
                    share = np.exp(odds - odds.max())
                    share /= share.sum()
                    share[size if right is None else right] -= 1
                    slope[at : at + size] = share[:size]
                    at += size
                learner.learn(values, slope[:, None] / len(chosen))
        nets.append(learner.perceptron())
    return joined(nets)


def joined(nets: Sequence[Perceptron]) -> Perceptron:
    """One net that answers with the mean of nets with one hidden layer."""
    return Perceptron(
        (np.hstack([n.weights[0] for n in nets]), np.vstack([n.weights[1] for n in nets]) / len(nets)),
        (np.concatenate([n.biases[0] for n in nets]), np.mean([n.biases[1] for n in nets], axis=0)),
    )
