"""A journal wherever it lies: its file or its database, by one word."""

from __future__ import annotations

from pathlib import Path

from companion.journal.chained import ChainedGames
from companion.journal.database import DatabaseJournal
from companion.journal.places import Database
from companion.journal.store import Journal


def open_journal(place: Path | Database) -> ChainedGames:
    """A journal to add to; it is made if there is none.

    :raises JournalError: it cannot be opened.
    """
    return DatabaseJournal.open(place) if isinstance(place, Database) else Journal.open(place)


def read_journal(place: Path | Database) -> ChainedGames:
    """A journal to look at; nothing is written.

    :raises JournalError: there is none, or it cannot be read.
    """
    return DatabaseJournal.read(place) if isinstance(place, Database) else Journal.read(place)
