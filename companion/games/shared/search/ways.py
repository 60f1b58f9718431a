"""Ways that legal events lead from a position toward a seen table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from math import inf
from typing import Any, Generic, NamedTuple, TypeVar

from companion.core.layout import Layout

T = TypeVar("T")


def once_a_picture(worked_out: Callable[[Layout], T]) -> Callable[[Layout], T]:
    """Returns a function that computes the same as `worked_out` and keeps its last answer for the same layout.

    A layout cannot be hashed, and a search asks about the same object some hundred times.
    """
    last: tuple[Layout, T] | None = None

    def kept(seen: Layout) -> T:
        nonlocal last
        held = last  # another table's thread may put its own there meanwhile
        if held is not None and held[0] is seen:
            return held[1]
        found = worked_out(seen)
        last = (seen, found)
        return found

    return kept


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
    """Yields the positions that legal events reach from `state`, nearest first, each of them once.

    Args:
        further: The events that may lead on from a position.
        depth: No more events than this.
        breadth: No more positions than this.
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


def first_step(
    found: Iterable[EventWay[Any, Move]], seen: Layout, illegal: Callable[[Any], Move | None], lead: float = inf
) -> Move | None:
    """Returns the first event of the shortest sequence that turns the position into `seen`; only its last event may be
    illegal.

    Args:
        found: The legal ways, nearest first.
        illegal: The illegal event that alone turns a position into `seen`, if there is one.
        lead: It comes after at most so many legal ones.
    """
    legal = list(found)
    for way in legal:
        if way.first is not None and not way.here.layout().differences(seen):
            return way.first
    near = [way for way in legal if way.steps <= lead]
    broken = [(way, event) for way in near if (event := illegal(way.here)) is not None]
    if not broken:
        return None
    way, event = min(broken, key=lambda one: (one[0].steps, len(one[0].here.violations(one[1]))))
    return event if way.first is None else way.first


def without_order(state: object, events: Sequence[Any]) -> Hashable:
    """Returns the key by which two ways differ if the order of events does not matter (`Proposer.history_key`)."""
    return frozenset(Counter(events).items())
