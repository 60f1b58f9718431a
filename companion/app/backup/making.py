"""A backup is made beside the running referee: SQLite's online backup copies one moment of a file that others write."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec

from companion import __version__
from companion.app.backup.members import (
    BESIDE,
    CONFIGURATION,
    DATABASES,
    FORMAT,
    MANIFEST,
    BackupManifest,
    Member,
    member_of,
    path_of,
)
from companion.core.foundation.errors import BackupError, JournalError
from companion.core.foundation.sqlite_file import connect, connect_reading
from companion.referee.journal import FORMAT as JOURNAL_FORMAT
from companion.referee.journal.file import inspect

_ORDER = ("results", "calibration", "table", "journal")
"""A journal comes last: all other files of its table follow from it, so none may be ahead of it."""


def back_up(journals: Mapping[str, Path], target: Path, configuration: str | None = None) -> BackupManifest:
    """Writes everything that a server remembers into one new zip; games may go on meanwhile.

    Args:
        journals: Each table's journal by its name, `LONE` for the table of a server that has one; the other files lie
            beside them. A table that was never opened has none, and is left out.
        configuration: The configuration in force as a text without secrets.

    Raises:
        JournalError: There is no journal at all, or one cannot be read.
        BackupError: `target` is there already or cannot be written; no file was changed.
    """
    there = {table: journal for table, journal in journals.items() if journal.exists()} or journals
    for journal in there.values():
        inspect(journal, may_be_new=False)
    if target.exists():
        raise BackupError(f"There is a file {target} already. Give another name; nothing was overwritten.")
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with TemporaryDirectory(prefix="companion-", dir=target.absolute().parent) as folder:
            copies = _copies(there, Path(folder), configuration)
            manifest = BackupManifest(
                format=FORMAT,
                companion=__version__,
                journal_format=JOURNAL_FORMAT,
                made=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                files={name: _member(copy) for name, copy in copies.items()},
            )
            with part.open("xb") as file:
                # It holds hands and seeds of games that software deals: for its owner alone.
                part.chmod(0o600)
                with ZipFile(file, "w", ZIP_DEFLATED) as archive:
                    archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=2))
                    for name, copy in copies.items():
                        archive.write(copy, name)
                file.flush()
                os.fsync(file.fileno())
            part.rename(target)
    except sqlite3.Error as error:
        raise JournalError(f"A journal or its results could not be copied ({error}). Nothing was changed.") from error
    except OSError as error:
        raise BackupError(f"The backup {target} cannot be written ({error.strerror}). Nothing was changed.") from error
    finally:
        part.unlink(missing_ok=True)
    return manifest


def _copies(journals: Mapping[str, Path], folder: Path, configuration: str | None) -> dict[str, Path]:
    """A copy of each file that is there, by its name in the zip."""
    copies = {}
    for table, journal in journals.items():
        for kind in _ORDER:
            source = path_of(journal, kind)
            if not source.exists():
                continue
            copy = copies[member_of(table, kind)] = folder / member_of(table, kind)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if kind in DATABASES:
                _copy_database(source, copy)
            else:
                shutil.copyfile(source, copy)
    if configuration is not None:
        copies[CONFIGURATION] = folder / CONFIGURATION
        copies[CONFIGURATION].write_text(configuration, "utf-8")
    names = [member_of(table, kind) for table in journals for kind in BESIDE]
    return {name: copies[name] for name in (*names, CONFIGURATION) if name in copies}


def _copy_database(source: Path, target: Path) -> None:
    """One moment of a database as a single file, its write-ahead log included."""
    with closing(connect_reading(source)) as reading, closing(connect(target)) as copy:
        reading.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE").fetchone()


def _member(path: Path) -> Member:
    with path.open("rb") as file:
        return Member(sha256=hashlib.file_digest(file, "sha256").hexdigest(), bytes=path.stat().st_size)
