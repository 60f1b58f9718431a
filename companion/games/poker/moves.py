"""The refereed moves of a player: exchange cards, turn the hand up, or fold (POK-1, POK-4)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn, Shown
from companion.core.pieces import Card
from companion.games.shared.cards.deck import NUMBER_CARDS, place_of

MOST_PLAYERS = 8
MOST_CARDS = 7
Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class Exchange(Struct, frozen=True, tag="exchange", cache_hash=True):
    """Cards are laid away face down, and as many come from the deck; None is a card that the referee was not shown.

    `cards` has no order and is kept by number, unknown ones last; it may be empty.
    """

    seat: Player
    cards: Annotated[tuple[Card | None, ...], Meta(max_length=NUMBER_CARDS)] = ()

    def __post_init__(self) -> None:
        if len(self.cards) > 1:
            force_setattr(self, "cards", tuple(sorted(self.cards, key=place_of)))


class TurnUp(Struct, frozen=True, tag="turn-up", cache_hash=True):
    """The hand is laid open for the showdown; `called` is the category that its player says it is, if any."""

    seat: Player
    called: str | None = None
    """The title of a category, as "full house"."""


class Fold(Struct, frozen=True, tag="fold", cache_hash=True):
    """The player leaves the hand without showing it."""

    seat: Player


Move = Exchange | TurnUp | Fold
PokerEvent = Move | Drawn | Shown

TURN_UPS: tuple[TurnUp, ...] = tuple(TurnUp(seat) for seat in range(MOST_PLAYERS))
"""By seat."""
FOLDS: tuple[Fold, ...] = tuple(Fold(seat) for seat in range(MOST_PLAYERS))
"""By seat."""
