"""Unseen draws: where hands are out of sight, a due draw counts as made."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn, ToDraw
from companion.core.foundation.errors import MoveError


def apply_due_draws(state: Any) -> Any:
    """The position after all draws that are due, unseen.

    A draw that the rules must know (who begins, say) stays due: a person has to enter it.
    """
    while isinstance(due := state.expects(), ToDraw):
        try:
            state = state.apply(Drawn(due.seat, (None,) * due.count))
        except MoveError:
            break
    return state
