"""What a player does in a hand of Cribbage: lay cards away, play a card or say Go, count (CRB-2, CRB-4, CRB-6).

Moves name their player, because cards are laid away by all at once and hands are counted by one after the other.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.contract import Drawn, Shown
from companion.games.deck import NUMBER, NUMBER_CARDS, PIECES
from companion.pieces import Card

MOST_PLAYERS = 4
Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
Counted = Literal["hand", "crib"]


class LayAway(Struct, frozen=True, tag="lay-away", cache_hash=True):
    """Cards go face down into the crib (CRB-2); None is a card that the referee was not shown.

    `cards` has no order and is kept by number, unknown ones last.
    """

    seat: Player
    cards: Annotated[tuple[Card | None, ...], Meta(max_length=12)]

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards, key=_number)))


def _number(card: Card | None) -> int:
    return NUMBER_CARDS + 1 if card is None else NUMBER.get(card, NUMBER_CARDS)


class Play(Struct, frozen=True, tag="play", cache_hash=True):
    """A card is laid open and its rank joins the count (CRB-4)."""

    seat: Player
    card: Card


class Go(Struct, frozen=True, tag="go", cache_hash=True):
    """The player cannot play a card without going above 37 (CRB-4)."""

    seat: Player


class Count(Struct, frozen=True, tag="count", cache_hash=True):
    """A player counts the own hand, or the dealer the crib, and says what it is worth (CRB-6)."""

    seat: Player
    of: Counted
    points: Annotated[int, Meta(ge=0)]


Move = LayAway | Play | Go | Count
CribbageEvent = LayAway | Play | Go | Count | Drawn | Shown

CARDS: tuple[Card, ...] = tuple(piece for piece in PIECES if isinstance(piece, Card))
"""By number."""
PLAYS: tuple[tuple[Play, ...], ...] = tuple(tuple(Play(seat, card) for card in CARDS) for seat in range(MOST_PLAYERS))
"""By seat and card: every play that exists."""
GOES: tuple[Go, ...] = tuple(Go(seat) for seat in range(MOST_PLAYERS))
"""By seat."""
