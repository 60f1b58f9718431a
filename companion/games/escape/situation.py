"""The data of a position: pawns, dice and whose turn it is, and the legal moves.

All pawns and dice are in view. A common die is stored as its color, plus 12 if it has twelve sides.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, Seat, ToMove, ToRoll
from companion.games.escape.moves import LOSES, PLAYS, WITHDRAWS, Column, Move, targets
from companion.games.escape.options import MOST_PLAYERS, NEEDED, PAWNS
from companion.games.shared.color_dice import D6, D12
from companion.games.shared.lazy import lazy

TWELVE_SIDED = 12
"""The number added to the color of a twelve-sided common die."""
CUBES, DODECAHEDRA = 4, 5
"""The numbers of six-sided and twelve-sided dice in the set (ESC-1)."""

PERSONAL, COMMON, BOTH, WITHDREW = 1, 2, 3, 4
"""The moves that a seat has made in this round; 0 stands for none, 1 and 2 for its first move (ESC-13, ESC-15)."""
BITS = {"personal": PERSONAL, "common": COMMON}

Round = Literal["d6", "d12"]
OTHER: dict[Round, Round] = {"d6": "d12", "d12": "d6"}
"""Kind of round to the kind of the next round (ESC-16)."""

_OVER = Over()
_TO_MOVE = tuple(ToMove((seat,)) for seat in range(MOST_PLAYERS))

_Position = Annotated[int, Meta(ge=0, le=9)]
_Columns = Annotated[tuple[tuple[_Position, ...], ...], Meta(min_length=12, max_length=12)]
_Color = Annotated[int, Meta(ge=0, lt=12)]
_Common = Annotated[int, Meta(ge=0, lt=24)]


@cache
def dice_of(round_: Round, seats: int) -> tuple[str, ...]:
    """Returns the kinds of the nine dice of a round: the personal ones by seat, then the common ones (ESC-12)."""
    own = (D6 if round_ == "d6" else D12,) * seats
    cubes = CUBES - (seats if round_ == "d6" else 0)
    return (*own, *(D6,) * cubes, *(D12,) * (CUBES + DODECAHEDRA - seats - cubes))


@cache
def next_of(first: Seat, done: tuple[int, ...]) -> Seat | None:
    """Returns the seat that moves next: first each seat's first move in play order, then each seat's second (ESC-13,
    ESC-16).

    None when the round is over.
    """
    order = [(first + step) % len(done) for step in range(len(done))]
    for seat in order:
        if not done[seat]:
            return seat
    return next((seat for seat in order if done[seat] in (PERSONAL, COMMON)), None)


class Ending(Struct, frozen=True):
    """The rule that ended the game, and a sentence about it."""

    rule: str
    text: str


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    colors: tuple[str, ...]
    """For each seat, the color of the pawns (ESC-1)."""
    columns: _Columns
    """For each color, where each seat's pawn stands (ESC-2)."""
    escaped: tuple[Annotated[int, Meta(ge=0, le=PAWNS)], ...]
    """The number of escaped pawns of each seat."""
    first: Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
    """The first player of this round (ESC-16)."""
    done: tuple[Annotated[int, Meta(ge=0, le=WITHDREW)], ...]
    """The moves that each seat has made in this round: 0 or one of the constants above."""
    round: Round = "d6"
    alone: Literal["one", "centre"] = "one"
    rolled: bool = False
    """True if the dice of this round have been rolled; if not, the dice below are those of the round before."""
    personal: tuple[_Color, ...] = ()
    """For each seat, the color of the personal die."""
    unused: tuple[_Common, ...] = ()
    """The unused common dice, in order."""
    used: tuple[_Common, ...] = ()
    """The used common dice, in the order of use."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.colors)

    @property
    def needed(self) -> int:
        """The number of escapes that wins (ESC-1)."""
        return NEEDED[len(self.colors)]

    def on_board(self, seat: Seat) -> int:
        """Returns the number of pawns of a seat on the board."""
        return sum([1 for column in self.columns if column[seat]])

    def stock(self, seat: Seat) -> int:
        """Returns the number of pawns of a seat in stock (ESC-18)."""
        return PAWNS - self.escaped[seat] - self.on_board(seat)

    @lazy
    def ending(self) -> Ending | None:
        """The end of the game, or None while it goes on (ESC-17)."""
        needed = NEEDED[len(self.colors)]
        if max(self.escaped) < needed:
            return None
        winner = self.escaped.index(max(self.escaped))
        return Ending("ESC-17", f"Player {winner + 1} has {needed} escaped pawns.")

    @lazy
    def turn(self) -> Seat | None:
        """The seat to move; None before the roll and after the end."""
        if not self.rolled or self.ending is not None:
            return None
        return next_of(self.first, self.done)

    def expects(self) -> Expect:
        """Returns the event that must come next; the first player of the round rolls for all (ESC-12)."""
        turn = self.turn
        if turn is not None:
            return _TO_MOVE[turn]
        if self.ending is not None:
            return _OVER
        return ToRoll(self.first, dice_of(self.round, len(self.colors)))

    def target(self, seat: Seat, color: int) -> int:
        """Returns where a move in a color would bring a seat's pawn; 0 if the color may not be chosen (ESC-9,
        ESC-10).
        """
        column: Column = self.columns[color]
        to = targets(column, self.alone)[seat]
        return to if to and (column[seat] or self.stock(seat)) else 0

    def open_colors(self) -> tuple[int, ...]:
        """Returns the colors that unused common dice show, each once."""
        return tuple(dict.fromkeys([die % 12 for die in self.unused]))

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move: by the personal die, by common dice, withdrawals (ESC-13 to ESC-15)."""
        seat = self.turn
        if seat is None:
            return ()
        columns, alone, done = self.columns, self.alone, self.done[seat]
        held = [color for color, column in enumerate(columns) if column[seat]]
        stocked = len(held) + self.escaped[seat] < PAWNS
        moves: list[Move] = []
        if done != PERSONAL:
            color = self.personal[seat]
            column = columns[color]
            to = targets(column, alone)[seat]
            if to and (stocked or column[seat]):
                moves.append(PLAYS["personal"][seat][color][to - 1])
            else:
                moves.append(LOSES["personal"][seat])
        if done != COMMON:
            plays = PLAYS["common"][seat]
            before = len(moves)
            known = 0
            for die in self.unused:
                color = die % 12
                if known >> color & 1:
                    continue
                known |= 1 << color
                column = columns[color]
                to = targets(column, alone)[seat]
                if to and (stocked or column[seat]):
                    moves.append(plays[color][to - 1])
            if len(moves) == before:
                moves.append(LOSES["common"][seat])
        if not done:
            withdraws = WITHDRAWS[seat]
            moves += [withdraws[color] for color in held]
        return tuple(moves)
