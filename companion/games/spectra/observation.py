"""The expected reading of a position, and its difference to a seen table.

Trees and supplies are heaps of single pieces, whichever way they stand: a tree may be stacked, laid out as a loose trio
or nested. In a nest the smaller pieces stand unseen inside the larger ones; the layout names them as `covered`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece, Pyramid
from companion.games.shared.search.ways import once_a_picture
from companion.games.spectra.situation import OWN_KINDS, Situation
from companion.games.spectra.stash import KIND, KINDS, NOTHING, Pile, supply_spot, trees_spot

FLOOR = 0.02
"""A candidate less likely than this is not considered."""
SURE = 0.9
"""From here on a reading's runners-up are still possible, but the best candidate need not be doubted."""

_SIGHTINGS = tuple(Detection.sure(piece) for piece in KINDS)


def layout(situation: Situation) -> Layout:
    """Both heaps of every seat, and which tree pieces may be covered."""
    heaps: dict[Spot, tuple[Detection, ...]] = {}
    covered: dict[Spot, tuple[Piece, ...]] = {}
    for seat in range(situation.seats):
        heaps[trees_spot(seat)] = _sightings(situation.trees[seat])
        heaps[supply_spot(seat)] = _sightings(situation.supplies[seat])
        hidden = hideable(situation.colors[seat], situation.trees[seat])
        if hidden:
            covered[trees_spot(seat)] = hidden
    return Layout(heaps=heaps, covered=covered)


@lru_cache(maxsize=1 << 12)
def _sightings(pile: Pile) -> tuple[Detection, ...]:
    return tuple([_SIGHTINGS[kind] for kind, count in enumerate(pile) if count for _ in range(count)])


@lru_cache(maxsize=1 << 12)
def hideable(color: str, trees: Pile) -> tuple[Pyramid, ...]:
    """Tree pieces of the own color that may stand inside larger ones: a medium in a large, a small in either."""
    large, medium, small = OWN_KINDS[color]
    mediums = min(trees[medium], trees[large])
    smalls = min(trees[small], trees[large] + trees[medium])
    return (KINDS[medium],) * mediums + (KINDS[small],) * smalls


class HeapChange(NamedTuple):
    """By seat and kind: how many pieces more or fewer than the position has there may be on the table.

    With sure readings this is the plain difference. A doubtful reading counts on both sides: its best candidate may be
    missing, and each runner-up may have come.
    """

    came_supply: tuple[Pile, ...]
    gone_supply: tuple[Pile, ...]
    came_trees: tuple[Pile, ...]
    gone_trees: tuple[Pile, ...]

    def touches(self, seat: int) -> bool:
        """True if anything in front of a seat may have changed."""
        return any(any(piles[seat]) for piles in self)


def change(situation: Situation, seen: Layout) -> HeapChange:
    """The difference of `seen` to the position; heaps that were not looked at have none."""
    seats = range(situation.seats)
    supplies = [_difference(situation.supplies[seat], seen, supply_spot(seat)) for seat in seats]
    trees = [_difference(situation.trees[seat], seen, trees_spot(seat)) for seat in seats]
    return HeapChange(
        tuple(came for came, _ in supplies),
        tuple(gone for _, gone in supplies),
        tuple(came for came, _ in trees),
        tuple(gone for _, gone in trees),
    )


def _difference(pile: Pile, seen: Layout, spot: Spot) -> tuple[Pile, Pile]:
    known = _counted(seen).get(spot)
    if known is None:
        return NOTHING, NOTHING
    possible, sure = known
    if possible == pile == sure:
        return NOTHING, NOTHING
    came = tuple([may - have if may > have else 0 for may, have in zip(possible, pile, strict=True)])
    gone = tuple([have - must if have > must else 0 for must, have in zip(sure, pile, strict=True)])
    return came, gone


@once_a_picture
def _counted(seen: Layout) -> dict[Spot, tuple[Pile, Pile]]:
    """By heap how many of each kind may and must lie there."""
    return {spot: _count(heap) for spot, heap in seen.heaps.items()}


def _count(sightings: tuple[Detection, ...]) -> tuple[Pile, Pile]:
    possible, sure = [0] * len(KINDS), [0] * len(KINDS)
    for sighting in sightings:
        listed = [c.piece for c in sighting.candidates if c.probability >= FLOOR or c.piece == sighting.piece]
        for piece in listed:
            if isinstance(piece, Pyramid) and piece in KIND:
                possible[KIND[piece]] += 1
        best = sighting.piece
        if isinstance(best, Pyramid) and best in KIND and (len(listed) == 1 or sighting.confidence >= SURE):
            sure[KIND[best]] += 1
    return tuple(possible), tuple(sure)


def sharpened(seen: Layout) -> Layout:
    """The same table with every best candidate taken for certain."""
    return Layout(heaps={spot: tuple(Detection.sure(s.piece) for s in heap) for spot, heap in seen.heaps.items()})
