"""Things that only some of the looks at a steady table showed: they never suffice for an accusation or, alone, for a
move.

Hardly any look mistakes a pattern or a shadow for a piece, but every look shows a piece that stands there. Readers
mark the things that they have only glimpsed (`Detection.glimpsed`), and readings that are taken together count how many
of them showed each thing (`Layout.looks`). A thing that fewer showed than were taken may confirm what else has changed,
as a piece that has left another place; alone it is asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Stack
from companion.referee.matching.memory import Memory
from companion.referee.matching.rereading import DOUBTFUL

LOOKS = 3
"""The number of looks at one steady table that an accusation and a question need, where looks are counted. More looks
add little, because they share most of their mistakes, and three take about two seconds."""


def fewest_looks(layout: Layout, memory: Memory, spots: Iterable[Spot]) -> int:
    """Returns the smallest number of looks that showed a new piece of some heaps; `LOOKS` if looks are not counted."""
    if not layout.looks:
        return LOOKS
    return min((layout.looks_at(spot, one) for spot, one in _come(layout, memory, spots)), default=LOOKS)


def is_glimpse(layout: Layout, memory: Memory, before: Layout, after: Layout) -> bool:
    """Returns true if a move rests only on things that fewer looks showed than were taken.

    A single look must be sure that one of them is a piece of any kind; otherwise only further looks can show that it
    was no glimpse.

    Args:
        before: The table that the position predicts; `after`: the table after the move.
    """
    if any(after.cells.get(spot) != cell for spot, cell in before.cells.items()):
        return False
    most = max(layout.looks.values(), default=0)
    brings, takes = set(), set()
    for spot, heap in after.heaps.items():
        held, holds = (Counter(one.piece for one in heaps) for heaps in (before.heaps.get(spot, ()), heap))
        if holds - held:
            brings.add(spot)
        if held - holds:
            takes.add(spot)
    come = [(spot, one) for spot, one in _come(layout, memory, brings) if one.place]
    if not come or any(_is_well_seen(layout, spot, one, most) for spot, one in come):
        return False
    return not any(_has_left(layout, memory, spot) for spot in takes)


def _come(layout: Layout, memory: Memory, spots: Iterable[Spot]) -> Iterator[tuple[Spot, Detection]]:
    """Yields the things in some heaps of a reading that the memory does not have there."""
    for spot in spots:
        for one in layout.heaps.get(spot, ()):
            belief = memory.places.get(one.place)
            grown = belief is not None and isinstance(belief.piece, Stack) and belief.piece != one.piece
            if belief is None or grown:  # A stack keeps its place when it grows.
                yield spot, one


def _is_well_seen(layout: Layout, spot: Spot, one: Detection, most: int) -> bool:
    """Returns true if all looks showed a thing, and, if there was a single look, it surely showed a piece."""
    there = sum(candidate.probability for candidate in one.candidates if candidate.piece is not None)
    return layout.looks_at(spot, one) >= most and (most != 1 or there >= DOUBTFUL)


def _has_left(layout: Layout, memory: Memory, spot: Spot) -> bool:
    """Returns true if a place where a heap's piece is remembered no longer shows anything."""
    shown = {one.place for heap in layout.heaps.values() for one in heap} | layout.hidden
    return any(
        belief.spot == spot and belief.piece is not None and belief.read.place and key not in shown
        for key, belief in memory.places.items()
    )
