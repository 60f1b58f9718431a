"""A chess clock for any game: time for the whole game with an increment a turn, a limit for each turn, or both.

The clock stops while the referee has a question open, so no player pays for it. It decides no game: it reports that
time is up, and the table decides. Every row has the time left, so a restart goes on with it, and the time while the
server was off does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.contract import Expect, Seat, seats_due
from companion.referee.journal import Row

LONGEST_S = 6 * 3600

Seconds = Annotated[int, Meta(ge=0, le=LONGEST_S)]


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """How a clock is set, in seconds; 0 is without."""

    game_s: Seconds = 0
    """The time of each player for the whole game."""
    increment_s: Seconds = 0
    """The time added at the end of a turn."""
    turn_s: Seconds = 0
    """The time limit of each turn."""

    def __str__(self) -> str:
        parts = [
            f"{words(self.game_s)} for the game" if self.game_s else "",
            f"{words(self.increment_s)} more a turn" if self.game_s and self.increment_s else "",
            f"{words(self.turn_s)} for each turn" if self.turn_s else "",
        ]
        return ", ".join(part for part in parts if part)


class TimeLeft(Struct, frozen=True):
    """The clock at one moment, in seconds; below 0 if time is up."""

    game_s: tuple[float, ...] | None
    """By seat; None: only turns are limited."""
    turn_s: float | None
    """Of the turn that runs; None: turns are not limited."""
    seats: tuple[Seat, ...]
    """Whose time runs, or would."""
    stands: bool
    """True if it is stopped, because a matter is open or the game is over."""


class Clock:
    """A running clock. Callers pass the time to it; call it under the session's lock."""

    def __init__(self, pace: Pace, seats: Sequence[Seat], players: int, now: float, left: Any = None) -> None:
        """
        Args:
            seats: Whose turn it is.
            now: Seconds of the session's clock.
            left: What a row kept, to go on from; None: a full clock.
        """
        self.pace = pace
        self._game = [float(pace.game_s)] * players
        self._turn = float(pace.turn_s)
        if left is not None:
            self._game, self._turn = [float(one) for one in left["game_s"]], float(left["turn_s"])
        self._seats = tuple(seats)
        self._since = now
        self._stands = False

    def left(self, now: float) -> TimeLeft:
        """The present reading."""
        self._run(now)
        game = tuple(self._game) if self.pace.game_s else None
        return TimeLeft(game, self._turn if self.pace.turn_s else None, self._seats, self._stands or not self._seats)

    def kept(self, now: float) -> dict[str, Any]:
        """The part that a row keeps, to a tenth of a second."""
        self._run(now)
        return {"game_s": [round(one, 1) for one in self._game], "turn_s": round(self._turn, 1)}

    def stand(self, stands: bool, now: float) -> None:
        """Let it stand, or run on."""
        self._run(now)
        self._stands = stands

    def pass_on(self, seats: Sequence[Seat], now: float) -> None:
        """Passes the turn to these seats; no effect if they had it."""
        self._run(now)
        if self._seats == tuple(seats):
            return
        for seat in self._seats:
            self._game[seat] += self.pace.increment_s
        self._seats = tuple(seats)
        self._turn = float(self.pace.turn_s)

    def _run(self, now: float) -> None:
        """Lets the time pass. A clock that is set back takes no time from any player."""
        spent, self._since = max(0.0, now - self._since), now
        if self._stands or not self._seats:
            return
        for seat in self._seats:
            self._game[seat] -= spent
        if self.pace.turn_s:
            self._turn -= spent


def going_on(rows: Sequence[Row], due: Expect, players: int, now: float) -> Clock | None:
    """The clock that the rows of a game leave running; None if none does."""
    last = next((row for row in reversed(rows) if row.kind == "clock"), None)
    if last is None or last.more["pace"] is None:
        return None
    left = next((row.more["left"] for row in reversed(rows) if row.n >= last.n and "left" in row.more), None)
    return Clock(msgspec.convert(last.more["pace"], Pace), seats_due(due), players, now, left)


def words(seconds: int) -> str:
    """A time in words: "5 min", "90 s", "1 h"."""
    for unit, name in ((3600, "h"), (60, "min")):
        if seconds and seconds % unit == 0:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"
