"""A close look at one place of the table: always at one scale, with what stands there rising straight up.

Where it is, how it is turned and how large it is seen are known from the pose, so that what looks at it next need only
know shapes and colors.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES
from vision.image.packed_net import load_net
from vision.readers.pyramids import sheet

Floats = NDArray[Any]

# The things that stand or lie at each place of the table, by a net that takes a close look.
#
# The net answers level by level; only stacks that can be built (no piece larger than the one below it) are weighed
# against each other, against a piece that lies, and against "no thing".

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

    def __call__(self, closeups: Floats, again: Callable[[list[int]], Floats] | None = None) -> list[Named]:
        """One answer for each of (N, CHANNELS, HEIGHT, WIDTH), also from its mirror image where one is not plain.

        Args:
            again: Returns what is mirrored of some of the closeups, by their numbers, if that is something else.
        """
        if not len(closeups):
            return []
        out = self._out(closeups)
        found = [named(one) for one in out]
        unsure = [k for k, one in enumerate(found) if not one.plain]
        if unsure:
            mirrored = self._out((closeups[unsure] if again is None else again(unsure))[..., ::-1])
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


PX_PER_MM = 1.25
WIDTH, HEIGHT = 96, 136
PLACE = (47.5, 95.5)
"""Pixel of a closeup that shows the place itself, x and y: seventy millimeters above it, thirty below."""
CHANNELS = 8
"""Log reflectance B, G, R; how far a millimeter of height goes in the picture; the log of light over that of the empty
table, B, G, R; whether the latter is known."""


class Closeup(Struct, frozen=True):
    """How a sheet is turned and cut."""

    matrix: Floats
    """(2, 3) affine from sheet pixels to closeup pixels."""
    rise: float
    """Millimeters upwards in the picture for one of height."""

    def light(self, light: Floats) -> Floats:
        """(HEIGHT, WIDTH, 3) of three channels of a sheet (H, W, 3), any type."""
        return np.asarray(cv2.warpAffine(light, self.matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE))

    def back(self, pixels: Floats) -> Floats:
        """(N, 2) closeup pixels to sheet pixels."""
        inverse = cv2.invertAffineTransform(self.matrix)
        return np.asarray(np.asarray(pixels) @ inverse[:, :2].T + inverse[:, 2])


def closeup(place_px: Floats, rise: Floats, log_scale: float, turn_rad: float = 0.0, mirrored: bool = False) -> Closeup:
    """Of a place in sheet pixels; `rise` (2,) and `log_scale` are the sheet's geometry there (see `sheet.inputs`).

    `turn_rad` and `mirrored` vary what training sees.
    """
    length = float(np.hypot(*rise))
    up = np.asarray(rise, dtype=np.float64) / length if length > 1e-6 else np.array([0.0, -1.0])
    if turn_rad:
        cos, sin = np.cos(turn_rad), np.sin(turn_rad)
        up = np.array([cos * up[0] - sin * up[1], sin * up[0] + cos * up[1]])
    # Rows are the directions that become right and down.
    turn = np.array([(-up[1], up[0]), (-up[0], -up[1])]) * float(np.exp(-log_scale))
    if mirrored:
        turn[0] = -turn[0]
    return Closeup(np.column_stack([turn, np.array(PLACE) - turn @ place_px]), length * float(np.exp(-log_scale)))


class CloseupShown(Struct, frozen=True):
    """The source of closeups."""

    light: Floats
    """(H, W, 3) float32, a sheet's log light."""
    ratio: Floats | None
    """(H, W, 3) float32, its log ratio to the empty table; None if it was never shown."""
    known: Floats | None
    """(H, W) float32, 1 where the empty table is known."""
    plain: CloseupShown | None = None
    """The same without the print of the table, if it has one."""


def shown(seen: Floats) -> CloseupShown:
    """Of a sheet's inputs (CHANNELS, H, W)."""
    light, ratio = (seen[part].transpose(1, 2, 0) for part in (sheet.LIGHT, sheet.RATIO))
    known = seen[sheet.KNOWN][0]
    if not known.any():
        return CloseupShown(np.ascontiguousarray(light), None, None)
    light, ratio, known = (np.ascontiguousarray(part) for part in (light, ratio, known))
    return CloseupShown(light, ratio, known)


def cut(seen: CloseupShown, close: Closeup) -> Floats:
    """(CHANNELS, HEIGHT, WIDTH) float32."""
    out = np.zeros((CHANNELS, HEIGHT, WIDTH), np.float32)
    out[:3] = close.light(seen.light).transpose(2, 0, 1)
    out[3] = close.rise
    if seen.ratio is not None and seen.known is not None:
        out[4:7] = close.light(seen.ratio).transpose(2, 0, 1)
        out[7] = close.light(seen.known)
    return out
