"""Finds the melds in a set of cards, and decides whether a certain card can be melded with it (500-2, 500-3, 500-8).

The set may contain a number of unknown cards, each of which may be any of many. Its possible melds run into millions,
so they are counted without being listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from companion.games.shared.cards.deck import ALL_PRIMARIES, CARD_PRIMARIES, COLORS, NUMBER_CARDS, RANK, RANKS, card
from companion.games.shared.cards.hands import WHOLE_DECK
from companion.games.shared.search.bit_sets import bits, mask_of

SHADES = COLORS // 2
"""The number of shades, one for each primary."""
OF_SHADE: tuple[int, ...] = tuple(
    mask_of(card for card in range(NUMBER_CARDS) if CARD_PRIMARIES[card] >> shade & 1) for shade in range(SHADES)
)
"""The mask of the cards that contain each primary (red is 0, orange 1, ...) (DEK-3)."""
OF_RANK: tuple[int, ...] = tuple(
    mask_of(card for card in range(NUMBER_CARDS) if RANK[card] == rank) for rank in range(RANKS + 2)
)
"""The mask of the cards of each rank; 0 for ranks 0 and 13, so that a run ends at them."""


class MeldShape(NamedTuple):
    """A group if `low` equals `high`, else a sequence from rank `low` to rank `high`."""

    low: int
    high: int
    shades: int
    """The primaries that all cards of a sequence contain, as a bit mask; 0 for a group."""

    @property
    def is_group(self) -> bool:
        """True if all cards are of one rank."""
        return self.low == self.high


def shape_of(cards: Sequence[int], least: int) -> MeldShape | None:
    """Returns the kind of meld that `cards` form if there are at least `least` of them; None if they form none
    (500-2).
    """
    if len(cards) < least or len(set(cards)) != len(cards):
        return None
    ranks = sorted([RANK[card] for card in cards])
    if ranks[0] == ranks[-1]:
        return MeldShape(ranks[0], ranks[0], 0)
    if ranks != list(range(ranks[0], ranks[0] + len(ranks))):
        return None
    common = ALL_PRIMARIES
    for number in cards:
        common &= CARD_PRIMARIES[number]
    return MeldShape(ranks[0], ranks[-1], common) if common else None


@lru_cache(maxsize=1 << 12)
def known_shape(meld: int) -> MeldShape:
    """Returns the kind of a meld on the table from the mask of its cards.

    A meld that stands by agreement alone cannot be extended: it counts as a group of rank 0.
    """
    return shape_of(tuple(bits(meld)), 1) or MeldShape(0, 0, 0)


def extended(shape: MeldShape, card: int) -> MeldShape:
    """Returns the kind of a meld after a fitting card was laid off on it."""
    if shape.is_group:
        return shape
    rank = RANK[card]
    return MeldShape(min(shape.low, rank), max(shape.high, rank), shape.shades & CARD_PRIMARIES[card])


@cache
def fitting(shape: MeldShape) -> int:
    """Returns the mask of the cards that may be laid off on a meld, one at a time (500-4); there are a few hundred
    shapes.
    """
    if shape.is_group:
        return OF_RANK[shape.low]
    ends = OF_RANK[shape.low - 1] | OF_RANK[shape.high + 1]
    found = 0
    for shade in range(SHADES):
        if shape.shades >> shade & 1:
            found |= OF_SHADE[shade] & ends
    return found


Cards = tuple[int, ...]

_ROW = (1 << RANKS) - 1
CARDS_OF: tuple[tuple[Cards, ...], ...] = tuple(
    tuple(
        tuple(card(color, rank) for color in ((2 * shade - 1) % COLORS, 2 * shade, 2 * shade + 1))
        for rank in range(1, RANKS + 1)
    )
    for shade in range(SHADES)
)
"""The three cards of each shade and rank; ranks count from 1."""
_COLUMN = sum(1 << color * RANKS for color in range(COLORS))
"""The mask of the lowest rank of every color; shifted by a rank, it selects that rank from a mask of cards."""


def _runs(least: int) -> tuple[int, ...]:
    """Returns, for each mask of ranks, the ranks in runs of at least `least` ranks."""
    table = []
    for ranks in range(1 << RANKS):
        starts = ranks
        for step in range(1, least):
            starts &= ranks >> step
        inside = 0
        for step in range(least):
            inside |= starts << step
        table.append(inside)
    return tuple(table)


RUNS: dict[int, tuple[int, ...]] = {least: _runs(least) for least in (3, 4)}
"""Least length of a run to a table: for each mask of ranks (bit 0 is rank 1), the ranks that lie in long enough
runs.
"""

_COUNTS = NUMBER_CARDS
"""The bit of `PACKED` at which the counts begin, one byte for each rank."""
_FIELDS = _COUNTS + 8 * RANKS
"""The bit of `PACKED` at which the shades begin, two bits for each rank. Rank 13 stays empty, so no run crosses it."""
_FIELD = 2 * (RANKS + 1)
PACKED: tuple[int, ...] = tuple(
    (1 << number)
    + (1 << _COUNTS + 8 * (RANK[number] - 1))
    + sum(
        1 << _FIELDS + shade * _FIELD + 2 * (RANK[number] - 1)
        for shade in range(SHADES)
        if CARD_PRIMARIES[number] >> shade & 1
    )
    for number in range(NUMBER_CARDS)
)
"""Each card as one number: its bit in a mask of cards, a one in the byte of its rank, and a one for each of its shades.

