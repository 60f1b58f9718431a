"""The moves in a turn of 500: draw or take discards, meld and lay off, discard; and call "Spectrum!".

Each meld is one move, and so is each lay-off: a player may make any number of these moves (500-4). Melds on the table
are numbered in the order in which they were laid; a lay-off names the number.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn, Seat, Shown
from companion.core.pieces import Card
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.deck import CARDS, NUMBER, NUMBER_CARDS, RANKS
from companion.games.shared.cards.deck_events import named_card, named_cards
from companion.games.shared.forms.player_lines import PlayerLines

MOST_PLAYERS = 8
Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class _PlayerMove(Struct, frozen=True, cache_hash=True):
    seat: Player
    """The player who acts."""


class DrawStock(_PlayerMove, frozen=True, tag="draw"):
    """A player begins the turn with the top card of the stock (500-3); a `Drawn` event names the card."""


class TakeDiscards(_PlayerMove, frozen=True, tag="take"):
    """A player begins the turn with the discards from the top one down to `card` (500-3)."""

    card: Card


class CallSpectrum(_PlayerMove, frozen=True, tag="call"):
    """A player calls "Spectrum!" and takes the discards from the top one down to `card` (500-8)."""

    card: Card


class LayMeld(_PlayerMove, frozen=True, tag="meld"):
    """A player lays a group or a sequence on the table (500-2); `cards` is kept sorted by rank."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=NUMBER_CARDS)]

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards, key=_BY_RANK.__getitem__)))


class LayOff(_PlayerMove, frozen=True, tag="lay-off"):
    """A player adds a card to meld number `meld`, counted from 0, and keeps it on the own side (500-4)."""

    card: Card
    meld: Annotated[int, Meta(ge=0, lt=NUMBER_CARDS)]


class Discard(_PlayerMove, frozen=True, tag="discard"):
    """A player ends the turn with a discard (500-5)."""

    card: Card


class Stop(_PlayerMove, frozen=True, tag="stop"):
    """A player ends the hand by not taking discards while the stock is empty (500-6)."""


Move = DrawStock | TakeDiscards | CallSpectrum | LayMeld | LayOff | Discard | Stop
FiveHundredEvent = Move | Drawn | Shown


class _Order(dict[Card, int]):
    """Card to its place in an order; a card that is not in the deck comes last."""

    def __missing__(self, card: Card) -> int:
        return NUMBER_CARDS


_BY_RANK = _Order({card: number % RANKS * RANKS + number // RANKS for number, card in enumerate(CARDS)})
_SEATS = range(MOST_PLAYERS)
DRAWS: tuple[DrawStock, ...] = tuple(DrawStock(seat) for seat in _SEATS)
"""The draw from the stock of each seat."""
TAKES: tuple[tuple[TakeDiscards, ...], ...] = tuple(
    tuple(TakeDiscards(seat, card) for card in CARDS) for seat in _SEATS
)
"""The takes from the discards by seat and card number."""
CALLS: tuple[tuple[CallSpectrum, ...], ...] = tuple(
    tuple(CallSpectrum(seat, card) for card in CARDS) for seat in _SEATS
)
"""The calls of "Spectrum!" by seat and card number."""
DISCARDS: tuple[tuple[Discard, ...], ...] = tuple(tuple(Discard(seat, card) for card in CARDS) for seat in _SEATS)
"""The discards by seat and card number."""
STOPS: tuple[Stop, ...] = tuple(Stop(seat) for seat in _SEATS)
"""The stop of each seat."""


@lru_cache(maxsize=1 << 14)
def lay_off(seat: int, card: int, meld: int) -> LayOff:
    """Returns the lay-off of a card, by number, on a meld."""
    return LayOff(seat, CARDS[card], meld)


def lay_meld(seat: int, cards: tuple[int, ...]) -> LayMeld:
    """Returns the meld of some cards, by number."""
    return LayMeld(seat, tuple([CARDS[card] for card in cards]))


# Writes and reads events as one line of text that means the same in every position.
#
# `player 1 takes from the stock`, `player 1 takes discards down to R5`, `player 2 calls Spectrum down to R5`, `player 1
# melds R5, RO6, R7, PR8`, `player 1 lays off R9 on meld 2`, `player 1 discards B3`, `player 1 stops`; drawn and shown
# cards are read by `deck_events`.


def text(event: FiveHundredEvent) -> str:
    """Returns the event as a line of text.

    Raises:
        BadEvent: It names a card that the game does not have.
    """
    if isinstance(event, Drawn | Shown):
        return deck_events.text_of(event)
    who, code = f"player {event.seat + 1}", deck_events.code_of
    match event:
        case DrawStock():
            return f"{who} takes from the stock"
        case TakeDiscards():
            return f"{who} takes discards down to {code(event.card)}"
        case CallSpectrum():
            return f"{who} calls Spectrum down to {code(event.card)}"
        case LayMeld():
            return f"{who} melds {', '.join(map(code, event.cards)) or 'nothing'}"
        case LayOff():
            return f"{who} lays off {code(event.card)} on meld {event.meld + 1}"
        case Discard():
            return f"{who} discards {code(event.card)}"
    return f"{who} stops"


def _lay_off(seat: Seat, found: re.Match[str]) -> LayOff | None:
    meld = int(found[2]) - 1
    return None if meld < 0 else lay_off(seat, NUMBER[named_card(found[1])], meld)


_LINES: PlayerLines[FiveHundredEvent] = PlayerLines(
    "500",
    MOST_PLAYERS,
    {
        "takes from the stock": lambda seat, found: DRAWS[seat],
        "stops": lambda seat, found: STOPS[seat],
        r"takes discards down to (\S+)": lambda seat, found: TakeDiscards(seat, named_card(found[1])),
        r"calls spectrum!? down to (\S+)": lambda seat, found: CallSpectrum(seat, named_card(found[1])),
        r"discards (\S+)": lambda seat, found: Discard(seat, named_card(found[1])),
        r"lays off (\S+) on meld (\d{1,2})": _lay_off,
        "melds nothing": lambda seat, found: LayMeld(seat, ()),
        "melds (.+)": lambda seat, found: LayMeld(seat, named_cards(found[1])),
    },
    'Write "player 1 takes from the stock", "player 1 takes discards down to R5", "player 2 calls Spectrum down to R5",'
    ' "player 1 melds R5, RO6, R7, PR8", "player 1 lays off R9 on meld 2", "player 1 discards B3", "player 1 stops" or'
    ' "player 1 draws R7, ??".',
    deck_events.read,
)

parse = _LINES.parse
