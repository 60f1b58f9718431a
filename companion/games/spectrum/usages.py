"""The usages of a roll: the paths that each one opens, and the parts that it allots (BRD-8 to BRD-13).

A usage is identified by its dice, "red + blue" or "red + red". There are few different rolls, and the usages of each
are computed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Literal, NamedTuple

from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import CODES, COLOR, LETTERS, NUMBER_CARDS, RANK, SWAPS, card, number_of
from companion.games.spectrum.board import COLORS, INTERMEDIATE, PATH, paths_mask

Kind = Literal["d6", "d12"]
PLUS = " + "
"""The text between the dice or cards of a usage's name."""

PLACE: dict[str, int] = {color: place for place, color in enumerate(WHEEL)}


class Part(NamedTuple):
    """A number of spaces that one pawn takes in one move (BRD-9, BRD-18)."""

    spaces: int
    allowed: int
    """The mask of the spaces that may be entered or jumped; all of them lie in open paths."""
    needs: int = 0
    """If not 0, the pawn must start on or enter one of these spaces (the third part of BRD-10)."""

    @property
    def mixes(self) -> bool:
        """True if one pawn can enter two colors in this part."""
        return mixes(self.allowed)

    @property
    def colors(self) -> tuple[str, ...]:
        """The names of the paths that may be entered."""
        return names(self.allowed)


class Usage(NamedTuple):
    """One way to use a roll or the drawn cards."""

    name: str
    rule: str
    """The rule for what the usage opens and allots."""
    kind: str
    """The kind of the usage: "pair", "double", "triple", "double double", "quadruple", "quintuple", or a combination of
    cards.
    """
    open: int
    """The spaces of all open paths (BRD-9)."""
    parts: tuple[Part, ...]
    """The parts; empty for a plain pair, which allots two single spaces (BRD-17)."""
    free: bool = False
    """True if the parts may be taken in any order."""
    exchange: tuple[int, int] | None = None
    """The two paths of a color swap card that is played as a swap (VAR-16)."""
    either: bool = False
    """True if the first two parts may be taken in either order (BRD-11); the entered color identifies the part."""

    @property
    def plain(self) -> bool:
        """True if the usage allots single spaces."""
        return not self.parts and self.exchange is None

    @property
    def special(self) -> bool:
        """True for a special roll: two or more dice of one color (BRD-8, VAR-9, VAR-10)."""
        return self.kind in SPECIAL

    @property
    def all_parts(self) -> int:
        """The value of `left` before the first move: two single spaces, or a bit for each part."""
        return 2 if self.plain else (1 << max(len(self.parts), 1)) - 1

    @property
    def colors(self) -> tuple[str, ...]:
        """The names of the open paths."""
        return names(self.open)

    def at_hand(self, left: int) -> int:
        """Returns which of the parts that are left may be taken next, as a mask (BRD-12).

        Args:
            left: Parts that are left, as in `Situation.left`.
        """
        if self.free:
            return left
        if self.either and left & _FIRST_TWO:
            return left & _FIRST_TWO
        return left & -left

    def place_of(self, left: int, number: int, space: int) -> int:
        """Returns the place of the part that a move to a space is; where several are at hand, the one that may enter
        the space.

        Args:
            number: The part as the move names it, from 1; 0 if it names none.
        """
        if number:
            return number - 1
        hand = self.at_hand(left)
        for place, part in enumerate(self.parts):
            if hand >> place & 1 and part.allowed >> space & 1:
                return place
        return (hand & -hand).bit_length() - 1


_FIRST_TWO = 0b11
SPECIAL = frozenset({"double", "triple", "double double", "quadruple", "quintuple", "cards of one color"})
"""The kinds of usages that are special rolls."""
_OF_ONE = {2: "double", 3: "triple", 4: "quadruple", 5: "quintuple"}


@cache
def mixes(allowed: int) -> bool:
    """True if a pawn that enters only these spaces can enter two colors: two of the paths must be neighbors."""
    entered = [bool(allowed & PATH[path]) for path in range(COLORS)]
    return any(entered[path] and entered[path - 1] for path in range(COLORS))


@cache
def within_reach(allowed: int) -> int:
    """Returns the spaces from which a pawn can enter one of these spaces first: those on the same or neighboring
    paths.
    """
    entered = [path for path in range(COLORS) if allowed & PATH[path]]
    return paths_mask(path + turn for path in entered for turn in (-1, 0, 1))


def names(mask: int) -> tuple[str, ...]:
    """Returns names of the paths in a mask."""
    return tuple(WHEEL[path] for path in range(COLORS) if mask & PATH[path])


