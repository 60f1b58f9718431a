"""The Spectrum deck for all card games: numbers for cards, and tables by number (DEK-1 to DEK-4).

Inside a state a card is a small integer, so hands are tuples of integers and questions about cards are table lookups.
The numbers 0 to 143 are the number cards (color times 12 plus rank minus 1), 144 to 155 the kinds of specials, of which
the deck has two each. Events and layouts use `Card` and `Special` objects instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from companion.core.foundation.errors import BadNotation
from companion.core.pieces import PRIMARIES, WHEEL, Card, Piece, Special

COLORS = len(WHEEL)
"""The number of colors. They are numbered as in `WHEEL`: even ones are primaries, odd ones secondaries."""
RANKS = 12
"""The number of ranks of a color, from 1."""
NUMBER_CARDS = COLORS * RANKS
"""The number of number cards; they are numbered 0 to 143."""

LETTERS = tuple("".join(part[0].upper() for part in color.split("-")) for color in WHEEL)
"""The letters of each color in notation: R RO O OY Y YG G GB B BP P PR."""

SWAPS: tuple[tuple[int, int], ...] = tuple((color, color + 6) for color in (0, 2, 4, 1, 3, 5))
"""The two colors of each color swap, in the order of DEK-1: opposites on the wheel."""
SPECIAL_KINDS: tuple[str, ...] = (
    *(f"swap {WHEEL[one]}/{WHEEL[other]}" for one, other in SWAPS),
    "swap cards",
    "draw",
    "reverse draw",
    "deck swap",
    "pass hand right",
    "pass hand left",
)
"""The twelve kinds of specials (DEK-1)."""
SPECIAL_COPIES = 2
"""The number of cards of each special kind in the deck."""
KINDS = NUMBER_CARDS + len(SPECIAL_KINDS)
"""The number of different cards: 144 number cards and 12 kinds of specials."""
CARDS_IN_ALL = NUMBER_CARDS + SPECIAL_COPIES * len(SPECIAL_KINDS)
"""The number of cards in the deck: 168."""

CARDS: tuple[Card, ...] = tuple(Card(color, rank) for color in WHEEL for rank in range(1, RANKS + 1))
"""The number cards by number, as events and layouts use them."""
PIECES: tuple[Card | Special, ...] = (*CARDS, *(Special(kind) for kind in SPECIAL_KINDS))
"""All cards by number, as events and layouts use them."""
NUMBER: dict[Piece | None, int] = {piece: number for number, piece in enumerate(PIECES)}
"""The number of a card; other things have none."""
COPIES: tuple[int, ...] = (1,) * NUMBER_CARDS + (SPECIAL_COPIES,) * len(SPECIAL_KINDS)
"""The number of copies of each card in the deck."""

COLOR: tuple[int, ...] = tuple(number // RANKS for number in range(NUMBER_CARDS))
"""The color of each number card."""
RANK: tuple[int, ...] = tuple(number % RANKS + 1 for number in range(NUMBER_CARDS))
"""The rank of each number card, 1 to 12."""
SHADES: tuple[tuple[int, int], ...] = tuple(((color - 1) % COLORS, (color + 1) % COLORS) for color in range(COLORS))
"""The two neighbors of each color on the wheel (DEK-2); a secondary's first neighbor is the color that its name begins
with.
"""
SHADES_MASK: tuple[int, ...] = tuple(1 << one | 1 << other for one, other in SHADES)
"""The shades of each color, as a mask with a bit for each color."""
PRIMARIES_MASK: tuple[int, ...] = tuple(
    1 << color // 2 | (1 << (color // 2 + 1) % len(PRIMARIES) if color % 2 else 0) for color in range(COLORS)
)
"""The primaries that each color contains, as a mask with a bit for each of the six (DEK-3)."""
CARD_PRIMARIES: tuple[int, ...] = tuple(PRIMARIES_MASK[color] for color in COLOR)
"""The primaries that the color of each number card contains, as a mask (DEK-3)."""
ALL_PRIMARIES = (1 << len(PRIMARIES)) - 1

UNKNOWN_CODE = "??"
"""The code of a card that the referee has not seen."""


def card(color: int, rank: int) -> int:
    """Returns the number of a number card; `color` is a place on the wheel, `rank` 1 to 12.

    >>> PIECES[card(1, 12)]
    Card(color='red-orange', rank=12)
    """
    return color * RANKS + rank - 1


def common_shades(cards: Iterable[int]) -> int:
    """Returns the primaries that all these number cards contain, a bit for each of the six; 0 if there is none (DEK-3).

    >>> [PRIMARIES[bit] for bit in range(6) if common_shades([card(0, 5), card(1, 6), card(11, 8)]) >> bit & 1]
    ['red']
    """
    mask = ALL_PRIMARIES
    for number in cards:
        mask &= CARD_PRIMARIES[number]
    return mask


def _special_code(kind: str) -> str:
    for one, other in SWAPS:
        if kind == f"swap {WHEEL[one]}/{WHEEL[other]}":
            return f"swap {LETTERS[one]}/{LETTERS[other]}"
    return kind


CODES: tuple[str, ...] = (
    *(f"{LETTERS[COLOR[number]]}{RANK[number]}" for number in range(NUMBER_CARDS)),
    *(_special_code(kind) for kind in SPECIAL_KINDS),
)
"""The code of each card in notation: "R7", "RO12", "swap R/G", "pass hand left"."""

_BY_CODE = {code.upper(): number for number, code in enumerate(CODES)}
_BY_CODE |= {kind.upper(): NUMBER_CARDS + place for place, kind in enumerate(SPECIAL_KINDS)}
_BY_CODE |= {f"SWAP {LETTERS[other]}/{LETTERS[one]}": NUMBER_CARDS + place for place, (one, other) in enumerate(SWAPS)}
_BY_CODE |= {f"{color} {rank}".upper(): card(at, rank) for at, color in enumerate(WHEEL) for rank in range(1, 13)}


def number_of(text: str) -> int:
    """Returns the number of the card that a text names; capitals and spaces do not matter.

    >>> PIECES[number_of("ro12")], PIECES[number_of("swap g/r")]
    (Card(color='red-orange', rank=12), Special(kind='swap red/green'))

    Raises:
        BadNotation: The deck has no such card.
    """
    number = _BY_CODE.get(" ".join(text.upper().split()))
    if number is None:
        raise BadNotation(
            f'"{text}" is no card of the deck. Write color letters ({" ".join(LETTERS)}) and a rank of 1 to 12, as in'
            " RO12, or a special, as in: swap R/G, swap cards, draw, reverse draw, deck swap, pass hand left."
        )
    return number


def number_cards(codes: Iterable[str]) -> list[int]:
    """Returns the numbers of the named cards, which must all be number cards.

    Raises:
        BadNotation: The deck has no such card, or it is a special.
    """
    numbers = [number_of(code) for code in codes]
    if any(number >= NUMBER_CARDS for number in numbers):
        raise BadNotation("it names a card that is no number card.")
    return numbers


def color_of(text: str) -> int:
    """Returns the color that letters or a name stand for: "RO" or "red-orange".

    Raises:
        BadNotation: The wheel has no such color.
    """
    word = text.strip().upper()
    for color, (letters, name) in enumerate(zip(LETTERS, WHEEL, strict=True)):
        if word in (letters, name.upper()):
            return color
    raise BadNotation(f'"{text}" is no color of the wheel. Write one of {" ".join(LETTERS)}.')


def number_card(piece: Piece | None) -> int | None:
    """Returns a number card's number; None for all else."""
    number = NUMBER.get(piece)
    return number if number is not None and number < NUMBER_CARDS else None


def place_of(card: Piece | None) -> int:
    """Returns the place of a number card in a sorted list; all other pieces come last."""
    return NUMBER_CARDS + 1 if card is None else NUMBER.get(card, NUMBER_CARDS)


def numbers_of(text: str) -> tuple[int | None, ...]:
    """Returns the cards of a text, separated by commas, None for each unknown one ("??"); number cards need no commas.

    >>> numbers_of("R7, ??, swap R/G")
    (6, None, 144)

    Raises:
        BadNotation: One of them is no card of the deck.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 1 and all(re.fullmatch(r"[A-Za-z]{1,2}\d{1,2}|\?\?", part) for part in text.split()):
        parts = text.split()
    return tuple(None if part == UNKNOWN_CODE else number_of(part) for part in parts)


def written(cards: Iterable[int | None]) -> str:
    """Returns the codes of cards, separated by commas; `numbers_of` reads them."""
    return ", ".join(UNKNOWN_CODE if number is None else CODES[number] for number in cards)
