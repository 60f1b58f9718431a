"""Look twice before saying anything that people have to answer.

A reading that is not decisive is kept, and the eyes are asked for another one. Only what two readings of the same table
say together is refused or asked about, or accepted although a part of it left no trace: a single glare or shadow never
interrupts a game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.contract import State
from companion.layout import Layout
from companion.matching import agree, merge
from companion.verdict import Accepted, Pending, Refused, Unclear, Verdict

LOOKING = "Something on the table looks unusual. Looking once more before judging it."


class Considered(NamedTuple):
    """A verdict, and whether the eyes should look again to make surer of it."""

    verdict: Verdict
    again: bool


class ReadingDebouncer:
    """The last reading that was not decisive."""

    def __init__(self) -> None:
        self._first: Layout | None = None

    def update(
        self,
        judge: Callable[[Layout], Verdict],
        glance: Callable[[Layout], Verdict],
        state: State,
        layout: Layout,
        second: Layout | None,
    ) -> Considered:
        """The verdict on a reading, together with an earlier or a second one where it matters.

        :param judge: the verdict on two looks together.
        :param glance: the verdict on a layout by itself; nobody is accused of it.
        :param second: an independent second reading of the same picture.
        """
        first = self._first
        if first is not None and _is_further_look(first, layout):
            self._first = None
            return Considered(judge(merge(first, layout)), False)
        verdict = glance(layout)
        if _is_decisive(verdict):
            self._first = None
            return Considered(verdict, False)
        others = [other for other in (self._first, second) if other is not None and agree(state, other, layout)]
        self._first = layout
        if others:
            return Considered(judge(merge(others[0], layout)), False)
        return Considered(verdict if isinstance(verdict, Pending) else Pending(LOOKING), True)

    def forget(self) -> None:
        """The position has changed, or a person has spoken: earlier readings say nothing about what is there now."""
        self._first = None


def _is_further_look(first: Layout, layout: Layout) -> bool:
    """Whether a reading by eyes that follow things shows nothing that the one before did not show: the same moment."""
    before, now = ({one.place for heap in seen.heaps.values() for one in heap if one.place} for seen in (first, layout))
    return bool(before) and now <= before


def _is_decisive(verdict: Verdict) -> bool:
    """Whether one look is enough: not for what people must answer, nor for moves of which a part left no trace."""
    return not isinstance(verdict, Refused | Unclear | Pending) and not (
        isinstance(verdict, Accepted) and verdict.unseen
    )
