"""The pieces of a Spectrum set as a prior: ten pawns of a color at most (BRD-5)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection
from companion.core.pieces import PRIMARIES, Pawn

Floats = NDArray[Any]

PAWNS = 10
"""Pawns of a color."""
_LISTED = 0.0005
"""Candidates less likely than this are not listed."""


def limited(log_odds: Floats, most: int = PAWNS) -> Floats:
    """Log probabilities (N, 1 + colors), "no pawn" first, with no color likeliest at more than `most` places.

    Surplus places of a color are dropped where that costs least: there it gives way to the next best.
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
    """Candidates by falling probability; None is the bare space."""
    found = []
    for row in np.exp(log_odds):
        ranked = sorted(zip(row, (None, *map(Pawn, PRIMARIES)), strict=True), key=lambda pair: -pair[0])
        listed = [Candidate(piece, float(p)) for k, (p, piece) in enumerate(ranked) if k == 0 or p > _LISTED]
        found.append(Detection(tuple(listed)))
    return tuple(found)
