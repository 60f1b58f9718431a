"""One game as it is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from companion.core.contract import Points, Seat
from companion.referee.journal import Header, Row
from companion.referee.journal.timeline import Timeline

SILENT = ("commitment", "reveal", "seat", "clock", "hint")
"""The kinds of rows without an action in the game."""


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
    """The number of journal rows behind this result."""
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
        """Seats in the first place; none for a single player, who has no opponent."""
        return self.places[0] if self.places and len(self.names) > 1 else ()


def result_of(header: Header, rows: Sequence[Row], timeline: Timeline) -> Result:
    """The remembered result of a game.

    Args:
        timeline: The game as these rules replay `rows`.
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
