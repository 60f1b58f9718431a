"""A backup is put back only after all of it was checked, and what it replaces is set aside, never deleted."""

from __future__ import annotations

import hashlib
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

import msgspec

from companion.backup.members import (
    BESIDE,
    CONFIGURATION,
    DATABASES,
    FORMAT,
    JOURNAL,
    MANIFEST,
    BackupManifest,
    path_of,
)
from companion.errors import UNREADABLE, BackupError, JournalError
from companion.journal import Journal

_MANIFEST_BYTES = 64 * 1024
_CHUNK_BYTES = 1 << 20
_LOGS = ("-wal", "-shm")


def restore(backup: Path, journal: Path) -> tuple[Path, ...]:
    """Put a backup in the place of a house's files.

    :param journal: where the journal is to lie; the others go beside it. The keys of browsers stay as they are.
    :return: what was there before, under the names by which it was set aside.
    :raises BackupError: the backup is damaged or of a newer program, a server runs on this journal, or the folder
        cannot be written. Everything is as it was.
    """
    try:
        journal.absolute().parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix="companion-", dir=journal.absolute().parent) as folder:
            checked = unpack(backup, Path(folder))
            with _nobody_writes(journal):
                return _put(checked, journal)
    except OSError as error:
        raise BackupError(f"{backup} cannot be restored ({error.strerror or error}). Nothing was changed.") from error


def unpack(backup: Path, folder: Path) -> dict[str, Path]:
    """Unpack a backup into a folder and check all of it: sums, pages of the databases, the chain of every game.

    :return: the files by their names in the backup.
    :raises BackupError: something of it does not hold.
    """
    try:
        with ZipFile(backup) as archive:
            manifest = _manifest(backup, archive)
            files = {name: folder / name for name in manifest.files}
            for name, path in files.items():
                with archive.open(name) as packed, path.open("xb") as file:
                    digest, size = hashlib.sha256(), 0
                    while chunk := packed.read(_CHUNK_BYTES):
                        size += len(chunk)
                        if size > manifest.files[name].bytes:
                            break
                        digest.update(chunk)
                        file.write(chunk)
                if (digest.hexdigest(), size) != (manifest.files[name].sha256, manifest.files[name].bytes):
                    raise BackupError(f'"{name}" in {backup} is not what was packed. Use another backup.')
    except (BadZipFile, KeyError, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BackupError(f"{backup} is no backup, or is damaged. Use another one; nothing was changed.") from error
    _check(backup, files)
    return files


def _manifest(backup: Path, archive: ZipFile) -> BackupManifest:
    with archive.open(MANIFEST) as file:
        text = file.read(_MANIFEST_BYTES)
    try:
        found = msgspec.json.decode(text, type=BackupManifest)
    except UNREADABLE as error:
        raise BackupError(f"The manifest of {backup} cannot be read: {error}.") from error
    if found.format > FORMAT:
        raise BackupError(f"{backup} was made by Companion {found.companion}, which is newer. Update this one first.")
    if JOURNAL not in found.files or not set(found.files) <= {*BESIDE, CONFIGURATION}:
        raise BackupError(f"The manifest of {backup} names other files than a backup holds. Use another backup.")
    return found


def _check(backup: Path, files: dict[str, Path]) -> None:
    """Pages of the databases and the chain of every game."""
    try:
        for name in DATABASES:
            if name in files:
                with closing(sqlite3.connect(files[name])) as connection:
                    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
                    if found != "ok":
                        raise BackupError(f'"{name}" in {backup} is damaged. Use another backup.')
        with closing(Journal.read(files[JOURNAL])) as journal:
            for header in journal.games():
                journal.rows(header.id)
    except sqlite3.Error as error:
        raise BackupError(f"A database in {backup} is damaged ({error}). Use another backup.") from error
    except JournalError as error:
        raise BackupError(f"The journal in {backup} does not hold: {error}") from error


@contextmanager
def _nobody_writes(journal: Path) -> Iterator[None]:
    """Hold the journal that is there, so that no server runs on it now.

    Whoever has a journal open keeps SQLite from ending its write-ahead log; a damaged journal can be open nowhere.
    """
    if not journal.exists():
        yield
        return
    with closing(sqlite3.connect(journal, timeout=0.2, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise BackupError(f"A server runs on {journal} ({error}). End it first; nothing was changed.") from error
        except sqlite3.DatabaseError:
            pass
        yield


def _put(files: dict[str, Path], journal: Path) -> tuple[Path, ...]:
    """Set aside what is there and put the files in its place; after a failure everything is as it was."""
    aside = _free_suffix(journal)
    moved: list[tuple[Path, Path]] = []
    try:
        there = [path_of(journal, name) for name in BESIDE] + [Path(f"{journal}{log}") for log in _LOGS]
        for path in there:
            if path.exists():
                moved.append((path, path.rename(path.with_name(path.name + aside))))
        kept = tuple(target for _, target in moved)
        for name in BESIDE:
            if name in files:
                moved.append((files[name], files[name].rename(path_of(journal, name))))
    except OSError:
        for was, now in reversed(moved):
            now.rename(was)
        raise
    return kept


def _free_suffix(journal: Path) -> str:
    stem = suffix = f".before-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    number = 1
    while any(journal.parent.glob(f"{journal.name}*{suffix}")):
        number += 1
        suffix = f"{stem}-{number}"
    return suffix
