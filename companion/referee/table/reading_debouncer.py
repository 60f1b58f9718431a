"""Looks several times before it says anything that people have to answer.

A reading that is not decisive is kept, and the eyes are asked for another one. A refusal or a question needs three
readings of the same table together, and a move that partly left no trace needs two. So a single glare or shadow never
interrupts a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.core.contract import State
from companion.core.layout import Layout
from companion.core.verdict import Accepted, Pending, Refused, Unclear, Verdict
from companion.referee.matching import LOOKS, agree, merge

LOOKING = "Something on the table looks unusual. Looking once more before judging it."
TRACELESS = 2
"""The number of looks that are needed to accept a move that partly left no trace, or that relies on a misread piece."""


class Considered(NamedTuple):
    """A verdict, the reading on which it relies, and whether the eyes should look again."""

    verdict: Verdict
    seen: Layout
    """The combination of all looks at this table so far; `Layout.looks` counts them by place."""
    again: bool


class ReadingDebouncer:
    """The looks at a steady table that were not decisive."""

    def __init__(self) -> None:
        self._looks: tuple[Layout, ...] = ()

    def update(
        self,
        judge: Callable[[Layout], Verdict],
        glance: Callable[[Layout], Verdict],
        state: State,
        layout: Layout,
        further: Sequence[Layout] = (),
    ) -> Considered:
        """Returns the verdict on a reading, together with the previous and further looks at the same table.

        Args:
            judge: Returns the verdict on all needed looks.
            glance: Returns the verdict on fewer looks; it accuses no player.
            further: Further readings of the same picture, if there is only one picture.
        """
        same = bool(self._looks) and (layout.again or agree(state, self._looks[-1], layout))
        looks = (*self._looks, layout) if same else (layout,)
        looks = (*looks, *further)[-LOOKS:]
        seen = merge(*looks)
        verdict = glance(seen) if len(looks) < LOOKS else judge(seen)
        decisive = _is_decisive(verdict, len(looks))
        self._looks = () if decisive else looks
        if decisive or len(looks) == LOOKS:
            return Considered(verdict, seen, False)
        return Considered(verdict if isinstance(verdict, Pending) else Pending(LOOKING), seen, True)

    def forget(self) -> None:
        """Forgets earlier readings, because the position has changed or a person has decided."""
        self._looks = ()


def _is_decisive(verdict: Verdict, looks: int) -> bool:
    """True if this number of looks is enough; it never is for questions and refusals."""
    if isinstance(verdict, Refused | Unclear | Pending):
        return False
    rests_on_more = isinstance(verdict, Accepted) and (verdict.unseen or verdict.given is not None)
    return not (rests_on_more and looks < TRACELESS)
