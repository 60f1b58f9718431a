"""Legal accounts that leave no trace: dice rolled twice between two pictures, or a pawn that went out and came back.

A search that is guided by what is seen never finds them, because nothing in the picture calls for them. They are rare,
but where one exists an accusation would rest on a picture that was not taken, so the table is asked instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from companion.contract import Event, Rolled
from companion.errors import MoveError

ROLLS = 400
"""So many falls of the dice are tried."""
POSITIONS = 300
"""So many positions are looked at on the way out and back."""


def rolled_twice(state: Any, events: Sequence[Event]) -> bool:
    """Whether all would be legal after another roll: the one that lies there may be the next player's.

    :param events: legal ones with a roll among them, and an illegal one at the end.
    """
    at = next((place for place, event in enumerate(events[:-1]) if isinstance(event, Rolled)), None)
    if at is None:
        return False
    try:
        before = _after(state, events[:at])
    except MoveError:
        return False
    for fall, _ in islice(before.chances(), ROLLS):
        try:
            _after(before, (fall, *events[at + 1 :]))
        except MoveError:
            continue
        return True
    return False


def way_out_and_back(state: Any, events: Sequence[Event]) -> tuple[Event, ...]:
    """The same with legal moves put in that leave the table as it was, so that an illegal roll is legal; () without.

    :param events: legal ones, and an illegal one at the end.
    """
    last = events[-1]
    if not isinstance(last, Rolled):
        return ()
    try:
        before = _after(state, events[:-1])
    except MoveError:
        return ()
    table = before.layout()
    reached: set[Any] = {before}
    frontier: list[tuple[tuple[Event, ...], Any]] = [((), before)]
    while frontier:
        way, here = frontier.pop(0)
        for move in here.legal_moves():
            then = here.apply(move)
            if then in reached:
                continue
            if len(reached) == POSITIONS:
                return ()
            reached.add(then)
            if not then.explain(last) and not table.differences(then.layout()):
                return (*events[:-1], *way, move, last)
            frontier.append(((*way, move), then))
    return ()


def _after(state: Any, events: Sequence[Event]) -> Any:
    for event in events:
        state = state.apply(event)
    return state
