"""The bands of a stack in a closeup: the visible part of each level, painted from the exact shape of a guess.

A band is three to ten pixels high. Its pixels are known, not learned, for each guess: the shape goes through the pose
of the camera, and parts behind a higher piece are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from vision.image.packed_net import load_net, load_weights
from vision.image.pose import Pose
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.closeup import CHANNELS, HEIGHT, LEVELS, WIDTH, Closeup, CloseupShown, cut
from vision.readers.pyramids.hypothesis import outlines, painted_levels
from vision.readers.pyramids.looking import closeups
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.sheet import Sheet

Floats = NDArray[Any]

STRIDE = 2
"""Bands are shares of cells of so many pixels of a closeup."""
ROWS, COLUMNS = HEIGHT // STRIDE, WIDTH // STRIDE
FACTS = 8
"""Of each level: its size, one of three; how far up it is and how far from the top; the log of its area; the length of
a millimeter of height in the picture; and 1, to distinguish it from missing levels."""
_TALLEST = LEVELS - 1
_MOST_OF = 0.3
_RING = np.ones((5, 5), np.uint8)


def painted(outline: Floats) -> NDArray[np.uint8]:
    """(HEIGHT, WIDTH) 0, or 1 + the level that is seen.

    Args:
        outline: (levels, 5, 2) corners and tip of each piece, lowest first, in pixels of the closeup.
    """
    return painted_levels(outline, (HEIGHT, WIDTH))


def bands(seen: NDArray[np.uint8], levels: int) -> Floats:
    """(LEVELS + 1, ROWS, COLUMNS) float32, the share of each cell that each band has; last the ring around them all.

    Args:
        seen: As `painted` answers.
    """
    out = np.zeros((LEVELS + 1, ROWS, COLUMNS), np.float32)
    for level in range(levels):
        one = np.asarray(seen == level + 1, np.float32)
        out[level] = cv2.resize(one, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
    whole = (out[:levels].sum(axis=0) > _MOST_OF).astype(np.uint8)
    out[LEVELS] = cv2.dilate(whole, _RING) - whole
    return out


def facts(sizes: Sequence[str], shares: Floats, rise: float) -> Floats:
    """(LEVELS, FACTS) float32, the known facts of each level of a guess.

    Args:
        shares: Its `bands`.
        rise: See `Closeup.rise`.
    """
    out = np.zeros((LEVELS, FACTS), np.float32)
    top = len(sizes) - 1
    for level, size in enumerate(sizes):
        out[level, PYRAMID_SIZES.index(size)] = 1
        out[level, 3:] = level / _TALLEST, (top - level) / _TALLEST, np.log1p(shares[level].sum()), rise, 1
    return out


# The colors of the bands of a guessed stack, and the fit of the guess, by a third net.
#
# The namer takes a closeup as a whole, and is unsure of narrow parts in the middle. Here the shape is given: a few
# convolutions describe every place of the closeup, the mean over each band describes a level, and levels are named
# together with the ones above and below them. So all levels are learned alike, wherever they are (pooling by regions
# that are known: Girshick, Fast R-CNN, ICCV 2015).

FILE = "bands.npz"
_LEAST_AREA, _LEAST_VARIANCE = 0.25, 1e-4


class GuessedStack(Struct, frozen=True):
    """A guess at what stands in a closeup."""

    sizes: tuple[str, ...]
    """Lowest first."""
    outline: Floats
    """(levels, 5, 2) corners and tip of each piece in pixels of the closeup."""
    rise: float
    """See `Closeup.rise`."""


class Banded(Struct, frozen=True):
    """The evidence of the bands of a guess."""

    color_logs: Floats
    """(levels, 10) log probability of each color."""
    fit: float
    """Log odds of the guess beside others at the same place, up to a common offset."""


class BandNet:
    """The trained net: convolutions run by OpenCV, what follows them by numpy."""

    def __init__(self, path: Path) -> None:
        self._net = load_net(path)
        self._weights = load_weights(path)

    def __call__(self, closeups: Floats, stacks: Sequence[Sequence[GuessedStack]]) -> list[list[Banded]]:
        """For each of (N, CHANNELS, HEIGHT, WIDTH) closeups, what its bands say of each of its guesses."""
        if not len(closeups):
            return []
        self._net.setInput(np.ascontiguousarray(closeups, dtype=np.float32))
        out = self._net.forward().reshape(len(closeups), -1)
        return [self._told(*one) for one in zip(closeups, out, stacks, strict=True)]

    def _told(self, closeup: Floats, described: Floats, stacks: Sequence[GuessedStack]) -> list[Banded]:
        shares = [bands(painted(one.outline), len(one.sizes)) for one in stacks]
        known = np.stack([facts(s.sizes, share, s.rise) for s, share in zip(stacks, shares, strict=True)])
        pooled = _pooled(closeup, described, np.stack(shares))
        color_logs, fits = self._head(pooled, known)
        return [
            Banded(tone[: len(one.sizes)], float(fit)) for one, tone, fit in zip(stacks, color_logs, fits, strict=True)
        ]

    def _head(self, pooled: Floats, known: Floats) -> tuple[Floats, Floats]:
        """(K, LEVELS, 10) log probabilities and (K,) fits from the pooled features (K, LEVELS + 1, F) and the facts."""
        there = known[..., -1:]
        levels = self._dense("level", np.concatenate([pooled[:, :LEVELS], known], axis=2)) * there
        for layer in ("near", "far"):
            levels = levels + self._beside(layer, levels) * there
        count = np.maximum(there.sum(axis=1), 1)
        whole = [levels.sum(axis=1) / count, levels.max(axis=1), pooled[:, LEVELS], (known * there).sum(axis=1) / count]
        fits = self._linear("fit", self._dense("whole", np.concatenate(whole, axis=1)))[:, 0]
        colors = self._linear("color", levels)
        top = colors - colors.max(axis=-1, keepdims=True)
        return np.asarray(top - np.log(np.exp(top).sum(axis=-1, keepdims=True))), fits

    def _linear(self, layer: str, values: Floats) -> Floats:
        return np.asarray(values @ self._weights[f"{layer}.weight"].T + self._weights[f"{layer}.bias"])

    def _dense(self, layer: str, values: Floats) -> Floats:
        return np.asarray(np.maximum(self._linear(layer, values), 0))

    def _beside(self, layer: str, levels: Floats) -> Floats:
        """Each level (K, LEVELS, F) with the ones below and above it."""
        kernel = self._weights[f"{layer}.weight"]
        wide = np.pad(levels, ((0, 0), (1, 1), (0, 0)))
        out = np.sum([wide[:, k : k + LEVELS] @ kernel[:, :, k].T for k in range(3)], axis=0)
        return np.asarray(np.maximum(out + self._weights[f"{layer}.bias"], 0))


def _pooled(closeup: Floats, described: Floats, shares: Floats) -> Floats:
    """(K, LEVELS + 1, F) means over each band of what describes its cells: features fine and coarse, light, its spread.

    Only the part of the closeup that any band covers is gone through.

    Args:
        described: What the convolutions answer: (F1, ROWS, COLUMNS), then (F2, ROWS / 2, COLUMNS / 2), flat.
        shares: (K, LEVELS + 1, ROWS, COLUMNS).
    """
    rows, columns = _covered(shares)
    fine_size = len(described) * 4 // 5
    fine = described[:fine_size].reshape(-1, ROWS, COLUMNS)[:, rows, columns]
    wide_rows, wide_columns = (slice(part.start // 2, part.stop // 2) for part in (rows, columns))
    coarse = described[fine_size:].reshape(-1, ROWS // 2, COLUMNS // 2)[:, wide_rows, wide_columns]
    part = closeup[:, STRIDE * rows.start : STRIDE * rows.stop, STRIDE * columns.start : STRIDE * columns.stop]
    height, width = fine.shape[1:]
    light = part.reshape(CHANNELS, height, STRIDE, width, STRIDE).mean(axis=(2, 4)).reshape(CHANNELS, -1)
    flat = shares[..., rows, columns].reshape(-1, height * width)
    wide = flat.reshape(-1, height // 2, 2, width // 2, 2).sum(axis=(2, 4)).reshape(len(flat), -1)
    area = np.maximum(flat.sum(axis=1, keepdims=True), _LEAST_AREA)
    near = flat @ np.concatenate([fine.reshape(len(fine), -1), light, light**2]).T / area
    means, mean, square = np.split(near, [len(fine), len(fine) + CHANNELS], axis=1)
    spread = np.sqrt(np.maximum(square - mean**2, _LEAST_VARIANCE))
    parts = [means, wide @ coarse.reshape(len(coarse), -1).T / area, mean, spread]
    return np.asarray(np.concatenate(parts, axis=1).reshape(*shares.shape[:2], -1))


def _covered(shares: Floats) -> tuple[slice, slice]:
    """Rows and columns of cells, in pairs, that any band of (K, LEVELS + 1, ROWS, COLUMNS) has a share of."""
    there = np.any(shares, axis=(0, 1))
    out = []
    for axis in (1, 0):
        at = np.flatnonzero(there.any(axis=axis))
        first, last = (int(at[0]), int(at[-1])) if len(at) else (0, 0)
        out.append(slice(first // 2 * 2, (last // 2 + 1) * 2))
    return out[0], out[1]


def outline_in(matrix: Floats, outline: Floats) -> Floats:
    """(levels, 5, 2) sheet pixels in pixels of a closeup, by its (2, 3) matrix."""
    return np.asarray(cv2.transform(outline.reshape(-1, 1, 2), matrix).reshape(outline.shape))


FIT, FIT_BESIDE = 0.5, 0.4
"""The weight of the bands' fit beside the earlier evidence, in log odds, alone and beside an empty table: the contours
already hold much of the sizes."""
TONES, BAND_TONES = 0.3, 1.0
"""The same for colors: of the closeup as a whole and of the cells, and of the bands."""
PLAIN = 0.995
"""One piece that is so sure, in size and color, is not asked for its bands."""
RIVALS, RIVAL = 6, 0.002
"""So many guesses are remembered beside the best one, if they are at least so probable."""


def by_bands(
    found: Sequence[FoundPieces], seen: CloseupShown, sheet: Sheet, pose: Pose, net: BandNet
) -> list[FoundPieces]:
    """The same things, those that stand with the sizes and colors that their bands show, too.

    A lone piece that is sure already has no band that could say more.
    """
    stand = [k for k, one in enumerate(found) if not (one.place.lies or _plain(one))]
    if not stand:
        return list(found)
    places = np.array([(found[k].place.x_mm, found[k].place.y_mm) for k in stand])
    closes = closeups(places, sheet, pose)
    rivals = [_standing(found[k]) for k in stand]
    stacks = [_stacks(some, close, sheet, pose) for some, close in zip(rivals, closes, strict=True)]
    told = net(np.stack([cut(seen, close) for close in closes]), stacks)
    out, fit = list(found), FIT_BESIDE if seen.known is not None else FIT
    for k, some, banded in zip(stand, rivals, told, strict=True):
        out[k] = _weighed(found[k], some, banded, pose, fit)
    return out


def _plain(found: FoundPieces) -> bool:
    lone = len(found.place.sizes) == 1 and found.confidence > PLAIN
    return lone and float(share_of(found.color_logs[0]).max()) > PLAIN


def _standing(found: FoundPieces) -> list[Rival]:
    """Its guesses that stand, the best one first."""
    best = Rival(found.place, found.confidence, found.color_logs)
    return [best, *(rival for rival in found.rivals if not rival.place.lies)]


def _stacks(rivals: Sequence[Rival], close: Closeup, sheet: Sheet, pose: Pose) -> list[GuessedStack]:
    seen = outlines([rival.place for rival in rivals], pose)
    return [
        GuessedStack(rival.place.sizes, outline_in(close.matrix, _in_sheet(outline, sheet)), close.rise)
        for rival, outline in zip(rivals, seen, strict=True)
    ]


def _in_sheet(outline: Floats, sheet: Sheet) -> Floats:
    return sheet.to_sheet(outline.reshape(-1, 2)).reshape(outline.shape)


def _weighed(
    found: FoundPieces, rivals: Sequence[Rival], told: Sequence[Banded], pose: Pose, counts: float
) -> FoundPieces:
    fits = np.array([one.fit for one in told])
    before = np.array([rival.confidence for rival in rivals])
    odds = np.log(np.maximum(before, 1e-9)) + counts * fits
    share = np.exp(odds - odds.max())
    share *= before.sum() / share.sum()
    now = [
        Rival(rival.place, float(chance), np.asarray(TONES * rival.color_logs + BAND_TONES * one.color_logs))
        for rival, chance, one in zip(rivals, share, told, strict=True)
    ]
    now += [rival for rival in found.rivals if rival.place.lies]
    first, *others = sorted(now, key=lambda rival: -rival.confidence)
    others = [rival for rival in others[:RIVALS] if rival.confidence > RIVAL]
    return FoundPieces(first.place, first.confidence, tuple(others), (), first.color_logs, *outlined(first.place, pose))
