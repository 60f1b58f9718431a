"""Positions and events of Cribbage in short, for the tests: "R10 B8" is a hand, or the cards that a seat has played."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn
from companion.core.pieces import Card
from companion.games.cribbage.game import CRIBBAGE
from companion.games.cribbage.moves import Count, Counted, Go, LayAway, Play
from companion.games.cribbage.situation import Options
from companion.games.cribbage.state import CribbageState
from companion.games.shared.cards.deck import CARDS, PIECES, numbers_of


def numbers(text: str) -> tuple[int, ...]:
    return tuple(number for number in numbers_of(text) if number is not None) if text else ()


def draw(seat: int, text: str) -> Drawn:
    return Drawn(seat, tuple(None if number is None else PIECES[number] for number in numbers_of(text)))


def card(code: str) -> Card:
    return CARDS[numbers(code)[0]]


def play(seat: int, code: str) -> Play:
    return Play(seat, card(code))


def go(seat: int) -> Go:
    return Go(seat)


def lay(seat: int, text: str) -> LayAway:
    return LayAway(seat, tuple(None if number is None else CARDS[number] for number in numbers_of(text)))


def count(seat: int, points: int, of: Counted = "hand") -> Count:
    return Count(seat, of, points)


def table(*hands: str | None, target: int = 121, **more: Any) -> CribbageState:
    """A position with the starter GB1; a hand may hold "??", and None is a hand that nobody knows. The last seat deals."""
    position: dict[str, Any] = {
        "hands": [None if hand is None else hand.split() for hand in hands],
        "starter": "GB1",
        **more,
    }
    for key in ("played", "laid"):
        if key in position:
            position[key] = [None if one is None else one.split() for one in position[key]]
    if "count" in position:
        position["count"] = position["count"].split()
    return CRIBBAGE.from_record(len(hands), Options(target=target), position)


def pegs(state: CribbageState) -> list[tuple[int, int, str]]:
    """Everything that was pegged: seat, points, kind."""
    return [(peg.seat, peg.points, peg.kind) for peg in state.pegs]
