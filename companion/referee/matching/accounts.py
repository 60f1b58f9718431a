"""Accounts: other ways to understand what the table has shown, each with what speaks against it.

A picture seldom proves what happened. So beside the record, the referee keeps every account that the pictures allow:
answers to a question that has not been answered, a rival of the row that was written, a piece that may have been
misread. An account is kept until a person answers, a picture contradicts it or the game ends; time alone closes none.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from companion.core.contract import Event
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece
from companion.core.verdict import Reread
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.memory import Memory

MOST_ACCOUNTS = 8
"""The number of accounts that are followed at once: of three questions with two answers each. Chosen."""


class Standpoint(NamedTuple):
    """Where a game stands when a reading comes in."""

    state: Any
    history: tuple[tuple[int, Any], ...]
    """Earlier positions, oldest first, each with the number of the row after which it stood; 0 is the start."""
    row: int
    """Number of the last row."""

    @property
    def turn_began(self) -> tuple[int, Any]:
        """The earliest position, with the number of its row, since which the same event has been due."""
        began = self.row, self.state
        for earlier in reversed(self.history):
            if earlier[1].expects() != self.state.expects():
                break
            began = earlier
        return began


class Account(NamedTuple):
    """One way to understand what the table has shown."""

    events: tuple[Event, ...]
    """The events since the record's position, or since the row `undo`."""
    state: Any
    """The position after them."""
    memory: Memory
    """The memory of the table if the account is true."""
    cost: float
    """The cost beyond that of the record or the best answer, in nats."""
    given: Reread | None = None
    """The piece that must have been misread before the events."""
    undo: int | None = None
    """The row after which the record is wrong if it is true; None: it only adds to the record."""
    confirm: bool = False
    """True if only a person may say that it is true."""
    illegal: bool = False
    """True if its last event breaks a rule and still stands: it may excuse later events, but is no row."""

    @property
    def says_something(self) -> bool:
        """Returns true unless it is the account that nothing has happened."""
        return bool(self.events) or self.given is not None

    def seen(self, layout: Layout, row: int, *, against_record: float) -> Account:
        """The same account after a reading without news.

        Args:
            row: The number of the record's last row.
            against_record: The cost of the reading for the record's position, in nats.
        """
        cost = self.cost + against(self.memory, self.state, layout) - against_record
        return self._replace(memory=self.memory.taken(self.state.layout(), layout, row, "event"), cost=max(0.0, cost))


def against(memory: Memory, state: Any, layout: Layout) -> float:
    """All that a reading says against a position, in nats, if the table is remembered so."""
    table = state.layout()
    seen, fresh = memory.seen(layout), memory.fresh(layout)
    evidence = Evidence(seen, memory.away(layout), fresh=fresh, before=table, veiled=memory.veiled(layout))
    return evidence.total(table)


def one_misread(before: Any, since: Any, row: int) -> Reread | None:
    """The piece that was misread if a position still stands; None unless one piece alone is more or fewer `since`.

    Args:
        row: The number of the row after which the position stood.
    """
    then, now = before.layout(), since.layout()
    if then.cells != now.cells:
        return None
    found: list[tuple[Spot, Piece | None, Piece | None]] = []
    for spot in {**then.heaps, **now.heaps}:
        was, there = (Counter(one.piece for one in table.heaps.get(spot, ())) for table in (then, now))
        found += [(spot, piece, None) for piece in (there - was).elements()]
        found += [(spot, None, piece) for piece in (was - there).elements()]
    # Of a piece that is not known, more or fewer look alike.
    if len(found) != 1 or found[0][1] is found[0][2]:
        return None
    return Reread(*found[0], row, before)
