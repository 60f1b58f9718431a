"""Where a game of Solitaire begins, and any position from the JSON form of docs/records.md.

What is not named lies face down: under the piles as many as they say, and the rest in the stock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from companion.errors import BadRecord
from companion.games.deck import CODES, COLORS, NUMBER_CARDS, RANKS, color_of, numbers_of
from companion.games.position_form import reader
from companion.games.solitaire.moves import PILES
from companion.games.solitaire.options import Options
from companion.games.solitaire.situation import UNKNOWN
from companion.games.solitaire.state import SolitaireState

_Cards = str | tuple[str, ...]


def start(options: Options) -> SolitaireState:
    """Right after the deal: pile i holds i cards, and the top one of each is turned up next (SOL-1, SOL-4)."""
    return SolitaireState(
        options,
        ups=((),) * PILES,
        downs=tuple(range(1, PILES + 1)),
        foundations=(0,) * COLORS,
        stock=(UNKNOWN,) * (NUMBER_CARDS - PILES * (PILES + 1) // 2),
        waste=(),
    )


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """What a record may say about a position."""

    piles: tuple[_Cards, ...] = ((),) * PILES
    """Cards from below, "??" for each one face down: "?? ?? B9 GB8"."""
    foundations: Mapping[str, Annotated[int, Meta(ge=0, le=RANKS)]] = {}
    """Highest rank by color: {"R": 3}."""
    waste: _Cards = ()
    """The card on top last."""
    stock: _Cards | None = None
    """The next card first, "??" for one that nobody has seen; left out: all others."""
    passes: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


def _state(seats: int, options: Options, form: PositionForm) -> SolitaireState:
    if len(form.piles) > PILES:
        raise BadRecord(f"The position has {len(form.piles)} piles; there are {PILES}.")
    heights = [0] * COLORS
    for name, rank in form.foundations.items():
        heights[color_of(name)] = rank
    ups: list[tuple[int, ...]] = []
    downs: list[int] = []
    for pile in (*form.piles, *((),) * (PILES - len(form.piles))):
        cards = _cards(pile)
        down = cards.count(UNKNOWN)
        if any(card == UNKNOWN for card in cards[down:]):
            raise BadRecord(f"In pile {len(ups) + 1} a face-down card lies on a face-up one. Name face-up cards last.")
        ups.append(cards[down:])
        downs.append(down)
    state = SolitaireState(
        options,
        tuple(ups),
        tuple(downs),
        tuple(heights),
        () if form.stock is None else _cards(form.stock)[::-1],
        _cards(form.waste),
        passes=form.passes,
    )
    if form.stock is None:
        state = msgspec.structs.replace(state, stock=(UNKNOWN,) * (NUMBER_CARDS - _lying(state)))
    return state


def _cards(cards: _Cards) -> tuple[int, ...]:
    """Numbers of cards that are written as one text or as a list."""
    text = cards if isinstance(cards, str) else ", ".join(cards)
    return tuple(UNKNOWN if card is None else card for card in numbers_of(text)) if text.strip() else ()


def _lying(state: SolitaireState) -> int:
    """How many cards a position accounts for."""
    return sum(map(len, state.ups)) + sum(state.downs) + sum(state.foundations) + len(state.stock) + len(state.waste)


def check(state: SolitaireState) -> None:
    """Whether a position can be.

    :raises BadRecord: it has a card twice, a special, or more or fewer than 144 cards.
    """
    if (len(state.ups), len(state.downs), len(state.foundations)) != (PILES, PILES, COLORS):
        raise BadRecord(f"Solitaire has {PILES} piles and {COLORS} foundations.")
    if min(state.downs) < 0 or not all(0 <= rank <= RANKS for rank in state.foundations):
        raise BadRecord("A pile has a number of face-down cards, and a foundation a rank up to 12.")
    seen = [card for cards in (state.waste, *state.ups) for card in cards]
    seen += [card for card in state.stock if card != UNKNOWN]
    seen += [color * RANKS + rank for color, height in enumerate(state.foundations) for rank in range(height)]
    if any(not 0 <= card < NUMBER_CARDS for card in seen):
        raise BadRecord("Solitaire is played with the 144 number cards alone (SOL-1, DEK-4).")
    twice = {CODES[card] for card in seen if seen.count(card) > 1}
    if twice:
        raise BadRecord(f"{', '.join(sorted(twice))} lies in two places; the deck has each card once.")
    if _lying(state) != NUMBER_CARDS:
        raise BadRecord(f"The position has {_lying(state)} cards; Solitaire is played with {NUMBER_CARDS} (SOL-1).")
    most = state.options.max_passes
    if state.passes < 1 or (most and state.passes > most):
        raise BadRecord(f"The position is in pass {state.passes}; there are passes 1 to {most} (SOL-8).")
    if not 0 <= state.turning <= min(len(state.stock), state.options.draw):
        raise BadRecord(f"{state.turning} cards cannot be turned from a stock of {len(state.stock)} (SOL-7).")


read = reader("Solitaire", PositionForm, _state, check)
