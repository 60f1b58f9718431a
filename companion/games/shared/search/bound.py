"""One bound for tables that fill as games are played: the oldest entry goes first.

Play repeats a position soon or hardly ever, so a few thousand entries serve as well as all. Without a bound a server
that runs for weeks would keep the tables of every position.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Any


class Bound:
    """The most entries that some tables keep together. Tables may be asked by several threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._entries: deque[tuple[dict[Any, Any], Hashable]] = deque()

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, table: dict[Any, Any], key: Hashable) -> None:
        """Count an entry that was made in a table, and let go of the oldest ones that are too many."""
        self._entries.append((table, key))
        while len(self._entries) > self.most:
            try:
                oldest, gone = self._entries.popleft()
            except IndexError:  # another thread let go of the rest
                return
            oldest.pop(gone, None)
