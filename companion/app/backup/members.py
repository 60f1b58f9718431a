"""The contents of a backup: a zip of a manifest and the files beside the journals, without the tables' secrets."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from companion.core.foundation.words import is_table_name

MANIFEST = "manifest.json"
JOURNAL = "journal"
CONFIGURATION = "configuration.toml"
BESIDE = {JOURNAL: "", "results": ".results", "calibration": ".calibration", "table": ".table"}
"""The kinds of files in a backup, each with the suffix of its name on disk after the journal's name.

The keys that identify browsers (`.keys`) are not included: a backup that gets into other hands gives no right to play.
"""
DATABASES = (JOURNAL, "results")
MOST_BYTES = {JOURNAL: 2**30, "results": 2**28, "calibration": 2**24, "table": 64, CONFIGURATION: 2**20}
"""The size limit of each kind of file in bytes; a larger file is refused, because unpacking it would fill a disk."""
MOST_FILES = 1024
"""The largest number of files in a backup; no house has more."""
FORMAT = 2
"""The version of the format; version 1 contained the files of one journal."""
LONE = ""
"""The table name for a server with a single table."""
_TABLES = "tables"


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a backup."""

    sha256: str
    """The SHA-256 of the file as 64 hexadecimal digits."""
    bytes: int


class BackupManifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The manifest of a backup: its files, and the program that made it."""

    format: int
    companion: str
    """The version of the program."""
    journal_format: int
    made: str
    """The time in UTC: `2026-11-23T21:04:05Z`."""
    files: dict[str, Member]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables whose journals are in the backup."""
        return tuple(table for table, kind in map(parts_of, self.files) if kind == JOURNAL)


def member_of(table: str, kind: str) -> str:
    """Returns the name in the zip of one table's file: `journal`, or with several tables `tables/blue/journal`."""
    return kind if table == LONE else f"{_TABLES}/{table}/{kind}"


def parts_of(member: str) -> tuple[str, str]:
    """Returns the table and the kind of a name in the zip, the inverse of `member_of`; the kind is empty for other
    files.
    """
    if member in BESIDE:
        return LONE, member
    folder, _, rest = member.partition("/")
    table, _, kind = rest.partition("/")
    return (table, kind) if folder == _TABLES and is_table_name(table) and kind in BESIDE else (LONE, "")


def path_of(journal: Path, kind: str) -> Path:
    """Returns the path on disk of a file of a backup.

    Args:
        kind: A key of `BESIDE`.
    """
    return journal.with_name(journal.name + BESIDE[kind])
