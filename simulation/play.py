"""Plays games into a journal, for tests of everything that reads one."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Over, ToDraw
from companion.core.game import Game
from companion.games import GAMES
from companion.referee.journal import Header, Journal
from companion.referee.table.table import Table
from simulation.ladder import LADDER


def header(game: str = "spectrangle", **more: Any) -> Header:
    """Returns a header for two players."""
    given = {
        "rules": GAMES[game].rules if game in GAMES else 1,
        "seats": 2,
        "names": ("Ada", "Bea"),
        "started": 1_700_000_000.0,
        "software": "0",
    }
    return Header(game=game, **{**given, **more})


def random_event(state: Any, rng: Random) -> Any:
    """Returns a random event that is due: a legal move, or a draw from a real bag."""
    if isinstance(state.expects(), ToDraw):
        return rng.choice([event for event, _ in game_of(state).outcomes(state)])
    return rng.choice(list(state.legal_moves()))


def played(journal: Journal, rng: Random, *, rows: int | None = None, **more: Any) -> Table:
    """Returns the table of a random game of Spectrangle, played to its end or for `rows` rows."""
    table = Table(GAMES["spectrangle"], journal.begin(header(**more)), journal, clock=lambda: 1_700_000_001.25)
    while not isinstance(table.session.state.expects(), Over) and (rows is None or table.session.seq < rows):
        table.play(random_event(table.session.state, rng), source="software")
    return table


def game_of(state: Any) -> Game[Any]:
    """Returns the game of a position, including the made-up one of the referee's tests."""
    return next(game for game in (*GAMES.values(), LADDER) if isinstance(state, game.state_type))


ROW: dict[str, Any] = {
    "at": 1.5,
    "kind": "move",
    "seat": 0,
    "event": {"type": "pass"},
    "text": "pass",
    "source": "page",
    "scores": (3, -4),
    "legal": 7,
    "digest": "0123456789abcdef",
}
"""The fields of a journal's row with a pass."""


def tell(table: Table, *lines: str) -> Table:
    """Enters events, given as lines of notation, on a table's page, and returns the table."""
    for line in lines:
        table.play(table.session.game.parse(table.session.state, line), source="page")
    return table
