"""What speaks against it that what was told last never happened, and what was misread if it did not."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.layout import Layout, Spot
from companion.matching.evidence import Evidence
from companion.matching.memory import Memory
from companion.pieces import Piece
from companion.verdict import Reread


def against(memory: Memory, state: Any, layout: Layout) -> float:
    """All that a reading says against a position, in nats, to who remembers the table so."""
    table = state.layout()
    return Evidence(memory.seen(layout), memory.away(layout), fresh=memory.fresh(layout), before=table).total(table)


def one_misread(before: Any, since: Any, row: int) -> Reread | None:
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
    if len(found) != 1 or found[0][1] is found[0][2]:
        return None
    return Reread(*found[0], row, before)
