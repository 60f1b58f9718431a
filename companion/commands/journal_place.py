"""Where a journal lies, as a word of the command line: a path, or the address of a database."""

from __future__ import annotations

from pathlib import Path

import click

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
