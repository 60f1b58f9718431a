"""Events as one line of text that means the same in every position, and back.

`player 1 takes from the stock`, `player 1 takes discards down to R5`, `player 2 calls Spectrum down to R5`, `player 1
melds R5, RO6, R7, PR8`, `player 1 lays off R9 on meld 2`, `player 1 discards B3`, `player 1 stops`; drawn and shown
cards are read by `deck_events`.
"""

from __future__ import annotations

import re

from companion.core.contract import Drawn, Seat, Shown
from companion.games.five_hundred import moves
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.deck import NUMBER
from companion.games.shared.cards.deck_events import named_card, named_cards
from companion.games.shared.forms.player_lines import PlayerLines


def text(event: moves.FiveHundredEvent) -> str:
    """The event as a line.

    :raises BadEvent: it names a card that the game does not have.
    """
    if isinstance(event, Drawn | Shown):
        return deck_events.text_of(event)
    who, code = f"player {event.seat + 1}", deck_events.code_of
    match event:
        case moves.DrawStock():
            return f"{who} takes from the stock"
        case moves.TakeDiscards():
            return f"{who} takes discards down to {code(event.card)}"
        case moves.CallSpectrum():
            return f"{who} calls Spectrum down to {code(event.card)}"
        case moves.LayMeld():
            return f"{who} melds {', '.join(map(code, event.cards)) or 'nothing'}"
        case moves.LayOff():
            return f"{who} lays off {code(event.card)} on meld {event.meld + 1}"
        case moves.Discard():
            return f"{who} discards {code(event.card)}"
    return f"{who} stops"


def _lay_off(seat: Seat, found: re.Match[str]) -> moves.LayOff | None:
    meld = int(found[2]) - 1
    return None if meld < 0 else moves.lay_off(seat, NUMBER[named_card(found[1])], meld)


_LINES: PlayerLines[moves.FiveHundredEvent] = PlayerLines(
    "500",
    moves.MOST_PLAYERS,
    {
        "takes from the stock": lambda seat, found: moves.DRAWS[seat],
        "stops": lambda seat, found: moves.STOPS[seat],
        r"takes discards down to (\S+)": lambda seat, found: moves.TakeDiscards(seat, named_card(found[1])),
        r"calls spectrum!? down to (\S+)": lambda seat, found: moves.CallSpectrum(seat, named_card(found[1])),
        r"discards (\S+)": lambda seat, found: moves.Discard(seat, named_card(found[1])),
        r"lays off (\S+) on meld (\d{1,2})": _lay_off,
        "melds nothing": lambda seat, found: moves.LayMeld(seat, ()),
        "melds (.+)": lambda seat, found: moves.LayMeld(seat, named_cards(found[1])),
    },
    'Write "player 1 takes from the stock", "player 1 takes discards down to R5", "player 2 calls Spectrum down to R5",'
    ' "player 1 melds R5, RO6, R7, PR8", "player 1 lays off R9 on meld 2", "player 1 discards B3", "player 1 stops" or'
    ' "player 1 draws R7, ??".',
    deck_events.read,
)

parse = _LINES.parse
