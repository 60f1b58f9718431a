"""A value that a frozen state works out once and keeps.

States are compared, hashed and written by their fields alone; what follows from the fields is kept beside them. This
is `functools.cached_property` without its lock (Python 3.11 takes one each time): two threads that ask at once
compute the same value twice, which is harmless because states never change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


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
