"""Makes a backup beside the running referee: SQLite's online backup copies one moment of a file that others write."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Mapping
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
    LONE,
    MANIFEST,
    BackupManifest,
    Member,
    member_of,
    path_of,
)
from companion.core.foundation.errors import BackupError, CompanionError, JournalError
from companion.core.foundation.sqlite_file import connect, connect_reading
from companion.referee.journal import FORMAT as JOURNAL_FORMAT
from companion.referee.journal.file import inspect

_ORDER = ("results", "calibration", "table", "journal")
"""The order in which the files of a table are copied. The journal comes last: the other files follow from it, so none
of them may be newer."""


def back_up(journals: Mapping[str, Path], target: Path, configuration: str | None = None) -> BackupManifest:
    """Writes all data of a server into one new zip; games may go on meanwhile.

    Args:
        journals: Each table's journal by the table's name, `LONE` for a server with a single table; the other files are
            beside them. A table that was never opened has no journal, and is left out.
        configuration: The configuration in force as a text without secrets.

    Raises:
        JournalError: There is no journal at all, or a journal cannot be read.
        BackupError: `target` already exists or cannot be written; no file was changed.
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
                # The backup contains hands, and the seeds of games that software deals, so only its owner may read it.
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
    """Copies each existing file into a folder; returns the copies by their names in the zip."""
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
    """Copies one moment of a database into a single file, including its write-ahead log."""
    with closing(connect_reading(source)) as reading, closing(connect(target)) as copy:
        reading.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE").fetchone()


def _member(path: Path) -> Member:
    with path.open("rb") as file:
        return Member(sha256=hashlib.file_digest(file, "sha256").hexdigest(), bytes=path.stat().st_size)


_NAME = re.compile(r"companion-\d{8}-\d{6}(-\d+)?\.zip")
_DAY_S = 86400.0


class AutomaticBackups:
    """The automatic backups of one journal in one folder."""

    def __init__(
        self,
        journal: Path,
        folder: Path,
        *,
        kept: int = 20,
        days: float | None = None,
        configuration: Callable[[], str | None] = lambda: None,
        say: Callable[[str], None] = print,
    ) -> None:
        """
        Args:
            kept: The number of backups to keep, at least 1; the newest one is never deleted.
            days: Backups that are older than this are deleted; None: age does not matter.
            configuration: Returns the configuration in force as a text without secrets.
            say: A function that is called with a sentence if a backup failed; no game waits for it.
        """
        self._journal, self._folder, self._configuration = journal, folder, configuration
        self._kept, self._days, self._say = kept, days, say

    def make(self) -> Path | None:
        """Makes a backup now and deletes those that are too many or too old.

        Returns:
            The path of the new backup; None if it could not be made, which is then reported.
        """
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            path = self._new_path()
            back_up({LONE: self._journal}, path, self._configuration())
            self._tidy()
        except CompanionError as error:
            self._say(f"No backup after this game: {error}")
            return None
        except OSError as error:
            self._say(f"No backup after this game: {self._folder} cannot be used ({error.strerror}).")
            return None
        return path

    def all(self) -> tuple[Path, ...]:
        """Returns every backup in the folder, the newest first; other files are ignored."""
        found = [path for path in self._folder.glob("companion-*.zip") if _NAME.fullmatch(path.name)]
        return tuple(sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True))

    def _new_path(self) -> Path:
        stem = f"companion-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
        path, number = self._folder / f"{stem}.zip", 1
        while path.exists():
            number += 1
            path = self._folder / f"{stem}-{number}.zip"
        return path

    def _tidy(self) -> None:
        oldest = None if self._days is None else time.time() - self._days * _DAY_S
        for place, path in enumerate(self.all()):
            if place and (place >= self._kept or (oldest is not None and path.stat().st_mtime < oldest)):
                path.unlink(missing_ok=True)
