"""Reads all pawns of a Spectrum board in one picture.

The wheel is found by its circle of colors and refined by its lines, and the bare board is predicted. Each of the 108
spaces is cut out as a pawn there would be seen, and a few small nets judge it. The reader does not know the game, only
the number of pawns in a set.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.foundation.errors import NoBoard
from companion.core.layout import Candidate, Detection
from companion.core.pieces import PRIMARIES, Pawn
from vision.calibration.calibration import EmptyTable
from vision.readers.pawns.backdrop import Backdrop, find_backdrop, log_light, sampled, smooth
from vision.readers.pawns.crops import BareBoard, cut
from vision.readers.pawns.net import WEIGHTS, Nets, images, load, numbers
from vision.readers.pawns.wheel import RADIUS_MM, SPACES, THICK_MM, Wheel
from vision.readers.pawns.wheel_fit import WheelFit, find_wheel, fit_wheel, turned_by_color
from vision.registration.registered_image import RegisteredImage

# The bare board as it was shown once, under today's light and wherever it lies today.
#
# A board's own print is known then: stars, lines, and every shade of ink. What changed since is the light, which is
# fitted path by path and smoothly over the board, pawns and their shadows left out as they are for a board that was
# never shown empty.


class EmptyBoard(Struct, frozen=True):
    """The bare board, a `Backdrop` that also has the board's own print."""

    empty: EmptyTable
    lay: Wheel
    """The place of the board when it was shown empty."""
    light: Backdrop
    """The change of log light since then."""

    @property
    def wheel(self) -> Wheel:
        """The present place of the board."""
        return self.light.wheel

    def at(self, board_mm: NDArray[np.float64]) -> NDArray[np.float32]:
        """Returns (..., 3): the bare board's log light at board places (..., 2)."""
        return np.asarray(then_at(self.empty, self.lay, board_mm) + self.light.at(board_mm), np.float32)


def find_empty_board(table: RegisteredImage, wheel: Wheel, empty: EmptyTable, lay: Wheel) -> EmptyBoard:
    """Returns a board that was shown empty in a picture's light; it is now at `wheel` and was at `lay`."""
    today = sampled(table, wheel)
    change = today.seen - then_at(empty, lay, today.board_mm)
    return EmptyBoard(empty, lay, smooth(wheel, replace(today, seen=change.astype(np.float32))))


