"""Applies an answer to a question of the referee."""

from __future__ import annotations

from typing import Any

from companion.core.foundation.errors import MoveError
from companion.core.verdict import Choice


def chosen(state: Any, choice: Choice) -> Any:
    """Returns the position after the events of an answer, legal or not; None if they are impossible here."""
    try:
        for event in choice.events:
            state = state.apply_unchecked(event)
    except MoveError:
        return None
    return state
