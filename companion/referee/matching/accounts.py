"""Accounts: other ways to understand what the table has shown, each with its cost.

A picture seldom proves what happened. So beside the record, the referee keeps every account that the pictures allow:
answers to a question that has not been answered, a rival of the row that was written, a piece that may have been
misread. An account is kept until a person answers, a picture contradicts it or the game ends; no account closes only
because time passes.

A player is accused only if all legal accounts together explain the reading far worse. They come from many sources: the
same picture, pieces that were misread when they came or just now, the picture before, rows that the record may lack,
and, always, an unknown event. Each has a cost in nats, as the accusation has. So one rule covers every kind of doubt:

    sum over legal accounts of exp(cost(accusation) - cost(account)) <= MOST_DOUBT
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import exp
from typing import Any, NamedTuple

from companion.core.contract import Event
from companion.core.layout import Layout, Spot
from companion.core.pieces import Card, Piece, Special
from companion.core.verdict import Reread
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.memory import Memory

MOST_ACCOUNTS = 8
"""The largest number of accounts that are followed at once, as many as three questions with two answers each make.
Chosen."""


class Standpoint(NamedTuple):
    """Where a game stands when a reading comes in."""

    state: Any
    history: tuple[tuple[int, Any], ...]
    """Earlier positions, oldest first, each with the number of the row after which it stood; 0 stands for the start of
    the game."""
    row: int
    """The number of the last row."""

    @property
    def turn_began(self) -> tuple[int, Any]:
        """Returns the earliest position since which the same event has been due, with the number of its row."""
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
    """The memory of the table after them."""
    cost: float
    """The cost beyond that of the record or the best answer, in nats."""
    given: Reread | None = None
    """The piece that must have been misread before the events, if the account is true; None if it needs no
    misreading."""
    undo: int | None = None
    """The row after which the record is wrong if the account is true; None if the account only adds to the record."""
    confirm: bool = False
    """True if only a person may say that the account is true."""
    illegal: bool = False
    """True if the last event breaks a rule and its result is still on the table. Such an account may excuse later
    events, but it is never written as a row."""

    @property
    def says_something(self) -> bool:
        """True if the account differs from the record."""
        return bool(self.events) or self.given is not None

    def seen(self, layout: Layout, row: int, *, against_record: float) -> Account:
        """Returns the same account after a reading without news.

        Args:
            row: The number of the record's last row.
            against_record: The cost of the reading for the record's position, in nats.
        """
        cost = self.cost + against(self.memory, self.state, layout) - against_record
        return self._replace(memory=self.memory.taken(self.state.layout(), layout, row, "event"), cost=max(0.0, cost))


def against(memory: Memory, state: Any, layout: Layout) -> float:
    """Returns the total cost of a reading for a position, in nats, with this memory of the table."""
    table = state.layout()
    seen, fresh = memory.seen(layout), memory.fresh(layout)
    evidence = Evidence(seen, memory.away(layout), fresh=fresh, before=table, veiled=memory.veiled(layout))
    return evidence.total(table)


def one_misread(before: Any, since: Any, row: int) -> Reread | None:
    """Returns the piece that was misread if a position is in fact unchanged; None unless `since` differs from it in
    exactly one piece.

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
    # Without a known piece, one more and one fewer look the same.
    if len(found) != 1 or found[0][1] is found[0][2]:
        return None
    return Reread(*found[0], row, before)


MOST_DOUBT = 0.135
"""The largest odds of all legal accounts together, against the accusation, at which the accusation is still made. They
are 2 nats, which is also the lead that a legal move of measured pieces needs. An illegal move has a prior of ln 50
against it, so a player who keeps the rules is accused about once in 370 times. `python -m simulation.drawn.games`
checks the value."""
UNTOLD = 10.0
"""Nats (22,000 to 1) against an unknown event. An explanation with a higher cost is not accepted, legal or not.
Chosen."""
UNRECORDED = 2.3
"""Nats (10 to 1) against a row that the record lacks, after an unexplained reading. Chosen."""


def is_plain(cost: float, legal: Iterable[float]) -> bool:
    """Returns true if a player may be accused.

    Args:
        cost: The cost of the accusation, in nats; `legal`: the cost of each legal account.
    """
    return sum(exp(cost - one) for one in (UNTOLD, *legal)) <= MOST_DOUBT


def shows_cards(layout: Layout) -> bool:
    """Returns true if cards were read.

    A deck has 168 of them, and those that look alike are confused by the dozen, so the answers of a question about
    cards are never all of them. What follows from these answers is asked about and accuses nobody.
    """
    read = [*layout.cells.values(), *(one for pile in layout.heaps.values() for one in pile)]
    return any(isinstance(one.piece, Card | Special) for one in read)
