"""Naming all pieces of a picture together when it is known how many of each there can be.

A game's set is closed: three red smalls cannot be seen where only two are left. Pieces are named by probability, and
where a name is taken too often, those that lose least by it take their next best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS, Pyramid

Floats = NDArray[Any]

Limits = Mapping[Pyramid, int]
"""The largest number of each piece on the table; an absent one cannot be there at all."""

SURPLUS = 5.0
"""The cost of a piece beyond its limit, in log odds: it is possible, or no foul could be seen."""
_NEVER = -30.0
"""Log prior of a piece that the set does not hold: misfits must stay readable, or no foul could be seen."""


def share_of(logs: Floats) -> Floats:
    """(..., N) probabilities from log likelihoods of the same shape."""
    share = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(share / share.sum(axis=-1, keepdims=True))


def with_prior(color_logs: Floats, sizes: Sequence[str], limits: Limits) -> Floats:
    """(pieces, 10) log posterior after the limits' own shares; `color_logs` (pieces, 10) are log likelihoods."""
    prior = np.array(
        [[0.0 if limits.get(Pyramid(color, size), 0) > 0 else _NEVER for color in PYRAMID_COLORS] for size in sizes]
    ).reshape(-1, len(PYRAMID_COLORS))
    return np.asarray(color_logs + prior)


def assign(color_logs: Floats, sizes: Sequence[str], limits: Limits, surplus: float = SURPLUS) -> list[int]:
    """For each piece the number of its color, so that the sum of log posteriors is greatest.

    A name beyond its limit costs `surplus`, it is not impossible: the table may show what the set does not hold.
    Solved size by size, since a piece never changes its size here, by moving pieces along cheapest exchanges.
    """
    posterior = with_prior(color_logs, sizes, limits)
    names = posterior.argmax(axis=1).tolist() if len(posterior) else []
    for size in set(sizes):
        rows = [i for i, s in enumerate(sizes) if s == size]
        room = {c: limits.get(Pyramid(color, size), 0) for c, color in enumerate(PYRAMID_COLORS)}
        for _ in range(4 * len(rows)):
            path = _cheapest_path(posterior, rows, names, room, surplus)
            if path is None:
                break
            for row, color in path:
                names[row] = color
    return names


def _cheapest_path(
    posterior: Floats, rows: list[int], names: list[int], room: Mapping[int, int], surplus: float
) -> list[tuple[int, int]] | None:
    """A chain of renamings from a color with too many to one with room, for less than `surplus` (Bellman-Ford)."""
    used = {c: sum(names[r] == c for r in rows) for c in room}
    over = [c for c in room if used[c] > room[c] > 0]
    if not over:
        return None
    cost = {c: 0.0 if c in over else np.inf for c in room}
    came: dict[int, tuple[int, int]] = {}
    for _ in room:
        changed = False
        for row in rows:
            start = names[row]
            if not np.isfinite(cost[start]):
                continue
            for color in room:
                price = cost[start] + posterior[row, start] - posterior[row, color]
                if color != start and price < cost[color] - 1e-9:
                    cost[color], came[color], changed = price, (row, start), True
        if not changed:
            break
    free = [c for c in room if used[c] < room[c] and cost[c] < surplus]
    if not free:
        return None
    color = min(free, key=cost.__getitem__)
    path: list[tuple[int, int]] = []
    for _ in room:
        row, start = came[color]
        path.append((row, color))
        color = start
        if color in over:
            return path
    return None
