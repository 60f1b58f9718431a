"""How sure nets may be: their answers on tables that they never saw decide.

A net is surer of what it learnt than of what is new. One factor on its outputs, fitted where it had to guess, makes
"90 percent" mean that nine in ten are right, so that the referee asks neither too often nor too seldom.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from vision.pyramids.perceptron import Perceptron

Floats = NDArray[Any]

_FACTORS = np.exp(np.linspace(np.log(0.3), np.log(2.0), 40))


def class_factor(outputs: Sequence[Floats], classes: Sequence[int]) -> float:
    """The factor on the outputs (C,) of each case that makes its true class likeliest over all cases."""
    return _best([(row, true) for row, true in zip(outputs, classes, strict=True)])


def choice_factor(odds: Sequence[Floats], rights: Sequence[int | None]) -> float:
    """The same for guesses: log odds (G,) of each blob against "nothing", and the number of the right guess."""
    return _best([(np.append(row, 0.0), -1 if r is None else r) for row, r in zip(odds, rights, strict=True)])


def _best(cases: Sequence[tuple[Floats, int]]) -> float:
    if not cases:
        return 1.0
    loss = [sum(float(np.logaddexp.reduce(f * row)) - f * float(row[true]) for row, true in cases) for f in _FACTORS]
    return float(_FACTORS[int(np.argmin(loss))])


def scaled(net: Perceptron, factor: float) -> Perceptron:
    """The net with its outputs times a factor."""
    return structs.replace(
        net,
        weights=(*net.weights[:-1], net.weights[-1] * np.float32(factor)),
        biases=(*net.biases[:-1], net.biases[-1] * np.float32(factor)),
    )
