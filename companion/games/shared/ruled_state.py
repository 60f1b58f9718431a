"""The parts of a state that are the same in nearly all games: the handling of events, and values worked out once.

States are compared, hashed and written by their fields alone; what follows from the fields is kept beside them. A value
that is `lazy` is like `functools.cached_property` without its lock (Python 3.11 takes one each time): two threads that
ask at once compute the same value twice, which is harmless because states never change.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, Self, TypeVar, overload

from companion.core.contract import Drawn, Expect, Over, Rolled, Seat, Shown, Violation
from companion.core.foundation.errors import BadEvent, GameOver, IllegalMove

# One bound for tables that fill as games are played: the oldest entry goes first.
#
# Play repeats a position soon or hardly ever, so a few thousand entries serve as well as all. Without a bound a server
# that runs for weeks would keep the tables of every position.


class Bound:
    """The most entries that some tables keep together. Tables may be asked by several threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._entries: deque[tuple[dict[Any, Any], Hashable]] = deque()

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, table: dict[Any, Any], key: Hashable) -> None:
        """Counts a new entry of a table, and removes the oldest entries beyond the bound."""
        self._entries.append((table, key))
        while len(self._entries) > self.most:
            try:
                oldest, gone = self._entries.popleft()
            except IndexError:  # another thread let go of the rest
                return
            oldest.pop(gone, None)


T = TypeVar("T")


class LazyList(Sequence[T]):
    """A list that knows its length and makes its entries one by one."""

    @abstractmethod
    def _made(self, place: int) -> T:
        """Returns the entry at a place from 0 up to the length."""

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        if isinstance(at, slice):
            return [self._made(place) for place in range(*at.indices(len(self)))]
        length = len(self)
        place = at + length if at < 0 else at
        if not 0 <= place < length:
            raise IndexError(at)
        return self._made(place)


class lazy(Generic[T]):  # noqa: N801 - it reads as a decorator, like `property`
    """A method without arguments that is called at most once for each object; needs `Struct(dict=True)`."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work = work
        self.name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> Self: ...
    @overload
    def __get__(self, owner: object, kind: type) -> T: ...
    def __get__(self, owner: object | None, kind: type) -> T | Self:
        if owner is None:
            return self
        value = owner.__dict__[self.name] = self.work(owner)
        return value


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
