"""The memory of a table: every event on disk, chained, before anyone is told."""

from __future__ import annotations

from companion.journal.chained import ChainedGames
from companion.journal.lines import read_lines, write_lines
from companion.journal.moments import utc
from companion.journal.rows import FORMAT, Draws, Header, Kind, Row, Source, digest
from companion.journal.store import Journal

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
