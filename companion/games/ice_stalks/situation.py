"""The data of a position of Ice Stalks, and the events that must come next.

Only the order of the rocks in the bag is unknown; their number of each color follows from the rocks laid aside (ICE-4).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, Seat, ToDraw, ToMove
from companion.games.ice_stalks.growth import (
    CODES,
    EACH,
    LARGE,
    RAINBOW,
    SMALL,
    Kind,
    Stalk,
    Stock,
    completable,
    shape,
    steps,
    stock,
)
from companion.games.ice_stalks.moves import PASSES, TAKES, Move, place
from companion.games.ice_stalks.options import Options
from companion.games.shared.lazy import lazy

UNKNOWN = "unknown"
"""The color of a rock that the referee was not shown."""

_OVER = Over()
_Code = Annotated[str, Meta(pattern="^([ROYGCBP][123])+$", max_length=80)]
_Count = Annotated[int, Meta(ge=0, le=EACH)]


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    options: Options
    stalks: tuple[_Code, ...]
    """The growing stalks on the table, sorted by their texts."""
    taken: tuple[tuple[_Code, ...], ...]
    """The stalks that each seat took, oldest first."""
    rocks: Annotated[tuple[_Count, ...], Meta(min_length=7, max_length=7)]
    """For each color, rocks in the bag; an unknown rock in the hand still counts here."""
    turn: Annotated[int, Meta(ge=0)]
    hand: str | None = None
    """The color of the rock that the player to move has drawn, or `UNKNOWN`; None before the draw."""
    done: _Code | None = None
    """The completed stalk that the player to move has still to take."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.taken)

    @property
    def next_seat(self) -> Seat:
        """The seat whose turn comes next (ICE-21)."""
        return (self.turn + 1) % len(self.taken)

    @lazy
    def left(self) -> tuple[int, ...]:
        """For each kind, pieces that were not placed yet (ICE-2)."""
        placed = " ".join([*self.stalks, *[stalk for pile in self.taken for stalk in pile], self.done or ""])
        return tuple([EACH - placed.count(code) for code in CODES])

    @lazy
    def kinds_left(self) -> int:
        """A mask in which bit `kind` is set while a piece of that kind is left."""
        return sum(1 << kind for kind, count in enumerate(self.left) if count > 0)

    @property
    def drawable(self) -> tuple[int, ...]:
        """The rainbow indices of the colors that the rock in the hand may have; empty without a rock."""
        if self.hand is None:
            return ()
        if self.hand == UNKNOWN:
            return tuple(color for color, count in enumerate(self.rocks) if count)
        return (RAINBOW.index(self.hand),)

    def stock(self, color: int) -> Stock:
        """Returns the rocks and pieces left once a rock of this color has left the bag (ICE-12)."""
        rocks = self.rocks
        if self.hand == UNKNOWN:
            rocks = (*rocks[:color], rocks[color] - 1, *rocks[color + 1 :])
        return stock(rocks, self.kinds_left)

    @property
    def is_over(self) -> bool:
        """True if all rocks are drawn and the last piece is placed and taken (ICE-17)."""
        return self.hand is None and self.done is None and not any(self.rocks)

    def expects(self) -> Expect:
        """Returns the event that must come next."""
        if self.hand is not None or self.done is not None:
            return ToMove((self.turn,))
        return ToDraw(self.turn, 1, "bag", True) if any(self.rocks) else _OVER

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move of the player to move (ICE-4 to ICE-12, ICE-16)."""
        if self.done is not None:
            return (TAKES[self.turn],)
        if self.hand is None:
            return ()
        found = tuple([move for color in self.drawable for move in self._placements(color)])
        return found or (PASSES[self.turn],)

    def _placements(self, color: int) -> list[Move]:
        """Returns the additions of a color, or its base if there are none (ICE-6)."""
        found: list[Move] = [place(self.turn, kind, stalk) for stalk, kind in self.additions(color)]
        if not found and self.left[3 * color + LARGE] > 0:
            found.append(place(self.turn, 3 * color + LARGE, ""))
        return found

    def additions(self, color: int) -> tuple[tuple[Stalk, Kind], ...]:
        """Returns every legal addition with a rock of this color in the hand: the stalk and the piece (ICE-7 to
        ICE-12).
        """
        stock = self.stock(color)
        pieces = stock.pieces
        found = []
        before = ""
        for stalk in self.stalks:
            if stalk == before:
                continue
            before = stalk
            for kind, after in steps(shape(stalk)):
                if kind // 3 == color and pieces >> kind & 1 and (after.size == SMALL or completable(after, stock)):
                    found.append((stalk, kind))
        return tuple(found)

    def killing(self, color: int) -> tuple[tuple[Stalk, Kind], ...]:
        """Returns the additions that fit by color and size but leave a dead stalk (ICE-12)."""
        stock = self.stock(color)
        return tuple(
            (stalk, kind)
            for stalk in dict.fromkeys(self.stalks)
            for kind, after in steps(shape(stalk))
            if kind // 3 == color and after.size != SMALL and not completable(after, stock)
        )
