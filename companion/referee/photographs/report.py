"""The report of the rules on a series of photographs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Note(Struct, frozen=True):
    """One sentence about a photograph."""

    text: str
    rule: str = ""
    where: str = ""
    """The spot to which the sentence refers; empty: the whole photograph."""
    broken: bool = False
    """True if the photograph breaks the rule."""
    points: int | None = None


class Turn(Struct, frozen=True):
    """The turn between two photographs."""

    seat: int
    text: str
    points: int | None
    """The points of the turn; None if the photographs do not show them."""


class PhotoReport(Struct, frozen=True):
    """The notes, turns and totals of a series of photographs."""

    notes: tuple[Note, ...]
    """The notes on the last photograph."""
    turns: tuple[Turn, ...] = ()
    totals: tuple[int, ...] = ()
    """The totals of the turns by seat; empty if there are no turns."""
    position: Mapping[str, Any] | None = None
    """The last photograph as a position from which a game can go on; None if there is none."""
    options: Mapping[str, Any] = {}
    """The options of a game from that position."""
