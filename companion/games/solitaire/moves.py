"""The five things that a player of Solitaire can do: move cards, turn the stock, and give up (SOL-2 to SOL-11).

Every move exists once, so that lists of legal moves hold references and comparing them is cheap.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Drawn
from companion.core.pieces import Card
from companion.games.shared.cards.deck import CARDS

PILES = 12
"""Tableau piles (SOL-1)."""


class Put(Struct, frozen=True, tag="put", cache_hash=True):
    """A card, with what lies on it in its pile, goes on a pile; 0 is the first (SOL-3, SOL-5, SOL-6)."""

    card: Card
    pile: Annotated[int, Meta(ge=0, lt=PILES)]


class Home(Struct, frozen=True, tag="home", cache_hash=True):
    """A card goes on the foundation of its color (SOL-2)."""

    card: Card


class Turn(Struct, frozen=True, tag="turn"):
    """The next packet is turned from the stock (SOL-7)."""


class TurnOver(Struct, frozen=True, tag="turn-over"):
    """The waste is turned over and becomes the stock: the next pass (SOL-8)."""


class Concede(Struct, frozen=True, tag="concede"):
    """The player gives up and counts (SOL-11)."""


Move = Put | Home | Turn | TurnOver | Concede
SolitaireEvent = Move | Drawn

PUTS: tuple[tuple[Put, ...], ...] = tuple(tuple(Put(card, pile) for card in CARDS) for pile in range(PILES))
"""By pile and number of the card."""
HOMES: tuple[Home, ...] = tuple(Home(card) for card in CARDS)
"""By number of the card."""
TURN = Turn()
TURN_OVER = TurnOver()
CONCEDE = Concede()
