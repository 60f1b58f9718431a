"""A search computes what it takes from a picture once, however many positions need it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from companion.core.layout import Layout

T = TypeVar("T")


def once_a_picture(worked_out: Callable[[Layout], T]) -> Callable[[Layout], T]:
    """The same function, which keeps its answer for the layout that it was asked about last.

    A layout cannot be hashed, and a search asks about the same object some hundred times.
    """
    last: tuple[Layout, T] | None = None

    def kept(seen: Layout) -> T:
        nonlocal last
        held = last  # another table's thread may put its own there meanwhile
        if held is not None and held[0] is seen:
            return held[1]
        found = worked_out(seen)
        last = (seen, found)
        return found

    return kept
