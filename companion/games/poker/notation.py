"""Events as one line of text that means the same in every position, and back.

`player 1 exchanges R3, ??`, `player 1 exchanges nothing`, `player 1 turns up`, `player 1 turns up full house` and
`player 1 folds`; cards that are told are read by `deck_events`.
"""

from __future__ import annotations

import re

from companion.contract import Drawn, Shown
from companion.errors import BadNotation
from companion.games import deck_events
from companion.games.deck import NUMBER_CARDS, numbers_of
from companion.games.poker.categories import BY_TITLE
from companion.games.poker.moves import CARDS, FOLDS, MOST_PLAYERS, TURN_UPS, Exchange, PokerEvent, TurnUp
from companion.pieces import Card

_LINE = re.compile(r"player (?P<seat>\d) (?P<rest>.+)")
_EXCHANGES = re.compile(r"exchanges (?P<cards>.+)")
_TURNS_UP = re.compile(r"turns up (?P<called>.+)")
_FORMS = (
    'Write "player 1 exchanges R3, ??", "player 1 turns up", "player 1 turns up full house", "player 1 folds" or'
    ' "player 1 draws R7, ??".'
)


def text(event: PokerEvent) -> str:
    """The event as a line.

    :raises BadEvent: it names a card that the game does not have.
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


def parse(line: str) -> PokerEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event of Poker reads so.
    """
    told = deck_events.read(line)
    if told is not None:
        return told
    whole = _LINE.fullmatch(" ".join(line.lower().split()))
    if whole is not None and 1 <= int(whole["seat"]) <= MOST_PLAYERS:
        seat, rest = int(whole["seat"]) - 1, whole["rest"]
        if rest == "folds":
            return FOLDS[seat]
        if rest == "turns up":
            return TURN_UPS[seat]
        if found := _TURNS_UP.fullmatch(rest):
            return check(TurnUp(seat, found["called"]))
        if found := _EXCHANGES.fullmatch(rest):
            return Exchange(seat, () if found["cards"] == "nothing" else _cards(found["cards"]))
    raise BadNotation(f'"{line}" is no event of Poker. {_FORMS}')


def _cards(text: str) -> tuple[Card | None, ...]:
    numbers = numbers_of(" ".join(text.replace(",", " ").split()))
    if any(number is not None and number >= NUMBER_CARDS for number in numbers):
        raise BadNotation(f'"{text}" names a card that is no number card. {_FORMS}')
    return tuple(None if number is None else CARDS[number] for number in numbers)


def check(event: PokerEvent) -> PokerEvent:
    """The event itself.

    :raises BadNotation: it names a category that there is not.
    """
    if isinstance(event, TurnUp) and event.called is not None and event.called not in BY_TITLE:
        raise BadNotation(f'"{event.called}" is no category. Write one of: {", ".join(BY_TITLE)}.')
    return event
