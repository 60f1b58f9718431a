"""Throws the dice of a simulated tower whenever a roll is due, so that tower, link and game can be seen without dice.

Its dice are drawn by a program; the journal says that they came from the tower. Only `--tower simulated` has them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random

from companion.app.peripherals.follower import Follower
from companion.core.contract import ToRoll
from companion.referee.session_manager import SessionManager
from hardware.die_faces import DieFaces
from hardware.simulated.tower import SimulatedTower

WAIT_S = 1.0
"""From the moment that a roll is due until the dice fall: time to see that it is due."""
LOOK_S = 0.1
"""Between two looks at the game."""


class Thrower(Follower):
    """Watches the session manager and throws. `step` does the work; `start` runs it in a thread."""

    thread_name = "thrower"

    def __init__(
        self,
        sessions: SessionManager,
        tower: SimulatedTower,
        lock: threading.RLock,
        dice: DieFaces,
        cups: int,
        *,
        random: Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        Args:
            lock: Held while the tower is touched.
        """
        super().__init__()
        self._sessions = sessions
        self._tower = tower
        self._lock = lock
        self._dice = dice
        self._cups = cups
        self._random = random or Random()
        self._clock = clock
        self._due: tuple[str, int] | None = None
        self._since_s = 0.0
        self._thrown = False

    def step(self) -> None:
        """Throw once for each roll that is due, if the tower has cups for all of its dice."""
        table = self._sessions.table
        due = table.session.state.expects() if table is not None else None
        if table is None or not isinstance(due, ToRoll) or set(due.dice) != {self._dice.kind}:
            self._due = None
            return
        if len(due.dice) > self._cups:
            return
        now_s, roll = self._clock(), (table.session.header.id, table.session.seq)
        if roll != self._due:
            self._due, self._since_s, self._thrown = roll, now_s, False
        elif not self._thrown and now_s - self._since_s >= WAIT_S:
            self._thrown = True
            faces = range(1, len(self._dice.up) + 1)
            with self._lock:
                self._tower.throw([self._random.choice(faces) for _ in due.dice])

    def _run(self) -> None:
        while not self._stop.wait(LOOK_S):
            self.step()
