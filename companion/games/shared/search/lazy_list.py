"""Lists of moves that are long: each entry is made when it is looked at."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class LazyList(Sequence[T]):
    """A list that knows its length and makes its entries one by one."""

    @abstractmethod
    def _made(self, place: int) -> T:
        """The entry at a place from 0 up to the length."""

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
