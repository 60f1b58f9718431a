"""Matches of several games: with which position the next game begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.dealers import DEALERS
from companion.table import Table


def next_position(table: Table) -> Mapping[str, Any] | None:
    """The position with which the next game of a match begins; None while this one goes on, and if none follows."""
    # Only card games are played as matches; `following` of pyramid games is a seat.
    following = getattr(table.session.state, "following", None) if table.session.game.name in DEALERS else None
    return following() if following is not None else None
