"""Makes the start of a game of Solitaire, and reads positions in the JSON form of docs/records.md.

Unnamed cards lie face down: each pile holds as many as it says, and the stock holds the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.foundation.errors import BadRecord
from companion.games.shared.cards.deck import CODES, COLORS, NUMBER_CARDS, RANKS, color_of
from companion.games.shared.forms.position_form import cards_in, reader
from companion.games.solitaire.moves import PILES
from companion.games.solitaire.options import Options
from companion.games.solitaire.situation import UNKNOWN
from companion.games.solitaire.state import SolitaireState

_Cards = str | tuple[str, ...]


def start(seats: int, options: Options) -> SolitaireState:
    """Returns the position after the deal: pile i holds i cards, and its top card is turned up next (SOL-1, SOL-4)."""
    stock = (UNKNOWN,) * (NUMBER_CARDS - PILES * (PILES + 1) // 2)
    return SolitaireState(options, ((),) * PILES, tuple(range(1, PILES + 1)), (0,) * COLORS, stock, ())


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form."""

    piles: tuple[_Cards, ...] = ((),) * PILES
    """The cards of each pile from below, "??" for each face-down one: "?? ?? B9 GB8"."""
    foundations: Mapping[str, Annotated[int, Meta(ge=0, le=RANKS)]] = {}
    """Color to the highest rank on its foundation: {"R": 3}."""
    waste: _Cards = ()
    """The waste, the top card last."""
    stock: _Cards | None = None
    """The stock, the next card first, "??" for an unseen one. Default: all other cards."""
    passes: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


def _state(seats: int, options: Options, form: PositionForm) -> SolitaireState:
    if len(form.piles) > PILES:
        raise BadRecord(f"The position has {len(form.piles)} piles; there are {PILES}.")
    heights = {color_of(name): rank for name, rank in form.foundations.items()}
    foundations = tuple(heights.get(color, 0) for color in range(COLORS))
    piles = [_cards(pile, "the piles") for pile in (*form.piles, *((),) * (PILES - len(form.piles)))]
    downs = tuple(cards.count(UNKNOWN) for cards in piles)
    ups = tuple(cards[down:] for cards, down in zip(piles, downs, strict=True))
    for number, cards in enumerate(ups, 1):
        if UNKNOWN in cards:
            raise BadRecord(f"In pile {number} a face-down card lies on a face-up one. Name face-up cards last.")
    waste = _cards(form.waste, "the waste")
    rest = NUMBER_CARDS - sum(map(len, piles)) - sum(foundations) - len(waste)
    stock = (UNKNOWN,) * rest if form.stock is None else _cards(form.stock, "the stock")[::-1]
    return SolitaireState(options, ups, downs, foundations, stock, waste, passes=form.passes)


def _cards(cards: _Cards, where: str) -> tuple[int, ...]:
    """Returns the numbers of cards that are written as one text or as a list."""
    numbers = cards_in(cards if isinstance(cards, str) else ", ".join(cards), where)
    return tuple(UNKNOWN if card is None else card for card in numbers)


def check(state: SolitaireState) -> None:
    """Checks that a position is possible.

    Raises:
        BadRecord: It has a card twice, a special, or more or fewer than 144 cards.
    """
    if any(not 0 <= card < NUMBER_CARDS for card in state.lying):
        raise BadRecord("Solitaire is played with the 144 number cards alone (SOL-1, DEK-4).")
    twice = sorted(CODES[card] for card, count in Counter(state.lying).items() if count > 1)
    if twice:
        raise BadRecord(f"{', '.join(twice)} lies in two places; the deck has each card once.")
    cards = len(state.lying) + sum(state.downs) + state.stock.count(UNKNOWN)
    if cards != NUMBER_CARDS:
        raise BadRecord(f"The position has {cards} cards; Solitaire is played with {NUMBER_CARDS} (SOL-1).")
    most = state.options.max_passes
    if most and state.passes > most:
        raise BadRecord(f"The position is in pass {state.passes}; there are passes 1 to {most} (SOL-8).")
    if state.turning > min(len(state.stock), state.options.draw):
        raise BadRecord(f"{state.turning} cards cannot be turned from a stock of {len(state.stock)} (SOL-7).")


read = reader("Solitaire", PositionForm, _state, check)
