"""Events as one line of text that means the same in every position, and back.

`player 1 takes B2, Y7 with R9` and `player 1 puts R9`; drawn and shown cards are read by `deck_events`. A take may also
say what it builds on, `player 1 takes Y9, G9 with R7 on B2`; then that value must take the others.
"""

from __future__ import annotations

import re

from companion.core.contract import Drawn, Seat, Shown
from companion.games.casino.moves import MOST_PLAYERS, CasinoEvent, Put, Take
from companion.games.shared.cards import deck_events
from companion.games.shared.forms.player_lines import PlayerLines

_CARDS = r"\w+(?:,? \w+)*?"


def text(event: CasinoEvent) -> str:
    """The event as a line.

    :raises BadEvent: it names a card that the game does not have.
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
