"""The moves in a hand of Cribbage: lay cards away, play a card or say Go, count (CRB-2, CRB-4, CRB-6).

Moves name their player, because cards are laid away by all at once and hands are counted by one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn, Shown
from companion.core.pieces import Card
from companion.games.shared.cards.deck import CARDS, place_of

MOST_PLAYERS = 4
Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
Counted = Literal["hand", "crib"]


class _PlayerMove(Struct, frozen=True, cache_hash=True):
    seat: Player
    """The player who acts."""


class LayAway(_PlayerMove, frozen=True, tag="lay-away"):
    """Cards go face down into the crib (CRB-2); None is a card that the referee was not shown.

    `cards` has no order and is kept by number, unknown ones last.
    """

    cards: Annotated[tuple[Card | None, ...], Meta(max_length=12)]

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards, key=place_of)))


def lay_aways(seat: int, choices: Iterable[tuple[Card, ...]], unknown: int) -> list[LayAway]:
    """Returns a move for each choice of cards, which stand by number already, and so many unknown ones.

    A copy is a move that nobody sorts again.
    """
    copy, rest = LayAway(seat, ()).__copy__, (None,) * unknown  # type: ignore[attr-defined]
    found = []
    for cards in choices:
        move = copy()
        force_setattr(move, "cards", cards + rest)
        found.append(move)
    return found


class Play(_PlayerMove, frozen=True, tag="play"):
    """A card is laid open and its rank joins the count (CRB-4)."""

    card: Card


class Go(_PlayerMove, frozen=True, tag="go"):
    """The player cannot play a card without going above 37 (CRB-4)."""


class Count(_PlayerMove, frozen=True, tag="count"):
    """A player counts the own hand, or the dealer the crib, and says what it is worth (CRB-6)."""

    of: Counted
    points: Annotated[int, Meta(ge=0)]


Move = LayAway | Play | Go | Count
CribbageEvent = Move | Drawn | Shown

PLAYS: tuple[tuple[Play, ...], ...] = tuple(tuple(Play(seat, card) for card in CARDS) for seat in range(MOST_PLAYERS))
"""By seat and card: every play that exists."""
GOES: tuple[Go, ...] = tuple(Go(seat) for seat in range(MOST_PLAYERS))
"""By seat."""
