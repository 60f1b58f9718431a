"""Stores the seeds of software deals apart from the rows, because everybody may read the rows."""

from __future__ import annotations

import sqlite3

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS seed (game TEXT PRIMARY KEY REFERENCES game (id), seed TEXT NOT NULL) WITHOUT ROWID",
    *(
        f"CREATE TRIGGER IF NOT EXISTS seed_{verb} BEFORE {verb.upper()} ON seed"
        " BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END"
        for verb in ("update", "delete")
    ),
)
"""The additional tables of a journal in which software has dealt a game."""


def keep(connection: sqlite3.Connection, game: str, seed: bytes) -> None:
    """Writes the seed of a game within the caller's transaction.

    Raises:
        sqlite3.Error: The game already has a seed, or the seed could not be written.
    """
    for statement in SCHEMA:
        connection.execute(statement)
    connection.execute("INSERT INTO seed VALUES (?, ?)", (game, seed.hex()))


def read(connection: sqlite3.Connection, game: str) -> bytes | None:
    """Returns the seed of a game; None if there is none.

    Raises:
        ValueError: The stored bytes are not a seed.
    """
    if not _any(connection):
        return None
    found = connection.execute("SELECT seed FROM seed WHERE game = ?", (game,)).fetchone()
    return None if found is None else bytes.fromhex(found[0])


def games(connection: sqlite3.Connection) -> set[str]:
    """Returns the ids of the games that have a seed."""
    return {game for (game,) in connection.execute("SELECT game FROM seed")} if _any(connection) else set()


def _any(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'seed'").fetchone() is not None
