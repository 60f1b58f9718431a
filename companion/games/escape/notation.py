"""Writes and reads events as one line of text that means the same in every position.

Players are counted from 1. If a line leaves out the target of a move, the rules determine it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.core.contract import Rolled, Seat
from companion.core.pieces import WHEEL
from companion.games.escape.moves import OUT, PLAYS, Add, EscapeEvent, Lose, Play, Which, Withdraw, targets
from companion.games.escape.options import MOST_PLAYERS
from companion.games.escape.situation import Situation
from companion.games.shared import color_dice
from companion.games.shared.color_dice import COLOR
from companion.games.shared.forms.player_lines import PlayerLines

_COLOR = "|".join(sorted(WHEEL, key=len, reverse=True))


def text(event: EscapeEvent) -> str:
    """Returns the event as a line: "player 1 plays common red to 4"."""
    if isinstance(event, Rolled):
        return f"rolls {color_dice.text(event.faces)}"
    who = f"player {event.seat + 1}"
    match event:
        case Play():
            to = "out" if event.to == OUT else f"to {event.to}"
            return f"{who} plays {event.die} {event.color} {to}"
        case Lose():
            return f"{who} loses the {event.die} move"
        case Withdraw():
            return f"{who} withdraws {event.color}" + ("" if event.owner is None else f" of player {event.owner + 1}")
    return f"{who} puts a pawn on {event.color} {event.to}"


class _Unsaid(NamedTuple):
    """A move of a pawn without its target."""

    seat: Seat
    die: Which
    color: str


def _die(word: str) -> Which:
    return "personal" if word == "personal" else "common"


def _play(seat: Seat, found: re.Match[str]) -> Play | _Unsaid:
    if found[3] or found[4]:
        return Play(seat, _die(found[1]), found[2], int(found[3] or OUT))
    return _Unsaid(seat, _die(found[1]), found[2])


_LINES: PlayerLines[EscapeEvent | _Unsaid] = PlayerLines(
    "Spectrum Escape",
    MOST_PLAYERS,
    {
        rf"plays (personal|common) ({_COLOR})(?: (?:to ([1-9])|(out)))?": _play,
        "loses the (personal|common) move": lambda seat, found: Lose(seat, _die(found[1])),
        rf"withdraws ({_COLOR})(?: of player ([1-{MOST_PLAYERS}]))?": lambda seat, found: Withdraw(
            seat, found[1], int(found[2]) - 1 if found[2] else None
        ),
        rf"puts a pawn on ({_COLOR}) ([1-9])": lambda seat, found: Add(seat, found[1], int(found[2])),
    },
    'Write "player 1 plays common red to 4", "player 1 plays personal green-blue out", "player 1 loses the personal'
    ' move", "player 1 withdraws red" or "rolls d6 red blue, d12 ...".',
    color_dice.told,
)


def parse(situation: Situation, line: str) -> EscapeEvent:
    """Returns the event that a line names, legal or not.

    Raises:
        BadNotation: No event of this game reads so.
    """
    event = _LINES.read(line)
    return play(situation, event.seat, event.die, COLOR[event.color]) if isinstance(event, _Unsaid) else event


def play(situation: Situation, seat: int, which: Which, color: int) -> Play:
    """Returns a seat's move in a color with the target that the rules give; off the board if they give none."""
    if seat >= situation.seats:
        return PLAYS[which][seat][color][0]
    column = situation.columns[color]
    return PLAYS[which][seat][color][(targets(column, situation.alone)[seat] or OUT) - 1]
