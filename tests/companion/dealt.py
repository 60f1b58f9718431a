"""Games that software deals, played by rote."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from companion.core.contract import Over
from companion.core.plan import Mat, Plan
from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table

SEED = bytes(range(32))


def sessions(folder: Path, seed: bytes = SEED) -> SessionManager:
    """A session manager whose software deals by one seed."""
    return SessionManager(
        Journal.open(folder / "dealt.journal"),
        GAMES,
        Plan(Mat(440, 400, 40)),
        clock=lambda: 1_700_000_000.0,
        random_bytes=lambda count: seed[:count],
    )


def begun(sessions: SessionManager, game: str, seats: int, **options: Any) -> Table:
    """A game that the session manager's software deals."""
    return sessions.start(game, [f"Player {seat + 1}" for seat in range(seats)], options, draws="dealt")


def played(table: Table, number: int = 1, most: int | None = None) -> Table:
    """So many moves at random, in which nobody gives up while anything else is left; or moves to the end."""
    rng = Random(number)
    made = 0
    while not isinstance(table.session.state.expects(), Over) and made != most:
        moves = table.session.state.legal_moves()
        others = [move for move in moves if type(move).__name__ not in ("Concede", "Fold")]
        choice = moves if most is None or not others else others
        table.play(choice[rng.randrange(len(choice))], source="page")
        made += 1
    return table