The sum over a hand gives its cards, the number of cards of each rank, and the ranks of each shade.
"""
_ENOUGH: dict[int, int] = {least: sum(128 - least << _COUNTS + 8 * rank for rank in range(RANKS)) for least in (3, 4)}
"""Least size to a number that, added to packed cards, sets the highest bit of every byte with at least that count."""
_HIGHEST = sum(128 << _COUNTS + 8 * rank for rank in range(RANKS))
_OF_RANK_HIGHEST: tuple[int, ...] = tuple(128 << _COUNTS + 8 * (RANK[number] - 1) for number in range(NUMBER_CARDS))
_LOWER = sum(1 << 2 * place for place in range((RANKS + 1) * SHADES))
"""The mask of the lower bit of every pair."""
_IN_SHADES: tuple[int, ...] = tuple(
    sum(1 << shade * _FIELD + 2 * (RANK[number] - 1) for shade in range(SHADES) if CARD_PRIMARIES[number] >> shade & 1)
    for number in range(NUMBER_CARDS)
)
"""The ranks of each card in its shades, in the form of `_in_runs`."""


def pack(cards: Iterable[int]) -> int:
    """Returns the packed numbers of some cards, added up."""
    return sum(map(PACKED.__getitem__, cards))


def _in_runs(packed: int, least: int) -> int:
    """Returns the ranks of `_held_in` that lie in runs of at least `least` ranks, 3 or 4."""
    held = _held_in(packed)
    starts = held & held >> 2 & held >> 4
    if least == 4:
        starts &= held >> 6
        return starts and starts | starts << 2 | starts << 4 | starts << 6
    return starts and starts | starts << 2 | starts << 4


class MeldCards(NamedTuple):
    """The cards available for a meld."""

    known: int
    unknown: int = 0
    """The cards that unknown ones may be."""
    hidden: int = 0
    """The number of unseen cards."""


def _held_in(packed: int) -> int:
    """Returns a mask with two bits for each shade and rank; the lower bit is set if the shade has the rank."""
    shades = packed >> _FIELDS
    return (shades | shades >> 1) & _LOWER


def groups_in(mask: int, least: int) -> Iterator[Cards]:
    """Yields every group, by rank."""
    if mask.bit_count() < least:
        return
    for rank in range(RANKS):
        column = mask >> rank & _COLUMN
        if column.bit_count() >= least:
            cards = [place + rank for place in bits(column)]
            for size in range(least, len(cards) + 1):
                yield from combinations(cards, size)


def sequences_in(mask: int, least: int) -> Iterator[Cards]:
    """Yields every sequence, by shade. One of a single secondary belongs to two shades and is listed with the
    second.
    """
    for shade in range(SHADES):
        runs = RUNS[least][ranks_in(mask & OF_SHADE[shade])]
        if runs:
            yield from _sequences(mask, shade, runs, least)


def ranks_in(mask: int) -> int:
    """Returns the ranks that a mask of cards holds, bit 0 is rank 1."""
    mask |= mask >> 6 * RANKS
    mask |= mask >> 3 * RANKS
    return (mask | mask >> RANKS | mask >> 2 * RANKS) & _ROW


def _sequences(mask: int, shade: int, runs: int, least: int) -> Iterator[Cards]:
    second = 2 * shade + 1
    options = [
        [one for one in CARDS_OF[shade][rank] if mask >> one & 1] if runs >> rank & 1 else [] for rank in range(RANKS)
    ]
    for start in bits(runs):
        some: list[Cards] = [(one,) for one in options[start]]
        for rank in range(start + 1, RANKS + 1):
            if rank - start >= least:
                for cards in some:
                    if cards[0] // RANKS != second or any(one // RANKS != second for one in cards):
                        yield cards
            if rank == RANKS or not runs >> rank & 1:
                break
            some = [(*cards, one) for cards in some for one in options[rank]]


def melds_in(packed: int, least: int) -> list[Cards]:
    """Returns every meld in known cards in the form of `pack`: groups, then sequences."""
    found: list[Cards] = []
    if packed + _ENOUGH[least] & _HIGHEST:
        found += groups_in(packed & WHOLE_DECK, least)
    if _in_runs(packed, least):
        found += sequences_in(packed & WHOLE_DECK, least)
    return found


def melds_with(wanted: int, packed: int, least: int) -> list[Cards]:
    """Returns the melds of `melds_in` that contain a certain card."""
    found: list[Cards] = []
    if packed + _ENOUGH[least] & _OF_RANK_HIGHEST[wanted]:
        found += [cards for cards in groups_in(packed & WHOLE_DECK & OF_RANK[RANK[wanted]], least) if wanted in cards]
    if _in_runs(packed, least) & _IN_SHADES[wanted]:
        found += [cards for cards in sequences_in(packed & WHOLE_DECK, least) if wanted in cards]
    return found


def can_be_melded(wanted: int, held: MeldCards, table: Sequence[MeldShape], least: int) -> bool:
    """True if a card can be melded with others of a set, or laid off on the table, if need be after others.

    Args:
        held: The set, which knows the card.
        table: The melds that lie there.
    """
    column = held.known & OF_RANK[RANK[wanted]]
    if column.bit_count() + min(held.hidden, (held.unknown & OF_RANK[RANK[wanted]]).bit_count()) >= least:
        return True
    for shade in range(SHADES):
        if CARD_PRIMARIES[wanted] >> shade & 1 and _in_a_run(RANK[wanted], held, shade, least):
            return True
    return any(can_be_laid_on(wanted, held, shape) for shape in table)


def _in_a_run(rank: int, held: MeldCards, shade: int, least: int) -> bool:
    have = ranks_in(held.known & OF_SHADE[shade])
    if RUNS[least][have] >> rank - 1 & 1:
        return True
    if not held.hidden:
        return False
    may = have | ranks_in(held.unknown & OF_SHADE[shade])
    for start in range(max(0, rank - least), min(rank - 1, RANKS - least) + 1):
        window = (1 << least) - 1 << start
        if may & window == window and (window & ~have).bit_count() <= held.hidden:
            return True
    return False


def can_be_laid_on(wanted: int, held: MeldCards, shape: MeldShape) -> bool:
    """True if a card of a set can be laid off on a meld, if necessary after other cards of the set that lie between."""
    rank = RANK[wanted]
    if shape.is_group:
        return rank == shape.low
    if shape.low <= rank <= shape.high:
        return False
    between = range(shape.high + 1, rank) if rank > shape.high else range(rank + 1, shape.low)
    for shade in range(SHADES):
        if shape.shades >> shade & CARD_PRIMARIES[wanted] >> shade & 1:
            missing = [one for one in between if not held.known & OF_RANK[one] & OF_SHADE[shade]]
            if len(missing) <= held.hidden and all(held.unknown & OF_RANK[one] & OF_SHADE[shade] for one in missing):
                return True
    return False


class LaidMelds(NamedTuple):
    """The melds on the table."""

    shapes: tuple[MeldShape, ...] = ()
    fits: tuple[int, ...] = ()
    """The mask of the cards that may be laid off on each meld."""
    fits_anywhere: int = 0
    reach: int = 0
    """The mask of the cards that may be laid off after others."""

    @staticmethod
    def of(shapes: tuple[MeldShape, ...]) -> LaidMelds:
        """Returns the summary of these melds."""
        fits = tuple([fitting(shape) for shape in shapes])
        anywhere = reach = 0
        for cards in fits:
            anywhere |= cards
        for shape in shapes:
            if shape.low != shape.high:
                reach |= reached(shape)
        return LaidMelds(shapes, fits, anywhere, reach)


def meldable_depths(pile: Cards, piled: int, hand: int, table: LaidMelds, least: int) -> list[int]:
    """Returns the places in a pile of discards down to which a player may take: the card there can be melded at once.

    The player also takes all cards above the place and may use them, together with those of `hand`, which is fully
    known.

    Args:
        pile: The discards, the top one last.
        piled: The discards in the form of `pack`.
        hand: The cards of the hand in the form of `pack`.

    Returns:
        Places, from the top down.
    """
    everything = piled + hand
    fits = table.fits_anywhere
    groups = everything + _ENOUGH[least] & _HIGHEST
    runs = _in_runs(everything, least)
    touching = fits & everything
    if not groups and not runs and not touching:
        return []
    packed = hand + _ENOUGH[least]
    found = []
    for place in range(len(pile) - 1, -1, -1):
        one = pile[place]
        packed += PACKED[one]
        if (
            fits >> one & 1
            or (groups & _OF_RANK_HIGHEST[one] and packed & _OF_RANK_HIGHEST[one])
            or (runs & _IN_SHADES[one] and _in_runs(packed, least) & _IN_SHADES[one])
            or (touching and table.reach >> one & 1 and _is_chained(one, packed, table.shapes))
        ):
            found.append(place)
    return found


def _is_chained(wanted: int, packed: int, shapes: Sequence[MeldShape]) -> bool:
    """True if a card that fits no meld directly can be laid off after other cards that lie between."""
    for shape in shapes:
        for between in chains(shape).get(wanted, ()):
            if _held_in(packed) & between == between:
                return True
    return False


@cache
def reached(shape: MeldShape) -> int:
    """Returns the mask of the cards that may be laid off on a sequence after others."""
    return mask_of(chains(shape))


@cache
def chains(shape: MeldShape) -> dict[int, tuple[int, ...]]:
    """Returns, for each card, the ranks needed between it and a sequence in the form of `_held_in`, one entry for each
    shade.

    Cards that fit directly are left out.
    """
    found: dict[int, tuple[int, ...]] = {}
    for shade in range(SHADES) if not shape.is_group else ():
        if shape.shades >> shade & 1:
            for rank in (*range(1, shape.low - 1), *range(shape.high + 2, RANKS + 1)):
                gap = range(rank, shape.low - 1) if rank < shape.low else range(shape.high, rank - 1)
                between = sum(1 << shade * _FIELD + 2 * one for one in gap)
                for one in CARDS_OF[shade][rank - 1]:
                    found[one] = (*found.get(one, ()), between)
    return found
