"""One game as it is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from companion.core.contract import Points, Seat
from companion.referee.journal import Header, Row
from companion.referee.journal.timeline import Timeline

SILENT = ("commitment", "reveal", "seat", "clock", "hint")
"""Kinds of rows in which nobody plays."""


class Result(Struct, frozen=True, kw_only=True):
    """One game."""

    id: str
    """As the journal has it."""
    game: str
    names: tuple[str, ...]
    """By seat."""
    started: float
    """Seconds since the epoch."""
    length_s: float
    """From the start to the last row in which somebody played."""
    rows: int
    """How many rows of the journal this was made of."""
    moves: int
    """Events that count."""
    scores: tuple[Points, ...]
    """Totals by seat."""
    places: tuple[tuple[Seat, ...], ...] = ()
    """The first place first, ties together; empty while the game is not finished."""
    refused: tuple[int, ...] = ()
    """Illegal moves by seat."""
    options: dict[str, Any] = {}

    @property
    def finished(self) -> bool:
        """True if it was played to its end."""
        return bool(self.places)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Seats in the first place; nobody alone at the table, where there is nobody to win against."""
        return self.places[0] if self.places and len(self.names) > 1 else ()


def result_of(header: Header, rows: Sequence[Row], timeline: Timeline) -> Result:
    """What is remembered of a game.

    :param timeline: the game as these rules replay `rows`.
    """
    outcome = timeline.state.outcome()
    played = [row.at for row in rows if row.kind not in SILENT]
    refused = [0] * header.seats
    for row in rows:
        if row.kind == "refused" and row.seat is not None:
            refused[row.seat] += 1
    return Result(
        id=header.id,
        game=header.game,
        names=header.names,
        started=header.started,
        length_s=max(0.0, played[-1] - header.started) if played else 0.0,
        rows=len(rows),
        moves=sum(step.kind in ("move", "agreed") for step in timeline.steps()),
        scores=tuple(score.total for score in timeline.state.scores()),
        places=() if outcome is None else outcome.places,
        refused=tuple(refused),
        options=dict(header.options),
    )
