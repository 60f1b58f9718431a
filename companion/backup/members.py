"""What a backup holds: a zip of a manifest and the files that lie beside the journal, without the table's secrets."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

MANIFEST = "manifest.json"
JOURNAL = "journal"
CONFIGURATION = "configuration.toml"

BESIDE = {JOURNAL: "", "results": ".results", "calibration": ".calibration", "table": ".table"}
"""The name of each file in the zip, and how its name on the disk goes on after the journal's.

The keys by which browsers are known (`.keys`) are no part of it: whoever finds a backup cannot play with it.
"""
DATABASES = (JOURNAL, "results")

FORMAT = 1


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a backup."""

    sha256: str
    """64 hexadecimal digits."""
    bytes: int


class BackupManifest(Struct, frozen=True, forbid_unknown_fields=True):
    """What says of a backup which files it holds and which program made it."""

    format: int
    companion: str
    """Version of the program."""
    journal_format: int
    made: str
    """Moment in UTC: `2026-11-23T21:04:05Z`."""
    files: dict[str, Member]


def path_of(journal: Path, name: str) -> Path:
    """Where a file of a backup lies on the disk.

    :param name: a key of `BESIDE`.
    """
    return journal.with_name(journal.name + BESIDE[name])