def then_at(empty: EmptyTable, lay: Wheel, board_mm: NDArray[np.float64]) -> Floats:
    """Returns (..., 3): log light at board places (..., 2) when the board was shown empty."""
    table_mm = lay.to_table(board_mm.reshape(-1, 2))
    pixels = empty.pose.project(np.column_stack([table_mm, np.full(len(table_mm), THICK_MM)])).astype(np.float32)
    parts = [
        cv2.remap(empty.picture, part[None, :, 0], part[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.array_split(pixels, len(pixels) // 30000 + 1)
    ]
    levels = np.concatenate([np.asarray(part, np.uint8).reshape(-1, 3) for part in parts])
    logs = log_light(levels, empty.light.white(table_mm).astype(np.float32))
    return logs.reshape(*board_mm.shape[:-1], 3)


PAWNS = 10
"""The number of pawns of a color."""
_LISTED = 0.0005
"""Candidates less likely than this are not listed."""


def limited(log_odds: Floats, most: int = PAWNS) -> Floats:
    """Returns log probabilities (N, 1 + colors), "no pawn" first, with each color likeliest at no more than `most`
    places.

    Surplus places of a color are dropped where that costs least: there the next best candidate takes its place.
    """
    out = log_odds.copy()
    for _ in range(out.size):
        best = out.argmax(axis=1)
        counts = np.bincount(best, minlength=out.shape[1])[1:]
        if counts.max(initial=0) <= most:
            break
        color = 1 + int(counts.argmax())
        places = np.flatnonzero(best == color)
        others = np.delete(out[places], color, axis=1).max(axis=1)
        weakest = places[int((out[places, color] - others).argmin())]
        out[weakest, color] = -np.inf
        out[weakest] -= np.logaddexp.reduce(out[weakest])
    return out


def sightings(log_odds: Floats) -> tuple[Detection, ...]:
    """Returns candidates by falling probability; None is the bare space."""
    found = []
    for row in np.exp(log_odds):
        ranked = sorted(zip(row, (None, *map(Pawn, PRIMARIES)), strict=True), key=lambda pair: -pair[0])
        listed = [Candidate(piece, float(p)) for k, (p, piece) in enumerate(ranked) if k == 0 or p > _LISTED]
        found.append(Detection(tuple(listed)))
    return tuple(found)


Floats = NDArray[Any]

_STEADY = 0.9
"""The share of their former strength that the lines of a board keep while it is at its place."""
_SHOWN = 0.6
"""The least visible share of a crop for its space to count as seen."""
_DIFFERS, _COVERED = 0.3, 0.9
"""The log light by which a pixel differs from bare board, and the share of such pixels under a cloth; pawns with their
shadows reach 0.8 in 99 of 100 spaces.
"""
_CAUTION = 0.85
"""The share of a change that the nets see. Under unknown lamps and cameras the prediction of the bare board is worse,
and a path's own color was taken for a pawn of that color (docs/accuracy.md).
"""
_FOOT, _SIDES = (slice(14, 19), slice(8, 16)), (slice(7, 18), (*range(2, 6), *range(18, 22)))
"""Rows and columns of a crop: the foot of a pawn that stands there, and the ground on both sides of it. A neighbor in
front or behind reaches over the head of a place, but not over its foot.
"""
_FOOT_CHANGES, _STEEP = 0.49, 25.0
"""The log light by which a foot differs from the empty board if a pawn is as likely as none, and the slope of its log
odds; of 1,100 bare spaces of drawn boards the largest was 0.47.
"""
_AT_MOST = 0.97
"""The largest probability from a foot alone, since a thing that is not a pawn may lie there."""
_ALONE = 0.2
"""The least excess of a foot's difference over that of the ground beside it; a shadow or a hand covers both."""
_UNSEEN = np.log([0.999, *[0.001 / 6] * 6])
"""The log probabilities if the picture does not show a space."""
_DOUBTFUL = 1.0
"""The least clearness of rim and lines at the plan's place; otherwise the wheel is searched everywhere."""
_PLAIN = 0.5
"""The least clearness of rim and lines together for a wheel; those of the open pictures reach 1.3."""


class WheelReading(Struct, frozen=True):
    """The reading of one picture of a board."""

    fit: WheelFit
    alone: tuple[Detection, ...]
    """The contents of each space of `SPACES`, from its own look."""
    joint: tuple[Detection, ...]
    """The contents with the set's ten pawns of a color as prior."""
    shown: tuple[bool, ...]
    """True for spaces that the picture shows; the others are unknown."""
    foreign: tuple[bool, ...]
    """True for spaces that look almost nowhere like the bare board, in a way that no pawn explains."""

    @property
    def wheel(self) -> Wheel:
        """The place of the board."""
        return self.fit.wheel


def place_wheel(table: RegisteredImage, start: Wheel | None = None, radius_mm: float = RADIUS_MM) -> WheelFit:
    """Returns the board on the table; `start`, if right to a centimeter and 10 degrees, is only refined.

    Raises:
        NoBoard: No board is on the table.
    """
    if start is not None:
        there = _colored(table, fit_wheel(table.picture, table.pose, start))
        if there.score >= _DOUBTFUL:
            return there
    fit = _colored(table, fit_wheel(table.picture, table.pose, find_wheel(table, radius_mm).wheel))
    if fit.score < _PLAIN:
        raise NoBoard(
            "Something round and colorful lies on the table, but no Spectrum board was found. "
            "Put the whole wheel on the mat, clear of hands, and light it evenly."
        )
    return fit


def follow_wheel(table: RegisteredImage, known: WheelFit) -> WheelFit | None:
    """Returns a board that was there a moment ago; None if it is no longer at its place."""
    fit = fit_wheel(table.picture, table.pose, known.wheel, near=True)
    same = _colored(table, fit).wheel == fit.wheel
    return fit if same and fit.score >= _STEADY * known.score else None


def _colored(table: RegisteredImage, fit: WheelFit) -> WheelFit:
    return replace(fit, wheel=turned_by_color(table, fit.wheel))


def read_board(table: RegisteredImage, fit: WheelFit, nets: Nets | None = None) -> WheelReading:
    """Reads the pawns of a board whose place is known."""
    wheel = fit.wheel
    crops = cut(table, _bare_board(table, wheel), wheel.to_table(wheel.middles()))
    given = images(crops.light, crops.change * np.float32(_CAUTION)), numbers(crops.steepness, SPACES)
    odds = judged(load(WEIGHTS) if nets is None else nets, *given)
    if table.calibration is not None and table.calibration.board is not None:
        odds = with_feet(odds, crops.change)
    odds[~crops.shown.any(axis=(1, 2))] = _UNSEEN
    shown = tuple(bool(share >= _SHOWN) for share in crops.shown.mean(axis=(1, 2)))
    differs = (np.abs(crops.change).max(axis=3) > _DIFFERS).mean(axis=(1, 2))
    foreign = tuple(bool(share >= _COVERED) for share in differs)
    return WheelReading(fit, sightings(odds), sightings(limited(odds)), shown, foreign)


def with_feet(log_odds: Floats, change: Floats) -> Floats:
    """Returns log probabilities (N, 7) that include pawns on a path of their own color.

    Their color is no evidence, but their foot and its shadow differ from the board that was shown empty.

    Args:
        change: (N, side, side, 3) the log light relative to that board.
    """
    size = np.abs(change).mean(axis=3)
    foot = size[:, _FOOT[0], _FOOT[1]].mean(axis=(1, 2))
    beside = size[:, _SIDES[0]][:, :, list(_SIDES[1])].mean(axis=(1, 2))
    there = np.minimum(1 / (1 + np.exp(-_STEEP * (foot - _FOOT_CHANGES))), _AT_MOST)
    out = log_odds.copy()
    for i in np.flatnonzero((foot - beside > _ALONE) & (np.exp(log_odds[:, 0]) > 1 - there)):
        colors = log_odds[i, 1:] - np.logaddexp.reduce(log_odds[i, 1:])
        out[i] = np.log([1 - there[i], *(there[i] * np.exp(colors) + 1e-12)])
    return out


def _bare_board(table: RegisteredImage, wheel: Wheel) -> BareBoard:
    """Returns the board without pawns: as it was shown empty, or else as predicted from this picture."""
    known = table.calibration
    if known is None or known.board is None:
        return find_backdrop(table, wheel)
    return find_empty_board(table, wheel, known.empty, Wheel(*known.board))


def judged(nets: Nets, crops: Floats, more: Floats) -> Floats:
    """Returns (N, 7): log probabilities of "no pawn" and of a pawn of each primary, from crops and their mirror images.

    A pawn is round: its mirror image is a pawn in a mirrored light, and several opinions are better than one.
    """
    given = np.concatenate([crops, crops[:, :, ::-1]]), np.concatenate([more, more])
    both = np.mean([net.log_probabilities(*given) for net in nets], axis=0)
    mean = (both[: len(crops)] + both[len(crops) :]) / 2
    return np.asarray(mean - np.logaddexp.reduce(mean, axis=1, keepdims=True))
