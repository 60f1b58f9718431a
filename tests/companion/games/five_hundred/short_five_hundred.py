"""Positions and events of 500 in short, for the tests: "R5 RO6" is a hand, or a pile with the top card last."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn
from companion.games.five_hundred import moves
from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.five_hundred.situation import Options
from companion.games.five_hundred.state import FiveHundredState
from companion.games.shared.cards.deck import PIECES, numbers_of

SEQUENCE = {"0": "R5 RO6 R7 PR8"}
"""The sequence of the rule book, before seat 0."""


def numbers(text: str) -> tuple[int, ...]:
    return tuple(number for number in numbers_of(text) if number is not None) if text else ()


def draw(seat: int, text: str) -> Drawn:
    return Drawn(seat, tuple(None if number is None else PIECES[number] for number in numbers_of(text)))


def stock(seat: int) -> moves.DrawStock:
    return moves.DRAWS[seat]


def take(seat: int, code: str) -> moves.TakeDiscards:
    return moves.TAKES[seat][numbers(code)[0]]


def call(seat: int, code: str) -> moves.CallSpectrum:
    return moves.CALLS[seat][numbers(code)[0]]


def meld(seat: int, text: str) -> moves.LayMeld:
    return moves.LayMeld(seat, tuple(moves.CARDS[number] for number in numbers(text)))


def off(seat: int, code: str, number: int = 0) -> moves.LayOff:
    return moves.lay_off(seat, numbers(code)[0], number)


def discard(seat: int, code: str) -> moves.Discard:
    return moves.DISCARDS[seat][numbers(code)[0]]


def stop(seat: int) -> moves.Stop:
    return moves.STOPS[seat]


def table(
    *hands: str | None, discards: str = "", melds: tuple[dict[str, str], ...] = (), options: Any = None, **more: Any
) -> FiveHundredState:
    """A position; a hand may hold "??", and None is a hand that nobody knows. Seat 0 is on turn unless it is said."""
    position: dict[str, Any] = {
        "hands": [None if hand is None else hand.split() for hand in hands],
        "discards": discards.split(),
        "melds": [{seat: cards.split() for seat, cards in one.items()} for one in melds],
        **more,
    }
    if "opened" in position:
        position["opened"] = [one.split() for one in position["opened"]]
    return FIVE_HUNDRED.from_record(len(hands), options or Options(), position)
