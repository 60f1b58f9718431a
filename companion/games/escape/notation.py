"""Events as one line of text that means the same in every position, and back.

Players are counted from 1, as people count them. Where a move goes may be left out; then it goes where the rules say.
"""

from __future__ import annotations

import re

from companion.contract import Rolled
from companion.errors import BadNotation
from companion.games import color_dice
from companion.games.color_dice import COLOR
from companion.games.escape.columns import OUT, targets
from companion.games.escape.moves import PLAYS, Add, EscapeEvent, Lose, Play, Which, Withdraw
from companion.games.escape.situation import Situation
from companion.pieces import WHEEL

_COLOR = "|".join(sorted(WHEEL, key=len, reverse=True))
_LINE = re.compile(r"player ([1-4]) (.+)")
_PLAY = re.compile(rf"plays (personal|common) ({_COLOR})(?: (?:to ([1-9])|(out)))?")
_LOSE = re.compile(r"loses the (personal|common) move")
_WITHDRAW = re.compile(rf"withdraws ({_COLOR})(?: of player ([1-4]))?")
_ADD = re.compile(rf"puts a pawn on ({_COLOR}) ([1-9])")


def text(event: EscapeEvent) -> str:
    """The event as a line: "player 1 plays common red to 4"."""
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


def parse(situation: Situation, line: str) -> EscapeEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event of this game reads so.
    """
    words = " ".join(line.lower().split())
    if words.startswith("rolls "):
        return Rolled(color_dice.parse(words.removeprefix("rolls ")))
    whole = _LINE.fullmatch(words)
    if whole is not None:
        seat, what = int(whole[1]) - 1, whole[2]
        if found := _PLAY.fullmatch(what):
            which: Which = "personal" if found[1] == "personal" else "common"
            if found[3] or found[4]:
                return Play(seat, which, found[2], int(found[3] or OUT))
            return play(situation, seat, which, COLOR[found[2]])
        if found := _LOSE.fullmatch(what):
            return Lose(seat, "personal" if found[1] == "personal" else "common")
        if found := _WITHDRAW.fullmatch(what):
            return Withdraw(seat, found[1], int(found[2]) - 1 if found[2] else None)
        if found := _ADD.fullmatch(what):
            return Add(seat, found[1], int(found[2]))
    raise BadNotation(
        f'"{line}" is no event of Spectrum Escape. Write "player 1 plays common red to 4", "player 1 plays personal '
        'green-blue out", "player 1 loses the personal move", "player 1 withdraws red" or "rolls d6 red blue, d12 ...".'
    )


def play(situation: Situation, seat: int, which: Which, color: int) -> Play:
    """The move of a seat in a color, where the rules say that it goes; next to the leader where they say nothing."""
    if seat >= situation.seats:
        return PLAYS[which][seat][color][0]
    column = situation.columns[color]
    return PLAYS[which][seat][color][(targets(column, situation.alone)[seat] or OUT) - 1]
