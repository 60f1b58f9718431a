"""Values that are made when they are first asked for, and kept.

States are compared, hashed and written by their fields alone; what follows from the fields is kept beside them. A value
that is `lazy` is like `functools.cached_property` without its lock (Python 3.11 takes one each time): two threads that
ask at once compute the same value twice, which is harmless because states never change. Tables that fill as games are
played have one bound: the oldest entry goes first. Play repeats a position soon or hardly ever, so a few thousand
entries serve as well as all; without a bound a server that runs for weeks would keep the tables of every position.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, Self, TypeVar, overload


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
