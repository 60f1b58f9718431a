"""Events that a camera cannot tell apart: the table is the same after either of them."""

from __future__ import annotations

from typing import Any

from companion.errors import BadEvent, GameOver


def same_table(state: Any, one: Any, other: Any) -> bool:
    """Whether two events leave the same table; False where the game cannot carry one of them out."""
    if one == other:
        return True
    try:
        return bool(state.apply(one, force=True).layout() == state.apply(other, force=True).layout())
    except (BadEvent, GameOver):
        return False
