"""Fits a conditional logit model of many sparse terms by the limited-memory BFGS method.

Of several options one is true. The log odds of an option are its given log probability, plus a level and a slope times
that log probability for each of its terms. Levels and slopes maximize the likelihood of the true options, held to 0 by
a ridge, so that terms with few cases change little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Ints = NDArray[np.int64]

STEPS = 500
"""The largest number of steps."""
REMEMBERED = 15
"""The number of steps from which the curvature is estimated."""
HALVED = 30
"""The largest number of halvings of a step until it reduces the loss enough."""
ENOUGH = 1e-4
"""The least share of the reduction predicted by the slope that a step must achieve."""
STILL = 1e-7
"""The relative change of the loss below which the iteration ends."""
TINY = 1e-12
"""The least probability, so that the loss stays finite."""


class Choice(NamedTuple):
    """Options, exactly one of which is true."""

    terms: Sequence[tuple[str, ...]]
    """The names of the terms of each option."""
    logs: Sequence[float]
    """The given log probability of each option."""
    true: int


class Term(NamedTuple):
    """The fitted weights of a term: they add `level` plus `slope` times the given log probability to an option's log
    odds.
    """

    level: float
    slope: float


def fitted(choices: Sequence[Choice], held: Mapping[str, float]) -> Mapping[str, Term]:
    """Returns the fitted terms by name.

    Args:
        held: The strength by which each term is held to 0, by name: the inverse of a prior variance.
    """
    names = sorted(held)
    ridge = np.tile([held[name] for name in names], 2)
    options = _Options(choices, {name: at for at, name in enumerate(names)})
    weights = np.zeros(2 * len(names))
    loss, slope = options.loss(weights, ridge)
    steps: list[tuple[Floats, Floats]] = []
    for _ in range(STEPS):
        way = -_bent(slope, steps)
        size = 1.0 if steps else 1 / float(np.abs(slope).sum())
        for _ in range(HALVED):
            there = weights + size * way
            loss_there, slope_there = options.loss(there, ridge)
            if loss_there <= loss + ENOUGH * size * float(slope @ way):
                break
            size /= 2
        else:
            break
        step = there - weights, slope_there - slope
        steps = [*steps, step][-REMEMBERED:] if float(step[0] @ step[1]) > 0 else steps
        fallen, weights, loss, slope = loss - loss_there, there, loss_there, slope_there
        if fallen < STILL * loss:
            break
    levels, slopes = weights.reshape(2, -1).tolist()
    return {name: Term(level, gain) for name, level, gain in zip(names, levels, slopes, strict=True)}


class _Options:
    """All options of many choices, concatenated."""

    def __init__(self, choices: Sequence[Choice], number: Mapping[str, int]) -> None:
        options = [terms for choice in choices for terms in choice.terms]
        self._count = len(number)
        most = max(map(len, options))
        self._terms: Ints = np.array(
            [[*(number[name] for name in terms), *[self._count] * (most - len(terms))] for terms in options]
        )
        """(options, most): the indices of the terms; options with fewer terms are padded with one index beyond the
        last.
        """
        self._logs: Floats = np.concatenate([choice.logs for choice in choices])
        counts = [len(choice.logs) for choice in choices]
        self._which: Ints = np.repeat(np.arange(len(choices)), counts)
        self._starts: Ints = np.cumsum([0, *counts[:-1]])
        self._true: Ints = self._starts + [choice.true for choice in choices]

    def loss(self, weights: Floats, ridge: Floats) -> tuple[float, Floats]:
        """Returns the negative log likelihood of the true options plus the ridge penalty, and its gradient (2 *
        terms,).
        """
        levels, slopes = np.append(weights[: self._count], 0.0), np.append(weights[self._count :], 0.0)
        odds = self._logs + levels[self._terms].sum(axis=1) + self._logs * slopes[self._terms].sum(axis=1)
        odds -= np.maximum.reduceat(odds, self._starts)[self._which]
        share = np.exp(odds)
        share /= np.add.reduceat(share, self._starts)[self._which]
        loss = -float(np.log(np.maximum(share[self._true], TINY)).sum()) + 0.5 * float(ridge @ weights**2)
        share[self._true] -= 1
        slope = np.concatenate([self._summed(share), self._summed(share * self._logs)])
        return loss, slope + ridge * weights

    def _summed(self, values: Floats) -> Floats:
        """Returns (terms,): the sum of the values (options,) of the options that have each term."""
        repeated = np.repeat(values, self._terms.shape[1])
        return np.bincount(self._terms.ravel(), repeated, self._count + 1)[: self._count]


def _bent(slope: Floats, steps: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Returns the gradient multiplied by the estimated inverse Hessian, from the last steps and their changes of the
    gradient.
    """
    way, shares = slope.copy(), []
    for step, change in reversed(steps):
        share = float(step @ way) / float(change @ step)
        shares.append(share)
        way -= share * change
    if steps:
        step, change = steps[-1]
        way *= float(step @ change) / float(change @ change)
    for (step, change), share in zip(steps, reversed(shares), strict=True):
        way += (share - float(change @ way) / float(change @ step)) * step
    return way
