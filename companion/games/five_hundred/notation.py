"""Events as one line of text that means the same in every position, and back.

`player 1 takes from the stock`, `player 1 takes discards down to R5`, `player 2 calls Spectrum down to R5`, `player 1
melds R5, RO6, R7, PR8`, `player 1 lays off R9 on meld 2`, `player 1 discards B3`, `player 1 stops`; cards that are told
are read by `deck_events`.
"""

from __future__ import annotations

import re

from companion.contract import Drawn, Shown
from companion.errors import BadNotation
from companion.games import deck_events
from companion.games.deck import NUMBER_CARDS, numbers_of
from companion.games.five_hundred import moves

_LINE = re.compile(r"player (?P<seat>\d) (?P<rest>.+)")
_STOCK = "takes from the stock"
_STOPS = "stops"
_TAKES = re.compile(r"takes discards down to (?P<card>\S+)")
_CALLS = re.compile(r"calls spectrum!? down to (?P<card>\S+)")
_MELDS = re.compile(r"melds (?P<cards>.+)")
_LAYS = re.compile(r"lays off (?P<card>\S+) on meld (?P<meld>\d{1,2})")
_DISCARDS = re.compile(r"discards (?P<card>\S+)")
_FORMS = (
    'Write "player 1 takes from the stock", "player 1 takes discards down to R5", "player 2 calls Spectrum down to R5",'
    ' "player 1 melds R5, RO6, R7, PR8", "player 1 lays off R9 on meld 2", "player 1 discards B3", "player 1 stops" or'
    ' "player 1 draws R7, ??".'
)


def text(event: moves.FiveHundredEvent) -> str:
    """The event as a line.

    :raises BadEvent: it names a card that the game does not have.
    """
    if isinstance(event, Drawn | Shown):
        return deck_events.text_of(event)
    who, code = f"player {event.seat + 1}", deck_events.code_of
    match event:
        case moves.DrawStock():
            return f"{who} {_STOCK}"
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
    return f"{who} {_STOPS}"


def parse(line: str) -> moves.FiveHundredEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event of 500 reads so.
    """
    whole = _LINE.fullmatch(" ".join(line.lower().split()))
    if whole is not None and 1 <= int(whole["seat"]) <= moves.MOST_PLAYERS:
        event = _own(int(whole["seat"]) - 1, whole["rest"])
        if event is not None:
            return event
    told = deck_events.read(line)
    if told is not None:
        return told
    raise BadNotation(f'"{line}" is no event of 500. {_FORMS}')


def _own(seat: int, rest: str) -> moves.FiveHundredEvent | None:
    if rest == _STOCK:
        return moves.DRAWS[seat]
    if rest == _STOPS:
        return moves.STOPS[seat]
    if found := _TAKES.fullmatch(rest):
        return moves.TAKES[seat][_card(found["card"])]
    if found := _CALLS.fullmatch(rest):
        return moves.CALLS[seat][_card(found["card"])]
    if found := _DISCARDS.fullmatch(rest):
        return moves.DISCARDS[seat][_card(found["card"])]
    if (found := _LAYS.fullmatch(rest)) and int(found["meld"]):
        return moves.lay_off(seat, _card(found["card"]), int(found["meld"]) - 1)
    if found := _MELDS.fullmatch(rest):
        numbers = () if found["cards"] == "nothing" else _numbers(found["cards"])
        return moves.LayMeld(seat, tuple(moves.CARDS[number] for number in numbers))
    return None


def _numbers(text: str) -> tuple[int, ...]:
    numbers = numbers_of(" ".join(text.replace(",", " ").split()))
    named = tuple(number for number in numbers if number is not None and number < NUMBER_CARDS)
    if len(named) != len(numbers) or not named:
        raise BadNotation(f'"{text}" names no number card; cards that are played are named. {_FORMS}')
    return named


def _card(text: str) -> int:
    return _numbers(text)[0]
