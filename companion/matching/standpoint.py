"""From where a reading is judged: where the game stands, and what a picture that was not judged may have shown."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.contract import Event
from companion.matching.memory import Memory
from companion.verdict import Reread


class Standpoint(NamedTuple):
    """Where a game stands when a reading comes in."""

    state: Any
    history: tuple[tuple[int, Any], ...]
    """Earlier positions, oldest first, each with the number of the row after which it stood; 0 is the start."""
    row: int
    """Number of the last row."""

    @property
    def turn_began(self) -> tuple[int, Any]:
        """The earliest position, with the number of its row, since which the same has been due; by what is known."""
        began = self.row, self.state
        for earlier in reversed(self.history):
            if earlier[1].expects() != self.state.expects():
                break
            began = earlier
        return began


class Account(NamedTuple):
    """One way to understand a picture that was not judged."""

    events: tuple[Event, ...]
    """What happened behind it."""
    state: Any
    """The position then."""
    memory: Memory
    """What is remembered then."""
    cost: float
    """What speaks against it beside the others, in nats."""
    given: Reread | None = None
    """What must have been misread before."""
