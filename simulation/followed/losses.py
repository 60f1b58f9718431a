"""Counts the events that no row records, by the cause that kept the referee from recording them.

An event is lost if record and table agree again, or the game ends, without a row that records it. Its cause is the
situation in the picture that first showed it. If a question names an event correctly and nobody answers, the referee
cannot record the event: no later picture may settle it.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

from companion.core.layout import Difference, Layout

Cause = Literal["asked", "asked otherwise", "behind a question", "out of sight", "wrong row", "waits", "silent"]
"""The cause that kept an event from being recorded.

asked: a question named it, and nobody answered. asked otherwise: a question did not name it. behind a question: an
earlier question was still open. out of sight: the moved things cannot be seen. wrong row: another event was recorded.
waits: the referee announced that it cannot judge something yet. silent: the referee reported nothing.
"""

Misread = Literal["never", "before", "now"]
"""The time at which a picture was misread. never: its reading is correct. before: it repeats misreadings of an earlier
picture. now: it has new misreadings.
"""


class Loss(NamedTuple):
    """The reason why an event is not recorded yet."""

    cause: Cause
    misread: Misread
    """The time at which the picture that first showed the event was misread."""

    @property
    def can_be_known(self) -> bool:
        """True if a referee that never guesses could have known the event: it was in view and read right, and no
        question about it was left open.
        """
        return self.misread != "now" and self.cause in ("asked otherwise", "wrong row", "waits", "silent")


class Losses:
    """The unrecorded events of one game: those still due, and those lost."""

    def __init__(self) -> None:
        self.lost: Counter[Loss] = Counter()
        self.shown: Counter[Misread] = Counter()
        """The number of events, by when the picture that first showed them was misread."""
        self._waiting: dict[str, list[Loss]] = {}

    def after_picture(self, due: Counter[str], loss: Loss) -> None:
        """Updates the events that are due after a picture and the answers to its questions.

        Args:
            loss: The reason why the newly due events are not recorded.
        """
        for key in {*self._waiting, *due}:
            held = self._waiting.setdefault(key, [])
            del held[due[key] :]
            held += [loss] * (due[key] - len(held))

    def name(self, keys: Counter[str]) -> None:
        """Marks due events as named by an open question.

        Args:
            keys: The keys of the events, as in `Ledger.due`.
        """
        for key, count in keys.items():
            for place in range(min(count, len(self._waiting.get(key, ())))):
                self._waiting[key][place] = self._waiting[key][place]._replace(cause="asked")

    def settle(self) -> None:
        """Counts all events that are still due as lost."""
        self.lost.update(loss for held in self._waiting.values() for loss in held)
        self._waiting.clear()


class MisreadSpots:
    """The spots of one table whose readings differ from the truth."""

    def __init__(self) -> None:
        self._known: frozenset[Difference] = frozenset()

    def look(self, layout: Layout, truth: Layout) -> Misread:
        """Returns when the reading of a picture was misread.

        Args:
            truth: The true layout of everything in view.
        """
        found = frozenset(truth.differences(Layout(layout.cells, layout.heaps, partial=layout.partial)))
        known, self._known = self._known, found
        return "never" if not found else "before" if found <= known else "now"
