"""Ways that legal events lead from a position toward a seen table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

State = TypeVar("State")
Move = TypeVar("Move")


class EventWay(NamedTuple, Generic[State, Move]):
    """A position reached by legal events."""

    here: State
    first: Move | None
    """The event that it begins with; None at the start."""
    steps: int


def ways(
    state: State, further: Callable[[State], Iterable[Move]], depth: int, breadth: int
) -> Iterator[EventWay[State, Move]]:
    """Positions on legal ways from here, nearest first, each of them once.

    :param further: the events that may lead on from a position.
    :param depth: no more events than this.
    :param breadth: no more positions than this.
    """
    known = {state}
    wave: list[EventWay[State, Move]] = [EventWay(state, None, 0)]
    for _ in range(depth + 1):
        yield from wave
        after: list[EventWay[State, Move]] = []
        for way in wave:
            here: Any = way.here
            for event in further(way.here):
                then = here.apply(event)
                if then not in known and len(known) < breadth:
                    known.add(then)
                    after.append(EventWay(then, event if way.first is None else way.first, way.steps + 1))
        wave = after
