"""Events that no row tells, by what kept the referee from telling them.

An event is lost if record and table agree again, or the game ends, without a row that tells it. Its cause is what was
so in the picture that first showed it. An event that a question names truly, and that nobody answers, is not the
referee's to tell: no later picture may settle it.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from companion.core.layout import Difference, Layout

Cause = Literal["asked", "asked otherwise", "behind a question", "out of sight", "wrong row", "waits", "silent"]
"""What kept an event from being told.

asked: a question named it, and nobody answered. asked otherwise: a question did not name it. behind a question: an
earlier question was left open. out of sight: what was moved cannot be seen. wrong row: something else was written.
waits: it was said that something cannot be judged yet. silent: nothing was said.
"""

Misread = Literal["never", "before", "now"]
"""When a picture was misread. never: it reads as the table is. before: an earlier picture was misread too. now: what
has changed is misread.
"""


class Loss(NamedTuple):
    """The reason why an event still waits to be told."""

    cause: Cause
    misread: Misread
    """When what lies on the table was misread, as of the picture that first showed the event."""

    @property
    def can_be_known(self) -> bool:
        """True if a referee who never guesses may have known the event: it was in view and read right, and no question
        about it was left open."""
        return self.misread != "now" and self.cause in ("asked otherwise", "wrong row", "waits", "silent")


class Losses:
    """The events of one game that wait to be told, and those that never were."""

    def __init__(self) -> None:
        self.lost: Counter[Loss] = Counter()
        self.shown: Counter[Misread] = Counter()
        """Events by when the picture that first showed them was misread."""
        self._waiting: dict[str, list[Loss]] = {}

    def after_picture(self, due: Counter[str], loss: Loss) -> None:
        """Follows the events that are due after a picture, its answers included.

        :param loss: what keeps the events from being told that were not due before.
        """
        for key in {*self._waiting, *due}:
            held = self._waiting.setdefault(key, [])
            del held[due[key] :]
            held += [loss] * (due[key] - len(held))

    def name(self, keys: Counter[str]) -> None:
        """An open question names events that wait to be told.

        :param keys: what they are known by.
        """
        for key, count in keys.items():
            for place in range(min(count, len(self._waiting.get(key, ())))):
                self._waiting[key][place] = self._waiting[key][place]._replace(cause="asked")

    def settle(self) -> None:
        """Counts all events that still wait as lost."""
        self.lost.update(loss for held in self._waiting.values() for loss in held)
        self._waiting.clear()


class MisreadSpots:
    """The spots of one table that are read otherwise than they are."""

    def __init__(self) -> None:
        self._known: frozenset[Difference] = frozenset()

    def look(self, layout: Layout, truth: Layout) -> Misread:
        """Returns when what a picture shows was misread.

        :param truth: what is in view.
        """
        found = frozenset(truth.differences(Layout(layout.cells, layout.heaps, partial=layout.partial)))
        known, self._known = self._known, found
        return "never" if not found else "before" if found <= known else "now"
