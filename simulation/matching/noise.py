"""Simulates readings with faults of a predicted table, to test how the referee judges them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.core.layout import Candidate, Detection, Layout, Spot
from companion.core.pieces import Piece, Tile
from companion.games.spectrangle.board import LIES

LYING: tuple[Tile, ...] = tuple(lie.tile for lie in LIES.values())
"""Every tile in every orientation in which it can lie."""


def ranked(*candidates: tuple[Piece | None, float]) -> Detection:
    """Returns a sighting from pieces and probabilities, the likeliest first."""
    return Detection(tuple(Candidate(piece, p) for piece, p in sorted(candidates, key=lambda one: -one[1])))


def unsure(rng: Random, layout: Layout) -> Layout:
    """Returns a layout in which every spot is read right, with 80 to 99.5 percent confidence, mostly with wrong
    runners-up.
    """

    def read(piece: Piece | None) -> Detection:
        sure = rng.uniform(0.8, 0.995)
        other = rng.choice([tile for tile in LYING if tile != piece])
        found: list[tuple[Piece | None, float]] = [(piece, sure), (other, (1 - sure) * 0.5)]
        if piece is not None:
            found.append((None, (1 - sure) * 0.1))
        return ranked(*found)

    cells = {spot: read(sighting.piece) for spot, sighting in layout.cells.items()}
    heaps = {
        name: tuple(ranked((sighting.piece, rng.uniform(0.85, 0.99))) for sighting in heap)
        for name, heap in layout.heaps.items()
    }
    return Layout(cells, heaps)


def hidden(rng: Random, layout: Layout, count: int) -> Layout:
    """Returns a layout without some cells, which are out of sight."""
    gone = set(rng.sample(list(layout.cells), count))
    return Layout({spot: sighting for spot, sighting in layout.cells.items() if spot not in gone}, layout.heaps)


def misread(rng: Random, layout: Layout, truth: Layout, spots: Sequence[Spot] | None = None) -> Layout:
    """Returns a layout with one cell read wrong with 40 to 75 percent confidence; the right reading is listed in 60
    percent of cases.
    """
    spot = rng.choice(list(spots or layout.cells))
    right = truth.cells[spot].piece
    wrong = rng.choice([tile for tile in (*LYING, None) if tile != right])
    sure = rng.uniform(0.4, 0.75)
    found: list[tuple[Piece | None, float]] = [(wrong, sure)]
    if rng.random() < 0.6:
        found.append((right, rng.uniform(0.0, min(sure, 1 - sure))))
    return Layout({**layout.cells, spot: ranked(*found)}, layout.heaps)


def swapped(rng: Random, layout: Layout, truth: Layout) -> Layout:
    """Returns a layout in which one tile is surely (75 to 95 percent) taken for another tile; empty cells stay empty."""
    tiles = [spot for spot in layout.cells if truth.cells[spot].piece is not None]
    if not tiles:
        return layout
    spot = rng.choice(tiles)
    wrong = rng.choice([tile for tile in LYING if tile != truth.cells[spot].piece])
    return Layout({**layout.cells, spot: ranked((wrong, rng.uniform(0.75, 0.95)))}, layout.heaps)
