"""The contract of a game: states that expect events, and violations that explain a refused event.

A state is one position: frozen, equal by value, convertible to JSON and back, without camera, clock, names or random
numbers. `apply` returns the next state or raises `IllegalMove`; no other method changes a game, and undo is an earlier
state. Chance comes from outside, never from the engine: dice fell on the table, a tile came out of a real bag.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, Self

from msgspec import Struct
from msgspec.structs import force_setattr

from companion.core.layout import Layout, Spot
from companion.core.pieces import Die, Piece
from companion.core.printable import one_line

Seat = int
"""A seat's number, 0 to n-1, clockwise around the table."""


class Rolled(Struct, frozen=True, tag="rolled"):
    """The faces that dice show after a roll."""

    faces: tuple[Die, ...]


class Drawn(Struct, frozen=True, tag="drawn"):
    """Pieces drawn from a bag, deck or box; None stands for a piece drawn face down."""

    seat: Seat
    pieces: tuple[Piece | None, ...]


class Shown(Struct, frozen=True, tag="shown"):
    """Hidden pieces of a seat that became known."""

    seat: Seat
    pieces: tuple[Piece, ...]


Chance = Rolled | Drawn | Shown

Move = Any
"""A move. Each game has its own few move types, a tagged union of frozen structs."""

Event = Any
"""A move of the game, or a `Chance` event."""


class Violation(Struct, frozen=True):
    """One reason why an event is refused: the rule's number, a sentence, and the spots to highlight."""

    rule: str
    text: str
    where: tuple[Spot, ...] = ()

    def __post_init__(self) -> None:
        if not self.text.isprintable():  # the text may quote a word of an event that others wrote
            force_setattr(self, "text", one_line(self.text))


class Cost(Struct, frozen=True):
    """The penalty for an illegal move that was taken back (UMO-5)."""

    event: Event
    """The legal event that charges it."""
    breach: Violation
    """The penalty as a rule and a sentence."""


class ToMove(Struct, frozen=True, tag="to-move"):
    """The state expects a move of one of these seats."""

    seats: tuple[Seat, ...]


class ToRoll(Struct, frozen=True, tag="to-roll"):
    """The state expects a seat to roll these dice (kinds of `Die`)."""

    seat: Seat
    dice: tuple[str, ...]


class ToDraw(Struct, frozen=True, tag="to-draw"):
    """The state expects a seat to draw `count` pieces from `source`; all players may see them if `shown`."""

    seat: Seat
    count: int
    source: str
    shown: bool


class Over(Struct, frozen=True, tag="over"):
    """The game has ended; see `State.outcome`."""


Expect = ToMove | ToRoll | ToDraw | Over


def seats_to_move(due: Expect) -> tuple[Seat, ...]:
    """Returns the seats that may move; none while dice or draws are due."""
    return due.seats if isinstance(due, ToMove) else ()


def seats_due(due: Expect) -> tuple[Seat, ...]:
    """Returns the seats that must act: move, roll or draw."""
    return due.seats if isinstance(due, ToMove) else () if isinstance(due, Over) else (due.seat,)


def named_seat(event: Event) -> Seat | None:
    """Returns the seat that an event names; None for events without a seat."""
    named = getattr(event, "seat", None)
    return named if isinstance(named, int) else None


Points = int | float
"""Points are integers in nearly every game. Where four players share six points, each gets one and a half (CAS-8)."""


class ScoreLine(Struct, frozen=True):
    """One entry of a score sheet: "3 edges x 4, bonus x2 = 24" under rule TRI-19."""

    points: Points
    rule: str
    text: str


class Score(Struct, frozen=True):
    """The total of a seat or team, and the lines that add up to it, oldest first."""

    total: Points
    lines: tuple[ScoreLine, ...] = ()

    @staticmethod
    def of(lines: Iterable[ScoreLine]) -> Score:
        """Returns the score with the sum of these lines."""
        kept = tuple(lines)
        return Score(sum([line.points for line in kept]), kept)


class Outcome(Struct, frozen=True):
    """The result of a game: the seats by place, winners first and ties together, and the rule that ended it."""

    places: tuple[tuple[Seat, ...], ...]
    rule: str
    text: str


class State(Protocol):
    """One position of a game."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    def expects(self) -> Expect:
        """Returns what must come next: a move, a roll, a draw, or the end."""

    def legal_moves(self) -> Sequence[Move]:
        """Returns every legal move of the seats to move, in a stable order; empty unless a move is due.

        A move with several notations is listed once, and a word without effect is not listed. Where a full list would
        have no bound, as with the captures of a crowded Casino board, the list is partial; `violations` covers all
        moves.
        """

    def violations(self, move: Move, /) -> tuple[Violation, ...]:
        """Returns the rules that `move` breaks; empty if and only if it is legal.

        It explains dice and draws as well as moves: `apply` refuses an event that breaks a rule, with the same
        sentences.
        """

    def apply(self, event: Event) -> Self:
        """Returns the position after `event`; self never changes.

        Raises:
            IllegalMove: The move breaks rules.
            BadEvent: The position does not expect such an event.
            GameOver: The game has ended.
        """

    def apply_unchecked(self, event: Event) -> Self:
        """Returns the position after `event`, legal or not. An illegal event is carried out as the table would show it.

        Raises:
            BadEvent: The event cannot be carried out at all, such as a piece on an occupied cell.
            GameOver: The game has ended.
        """

    def scores(self) -> tuple[Score, ...]:
        """Returns the score of each seat."""

    def outcome(self) -> Outcome | None:
        """Returns the result, or None while the game goes on."""

    def layout(self) -> Layout:
        """Returns the layout that a camera above the table should read."""
