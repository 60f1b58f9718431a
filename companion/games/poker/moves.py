"""The refereed moves of a player: exchange cards, turn the hand up, or fold (POK-1, POK-4)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn, Shown
from companion.core.foundation.errors import BadNotation
from companion.core.pieces import Card
from companion.games.poker.categories import BY_TITLE
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.deck import NUMBER_CARDS, place_of
from companion.games.shared.forms.player_lines import PlayerLines

MOST_PLAYERS = 8
MOST_CARDS = 7
Player = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class Exchange(Struct, frozen=True, tag="exchange", cache_hash=True):
    """A player lays cards away face down and draws as many; None stands for a card that the referee has not seen.

    `cards` is kept sorted by number, unknown cards last; it may be empty.
    """

    seat: Player
    cards: Annotated[tuple[Card | None, ...], Meta(max_length=NUMBER_CARDS)] = ()

    def __post_init__(self) -> None:
        if len(self.cards) > 1:
            force_setattr(self, "cards", tuple(sorted(self.cards, key=place_of)))


class TurnUp(Struct, frozen=True, tag="turn-up", cache_hash=True):
    """A player turns the hand up for the showdown; `called` is the category that the player announces, if any."""

    seat: Player
    called: str | None = None
    """The title of a category, such as "full house"."""


class Fold(Struct, frozen=True, tag="fold", cache_hash=True):
    """A player leaves the hand without showing it."""

    seat: Player


Move = Exchange | TurnUp | Fold
PokerEvent = Move | Drawn | Shown

TURN_UPS: tuple[TurnUp, ...] = tuple(TurnUp(seat) for seat in range(MOST_PLAYERS))
"""The turn-up of each seat, without a called category."""
FOLDS: tuple[Fold, ...] = tuple(Fold(seat) for seat in range(MOST_PLAYERS))
"""The fold of each seat."""


# Writes and reads events as one line of text that means the same in every position.
#
# `player 1 exchanges R3, ??`, `player 1 exchanges nothing`, `player 1 turns up`, `player 1 turns up full house` and
# `player 1 folds`; drawn and shown cards are read by `deck_events`.


def text(event: PokerEvent) -> str:
    """Returns the event as a line of text.

    Raises:
        BadEvent: It names a card that the game does not have.
    """
    if isinstance(event, Drawn | Shown):
        return deck_events.text_of(event)
    who = f"player {event.seat + 1}"
    match event:
        case Exchange():
            return f"{who} exchanges {', '.join(map(deck_events.code_of, event.cards)) or 'nothing'}"
        case TurnUp():
            return f"{who} turns up" + ("" if event.called is None else f" {event.called}")
    return f"{who} folds"


def check(event: PokerEvent) -> PokerEvent:
    """Returns the event itself.

    Raises:
        BadNotation: It names a category that there is not.
    """
    if isinstance(event, TurnUp) and event.called is not None and event.called not in BY_TITLE:
        raise BadNotation(f'"{event.called}" is no category. Write one of: {", ".join(BY_TITLE)}.')
    return event


_LINES: PlayerLines[PokerEvent] = PlayerLines(
    "Poker",
    MOST_PLAYERS,
    {
        "folds": lambda seat, found: FOLDS[seat],
        "turns up": lambda seat, found: TURN_UPS[seat],
        "turns up (.+)": lambda seat, found: check(TurnUp(seat, found[1])),
        "exchanges nothing": lambda seat, found: Exchange(seat, ()),
        "exchanges (.+)": lambda seat, found: Exchange(seat, deck_events.cards_in(found[1])),
    },
    'Write "player 1 exchanges R3, ??", "player 1 turns up", "player 1 turns up full house", "player 1 folds" or'
    ' "player 1 draws R7, ??".',
    deck_events.read,
)

parse = _LINES.parse
