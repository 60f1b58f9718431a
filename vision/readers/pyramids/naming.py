"""The things that stand or lie at each place of the table, by a net that takes a close look.

The net answers level by level; only stacks that can be built (no piece larger than the one below it) are weighed
against each other, against a piece that lies, and against "no thing".
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES
from vision.readers.pyramids.packed import load_net

Floats = NDArray[Any]

FILE = "namer.npz"
LEVELS = 7
"""Pieces in the tallest stack that any game builds."""
_KINDS, _SIZES, _COLORS = 3, len(PYRAMID_SIZES) + 1, len(PYRAMID_COLORS)
_SHIFT_PX = 4.0
_STACKS: tuple[tuple[int, ...], ...] = tuple(
    sizes for count in range(1, LEVELS + 1) for sizes in combinations_with_replacement(range(len(PYRAMID_SIZES)), count)
)
_NONE = len(PYRAMID_SIZES)
_NAMES = [tuple(PYRAMID_SIZES[size] for size in sizes) for sizes in _STACKS] + [(size,) for size in PYRAMID_SIZES]
"""Sizes of each stack, and of each piece that lies."""
_PICKED = np.array([[*sizes, *[_NONE] * (LEVELS - len(sizes))] for sizes in _STACKS])
_SIDEWAYS = _KINDS + LEVELS * (_SIZES + _COLORS) + np.array([0, 2])
"""Answers that a mirrored closeup turns around."""
_RANKS = np.arange(LEVELS)
_FAR = 30.0
"""A guess that is so much less likely than the best, in log odds, is none."""
_PLAIN = 0.99
"""A surer thing is not looked at in a mirror."""


class Guess(Struct, frozen=True):
    """A stack, from the lowest piece up, or a lying piece."""

    sizes: tuple[str, ...]
    lies: bool
    probability: float


class Named(Struct, frozen=True):
    """The candidates at a place."""

    guesses: tuple[Guess, ...]
    """Likeliest first; the rest of the probability is that there is no thing."""
    color_logs: Floats
    """(LEVELS, 10) log probability of each color of each level."""
    shift_px: Floats
    """(2,) the way to the true place in closeup pixels."""
    tip: Floats
    """(2,) the way to the tip if it lies, in closeup pixels."""

    @property
    def plain(self) -> bool:
        """Returns true if surely no thing is there, or surely one standing piece of one color."""
        best = self.guesses[0]
        if sum(guess.probability for guess in self.guesses) < 1 - _PLAIN:
            return True
        lone = len(best.sizes) == 1 and not best.lies and best.probability > _PLAIN
        return lone and float(np.exp(self.color_logs[0].max())) > _PLAIN


class Namer:
    """The trained net, run by OpenCV."""

    def __init__(self, path: Path) -> None:
        self._net = load_net(path)

    def __call__(self, closeups: Floats) -> list[Named]:
        """One answer for each of (N, CHANNELS, HEIGHT, WIDTH), also from its mirror image where one is not plain."""
        if not len(closeups):
            return []
        out = self._out(closeups)
        found = [named(one) for one in out]
        unsure = [k for k, one in enumerate(found) if not one.plain]
        if unsure:
            mirrored = self._out(closeups[unsure, ..., ::-1])
            mirrored[:, _SIDEWAYS] *= -1
            for k, one in zip(unsure, mirrored, strict=True):
                found[k] = named((out[k] + one) / 2)
        return found

    def _out(self, closeups: Floats) -> Floats:
        """(N, outputs) of the net."""
        self._net.setInput(np.ascontiguousarray(closeups, dtype=np.float32))
        return np.asarray(self._net.forward().reshape(len(closeups), -1), np.float64)


def named(out: Floats, most: int = 60) -> Named:
    """The answer in a net's own outputs."""
    kinds = _log_share(out[:_KINDS])
    sizes = _log_share(out[_KINDS : _KINDS + LEVELS * _SIZES].reshape(LEVELS, _SIZES))
    start = _KINDS + LEVELS * _SIZES
    colors = _log_share(out[start : start + LEVELS * _COLORS].reshape(LEVELS, _COLORS))
    stacks = sizes[_RANKS, _PICKED].sum(axis=1)
    stacks = kinds[1] + stacks - np.log(np.exp(stacks).sum() + 1e-30)
    lying = kinds[2] + sizes[0, :_NONE] - np.log(np.exp(sizes[0, :_NONE]).sum() + 1e-30)
    both = np.concatenate([stacks, lying])
    likeliest = np.argsort(-both)[:most]
    likeliest = likeliest[both[likeliest] >= both.max() - _FAR]
    chances = np.exp(both[likeliest]).tolist()
    guesses = [
        Guess(_NAMES[k], k >= len(_STACKS), chance) for k, chance in zip(likeliest.tolist(), chances, strict=True)
    ]
    rest = start + LEVELS * _COLORS
    return Named(tuple(guesses), colors, out[rest : rest + 2] * _SHIFT_PX, out[rest + 2 : rest + 4])


def _log_share(values: Floats) -> Floats:
    top = values - values.max(axis=-1, keepdims=True)
    return np.asarray(top - np.log(np.exp(top).sum(axis=-1, keepdims=True)))
