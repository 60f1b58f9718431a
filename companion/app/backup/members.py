"""The contents of a backup: a zip of a manifest and the files beside the journals, without the tables' secrets."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from companion.core.foundation.table_name import is_table_name

MANIFEST = "manifest.json"
JOURNAL = "journal"
CONFIGURATION = "configuration.toml"

BESIDE = {JOURNAL: "", "results": ".results", "calibration": ".calibration", "table": ".table"}
"""The name of each kind of file, and how its name on the disk goes on after the journal's.

The keys that identify browsers (`.keys`) are no part of it: a found backup gives no right to play.
"""
DATABASES = (JOURNAL, "results")
MOST_BYTES = {JOURNAL: 2**30, "results": 2**28, "calibration": 2**24, "table": 64, CONFIGURATION: 2**20}
"""A larger file of a kind is none of ours: what it unpacks to would fill a disk."""
MOST_FILES = 1024
"""No house has more."""

FORMAT = 2
"""1 held the files of one journal."""

LONE = ""
"""The name of the table of a server that has one."""
_TABLES = "tables"


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a backup."""

    sha256: str
    """64 hexadecimal digits."""
    bytes: int


class BackupManifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The manifest of a backup: its files and the program that made it."""

    format: int
    companion: str
    """Version of the program."""
    journal_format: int
    made: str
    """Moment in UTC: `2026-11-23T21:04:05Z`."""
    files: dict[str, Member]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables whose journals are in it."""
        return tuple(table for table, kind in map(parts_of, self.files) if kind == JOURNAL)


def member_of(table: str, kind: str) -> str:
    """The name in the zip of one table's file: `journal`; of several tables `tables/blue/journal`."""
    return kind if table == LONE else f"{_TABLES}/{table}/{kind}"


def parts_of(member: str) -> tuple[str, str]:
    """Table and kind of a name in the zip, the reverse of `BESIDE`; kind is empty for other files."""
    if member in BESIDE:
        return LONE, member
    folder, _, rest = member.partition("/")
    table, _, kind = rest.partition("/")
    return (table, kind) if folder == _TABLES and is_table_name(table) and kind in BESIDE else (LONE, "")


def path_of(journal: Path, kind: str) -> Path:
    """Where a file of a backup lies on the disk.

    Args:
        kind: A key of `BESIDE`.
    """
    return journal.with_name(journal.name + BESIDE[kind])
