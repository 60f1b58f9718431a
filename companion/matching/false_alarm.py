"""A false alarm: what was told last never happened, and one piece alone was misread."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from companion.layout import Layout, Spot
from companion.matching.evidence import Evidence
from companion.matching.memory import Memory
from companion.matching.rereading import FARTHEST
from companion.matching.standpoint import Account, Standpoint
from companion.pieces import Piece
from companion.verdict import Accepted, Reread


class FalseAlarm(NamedTuple):
    """The account that what was told last never happened, followed from reading to reading."""

    told: Any
    """The position that stands if it did happen."""
    account: Account
    """The position before it, without events since."""

    def followed(self, memory: Memory, here: Standpoint, layout: Layout) -> FalseAlarm | None:
        """The same after one more reading that shows nothing new; None if it is too unlikely by now.

        :param memory: of the table for whoever believes that it happened.
        """
        if self.told != here.state:
            return None
        cost = self.account.cost - _against(memory, self.told, layout)
        return _weighed(self.account._replace(cost=cost), here, layout)


def suspected(before: Any, told: Accepted, memory: Memory, here: Standpoint, layout: Layout) -> FalseAlarm | None:
    """The account that what a reading was taken for never happened; None if it did by far, or more was misread.

    :param before: the position before it. :param here: where the game stands after it.
    """
    given = _one_misread(before, here.state, here.row - len(told.events))
    if given is None:
        return None
    return _weighed(Account((), before, memory, -told.cost, given), here, layout)


def _weighed(account: Account, here: Standpoint, layout: Layout) -> FalseAlarm | None:
    cost = max(0.0, account.cost + _against(account.memory, account.state, layout))
    if cost > FARTHEST:
        return None
    memory = account.memory.taken(account.state.layout(), layout, here.row, "event")
    return FalseAlarm(here.state, account._replace(memory=memory, cost=cost))


def _against(memory: Memory, state: Any, layout: Layout) -> float:
    """All that a reading says against a position, in nats, to who remembers the table so."""
    table = state.layout()
    return Evidence(memory.seen(layout), memory.away(layout), fresh=memory.fresh(layout), before=table).total(table)


def _one_misread(before: Any, since: Any, row: int) -> Reread | None:
    """What was misread if a position still stands, one piece alone being more or fewer `since`; None if more has.

    :param row: number of the row after which it stood.
    """
    then, now = before.layout(), since.layout()
    if then.cells != now.cells:
        return None
    found: list[tuple[Spot, Piece | None, Piece | None]] = []
    for spot in {**then.heaps, **now.heaps}:
        was, there = (Counter(one.piece for one in table.heaps.get(spot, ())) for table in (then, now))
        found += [(spot, piece, None) for piece in (there - was).elements()]
        found += [(spot, None, piece) for piece in (was - there).elements()]
    # Of a piece that nobody knows, more or fewer look alike.
    if len(found) != 1 or found[0][1] is found[0][2]:
        return None
    return Reread(*found[0], row, before)
