"""The report of the rules on a row of photographs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Note(Struct, frozen=True):
    """One sentence about a photograph."""

    text: str
    rule: str = ""
    where: str = ""
    """The spot that it is about; empty: the whole."""
    broken: bool = False
    """True if it breaks the rule."""
    points: int | None = None


class Turn(Struct, frozen=True):
    """The turn between two photographs."""

    seat: int
    text: str
    points: int | None
    """None: the photographs leave them open."""


class PhotoReport(Struct, frozen=True):
    """The notes, turns and totals of a row of photographs."""

    notes: tuple[Note, ...]
    """Of the last photograph."""
    turns: tuple[Turn, ...] = ()
    totals: tuple[int, ...] = ()
    """By seat, from the turns; empty without any."""
    position: Mapping[str, Any] | None = None
    """The last photograph as a position from which a game can go on; None: there is none."""
    options: Mapping[str, Any] = {}
    """The options that the game then has."""
