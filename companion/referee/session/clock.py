"""A chess clock for any game: time for the whole game with an increment per turn, a limit for each turn, or both.

The clock stops while the referee has an open question, so no player loses time by it. It decides no game: it reports
that time is up, and the players decide. Every row records the time left, so a restart continues from it, and the time
while the server was off does not count.
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
    """The settings of a clock in seconds; 0 means that a setting is not used."""

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
    """The time left at one moment in seconds; below 0 if time is up."""

    game_s: tuple[float, ...] | None
    """The time for the game by seat; None if only turns are limited."""
    turn_s: float | None
    """The time for the present turn; None if turns are not limited."""
    seats: tuple[Seat, ...]
    """The seats whose time runs, or would run if the clock were not stopped."""
    stands: bool
    """True if the clock is stopped, because a matter is open or the game is over."""


class Clock:
    """A running clock. Callers pass the present time, and hold the session's lock."""

    def __init__(self, pace: Pace, seats: Sequence[Seat], players: int, now: float, left: Any = None) -> None:
        """
        Args:
            seats: The seats whose turn it is.
            now: The present time, in seconds of the session's clock.
            left: The time that a row recorded (`kept`); None: a full clock.
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
        """Returns the time left."""
        self._run(now)
        game = tuple(self._game) if self.pace.game_s else None
        return TimeLeft(game, self._turn if self.pace.turn_s else None, self._seats, self._stands or not self._seats)

    def kept(self, now: float) -> dict[str, Any]:
        """Returns the data that a row records, to a tenth of a second."""
        self._run(now)
        return {"game_s": [round(one, 1) for one in self._game], "turn_s": round(self._turn, 1)}

    def stand(self, stands: bool, now: float) -> None:
        """Stops the clock, or starts it again."""
        self._run(now)
        self._stands = stands

    def pass_on(self, seats: Sequence[Seat], now: float) -> None:
        """Passes the turn to these seats; it has no effect if they already have the turn."""
        self._run(now)
        if self._seats == tuple(seats):
            return
        for seat in self._seats:
            self._game[seat] += self.pace.increment_s
        self._seats = tuple(seats)
        self._turn = float(self.pace.turn_s)

    def _run(self, now: float) -> None:
        """Subtracts the elapsed time. If the system clock was set back, no player loses time."""
        spent, self._since = max(0.0, now - self._since), now
        if self._stands or not self._seats:
            return
        for seat in self._seats:
            self._game[seat] -= spent
        if self.pace.turn_s:
            self._turn -= spent


def going_on(rows: Sequence[Row], due: Expect, players: int, now: float) -> Clock | None:
    """Returns the clock that the rows of a game leave running; None if there is none."""
    last = next((row for row in reversed(rows) if row.kind == "clock"), None)
    if last is None or last.more["pace"] is None:
        return None
    left = next((row.more["left"] for row in reversed(rows) if row.n >= last.n and "left" in row.more), None)
    return Clock(msgspec.convert(last.more["pace"], Pace), seats_due(due), players, now, left)


def words(seconds: int) -> str:
    """Returns a time in words: "5 min", "90 s", "1 h"."""
    for unit, name in ((3600, "h"), (60, "min")):
        if seconds and seconds % unit == 0:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"
