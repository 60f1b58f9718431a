"""Readings that a person has overruled.

The person at the table is always right. When somebody undoes, corrects or tells a move, the camera may still show (or
misread) what contradicts it; that reading says nothing for as long as it stays the same. As soon as the spot reads
differently it counts again, so nothing is silenced for good. Heaps of pyramids are not silenced: each misread piece of
them is known by itself (`companion.matching.known`), and whatever else happens there is judged.
"""

from __future__ import annotations

from collections.abc import Container

from companion.layout import Difference, Layout, Spot
from companion.pieces import Piece, Pyramid, Stack

_Reading = tuple[Piece | None, ...]


class Overruled:
    """Spots whose present reading counts for nothing."""

    def __init__(self) -> None:
        self._readings: dict[Spot, _Reading] = {}

    def add(self, predicted: Layout, seen: Layout, spots: Container[Spot] | None = None) -> None:
        """Overrule what `seen` says against `predicted`; only at `spots`, if given."""
        for difference in predicted.differences(seen):
            if (spots is None or difference.spot in spots) and not _is_pyramids(difference):
                self._readings[difference.spot] = difference.seen

    def heed(self, layout: Layout) -> Layout:
        """A reading without the overruled spots; those that read differently now count again from here on."""
        for spot, wrong in list(self._readings.items()):
            read = _reading(layout, spot)
            if read is not None and read != wrong:
                del self._readings[spot]
        silent = self._readings
        if not silent:
            return layout
        return Layout(
            {spot: sighting for spot, sighting in layout.cells.items() if spot not in silent},
            {spot: heap for spot, heap in layout.heaps.items() if spot not in silent},
        )


def _is_pyramids(difference: Difference) -> bool:
    """Whether a heap of pyramids or stacks differs."""
    return all(isinstance(piece, Pyramid | Stack) for piece in (*difference.expected, *difference.seen))


def _reading(layout: Layout, spot: Spot) -> _Reading | None:
    """Best readings of a spot, in the order of `Difference.seen`; None if nobody looked."""
    if spot in layout.cells:
        return (layout.cells[spot].piece,)
    if spot in layout.heaps:
        return tuple(sorted((sighting.piece for sighting in layout.heaps[spot]), key=repr))
    return None
