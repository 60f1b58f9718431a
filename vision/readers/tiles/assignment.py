"""Each tile of the set exists once: joint readings of many places at once.

Places and tiles form a bipartite graph. Marginals come from belief propagation on "at most one tile a place, at most
one place a tile", which always settles for this model; the single best whole reading comes from the Hungarian method.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROUNDS = 60
_FAR = 60.0
"""Log odds are cut off here; beyond it they have no effect."""


def marginals(log_odds: Floats) -> Floats:
    """(places, tiles): probability that a tile lies at a place, each tile once.

    Args:
        log_odds: (places, tiles): log likelihood of the tile at the place, minus that of no tile at all.
    """
    if log_odds.size == 0:
        return np.zeros_like(log_odds)
    weight = np.exp(np.clip(log_odds, -_FAR, _FAR))
    from_tile = np.ones_like(weight)
    for _ in range(_ROUNDS):
        offered = weight * from_tile
        to_tile = weight / (1 + offered.sum(1, keepdims=True) - offered)
        updated = 1 / (1 + to_tile.sum(0, keepdims=True) - to_tile)
        if np.abs(updated - from_tile).max() < 1e-9:
            from_tile = updated
            break
        from_tile = updated
    offered = weight * from_tile
    return np.asarray(offered / (1 + offered.sum(1, keepdims=True)))


def best_reading(log_odds: Floats) -> NDArray[np.int64]:
    """(places,): the tile at each place, -1 for none, in the most likely whole reading."""
    places, tiles = log_odds.shape
    # Each place gets a column of its own for "no tile" at log odds 0.
    cost = np.full((places, tiles + places), 1e6)
    cost[:, :tiles] = -np.clip(log_odds, -1e5, 1e5)
    cost[np.arange(places), tiles + np.arange(places)] = 0.0
    columns = _hungarian(cost)
    return np.where(columns < tiles, columns, -1)


def _hungarian(cost: Floats) -> NDArray[np.int64]:
    """(rows,): the column of each row in the cheapest assignment; rows <= columns.

    Shortest augmenting paths with potentials (Jonker and Volgenant 1987).
    """
    rows, columns = cost.shape
    row_price, column_price = np.zeros(rows), np.zeros(columns + 1)
    holder = np.full(columns + 1, -1)
    for row in range(rows):
        holder[columns] = row
        free = columns
        shortest = np.full(columns, np.inf)
        before = np.full(columns, columns)
        done = np.zeros(columns + 1, dtype=bool)
        while holder[free] != -1:
            done[free] = True
            current = holder[free]
            reach = cost[current] - row_price[current] - column_price[:columns]
            better = ~done[:columns] & (reach < shortest)
            shortest[better] = reach[better]
            before[better] = free
            open_columns = np.where(done[:columns], np.inf, shortest)
            nearest = int(open_columns.argmin())
            step = open_columns[nearest]
            row_price[holder[done]] += step
            column_price[done] -= step
            shortest[~done[:columns]] -= step
            free = nearest
        while free != columns:
            holder[free] = holder[before[free]]
            free = before[free]
    out = np.full(rows, -1)
    for column in range(columns):
        if holder[column] != -1:
            out[holder[column]] = column
    return out
