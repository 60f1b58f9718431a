"""Positions and events of Casino in short, for the tests: "B2 Y4 B7" is a board or a hand."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn
from companion.core.pieces import Card
from companion.games.casino.game import CASINO
from companion.games.casino.moves import Put, Take
from companion.games.casino.situation import Options
from companion.games.casino.state import CasinoState
from companion.games.shared.cards.deck import CARDS, PIECES, numbers_of


def cards(text: str) -> tuple[Card, ...]:
    return tuple(CARDS[number] for number in numbers_of(text) if number is not None) if text else ()


def draw(seat: int, text: str) -> Drawn:
    return Drawn(seat, tuple(None if number is None else PIECES[number] for number in numbers_of(text)))


def take(seat: int, card: str, taken: str = "", on: str = "") -> Take:
    return Take(seat, cards(card)[0], cards(taken), cards(on))


def put(seat: int, card: str) -> Put:
    return Put(seat, cards(card)[0])


def table(
    *hands: str | None,
    board: str = "",
    chosen: str = "red",
    won: tuple[str, ...] = (),
    options: Any = None,
    **more: Any,
) -> CasinoState:
    """A position in the second deal; a hand may hold "??", and None is a hand that nobody knows. Seat 0 is on turn."""
    position: dict[str, Any] = {
        "hands": [None if hand is None else hand.split() for hand in hands],
        "board": board.split(),
        "chosen": chosen,
        "deal": 2,
        **more,
    }
    if won:
        position["won"] = [one.split() for one in won]
    return CASINO.from_record(len(hands), options or Options(), position)
