"""Opens a journal by its place: a file or a database."""

from __future__ import annotations

from pathlib import Path

from companion.core.foundation.errors import DamagedJournal
from companion.core.foundation.kept_file import say_aside
from companion.core.foundation.sqlite_file import move_aside
from companion.referee.journal.chained import ChainedGames
from companion.referee.journal.file import END
from companion.referee.journal.places import Database
from companion.referee.journal.store import Journal


def open_journal(place: Path | Database) -> ChainedGames:
    """Opens a journal for writing, and creates it if there is none.

    Raises:
        JournalError: The journal cannot be opened.
    """
    if isinstance(place, Database):
        from companion.referee.journal.database import DatabaseJournal

        return DatabaseJournal.open(place)
    return Journal.open(place)


def open_or_set_aside(path: Path) -> Journal:
    """Opens a journal for play. A damaged one is set aside and a new one begun, so that the evening goes on.

    Raises:
        JournalError: The journal cannot be opened, or is from another or a newer program. The file is unchanged.
    """
    try:
        return Journal.open(path)
    except DamagedJournal as error:
        try:
            aside = move_aside(path)
        except OSError:
            raise error from None
        heads = path.with_name(path.name + END)
        if aside is not None and heads.exists():
            heads.replace(aside.with_name(aside.name + END))
        say_aside(path, aside, str(error).partition(". ")[0])
        journal = Journal.open(path)
        where = "gone" if aside is None else f"{aside.name} now"
        journal.notice = (
            f"The journal {path} is damaged and is {where}, and a new one was begun. Put a backup back, or read its"
            " games with `companion replay`."
        )
        return journal


def read_journal(place: Path | Database) -> ChainedGames:
    """Opens a journal for reading only.

    Raises:
        JournalError: There is no journal, or it cannot be read.
    """
    if isinstance(place, Database):
        from companion.referee.journal.database import DatabaseJournal

        return DatabaseJournal.read(place)
    return Journal.read(place)
