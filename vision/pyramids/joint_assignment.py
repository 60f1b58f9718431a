"""All pieces of a picture named together: colors, and sizes too where it is known what can be there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.layout import Candidate, Sighting
from companion.pieces import PYRAMID_COLORS, Piece, Pyramid
from vision.pyramids.assignment import Limits, assign, share_of, with_prior
from vision.pyramids.choice import Option, choose
from vision.pyramids.confirmed import ConfirmedColors
from vision.pyramids.models import Projector
from vision.pyramids.scene import FoundPieces, Rival, outlined

Floats = NDArray[Any]

WORTH_NAMING = 0.08
"""Pieces of another size are named as candidates if they are at least so probable."""
_COLORS = 4
"""So many colors are named for each piece."""


def named_jointly(
    found: Sequence[FoundPieces], pose: Projector, limits: Limits | None = None, colors: ConfirmedColors | None = None
) -> tuple[FoundPieces, ...]:
    """Colors for all pieces; sizes and colors together if `limits` are known."""
    if limits is not None:
        found = _within(found, pose, limits, colors)
    sizes = [size for f in found for size in f.place.sizes]
    logs = np.concatenate([f.color_logs for f in found]) if found else np.zeros((0, len(PYRAMID_COLORS)))
    if colors is not None:
        logs = logs + colors.offsets
    names = logs.argmax(axis=1).tolist() if limits is None else assign(logs, sizes, limits)
    if limits is not None:
        logs = with_prior(logs, sizes, limits)
    out, at = [], 0
    for f in found:
        end = at + len(f.place.sizes)
        rivals = tuple(_with_colors(rival, colors, limits) for rival in f.rivals)
        levels = tuple(
            _level(size, names[k], logs[k], f.confidence, [r.pieces[k - at] for r in rivals if _alike(r, f)])
            for k, size in zip(range(at, end), f.place.sizes, strict=True)
        )
        out.append(replace(f, rivals=rivals, levels=levels))
        at = end
    return tuple(out)


def _within(
    found: Sequence[FoundPieces], pose: Projector, limits: Limits, colors: ConfirmedColors | None
) -> list[FoundPieces]:
    """The same things, those with rivals in the sizes that fit best with what can be there."""
    shift = 0.0 if colors is None else colors.offsets
    options = [
        [Option(one.confidence, one.place.sizes, one.color_logs + shift) for one in (_as_rival(f), *f.rivals)]
        for f in found
    ]
    out = []
    for f, k in zip(found, choose(options, limits), strict=True):
        if k:
            chosen = f.rivals[k - 1]
            rivals = (_as_rival(f), *f.rivals[: k - 1], *f.rivals[k:])
            f = FoundPieces(
                chosen.place,
                chosen.confidence,
                rivals,
                (),
                chosen.color_logs,
                *outlined(chosen.place, pose),
                chosen.tones,
            )
        out.append(f)
    return out


def _as_rival(found: FoundPieces) -> Rival:
    return Rival(found.place, found.confidence, found.color_logs, tones=found.tones)


def _level(size: str, name: int, logs: Floats, confidence: float, others: Sequence[Candidate]) -> Sighting:
    """One piece: its color and the next likely ones, and `others`, of other sizes."""
    share = share_of(logs)
    order = [name, *(int(k) for k in np.argsort(-share) if k != name)][:_COLORS]
    first, *more = (Candidate(Pyramid(PYRAMID_COLORS[k], size), float(share[k]) * confidence) for k in order)
    chances: dict[Piece | None, float] = {one.piece: one.probability for one in more}
    for other in others:
        if isinstance(other.piece, Pyramid) and other.piece.size != size and other.probability > WORTH_NAMING:
            chances[other.piece] = chances.get(other.piece, 0.0) + other.probability
    ranked = sorted(chances.items(), key=lambda one: -one[1])
    return Sighting((first, *(Candidate(piece, chance) for piece, chance in ranked)))


def _with_colors(rival: Rival, colors: ConfirmedColors | None, limits: Limits | None) -> Rival:
    """A rival with its likeliest colors; each piece's probability is that of the sizes and of its color."""
    logs = rival.color_logs if colors is None else rival.color_logs + colors.offsets
    shares = share_of(logs if limits is None else with_prior(logs, rival.place.sizes, limits))
    pieces = tuple(
        Candidate(Pyramid(PYRAMID_COLORS[int(share.argmax())], size), rival.confidence * float(share.max()))
        for share, size in zip(shares, rival.place.sizes, strict=True)
    )
    return replace(rival, pieces=pieces)


def _alike(rival: Rival, found: FoundPieces) -> bool:
    """Whether levels can be told apart one by one."""
    return not rival.place.lies and not found.place.lies and len(rival.place.sizes) == len(found.place.sizes)
