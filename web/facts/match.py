"""Matches of several games: with which position the next game begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.referee.table.table import Table


def next_position(table: Table) -> Mapping[str, Any] | None:
    """The position with which the next game of a match begins; None while this one goes on, and if none follows."""
    series = table.session.game.next_position
    return None if series is None else series(table.session.state)
