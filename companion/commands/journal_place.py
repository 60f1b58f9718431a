"""Where journals lie: a path or the address of a database on the command line, or what the configuration says."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.configuration import told_journals
from companion.commands.runtime import journal_path
from companion.journal.places import Database, is_database


def journal_place(said: str | Path | Database) -> Path | Database:
    """A path, or what begins by postgresql://.

    :raises click.BadParameter: it looks like the address of something else.
    """
    if not isinstance(said, str):
        return said
    if is_database(said):
        return Database(said)
    if "://" in said:
        scheme = said.partition("://")[0]
        raise click.BadParameter(
            f'"{scheme}://" is no place for a journal. Give a file or postgresql://USER@HOST/DATABASE.'
        )
    return Path(said)


def served_journals(configuration: Path | None, journal: Path | None = None) -> dict[str, Path]:
    """Where the journal of each table lies that `companion serve` would open; the empty name where there is but one.

    :param journal: the one that the command line names; then it is of the only table.
    :raises BadConfiguration: the configuration cannot be read.
    """
    if journal is not None:
        return {"": journal}
    return {table: path or journal_path(table) for table, path in told_journals(configuration).items()}
