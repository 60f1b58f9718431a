"""The look of the colors of pieces on one table: the tone of each, learned from lone pieces whose color is certain.

Lamps, cameras and dyes shift tones. The size and the correlation of these shifts are known from other tables; so a few
known pieces also inform about other colors. All distributions are Gaussian, and so is the result (Bishop, Pattern
Recognition and Machine Learning, 2006, 2.3.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS
from vision.calibration.known_tone import KnownTone

Floats = NDArray[Any]

FILE = "tones.npz"

TOP, STEP, RIM, LONE, LYING = range(5)
"""Kinds of levels: the top of a stack; one below a smaller piece; a rim below a piece of its own size; a piece that
stands or lies alone."""
KINDS = 5


class ToneModel(NamedTuple):
    """The learned model of tones on many tables."""

    usual: Floats
    """(10, 3) the tone of each color, as far as it is alike everywhere."""
    shared: Floats
    """(3, 3) covariance of what shifts all colors of a table alike."""
    own: Floats
    """(3, 3) covariance of what shifts one color of a table."""
    lightness: Floats
    """(KINDS, 4) what a level's lightness is made of (`by_tones`): a constant, its own, that of the level above and of
    the level below, each less its own."""
    hue: Floats
    """(KINDS, 3) the same for both other axes, without a constant."""
    spread: Floats
    """(KINDS, 3, 3) covariance of what that leaves unexplained."""


def load_tones(file: Path) -> ToneModel:
    """Loads the trained weights."""
    with np.load(file) as kept:
        return ToneModel(**{name: kept[name].astype(np.float64) for name in ToneModel._fields})


class TableTones(NamedTuple):
    """The tones of one table."""

    tones: Floats
    """(10, 3) the mean of each color's."""
    doubts: Floats
    """(10, 3, 3) how unsure it is."""


def table_tones(known: Sequence[KnownTone], model: ToneModel) -> TableTones:
    """The tones of all colors, from those (10) that were seen."""
    count = len(PYRAMID_COLORS)
    mean = model.usual.ravel()
    spread = np.kron(np.ones((count, count)), model.shared) + np.kron(np.eye(count), model.own)
    seen = [k for k, one in enumerate(known) if one.pieces]
    if seen:
        rows = np.concatenate([np.arange(3 * k, 3 * k + 3) for k in seen])
        tones = np.concatenate([known[k].tone for k in seen])
        noise = np.kron(np.diag([1 / known[k].pieces for k in seen]), model.spread[LONE])
        gain = np.linalg.solve(spread[np.ix_(rows, rows)] + noise, spread[rows]).T
        mean, spread = mean + gain @ (tones - mean[rows]), spread - gain @ spread[rows]
    blocks = spread.reshape(count, 3, count, 3)[np.arange(count), :, np.arange(count)]
    return TableTones(mean.reshape(count, 3), blocks)


UNKNOWN = (KnownTone(),) * len(PYRAMID_COLORS)
"""A table without learned tones."""
