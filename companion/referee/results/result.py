"""The remembered result of one game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from companion.core.contract import Points, Seat
from companion.games import GAMES
from companion.referee.journal import Header, Row
from companion.referee.journal.timeline import Timeline

SILENT = ("commitment", "reveal", "seat", "clock", "hint")
"""The kinds of rows that are not an action in the game."""


class Result(Struct, frozen=True, kw_only=True):
    """The remembered result of one game."""

    id: str
    """The id of the game in the journal."""
    game: str
    names: tuple[str, ...]
    """The names by seat."""
    started: float
    """The time of the start, in seconds since the epoch."""
    length_s: float
    """The number of seconds from the start to the last row in which somebody played."""
    rows: int
    """The number of journal rows behind this result."""
    moves: int
    """The number of events that count."""
    scores: tuple[Points, ...]
    """The totals by seat."""
    places: tuple[tuple[Seat, ...], ...] = ()
    """The seats by place, winners first and ties together; empty while the game is not finished."""
    refused: tuple[int, ...] = ()
    """The number of illegal moves by seat."""
    options: dict[str, Any] = {}

    @property
    def finished(self) -> bool:
        """True if the game was played to its end."""
        return bool(self.places)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats in the first place; none for a single player, who has no opponent."""
        return self.places[0] if self.places and len(self.names) > 1 else ()


def counted_points(result: Result) -> tuple[Points, ...]:
    """Returns the totals as people count them: where points mean nothing, a win counts 1."""
    if result.game in GAMES and GAMES[result.game].lead == "nothing":
        return tuple(int(seat in result.winners) for seat in range(len(result.names)))
    return result.scores


def result_of(header: Header, rows: Sequence[Row], timeline: Timeline) -> Result:
    """Returns the result of a game to remember.

    Args:
        timeline: The game as the present rules replay `rows`.
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
