"""Events as one line of text that means the same in every position, and back.

`player 1 lays away R3, B7, ??`, `player 1 plays R9`, `player 1 says go`, `player 1 counts hand 14`; cards that are told
are read by `deck_events`. A count without points is what the cards are worth.
"""

from __future__ import annotations

import re
from typing import Protocol

from companion.contract import Drawn, Expect, Seat, Shown, ToMove
from companion.errors import BadNotation
from companion.games import deck_events
from companion.games.cribbage.moves import CARDS, GOES, MOST_PLAYERS, Count, Counted, CribbageEvent, Go, LayAway, Play
from companion.games.deck import NUMBER_CARDS, numbers_of
from companion.pieces import Card

_LINE = re.compile(r"player (?P<seat>\d) (?P<rest>.+)")
_LAY = re.compile(r"lays away (?P<cards>.+)")
_PLAY = re.compile(r"plays (?P<card>\S+)")
_COUNT = re.compile(r"counts (?P<of>hand|crib)(?: (?P<points>\d{1,3}))?")
_FORMS = (
    'Write "player 1 lays away R3, B7, GB9", "player 1 plays R9", "player 1 says go", "player 1 counts hand 14" or'
    ' "player 1 draws R7, ??".'
)


class Countable(Protocol):
    """What reading needs to know of a position, to complete a count that does not say its points."""

    @property
    def is_played(self) -> bool:
        """Whether the counting is due."""

    @property
    def counting(self) -> tuple[Seat, Counted]:
        """Whose turn it is to count, and what."""

    @property
    def worth(self) -> tuple[int, ...]:
        """What that is worth, by kind."""

    def expects(self) -> Expect:
        """Whether a move is due at all."""


def text(event: CribbageEvent) -> str:
    """The event as a line.

    :raises BadEvent: it names a card that the game does not have.
    """
    match event:
        case Drawn() | Shown():
            return deck_events.text_of(event)
        case LayAway():
            cards = ", ".join(map(deck_events.code_of, event.cards)) or "nothing"
            return f"player {event.seat + 1} lays away {cards}"
        case Play():
            return f"player {event.seat + 1} plays {deck_events.code_of(event.card)}"
        case Go():
            return f"player {event.seat + 1} says go"
    return f"player {event.seat + 1} counts {event.of} {event.points}"


def parse(position: Countable, line: str) -> CribbageEvent:
    """The event that a line names, legal or not.

    :raises BadNotation: no event of Cribbage reads so.
    """
    told = deck_events.read(line)
    if told is not None:
        return told
    whole = _LINE.fullmatch(" ".join(line.lower().split()))
    if whole is not None and 1 <= int(whole["seat"]) <= MOST_PLAYERS:
        seat, rest = int(whole["seat"]) - 1, whole["rest"]
        if rest in ("says go", "go"):
            return GOES[seat]
        if play := _PLAY.fullmatch(rest):
            (card,) = _cards(play["card"])
            if card is not None:
                return Play(seat, card)
        if lay := _LAY.fullmatch(rest):
            return LayAway(seat, () if lay["cards"] == "nothing" else _cards(lay["cards"]))
        if count := _COUNT.fullmatch(rest):
            return _count(position, line, seat, "crib" if count["of"] == "crib" else "hand", count["points"])
    raise BadNotation(f'"{line}" is no event of Cribbage. {_FORMS}')


def _count(position: Countable, line: str, seat: Seat, of: Counted, points: str | None) -> Count:
    if points is not None:
        return Count(seat, of, int(points))
    due = isinstance(position.expects(), ToMove) and position.is_played
    if not due or position.counting != (seat, of):
        raise BadNotation(f'"{line}" does not say how many points, and it is not the time to count that. {_FORMS}')
    return Count(seat, of, sum(position.worth))


def _cards(text: str) -> tuple[Card | None, ...]:
    numbers = numbers_of(" ".join(text.replace(",", " ").split()))
    if any(number is not None and number >= NUMBER_CARDS for number in numbers):
        raise BadNotation(f'"{text}" names a card that is no number card. {_FORMS}')
    return tuple(None if number is None else CARDS[number] for number in numbers)
