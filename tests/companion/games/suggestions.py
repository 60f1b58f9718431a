"""What a game suggests of a table, one event after another."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Event
from companion.core.game import Game
from companion.core.layout import Layout


def followed(game: Game[Any], state: Any, seen: Layout) -> tuple[list[Event], Any]:
    """Suggestions followed until the table is explained or a breach is met, and the position after them."""
    assert game.proposer is not None
    events: list[Event] = []
    for _ in range(8):
        event = game.proposer.infer_event(state, seen)
        if event is None:
            break
        events.append(event)
        if state.violations(event):
            return events, state.apply_unchecked(event)
        state = state.apply(event)
    return events, state
