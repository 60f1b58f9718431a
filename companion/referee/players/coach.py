"""Finds a good move in a separate process.

A search occupies a whole processor for a while. In the process of the referee it would delay verdicts, so it runs in
another process with low priority, which receives only the knowledge of the asking seat and ends with its answer.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from companion.core.contract import Move, Seat, State
from companion.core.foundation.errors import CompanionError
from companion.core.foundation.kept_file import Spoiled, decode_json
from companion.core.game import Game

BUDGET_S = 1.5
"""The number of seconds for the search."""
_PATIENCE_S = 20.0
"""The number of seconds for the process to start and to answer, in addition to the search."""


class NoHint(CompanionError, status=503):
    """An error: no good move could be found at the moment."""


class Question(Struct, frozen=True):
    """The question to the other process."""

    game: str
    state: msgspec.Raw
    """The position as the seat may know it."""
    seat: Seat
    budget_s: float
    seed: int


class Coach(Protocol):
    """A source of good moves."""

    def advise(self, game: Game[Any], state: State, seat: Seat) -> Move:
        """Returns a good move of a seat that is to move.

        Args:
            state: The position as that seat may know it, (`Game.view`).

        Raises:
            NoHint: The search takes too long, or another question is open.
        """


class ProcessCoach:
    """A coach that starts a new process for each question, one at a time."""

    def __init__(self, budget_s: float = BUDGET_S, patience_s: float = _PATIENCE_S) -> None:
        self._budget_s = budget_s
        self._patience_s = patience_s
        self._busy = threading.Lock()

    def advise(self, game: Game[Any], state: State, seat: Seat) -> Move:
        """Returns a good move, see `Coach.advise`."""
        if not self._busy.acquire(blocking=False):
            raise NoHint("Somebody else is being shown a move just now. Ask again in a few seconds.")
        try:
            return game.event(self._asked(game, state, seat))
        finally:
            self._busy.release()

    def _asked(self, game: Game[Any], state: State, seat: Seat) -> Any:
        known = msgspec.Raw(msgspec.json.encode(game.view(state, seat)))
        question = Question(game.name, known, seat, self._budget_s, int.from_bytes(os.urandom(4), "little"))
        try:
            done = subprocess.run(
                [sys.executable, "-m", "companion.referee.players"],
                input=msgspec.json.encode(question),
                capture_output=True,
                timeout=self._budget_s + self._patience_s,
                env={**os.environ, "PYTHONPATH": _path()},
                check=True,
            )
            return decode_json(done.stdout, Any)
        except (subprocess.SubprocessError, OSError, Spoiled) as error:
            raise NoHint("No move could be found out in time. Ask again, or go on without.") from error


def _path() -> str:
    """Returns the import path with which the other process finds this program."""
    here = str(Path(__file__).parents[3])
    before = os.environ.get("PYTHONPATH")
    return here if not before else os.pathsep.join((here, before))
