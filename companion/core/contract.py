"""The contract of a game: states that expect events, and reasons when an event is refused.

A state is one position: frozen, equal by value, JSON both ways; no camera, clock, name or random number in it. `apply`
gives the next state or raises `IllegalMove`; no other method changes a game, and undo is an earlier state. Chance comes
from outside, never from the engine: dice fell on the table, a tile came out of a real bag.
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
"""0 to n-1, clockwise."""


class Rolled(Struct, frozen=True, tag="rolled"):
    """Dice as they lie on the table."""

    faces: tuple[Die, ...]


class Drawn(Struct, frozen=True, tag="drawn"):
    """Pieces that came out of a bag, deck or box; None is a piece drawn unseen."""

    seat: Seat
    pieces: tuple[Piece | None, ...]


class Shown(Struct, frozen=True, tag="shown"):
    """Hidden pieces of a seat that became known."""

    seat: Seat
    pieces: tuple[Piece, ...]


Chance = Rolled | Drawn | Shown

Move = Any
"""Each game has its own few move types, a tagged union of frozen structs."""

Event = Any
"""A move of the game or a `Chance`."""


class Violation(Struct, frozen=True):
    """Why an event is refused: the rule's number, a sentence, and the spots to light up."""

    rule: str
    text: str
    where: tuple[Spot, ...] = ()

    def __post_init__(self) -> None:
        if not self.text.isprintable():  # it names a word of an event that others wrote
            force_setattr(self, "text", one_line(self.text))


class Cost(Struct, frozen=True):
    """The penalty for an illegal move that was taken back (UMO-5)."""

    event: Event
    """The legal event that charges it."""
    breach: Violation
    """The same in a sentence."""


class ToMove(Struct, frozen=True, tag="to-move"):
    """A move of one of these seats is due."""

    seats: tuple[Seat, ...]


class ToRoll(Struct, frozen=True, tag="to-roll"):
    """A seat must roll these dice (kinds of `Die`)."""

    seat: Seat
    dice: tuple[str, ...]


class ToDraw(Struct, frozen=True, tag="to-draw"):
    """A seat must draw `count` pieces from `source`; `shown` says whether all may see them."""

    seat: Seat
    count: int
    source: str
    shown: bool


class Over(Struct, frozen=True, tag="over"):
    """The end of the game: see `State.outcome`."""


Expect = ToMove | ToRoll | ToDraw | Over


def seats_to_move(due: Expect) -> tuple[Seat, ...]:
    """The seats of which a move is due; none while dice or draws are."""
    return due.seats if isinstance(due, ToMove) else ()


def seats_due(due: Expect) -> tuple[Seat, ...]:
    """The seats that must do something: move, roll or draw."""
    return due.seats if isinstance(due, ToMove) else () if isinstance(due, Over) else (due.seat,)


def named_seat(event: Event) -> Seat | None:
    """The seat that an event names; None where events of its kind name none."""
    named = getattr(event, "seat", None)
    return named if isinstance(named, int) else None


Points = int | float
"""Whole in nearly every game; where six points are split among four players, each has one and a half (CAS-8)."""


class ScoreLine(Struct, frozen=True):
    """One entry of a score sheet: "3 edges x 4, bonus x2 = 24" under rule TRI-19."""

    points: Points
    rule: str
    text: str


class Score(Struct, frozen=True):
    """A seat's (or team's) total, and the lines that add up to it, oldest first."""

    total: Points
    lines: tuple[ScoreLine, ...] = ()

    @staticmethod
    def of(lines: Iterable[ScoreLine]) -> Score:
        """The sum of these lines."""
        kept = tuple(lines)
        return Score(sum([line.points for line in kept]), kept)


class Outcome(Struct, frozen=True):
    """How a game ended: seats in places, the first place first, ties together, and the rule that ended it."""

    places: tuple[tuple[Seat, ...], ...]
    rule: str
    text: str


class State(Protocol):
    """One position of a game."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    def expects(self) -> Expect:
        """The event that must come next."""

    def legal_moves(self) -> Sequence[Move]:
        """Every legal move of the seats to move, in a stable order; empty unless `ToMove`.

        A move with several notations is listed in one, and a word without effect is not listed. If a list would be
        unbounded, as the takes of a crowded Casino board, it holds a part; `violations` knows all.
        """

    def violations(self, move: Move, /) -> tuple[Violation, ...]:
        """The rules that `move` breaks; empty if and only if it is legal.

        Dice and draws are explained as moves are: `apply` refuses an event that breaks a rule, with the same sentences.
        """

    def apply(self, event: Event) -> Self:
        """The position after `event`; self never changes.

        Raises:
            IllegalMove: The move breaks rules.
            BadEvent: The position does not expect such an event.
            GameOver: The game has ended.
        """

    def apply_unchecked(self, event: Event) -> Self:
        """The position after `event`, legal or not: an illegal event is carried out if the whole table lets it stand.

        Raises:
            BadEvent: It cannot be carried out at all, such as a piece on an occupied cell.
            GameOver: The game has ended.
        """

    def scores(self) -> tuple[Score, ...]:
        """Scores by seat."""

    def outcome(self) -> Outcome | None:
        """How it ended, or None while it goes on."""

    def layout(self) -> Layout:
        """The expected reading of a camera above the table."""
