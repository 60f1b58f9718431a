"""The usages of drawn cards where cards replace the dice (VAR-7 to VAR-16).

A turn plays one card alone or one combination. A color swap card is played as a swap, or counts as a 1 of either of its
colors, alone and in combinations. A usage is named by its cards: "R2", "P1 + P3", "swap R/G", "swap R/G as R + RO2".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from companion.games.shared.cards.deck import CODES, COLOR, LETTERS, NUMBER_CARDS, RANK, SWAPS, card, number_of
from companion.games.spectrum.board import COLORS, PATH, paths_mask
from companion.games.spectrum.usages import PLUS, Part, Usage, six_of

CARDS = tuple(card(color, rank) for color in range(COLORS) for rank in (1, 2, 3))
"""Numbers of the 36 cards that replace the dice (VAR-6)."""
SWAP_CARDS = tuple(NUMBER_CARDS + place for place in range(len(SWAPS)))
"""Numbers of the six color swap cards (VAR-16)."""


class Played(NamedTuple):
    """A card as it is played: of a color and with a number of spaces."""

    color: int
    spaces: int
    swap: int | None = None
    """The color swap card that counts as this 1, if it is one."""

    @property
    def name(self) -> str:
        """The card's code, and the color as which a swap card counts."""
        if self.swap is None:
            return f"{LETTERS[self.color]}{self.spaces}"
        return f"{CODES[self.swap]} as {LETTERS[self.color]}"


def _ways(number: int) -> tuple[Played, ...]:
    """As what a card can be played, other than as a swap."""
    if number < NUMBER_CARDS:
        return (Played(COLOR[number], RANK[number]),)
    return tuple(Played(color, 1, number) for color in SWAPS[number - NUMBER_CARDS])


@lru_cache(maxsize=4096)
def usages_of(drawn: Sequence[int]) -> tuple[Usage, ...]:
    """Every usage of the drawn cards: swaps, single cards, then combinations (VAR-7).

    Args:
        drawn: Numbers of the cards, in rising order.
    """
    found = [_exchange(number) for number in drawn if number >= NUMBER_CARDS]
    for count in range(1, len(drawn) + 1):
        for cards in combinations(drawn, count):
            for ways in product(*(_ways(number) for number in cards)):
                found += _combinations(tuple(sorted(ways, key=_order)))
    return tuple(found)


def _order(played: Played) -> tuple[int, int, int]:
    return played.color, played.spaces, played.swap or 0


def _exchange(number: int) -> Usage:
    one, other = SWAPS[number - NUMBER_CARDS]
    return Usage(CODES[number], "VAR-16", "swap", PATH[one] | PATH[other], (), False, (one, other))


def _combinations(cards: tuple[Played, ...]) -> Iterator[Usage]:
    """The one usage of exactly these cards, if they are a single card or a combination."""
    name = PLUS.join(one.name for one in cards)
    colors = [one.color for one in cards]
    if len(cards) == 1:
        path = PATH[colors[0]]
        yield Usage(name, "VAR-8", "single card", path, (Part(cards[0].spaces, path),))
    elif len(set(colors)) == 1:
        six = six_of(colors[0])
        rule = "VAR-9" if len(cards) == 2 else "VAR-10"
        parts = tuple(Part(one.spaces, six) for one in cards)
        yield Usage(name, rule, "cards of one color", six, parts, True)
    elif len(set(colors)) == len(cards):
        first = first_of_row(colors)
        if first is not None:
            row = paths_mask(range(first - 1, first + len(cards) + 1))
            yield Usage(name, "VAR-11", "shaded cards", row, (Part(sum(one.spaces for one in cards) // 2, row),))


def first_of_row(colors: Sequence[int]) -> int | None:
    """The color that begins a row of different colors, each next to the one before; None if they are no row (VAR-7)."""
    for first in colors:
        if {(first + step) % COLORS for step in range(len(colors))} == set(colors):
            return first
    return None


def cards_of(usage: str) -> tuple[int, ...]:
    """Numbers of the cards that a usage plays."""
    return tuple(number_of(part.partition(" as ")[0]) for part in usage.split(PLUS)) if usage else ()


def named(cards: Iterable[tuple[int, int | None]]) -> str:
    """The name of a usage of cards, each with the color as which a swap card counts (None: as a swap, or no swap)."""
    played = []
    for number, color in cards:
        if number >= NUMBER_CARDS and color is None:
            played.append((COLORS, 0, number, CODES[number]))
        else:
            way = Played(color or 0, 1, number) if number >= NUMBER_CARDS else Played(COLOR[number], RANK[number])
            played.append((*_order(way), way.name))
    return PLUS.join(one[-1] for one in sorted(played))
