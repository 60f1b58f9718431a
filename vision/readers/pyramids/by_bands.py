"""The standing things, weighed again by their bands: sizes, and the color of each level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.image.pose import Pose
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.band_net import Banded, BandNet, GuessedStack, outline_in
from vision.readers.pyramids.closeup import Closeup, CloseupShown, cut
from vision.readers.pyramids.crops import closeups
from vision.readers.pyramids.hypothesis import outlines
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.sheet import Sheet

Floats = NDArray[Any]

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
