"""Which colors may be led or played to a trick (UMP-10 to UMP-12), as sets of colors: a bit for each of the twelve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.shared.cards.deck import COLOR, COLORS, SHADES_MASK

ANY = (1 << COLORS) - 1
"""Every color."""
OPENS: tuple[int, ...] = tuple(1 << color | SHADES_MASK[color] for color in range(COLORS))
"""By color: what a card of it opens, itself and both shades."""

TRUMP_PLAYED = 1
SCORING_PLAYED = 2
"""Bits of `broken`: the kinds of cards played in this set."""


def colors_of(cards: Iterable[int]) -> int:
    """The colors of cards."""
    found = 0
    for card in cards:
        found |= 1 << COLOR[card]
    return found


def barred(trump: int, broken: int) -> int:
    """The colors that may not be led yet, if there is another way (UMP-10)."""
    found = 0 if broken & TRUMP_PLAYED else 1 << trump
    return found if broken & SCORING_PLAYED else found | SHADES_MASK[trump]


def opened(trump: int, cards: Sequence[int]) -> int:
    """The colors that the cards of a trick have opened (UMP-11)."""
    found = OPENS[COLOR[cards[0]]]
    special = OPENS[trump]
    for card in cards[1:]:
        if not special >> COLOR[card] & 1:
            found |= OPENS[COLOR[card]]
    return found


def binding(trump: int, cards: Sequence[int]) -> int:
    """The opened colors that a player who holds one must follow: all but a scoring color that was led (UMP-12)."""
    lead = COLOR[cards[0]]
    found = opened(trump, cards)
    return found & ~(1 << lead) if SHADES_MASK[trump] >> lead & 1 else found


def to_follow(trump: int, cards: Sequence[int], held: int) -> int:
    """The colors that may be played to a trick by who holds the colors `held` (UMP-11, UMP-12)."""
    lead = COLOR[cards[0]]
    if lead == trump and held >> trump & 1:
        return 1 << trump
    found = opened(trump, cards)
    must = found & ~(1 << lead) if SHADES_MASK[trump] >> lead & 1 else found
    return found if held & must else ANY


def to_lead(trump: int, broken: int, held: int) -> int:
    """The colors that may be led by who holds the colors `held` (UMP-10)."""
    free = ANY & ~barred(trump, broken)
    return free if held & free else ANY


def denied(trump: int, broken: int, cards: Sequence[int], color: int) -> int:
    """The colors that a player denies by playing `color` after these cards, or as a lead if there are none."""
    if not cards:
        free = ANY & ~barred(trump, broken)
        return 0 if free >> color & 1 else free
    found = 0 if opened(trump, cards) >> color & 1 else binding(trump, cards)
    return found | 1 << trump if COLOR[cards[0]] == trump != color else found