def opposite(color: int) -> int:
    """Returns the color across the wheel, which is at the bottom of the die (BRD-1, BRD-6)."""
    return (color + COLORS // 2) % COLORS


def six_of(color: int) -> int:
    """Returns the paths of a color, its opposite, and both neighbors of each (BRD-10, BRD-11)."""
    return paths_mask(base + turn for base in (color, opposite(color)) for turn in (-1, 0, 1))


def name_of(colors: Iterable[int]) -> str:
    """Returns the name of the usage of dice with these colors."""
    return PLUS.join(WHEEL[color] for color in sorted(colors))


def _pair(one: int, other: int, kind: Kind) -> int:
    """Returns the paths that two different colors open; `one` and `other` in the order of the wheel."""
    apart = 2 if kind == "d6" else 1
    for first, second in ((one, other), (other, one)):
        if (second - first) % COLORS == apart:
            turns = (0, 1, 2) if kind == "d6" else (-1, 0, 1, 2)
            return paths_mask(first + turn for turn in turns)
    return PATH[one] | PATH[other]


def _of_one(color: int, count: int, kind: Kind) -> tuple[Part, ...]:
    """Returns the parts of `count` dice of one color."""
    six = six_of(color)
    if count == 4 and kind == "d6":
        bottom = PATH[opposite(color)]
        return Part(4, PATH[color]), Part(4, bottom), Part(4, six, six & INTERMEDIATE)
    return Part(count, PATH[color]), Part(count, six)


def _double_double(one: int, other: int, kind: Kind) -> tuple[int, tuple[Part, ...]]:
    tops, bottoms = PATH[one] | PATH[other], PATH[opposite(one)] | PATH[opposite(other)]
    if kind == "d12":
        both = tops | bottoms
        return both, (Part(2, PATH[one]), Part(2, PATH[other]), Part(2, both))
    both = six_of(one) | six_of(other)
    return both, (Part(2, tops), Part(2, bottoms), Part(2, both, both & INTERMEDIATE))


@cache
def usages_of(roll: tuple[str, ...], kind: Kind, free: bool) -> tuple[Usage, ...]:
    """Returns every usage of a roll, plain ones first (BRD-10 to BRD-13).

    Args:
        roll: Names of the colors that are up, in any order.
        free: True if the parts of special rolls may be taken in any order (BRD-12).
    """
    rule = "BRD-10" if kind == "d6" else "BRD-11"
    counts = Counter(PLACE[color] for color in roll)
    colors = sorted(counts)
    found = [
        Usage(name_of((one, other)), rule, "pair", _pair(one, other, kind), ())
        for one, other in combinations(colors, 2)
    ]
    for color in colors:
        for count in range(2, counts[color] + 1):
            parts = _of_one(color, count, kind)
            found.append(Usage(name_of([color] * count), rule, _OF_ONE[count], six_of(color), parts, free))
    for one, other in combinations([color for color in colors if counts[color] > 1], 2):
        both, parts = _double_double(one, other, kind)
        either = kind == "d12" and not free
        found.append(Usage(name_of((one, one, other, other)), rule, "double double", both, parts, free, either=either))
    return tuple(found)


# The usages of drawn cards where cards replace the dice (VAR-7 to VAR-16).
#
# A turn plays one card alone or one combination. A color swap card is played as a swap, or counts as a 1 of either
# of its colors, alone and in combinations. A usage is named by its cards: "R2", "P1 + P3", "swap R/G", "swap R/G as
# R + RO2".

CARDS = tuple(card(color, rank) for color in range(COLORS) for rank in (1, 2, 3))
"""The numbers of the 36 cards that replace the dice (VAR-6)."""
SWAP_CARDS = tuple(NUMBER_CARDS + place for place in range(len(SWAPS)))
"""The numbers of the six color swap cards (VAR-16)."""


class Played(NamedTuple):
    """A card as it is played: with a color and a number of spaces."""

    color: int
    spaces: int
    swap: int | None = None
    """The color swap card that counts as this 1; None for a number card."""

    @property
    def name(self) -> str:
        """The card's code and, for a swap card, the color as which it counts."""
        if self.swap is None:
            return f"{LETTERS[self.color]}{self.spaces}"
        return f"{CODES[self.swap]} as {LETTERS[self.color]}"


def _ways(number: int) -> tuple[Played, ...]:
    """Returns the ways to play a card, other than as a swap."""
    if number < NUMBER_CARDS:
        return (Played(COLOR[number], RANK[number]),)
    return tuple(Played(color, 1, number) for color in SWAPS[number - NUMBER_CARDS])


@lru_cache(maxsize=4096)
def usages_of_cards(drawn: Sequence[int]) -> tuple[Usage, ...]:
    """Returns every usage of the drawn cards: swaps, single cards, then combinations (VAR-7).

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
    """Yields the usage of exactly these cards if they are a single card or a combination."""
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
    """Returns the first color of a row of different colors that are neighbors on the wheel; None if they form no row
    (VAR-7).
    """
    for first in colors:
        if {(first + step) % COLORS for step in range(len(colors))} == set(colors):
            return first
    return None


def cards_of(usage: str) -> tuple[int, ...]:
    """Returns the numbers of the cards that a usage plays."""
    return tuple(number_of(part.partition(" as ")[0]) for part in usage.split(PLUS)) if usage else ()


def named(cards: Iterable[tuple[int, int | None]]) -> str:
    """Returns the name of a usage of cards, each with the color as which a swap card counts (None: as a swap, or no
    swap).
    """
    played = []
    for number, color in cards:
        if number >= NUMBER_CARDS and color is None:
            played.append((COLORS, 0, number, CODES[number]))
        else:
            way = Played(color or 0, 1, number) if number >= NUMBER_CARDS else Played(COLOR[number], RANK[number])
            played.append((*_order(way), way.name))
    return PLUS.join(one[-1] for one in sorted(played))
