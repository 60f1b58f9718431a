"""The two moves with a card: to take board cards with it, or to put it on the board (CAS-3 to CAS-6).

A take names the played card and the board cards that it takes, but no groups: the same cards may form groups in several
ways and win the same. `captures` finds the groups. If the player names the cards on which the played one is laid, only
that base counts.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn, Seat, Shown
from companion.core.pieces import Card
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.deck import CARDS, NUMBER, NUMBER_CARDS
from companion.games.shared.forms.player_lines import PlayerLines

MOST_PLAYERS = 4
Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class Take(Struct, frozen=True, tag="take", cache_hash=True):
    """A player takes cards of the board with a card and wins all of them (CAS-5); `taken` is kept sorted by card
    number.
    """

    seat: Player
    card: Card
    taken: Annotated[tuple[Card, ...], Meta(max_length=NUMBER_CARDS)]
    base: Annotated[tuple[Card, ...], Meta(max_length=NUMBER_CARDS)] = ()
    """The taken cards on which the card is laid (CAS-4); empty if the player does not name any."""

    def __post_init__(self) -> None:
        if len(self.taken) > 1:
            force_setattr(self, "taken", tuple(sorted(self.taken, key=_number)))
        if len(self.base) > 1:
            force_setattr(self, "base", tuple(sorted(self.base, key=_number)))


def _number(card: Card) -> int:
    return NUMBER.get(card, NUMBER_CARDS)


class Put(Struct, frozen=True, tag="put", cache_hash=True):
    """A player puts a card on the board and takes none (CAS-6)."""

    seat: Player
    card: Card


Move = Take | Put
CasinoEvent = Move | Drawn | Shown

PUTS: tuple[tuple[Put, ...], ...] = tuple(tuple(Put(seat, card) for card in CARDS) for seat in range(MOST_PLAYERS))
"""All puts, by seat and card number."""


# Writes and reads events as one line of text that means the same in every position.
#
# `player 1 takes B2, Y7 with R9` and `player 1 puts R9`; drawn and shown cards are read by `deck_events`. A take may
# also say what it builds on, `player 1 takes Y9, G9 with R7 on B2`; then that value must take the others.

_CARDS = r"\w+(?:,? \w+)*?"


def text(event: CasinoEvent) -> str:
    """Returns the event as a line of text.

    Raises:
        BadEvent: It names a card that the game does not have.
    """
    if isinstance(event, Drawn | Shown):
        return deck_events.text_of(event)
    who, card = f"player {event.seat + 1}", deck_events.code_of(event.card)
    if isinstance(event, Put):
        return f"{who} puts {card}"
    taken = ", ".join(deck_events.code_of(one) for one in event.taken if one not in event.base) or "nothing"
    base = f" on {', '.join(map(deck_events.code_of, event.base))}" if event.base else ""
    return f"{who} takes {taken} with {card}{base}"


def _take(seat: Seat, found: re.Match[str]) -> Take:
    taken = () if found[1] == "nothing" else deck_events.named_cards(found[1])
    base = deck_events.named_cards(found[3]) if found[3] else ()
    return Take(seat, deck_events.named_card(found[2]), (*taken, *base), base)


_LINES: PlayerLines[CasinoEvent] = PlayerLines(
    "Casino",
    MOST_PLAYERS,
    {
        rf"takes (nothing|{_CARDS}) with (\w+)(?: on ({_CARDS}))?": _take,
        r"puts (\w+)": lambda seat, found: Put(seat, deck_events.named_card(found[1])),
    },
    'Write "player 1 takes B2, Y7 with R9", "player 1 puts R9" or "player 1 draws R7, ??".',
    deck_events.read,
)

parse = _LINES.parse
