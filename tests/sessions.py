"""A session manager with a journal of its own, for tests of what works on one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.core.game import Game
from companion.core.plan import Plan
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager


@contextmanager
def sessions_in(
    folder: Path, plan: Plan | None = None, games: Mapping[str, Game[Any]] = GAMES, **more: Any
) -> Iterator[SessionManager]:
    """A session manager without a game, whose journal lies in a folder.

    :param plan: None: the plan of Spectrangle for two.
    """
    journal = Journal.open(folder / "journal.sqlite")
    yield SessionManager(journal, games, PLANS["spectrangle"](2) if plan is None else plan, **more)
    journal.close()
