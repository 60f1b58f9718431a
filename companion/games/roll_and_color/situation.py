"""The data of a position of Roll & Color: dice, score sheets and whose turn it is, and the legal
moves.

Dice and sheets are public.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, ToMove, ToRoll
from companion.games.roll_and_color.moves import CUBES, DICE, ENTRIES, MOST_PLAYERS, REROLLS, SIZES, Move, Number
from companion.games.roll_and_color.sheet import CELLS, ROUNDS, Cells, levels, open_rows
from companion.games.shared.color_dice import D6, D12
from companion.games.shared.lazy import lazy

KINDS = (D6,) * CUBES + (D12,) * (DICE - CUBES)
"""The kind of each of the nine dice (ROL-1)."""

_OVER = Over()
_TO_MOVE = tuple(ToMove((seat,)) for seat in range(MOST_PLAYERS))
_TO_ROLL = tuple(ToRoll(seat, KINDS) for seat in range(MOST_PLAYERS))


@cache
def kinds_of(picked: tuple[int, ...]) -> tuple[str, ...]:
    """Returns the kinds of the dice of these numbers."""
    return tuple(KINDS[number - 1] for number in picked)


@cache
def _again(seat: int, picked: tuple[int, ...]) -> ToRoll:
    return ToRoll(seat, kinds_of(picked))


_Entry = Annotated[int, Meta(ge=0, le=239)]
_Color = Annotated[int, Meta(ge=0, lt=12)]


class Ending(Struct, frozen=True):
    """The end of the game: its rule and a sentence."""

    rule: str
    text: str


_FULL = Ending("ROL-2", f"All {ROUNDS} rounds are played.")


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    sheets: tuple[tuple[_Entry, ...], ...]
    """For each seat, the entries, oldest first."""
    turn: Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)] = 0
    rolled: bool = False
    """True if the seat to move has rolled; if not, the dice are those of the seat before."""
    dice: Annotated[tuple[_Color, ...], Meta(max_length=DICE)] = ()
    """For each number, the color that each die shows; empty before the first roll."""
    rerolls: Annotated[int, Meta(ge=0, le=len(SIZES))] = 0
    """The number of re-rolls in this turn."""
    picked: tuple[Number, ...] = ()
    """The numbers of the dice that are being re-rolled."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.sheets)

    @lazy
    def ending(self) -> Ending | None:
        """The end of the game, or None while it goes on (ROL-2)."""
        return _FULL if len(self.sheets[self.turn]) >= ROUNDS else None

    def expects(self) -> Expect:
        """Returns the event that must come next."""
        if self.picked:
            return _again(self.turn, self.picked)
        if self.rolled:
            return _TO_MOVE[self.turn]
        return _OVER if self.ending is not None else _TO_ROLL[self.turn]

    @property
    def may_move(self) -> bool:
        """True if there is a roll that can be re-rolled or entered."""
        return self.rolled and not self.picked

    @lazy
    def levels(self) -> tuple[int, ...]:
        """The level of each row for the present roll (`companion.games.roll_and_color.sheet`)."""
        return levels(self.dice)

    def met(self, row: int) -> Cells:
        """Returns the cells of a row that the roll meets, from the lowest to the highest (ROL-11)."""
        return CELLS[row][self.levels[row]]

    def is_open(self, seat: int, row: int) -> bool:
        """True if a seat may still enter something in a row (ROL-5)."""
        return row in open_rows(self.sheets[seat])

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move: entries in the order of the sheet, then every choice of dice to re-roll."""
        if not self.rolled or self.picked:
            return ()
        seat, found = self.turn, self.levels
        entries = ENTRIES[seat]
        moves: list[Move] = []
        extend = moves.extend
        for row in open_rows(self.sheets[seat]):
            extend(entries[row][found[row]])
        if self.rerolls == len(SIZES):
            return tuple(moves)
        return tuple(moves) + REROLLS[seat][self.rerolls]
