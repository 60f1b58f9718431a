"""The five moves of Solitaire: two ways to move cards, two to turn the stock, and giving up (SOL-2 to SOL-11).

Each move is one shared object, so that lists of moves only hold references and comparing moves is cheap.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Drawn, Seat
from companion.core.foundation.errors import BadNotation
from companion.core.pieces import Card
from companion.games.shared.cards.deck import CARDS
from companion.games.shared.cards.deck_events import code_of, named_card, pieces_in
from companion.games.shared.forms.player_lines import PlayerLines

PILES = 12
"""The number of tableau piles (SOL-1)."""


class Put(Struct, frozen=True, tag="put", cache_hash=True):
    """A player moves a card, with the cards on it, to a pile, counted from 0 (SOL-3, SOL-5, SOL-6)."""

    card: Card
    pile: Annotated[int, Meta(ge=0, lt=PILES)]


class Home(Struct, frozen=True, tag="home", cache_hash=True):
    """A player moves a card to the foundation of its color (SOL-2)."""

    card: Card


class Turn(Struct, frozen=True, tag="turn"):
    """A player turns the next packet from the stock (SOL-7)."""


class TurnOver(Struct, frozen=True, tag="turn-over"):
    """A player turns the waste over, which becomes the stock for the next pass (SOL-8)."""


class Concede(Struct, frozen=True, tag="concede"):
    """A player gives up and counts the score (SOL-11)."""


Move = Put | Home | Turn | TurnOver | Concede
SolitaireEvent = Move | Drawn

PUTS: tuple[tuple[Put, ...], ...] = tuple(tuple(Put(card, pile) for card in CARDS) for pile in range(PILES))
"""The moves to a pile, by pile and card number."""
HOMES: tuple[Home, ...] = tuple(Home(card) for card in CARDS)
"""The moves to a foundation, by card number."""
TURN = Turn()
TURN_OVER = TurnOver()
CONCEDE = Concede()


# Writes and reads events as one line of text that means the same in every position.
#
# `B9 on pile 3` moves a card and what lies on it, `B9 home` puts it on its foundation; `turn`, `turn over`, `concede`,
# and `turned up B9, GB8` for cards that became known, are the others. Capitals do not matter.

_WORDS = {"turn": TURN, "turn over": TURN_OVER, "concede": CONCEDE}


def text_of(event: SolitaireEvent) -> str:
    """Returns the line for an event.

    Raises:
        BadEvent: It names a card that the deck does not have.
    """
    match event:
        case Put():
            return f"{code_of(event.card)} on pile {event.pile + 1}"
        case Home():
            return f"{code_of(event.card)} home"
        case Drawn():
            return f"turned up {', '.join(map(code_of, event.pieces))}"
    return next(words for words, one in _WORDS.items() if one == event)


def _put(seat: Seat, found: re.Match[str]) -> Put:
    pile = int(found[2])
    if not 1 <= pile <= PILES:
        raise BadNotation(f'"{found[0]}" names pile {pile}; the piles are 1 to {PILES}.')
    return Put(named_card(found[1]), pile - 1)


_LINES: PlayerLines[SolitaireEvent] = PlayerLines(
    "Solitaire",
    1,
    {
        "turn|turn over|concede": lambda seat, found: _WORDS[found[0]],
        "(?:turned up|draws) (.+)": lambda seat, found: Drawn(seat, pieces_in(found[1])),
        r"(.+?) (?:on|to) pile (\d{1,2})": _put,
        "(.+?) home": lambda seat, found: Home(named_card(found[1])),
    },
    "Write: B9 on pile 3, B9 home, turn, turn over, concede, or turned up B9, GB8.",
)

parse = _LINES.parse
