"""The memory of a table: every event is on disk, chained by hashes, before any screen shows it."""

from __future__ import annotations

from companion.referee.journal.chained import ChainedGames
from companion.referee.journal.lines import read_lines, write_lines
from companion.referee.journal.rows import FORMAT, Draws, Header, Kind, Row, Source, digest, utc
from companion.referee.journal.store import Journal

__all__ = [
    "FORMAT",
    "ChainedGames",
    "Draws",
    "Header",
    "Journal",
    "Kind",
    "Row",
    "Source",
    "digest",
    "read_lines",
    "utc",
    "write_lines",
]
