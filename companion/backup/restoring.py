"""A backup is put back only after all of it was checked, and what it replaces is set aside, never deleted."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

import msgspec

from companion.backup.members import (
    BESIDE,
    CONFIGURATION,
    DATABASES,
    FORMAT,
    JOURNAL,
    LONE,
    MANIFEST,
    BackupManifest,
    member_of,
    parts_of,
    path_of,
)
from companion.errors import UNREADABLE, BackupError, JournalError
from companion.journal import Journal

_MANIFEST_BYTES = 64 * 1024
_CHUNK_BYTES = 1 << 20
_LOGS = ("-wal", "-shm")


class Restored(NamedTuple):
    """What was put back."""

    journals: tuple[Path, ...]
    aside: tuple[Path, ...]
    """What was there before, under the names by which it was set aside."""


def restore(backup: Path, journals: Mapping[str, Path], table: str | None = None) -> Restored:
    """Put a backup in the place of a house's files.

    :param journals: where the journal of each table is to lie, `LONE` for the table of a server that has one; the
        others go beside it. The keys of browsers stay as they are, and tables that the backup lacks, too.
    :param table: put back this one alone; None: all that are in the backup.
    :raises BackupError: the backup is damaged or of a newer program, holds a table that has no place, a server runs on
        one of these journals, or a folder cannot be written. Everything is as it was.
    """
    try:
        with ExitStack() as stack:
            for journal in journals.values():
                journal.absolute().parent.mkdir(parents=True, exist_ok=True)
            beside = next(iter(journals.values())).absolute().parent
            checked = unpack(backup, Path(stack.enter_context(TemporaryDirectory(prefix="companion-", dir=beside))))
            wanted = _places(backup, checked, journals, table)
            for journal in wanted.values():
                stack.enter_context(_nobody_writes(journal))
            return Restored(tuple(wanted.values()), _put(checked, wanted))
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
                path.parent.mkdir(parents=True, exist_ok=True)
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
    if not found.tables or not all(name == CONFIGURATION or parts_of(name)[1] for name in found.files):
        raise BackupError(f"The manifest of {backup} names other files than a backup holds. Use another backup.")
    return found


def _check(backup: Path, files: dict[str, Path]) -> None:
    """Pages of the databases and the chain of every game."""
    try:
        for name, path in files.items():
            if parts_of(name)[1] in DATABASES:
                with closing(sqlite3.connect(path)) as connection:
                    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
                    if found != "ok":
                        raise BackupError(f'"{name}" in {backup} is damaged. Use another backup.')
        for path in (path for name, path in files.items() if parts_of(name)[1] == JOURNAL):
            with closing(Journal.read(path)) as journal:
                for header in journal.games():
                    journal.rows(header.id)
    except sqlite3.Error as error:
        raise BackupError(f"A database in {backup} is damaged ({error}). Use another backup.") from error
    except JournalError as error:
        raise BackupError(f"A journal in {backup} does not hold: {error}") from error


def _places(
    backup: Path, files: Mapping[str, Path], journals: Mapping[str, Path], table: str | None
) -> dict[str, Path]:
    """Where the journal of each table that is put back is to lie, by its name in the backup.

    :raises BackupError: one is not in the backup, or nothing says where it goes.
    """
    held = [name for name, kind in map(parts_of, files) if kind == JOURNAL]
    if table is not None and table not in journals:
        raise BackupError(f"The configuration names no table {table}. It names: {', '.join(filter(None, journals))}.")
    if held == [LONE]:
        if table is None and LONE not in journals:
            raise BackupError(f"{backup} is of one table, and there are several. Say which with --table.")
        return {LONE: journals[table or LONE]}
    if table is not None and table not in held:
        raise BackupError(f"{backup} holds no table {table}. It holds: {', '.join(held)}.")
    wanted = held if table is None else [table]
    if homeless := [name for name in wanted if name not in journals]:
        raise BackupError(
            f"{backup} holds the table {homeless[0]}, which the configuration does not name. Write"
            f" [tables.{homeless[0]}] there, or put back one table with --table NAME."
        )
    return {name: journals[name] for name in wanted}


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


def _put(files: Mapping[str, Path], journals: Mapping[str, Path]) -> tuple[Path, ...]:
    """Set aside what is there and put the files in its place; after a failure everything is as it was."""
    moved: list[tuple[Path, Path]] = []
    kept: list[Path] = []
    try:
        for table, journal in journals.items():
            aside = _free_suffix(journal)
            there = [path_of(journal, kind) for kind in BESIDE] + [Path(f"{journal}{log}") for log in _LOGS]
            for path in filter(Path.exists, there):
                kept.append(path.rename(path.with_name(path.name + aside)))
                moved.append((path, kept[-1]))
            for kind in BESIDE:
                packed = files.get(member_of(table, kind))
                if packed is not None:
                    # Moved, not renamed: another table's journal may lie on another disk.
                    shutil.move(packed, path_of(journal, kind))
                    moved.append((packed, path_of(journal, kind)))
    except OSError:
        for was, now in reversed(moved):
            shutil.move(now, was)
        raise
    return tuple(kept)


def _free_suffix(journal: Path) -> str:
    stem = suffix = f".before-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    number = 1
    while any(journal.parent.glob(f"{journal.name}*{suffix}")):
        number += 1
        suffix = f"{stem}-{number}"
    return suffix
