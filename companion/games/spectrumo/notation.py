"""One line for each event, the same in every position, and back.

`player 1 plays R7`, `player 1 cannot play` (and draws one), `player 1 passes`, `player 1 gives R7 to player 2`,
`player 1 trades`, `player 1 takes the penalty for R7`, and for cards that are told `player 1 draws R7, ??` and
`player 1 shows R7`. Capitals do not matter.
"""

from __future__ import annotations

import re

from companion.contract import Drawn, Shown
from companion.errors import BadNotation
from companion.games import deck_events
from companion.games.deck import PIECES, UNKNOWN_CODE, number_of
from companion.games.deck_events import MOST_SEATS, code_of
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

_PLAIN = re.compile(r"PLAYER (?P<player>\d+) (?P<verb>CANNOT PLAY|DRAWS|PASSES|TRADES|TAKES THE PENALTY)")
_PLAY = re.compile(r"PLAYER (?P<player>\d+) PLAYS (?P<card>.+)")
_PENALTY = re.compile(r"PLAYER (?P<player>\d+) TAKES THE PENALTY FOR (?P<card>.+)")
_GIVE = re.compile(r"PLAYER (?P<player>\d+) GIVES (?P<card>.+) TO PLAYER (?P<to>\d+)")
_FORMS = "Write: player 1 plays R7, player 1 cannot play, player 1 gives R7 to player 2, or player 1 draws R7."


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


def _seat(text: str, player: str) -> int:
    seat = int(player) - 1
    if not 0 <= seat < MOST_SEATS:
        raise BadNotation(f'"{text}" names player {player}; there are players 1 to {MOST_SEATS}.')
    return seat


def read(text: str) -> SpectrumoEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event reads so.
    """
    told = deck_events.read(text)
    if told is not None:
        return told
    line = " ".join(text.upper().split())
    play = _PLAY.fullmatch(line)
    if play is not None:
        return PLAYS[_seat(text, play["player"])][number_of(play["card"])]
    give = _GIVE.fullmatch(line)
    if give is not None:
        card = None if give["card"] == UNKNOWN_CODE else PIECES[number_of(give["card"])]
        return Give(_seat(text, give["player"]), _seat(text, give["to"]), card)
    penalty = _PENALTY.fullmatch(line)
    if penalty is not None:
        return Penalty(_seat(text, penalty["player"]), PIECES[number_of(penalty["card"])])
    plain = _PLAIN.fullmatch(line)
    if plain is None:
        raise BadNotation(f'"{text}" is no event of Spectrumo. {_FORMS}')
    seat = _seat(text, plain["player"])
    match plain["verb"]:
        case "PASSES":
            return PASSES[seat]
        case "TRADES":
            return TRADES[seat]
        case "TAKES THE PENALTY":
            return Penalty(seat)
    return DRAWS[seat]
