"""The two moves with a card: to take with it, or to put it on the board (CAS-3 to CAS-6).

A take is the card and the board cards that it takes, whichever groups they are: the same cards may form their groups in
several ways, and what is won is the same. `captures` says which groups there are. Who says on which cards the played
one is laid is taken at that word.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn, Shown
from companion.core.pieces import Card
from companion.games.shared.cards.deck import CARDS, NUMBER, NUMBER_CARDS

MOST_PLAYERS = 4
Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class Take(Struct, frozen=True, tag="take", cache_hash=True):
    """A card takes cards of the board, and is won with them (CAS-5); `taken` has no order and is kept by number."""

    seat: Player
    card: Card
    taken: Annotated[tuple[Card, ...], Meta(max_length=NUMBER_CARDS)]
    base: Annotated[tuple[Card, ...], Meta(max_length=NUMBER_CARDS)] = ()
    """The taken cards on which the card is laid (CAS-4); empty if the player names none."""

    def __post_init__(self) -> None:
        if len(self.taken) > 1:
            force_setattr(self, "taken", tuple(sorted(self.taken, key=_number)))
        if len(self.base) > 1:
            force_setattr(self, "base", tuple(sorted(self.base, key=_number)))


def _number(card: Card) -> int:
    return NUMBER.get(card, NUMBER_CARDS)


class Put(Struct, frozen=True, tag="put", cache_hash=True):
    """A card is put on the board and takes none (CAS-6)."""

    seat: Player
    card: Card


Move = Take | Put
CasinoEvent = Move | Drawn | Shown

PUTS: tuple[tuple[Put, ...], ...] = tuple(tuple(Put(seat, card) for card in CARDS) for seat in range(MOST_PLAYERS))
"""By seat and card: every put that exists."""
