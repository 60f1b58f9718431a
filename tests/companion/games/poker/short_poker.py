"""Positions and events of Poker in short, for the tests: "R5 RO6 R7 PR8 B9" is a hand."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn
from companion.games.poker.game import POKER
from companion.games.poker.moves import FOLDS, Exchange, Fold, TurnUp
from companion.games.poker.situation import Options
from companion.games.poker.state import PokerState
from companion.games.shared.cards.deck import CARDS, PIECES, numbers_of


def numbers(text: str) -> tuple[int, ...]:
    return tuple(number for number in numbers_of(text) if number is not None) if text else ()


def draw(seat: int, text: str) -> Drawn:
    return Drawn(seat, tuple(None if number is None else PIECES[number] for number in numbers_of(text)))


def exchange(seat: int, text: str = "") -> Exchange:
    some = numbers_of(text) if text else ()
    return Exchange(seat, tuple(None if number is None else CARDS[number] for number in some))


def up(seat: int, called: str | None = None) -> TurnUp:
    return TurnUp(seat, called)


def fold(seat: int) -> Fold:
    return FOLDS[seat]


def table(*hands: str | None, options: Any = None, shared: str = "", **more: Any) -> PokerState:
    """A position; a hand may hold "??", and None is a hand that nobody knows. Seat 0 is on turn unless it is said."""
    position: dict[str, Any] = {
        "hands": [None if hand is None else hand.split() for hand in hands],
        "shared": shared.split(),
        **more,
    }
    return POKER.from_record(len(hands), options or Options(), position)
