"""Misreadings that are no news: a piece that was confirmed and is read wrong, and read wrong the same way again.

A reader errs about a piece for as long as nobody touches it. Once the game, or a person, has said what really stands
there, the same error says next to nothing in the next picture; whatever else changes in the same heap counts in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from typing import NamedTuple

from companion.layout import Layout, Sighting, Spot
from companion.matching.clearing import cleaned
from companion.matching.evidence import Evidence, Misreading, Pair, pile
from companion.pieces import Piece, Pyramid, Stack

Known = Mapping[Spot, tuple[Misreading, ...]]
"""By heap the misreadings that say nothing new."""

NOTHING_KNOWN: Known = {}


class Kinds(NamedTuple):
    """Which kinds of misreadings are taken up."""

    lost: bool
    """Pieces that are not seen, and pieces seen where none is: between two moves such a piece may be in a hand."""


ALL = Kinds(lost=True)
SWAPPED_ONLY = Kinds(lost=False)


def is_explained(table: Layout, seen: Layout, known: Known) -> bool:
    """Whether every cell reads best as predicted, and no piece of a heap clearly reads as something else."""
    heaps = cleaned(table, Evidence(seen, known)).heaps
    return not table.differences(Layout(seen.cells, heaps, partial=seen.partial))


def misreadings(
    table: Layout,
    seen: Layout,
    known: Known = NOTHING_KNOWN,
    *,
    kinds: Kinds = ALL,
    spots: Container[Spot] | None = None,
) -> Known:
    """What `seen` says against a table that is known to be right, piece by piece.

    Only heaps of pyramids and stacks are looked at: tiles and dice are judged by their places.

    :param kinds: `SWAPPED_ONLY` leaves pieces out that are not seen at all, or seen too much.
    :param spots: None: all heaps.
    """
    evidence = Evidence(seen, known)
    found: dict[Spot, tuple[Misreading, ...]] = {}
    for spot in table.heaps:
        expected = pile(table, spot)
        if expected is None or spot not in evidence.seen.heaps or (spots is not None and spot not in spots):
            continue
        pairing = evidence.pairing(spot, expected)
        wrong = [Misreading(one.piece, _read(one)) for one in pairing.pairs if _is_misread(one, evidence, spot, kinds)]
        if kinds.lost:
            wrong += [Misreading(None, one.piece) for one in (*pairing.extras, *pairing.ignored)]
        wrong = [one for one in wrong if _is_pyramid(one.piece) and _is_pyramid(one.read)]
        if wrong:
            found[spot] = tuple(wrong)
    return found


def joined(one: Known, other: Known) -> Known:
    """Both, each misreading as often as the one that holds it more often."""
    spots = {**one, **other}
    return {spot: tuple((Counter(one.get(spot, ())) | Counter(other.get(spot, ()))).elements()) for spot in spots}


def _is_misread(one: Pair, evidence: Evidence, spot: Spot, kinds: Kinds) -> bool:
    if one.sighting is None:
        return kinds.lost and spot not in evidence.seen.partial
    return one.regret > 0.0


def _read(one: Pair) -> Piece | None:
    sighting: Sighting | None = one.sighting
    return None if sighting is None else sighting.piece


def _is_pyramid(piece: Piece | None) -> bool:
    return piece is None or isinstance(piece, Pyramid | Stack)
