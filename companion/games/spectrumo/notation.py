"""One line for each event, the same in every position, and back.

`player 1 plays R7`, `player 1 cannot play` (and draws one), `player 1 passes`, `player 1 gives R7 to player 2`,
`player 1 trades`, `player 1 takes the penalty for R7`, and for drawn and shown cards `player 1 draws R7, ??` and
`player 1 shows R7`. Capitals do not matter.
"""

from __future__ import annotations

import re

from companion.core.contract import Drawn, Seat, Shown
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.deck import PIECES, UNKNOWN_CODE, number_of
from companion.games.shared.cards.deck_events import MOST_SEATS, code_of
from companion.games.shared.forms.player_lines import PlayerLines
from companion.games.spectrumo.moves import (
    DRAWS,
    PASSES,
    PLAYS,
    TRADES,
    Draw,
    Give,
    Pass,
    Penalty,
    Play,
    SpectrumoEvent,
    Trade,
)


def text_of(event: SpectrumoEvent) -> str:
    """The line for an event.

    :raises BadEvent: it names a card that the deck does not have.
    """
    match event:
        case Drawn() | Shown():
            return deck_events.text_of(event)
        case Play():
            return f"player {event.seat + 1} plays {code_of(event.card)}"
        case Draw():
            return f"player {event.seat + 1} cannot play"
        case Pass():
            return f"player {event.seat + 1} passes"
        case Give():
            return f"player {event.seat + 1} gives {code_of(event.card)} to player {event.to + 1}"
        case Trade():
            return f"player {event.seat + 1} trades"
        case Penalty():
            what = "" if event.card is None else f" for {code_of(event.card)}"
            return f"player {event.seat + 1} takes the penalty{what}"


def _give(seat: Seat, found: re.Match[str]) -> Give | None:
    to = int(found[2]) - 1
    card = None if found[1] == UNKNOWN_CODE else PIECES[number_of(found[1])]
    return Give(seat, to, card) if 0 <= to < MOST_SEATS else None


_LINES: PlayerLines[SpectrumoEvent] = PlayerLines(
    "Spectrumo",
    MOST_SEATS,
    {
        "plays (.+)": lambda seat, found: PLAYS[seat][number_of(found[1])],
        "cannot play|draws": lambda seat, found: DRAWS[seat],
        "passes": lambda seat, found: PASSES[seat],
        r"gives (.+) to player (\d+)": _give,
        "trades": lambda seat, found: TRADES[seat],
        "takes the penalty": lambda seat, found: Penalty(seat),
        "takes the penalty for (.+)": lambda seat, found: Penalty(seat, PIECES[number_of(found[1])]),
    },
    "Write: player 1 plays R7, player 1 cannot play, player 1 gives R7 to player 2, or player 1 draws R7.",
    deck_events.read,
)

parse = _LINES.parse
