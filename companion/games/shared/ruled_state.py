"""The handling of events that is the same in nearly all games."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Self

from companion.core.contract import Drawn, Expect, Over, Rolled, Seat, Shown, Violation
from companion.core.foundation.errors import BadEvent, GameOver, IllegalMove


def places(reached: Iterable[Any], *, least_first: bool = False) -> tuple[tuple[Seat, ...], ...]:
    """Returns the seats ordered by their results, the highest first; equal results share a place.

    >>> places([7, 12, 7])
    ((1,), (0, 2))
    """
    seats: dict[Any, list[Seat]] = {}
    for seat, rank in enumerate(reached):
        seats.setdefault(rank, []).append(seat)
    return tuple(tuple(seats[rank]) for rank in sorted(seats, reverse=not least_first))


class RuledState:
    """The rules of a position (the contract's `State`); a game implements the effect of legal and forced events."""

    __slots__ = ()

    moves: Any
    """Every legal move of the seats to move, computed once."""

    def legal_moves(self) -> Sequence[Any]:
        """Returns every legal move of the seats to move, in the order of `moves`."""
        moves: Sequence[Any] = self.moves
        return moves

    @abstractmethod
    def expects(self) -> Expect:
        """Returns the event that must come next."""

    @abstractmethod
    def violations(self, move: Any, /) -> tuple[Violation, ...]:
        """Returns the rules that a move, or entered dice or pieces, break; empty if and only if the event is legal
        now.
        """

    def apply(self, event: Any) -> Self:
        """Returns the position after `event`; self never changes.

        Raises:
            IllegalMove: A move breaks rules.
            BadEvent: The entered dice or pieces are not those that are due.
            GameOver: The game has ended.
        """
        return self._applied(event)

    def apply_unchecked(self, event: Any) -> Self:
        """Returns the position after `event`, legal or not: the whole table accepts an illegal event if it can be
        carried out.

        Raises:
            BadEvent: It cannot be carried out on the table.
            GameOver: The game has ended.
        """
        if not (found := self.violations(event)):
            return self._applied(event)
        if isinstance(self.expects(), Over):
            raise GameOver(sentences(found))
        after = self._forced(event, found)
        if after is None:
            raise BadEvent(f"This cannot be carried out on the table. {sentences(found)}")
        return after

    def _applied(self, event: Any) -> Self:
        """Returns the position after a legal event; raises the same errors as `apply` for any other.

        Games may override it with a faster way for their most frequent events.
        """
        found = self.violations(event)
        if found:
            raise refusal(event, found, isinstance(self.expects(), Over))
        return self._done(event)

    @abstractmethod
    def _done(self, event: Any) -> Self:
        """Returns the position after an event, legal or not, that can be carried out."""

    @abstractmethod
    def _forced(self, event: Any, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal event that the whole table accepts; None if it cannot be carried out.

        Args:
            found: The rules that it breaks; never that the game is over.
        """


def sentences(found: Iterable[Violation]) -> str:
    """Returns broken rules with their numbers as one text."""
    return " ".join(f"{breach.rule}: {breach.text}" for breach in found)


def refusal(event: Any, found: tuple[Violation, ...], is_over: bool) -> IllegalMove | BadEvent | GameOver:
    """Returns the error for an event that breaks these rules: one for a move, another for entered dice or pieces."""
    if is_over:
        return GameOver(sentences(found))
    return BadEvent(sentences(found)) if isinstance(event, Drawn | Shown | Rolled) else IllegalMove(found)
