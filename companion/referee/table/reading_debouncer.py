"""Look several times before saying anything that people have to answer.

A reading that is not decisive is kept, and the eyes are asked for another one. Only what three readings of the same
table say together is refused or asked about, and only what two say is accepted although a part of it left no trace: a
single glare or shadow never interrupts a game.
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
"""So many looks are needed to accept a move of which a part left no trace, or which rests on a misread piece."""


class Considered(NamedTuple):
    """A verdict, what it rests on, and whether the eyes should look again to make surer of it."""

    verdict: Verdict
    seen: Layout
    """All looks at this table so far, as one; `Layout.looks` counts them by place."""
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
        """The verdict on a reading, together with the looks at the same table before and after it.

        Args:
            judge: The verdict on all needed looks.
            glance: The verdict on fewer; it accuses no player.
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
        """Forgets earlier readings: the position has changed, or a person has spoken."""
        self._looks = ()


def _is_decisive(verdict: Verdict, looks: int) -> bool:
    """Returns true if that number of looks is enough: not for questions, nor for events without a trace."""
    if isinstance(verdict, Refused | Unclear | Pending):
        return False
    rests_on_more = isinstance(verdict, Accepted) and (verdict.unseen or verdict.given is not None)
    return not (rests_on_more and looks < TRACELESS)
