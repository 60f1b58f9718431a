"""The kind of a meld on the table, and the cards that extend it (500-2, 500-4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from companion.games.shared.cards.deck import ALL_PRIMARIES, CARD_PRIMARIES, COLORS, NUMBER_CARDS, RANK, RANKS
from companion.games.shared.search.bit_sets import bits, mask_of

SHADES = COLORS // 2
"""Shades, one for each primary."""
OF_SHADE: tuple[int, ...] = tuple(
    mask_of(card for card in range(NUMBER_CARDS) if CARD_PRIMARIES[card] >> shade & 1) for shade in range(SHADES)
)
"""By primary (red is 0, orange 1, ...): the mask of the cards that contain it (DEK-3)."""
OF_RANK: tuple[int, ...] = tuple(
    mask_of(card for card in range(NUMBER_CARDS) if RANK[card] == rank) for rank in range(RANKS + 2)
)
"""By rank: the mask of its cards; none for 0 and 13, so that a run simply ends there."""


class MeldShape(NamedTuple):
    """A meld: a group if `low` is `high`, else a sequence from rank `low` to `high`."""

    low: int
    high: int
    shades: int
    """The primaries that all cards of a sequence contain, a bit each; of a group it does not matter and is 0."""

    @property
    def is_group(self) -> bool:
        """True if all cards are of one rank."""
        return self.low == self.high


def shape_of(cards: Sequence[int], least: int) -> MeldShape | None:
    """The kind of meld that cards make with at least so many; None if they make none (500-2)."""
    if len(cards) < least or len(set(cards)) != len(cards):
        return None
    ranks = sorted([RANK[card] for card in cards])
    if ranks[0] == ranks[-1]:
        return MeldShape(ranks[0], ranks[0], 0)
    if ranks != list(range(ranks[0], ranks[0] + len(ranks))):
        return None
    common = ALL_PRIMARIES
    for card in cards:
        common &= CARD_PRIMARIES[card]
    return MeldShape(ranks[0], ranks[-1], common) if common else None


@lru_cache(maxsize=1 << 12)
def known_shape(meld: int) -> MeldShape:
    """The kind of a meld on the table; `meld` is the mask of its cards.

    A meld that stands by agreement alone cannot be extended: it counts as a group of rank 0.
    """
    return shape_of(tuple(bits(meld)), 1) or MeldShape(0, 0, 0)


def extended(shape: MeldShape, card: int) -> MeldShape:
    """The kind of a meld after a fitting card was laid off on it."""
    if shape.is_group:
        return shape
    rank = RANK[card]
    return MeldShape(min(shape.low, rank), max(shape.high, rank), shape.shades & CARD_PRIMARIES[card])


@cache
def fitting(shape: MeldShape) -> int:
    """The mask of the cards that may be laid off on a meld, one at a time (500-4); there are a few hundred shapes."""
    if shape.is_group:
        return OF_RANK[shape.low]
    ends = OF_RANK[shape.low - 1] | OF_RANK[shape.high + 1]
    found = 0
    for shade in range(SHADES):
        if shape.shades >> shade & 1:
            found |= OF_SHADE[shade] & ends
    return found
