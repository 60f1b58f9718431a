"""Events as one line of text that means the same in every position, and back.

`player 1 takes B2, Y7 with R9` and `player 1 puts R9`; cards that are told are read by `deck_events`. A take may also
say what it builds on, `player 1 takes Y9, G9 with R7 on B2`; then the value that is so made must take the others.
"""

from __future__ import annotations

import re

from companion.contract import Drawn, Shown
from companion.errors import BadNotation
from companion.games import deck_events
from companion.games.casino.moves import CARDS, MOST_PLAYERS, CasinoEvent, Put, Take
from companion.games.deck import NUMBER_CARDS, numbers_of
from companion.pieces import Card

_CARDS = r"\w+(?:,? \w+)*?"
_TAKE = re.compile(
    rf"player (?P<seat>\d) takes (?P<taken>nothing|{_CARDS}) with (?P<card>\w+)(?: on (?P<base>{_CARDS}))?"
)
_PUT = re.compile(r"player (?P<seat>\d) puts (?P<card>\w+)")
_FORMS = 'Write "player 1 takes B2, Y7 with R9", "player 1 puts R9" or "player 1 draws R7, ??".'


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


def parse(line: str) -> CasinoEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event of Casino reads so.
    """
    told = deck_events.read(line)
    if told is not None:
        return told
    wanted = " ".join(line.lower().split())
    if take := _TAKE.fullmatch(wanted):
        taken = () if take["taken"] == "nothing" else _cards(take["taken"])
        base = _cards(take["base"]) if take["base"] else ()
        return Take(_seat(line, take["seat"]), _cards(take["card"])[0], (*taken, *base), base)
    if put := _PUT.fullmatch(wanted):
        return Put(_seat(line, put["seat"]), _cards(put["card"])[0])
    raise BadNotation(f'"{line}" is no event of Casino. {_FORMS}')


def _seat(line: str, player: str) -> int:
    if not 1 <= int(player) <= MOST_PLAYERS:
        raise BadNotation(f'"{line}" names player {player}; players are 1 to {MOST_PLAYERS}.')
    return int(player) - 1


def _cards(text: str) -> tuple[Card, ...]:
    numbers = numbers_of(" ".join(text.replace(",", " ").split()))
    if any(number is None or number >= NUMBER_CARDS for number in numbers):
        raise BadNotation(f'"{text}" names no number card; a card that is played is named. {_FORMS}')
    return tuple(CARDS[number] for number in numbers if number is not None)
