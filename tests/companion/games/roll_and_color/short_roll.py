"""Rolls and positions of Roll & Color in short, for the tests: "R R B G | RO R R B P" is dice 1 to 4 and 5 to 9."""

from __future__ import annotations

from companion.core.contract import Rolled
from companion.core.pieces import WHEEL
from companion.games.roll_and_color.game import ROLL_AND_COLOR, Options
from companion.games.roll_and_color.state import RollState
from companion.games.shared import color_dice
from companion.games.shared.color_dice import COLOR
from tests.companion.games.short import Lines

_LINES = Lines(ROLL_AND_COLOR)
rules, told, legal = _LINES.broken, _LINES.play, _LINES.legal

_LETTERS = {"".join(part[0].upper() for part in color.split("-")): color for color in WHEEL}


def names(short: str) -> list[str]:
    """The colors of a roll in short."""
    return [_LETTERS[one] for one in short.replace("|", " ").split()]


def colors(short: str) -> tuple[int, ...]:
    return tuple(COLOR[one] for one in names(short))


def table(roll: str = "", *sheets: dict[str, str], rerolls: int = 0, seats: int = 1) -> RollState:
    """A position: the roll of the player on turn, if any, and the sheets."""
    given: dict[str, object] = {"sheets": list(sheets) or [{}] * seats}
    if roll:
        left, right = roll.split("|")
        given |= {"dice": {"d6": names(left), "d12": names(right)}, "rerolls": rerolls}
    return ROLL_AND_COLOR.from_record(len(sheets) or seats, Options(), given)


def roll(words: str) -> Rolled:
    return Rolled(color_dice.parse(words))
