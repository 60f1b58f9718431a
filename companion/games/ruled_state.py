"""What positions of nearly all games do alike when an event comes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Self

from companion.contract import Breach, Drawn, Rolled, Shown
from companion.errors import BadEvent, GameOver, IllegalMove


class RuledState:
    """The rules of a position (the contract's `State`); a game says what an event does, and what a forced one does."""

    __slots__ = ()

    moves: Any
    """Every legal move of the seats to move, worked out once."""

    def legal_moves(self) -> Sequence[Any]:
        """Every legal move of the seats to move, in the order of `moves`."""
        moves: Sequence[Any] = self.moves
        return moves

    @abstractmethod
    def explain(self, move: Any, /) -> tuple[Breach, ...]:
        """The rules that a move, or told dice or pieces, break; empty if and only if it may happen now."""

    def apply(self, event: Any, force: bool = False) -> Self:
        """The position after `event`; self never changes.

        :param force: carry out an illegal event that the whole table lets stand, if it can be (`_forced`).
        :raises IllegalMove: a move breaks rules.
        :raises BadEvent: what is told of dice or pieces is not what the position waits for.
        :raises GameOver: the game has ended.
        """
        if force and (found := self.explain(event)):
            return self._forced(event, found)
        return self._applied(event)

    @abstractmethod
    def _applied(self, event: Any) -> Self:
        """The position after an event that may happen now; raises as `apply` does if it may not."""

    @abstractmethod
    def _forced(self, event: Any, found: tuple[Breach, ...]) -> Self:
        """The position after an illegal event, which breaks these rules and stands all the same."""


def sentences(found: Iterable[Breach]) -> str:
    """Broken rules with their numbers, one after the other."""
    return " ".join(f"{breach.rule}: {breach.text}" for breach in found)


def refusal(event: Any, found: tuple[Breach, ...], is_over: bool) -> IllegalMove | BadEvent | GameOver:
    """Why an event is refused that breaks these rules: a move, or what is told of dice and pieces."""
    if is_over:
        return GameOver(sentences(found))
    return BadEvent(sentences(found)) if isinstance(event, Drawn | Shown | Rolled) else IllegalMove(found)
