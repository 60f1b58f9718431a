"""Restores a backup only after all of it was checked; replaced files are set aside and never deleted."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import struct
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from companion.app.backup.members import (
    BESIDE,
    CONFIGURATION,
    FORMAT,
    JOURNAL,
    LONE,
    MANIFEST,
    MOST_BYTES,
    MOST_FILES,
    BackupManifest,
    Member,
    member_of,
    parts_of,
    path_of,
)
from companion.core.foundation.errors import BackupError, CompanionError, JournalError
from companion.core.foundation.kept_file import Spoiled, decode_json, read_bytes
from companion.core.foundation.sqlite_file import LOGS, connect
from companion.referee.journal import Journal
from companion.referee.journal.file import END as HEADS
from companion.referee.last_game import check_note
from companion.referee.results.store import check_results

_MANIFEST_BYTES = 64 * 1024
_CHUNK_BYTES = 1 << 20
_NO_ZIP = (
    BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
    ValueError,
    IndexError,
)
"""The errors that `zipfile` raises for a damaged zip, or for bytes that are not a zip."""


Check = Callable[[Path], object]
"""Opens a file as the program will; raises `CompanionError` or `Spoiled` if it cannot be used."""


class Unpacked(NamedTuple):
    """The checked contents of a backup."""

    files: dict[str, Path]
    """The files by their names in the backup."""
    left_out: tuple[str, ...]
    """One sentence for each file that cannot be used."""


class Restored(NamedTuple):
    """The result of a restore."""

    journals: tuple[Path, ...]
    aside: tuple[Path, ...]
    """The replaced files, under their new names."""
    left_out: tuple[str, ...]
    """One sentence for each file that was not restored because it cannot be used."""


def restore(
    backup: Path, journals: Mapping[str, Path], table: str | None = None, *, check_calibration: Check
) -> Restored:
    """Replaces the files of a house by those of a backup.

    Args:
        journals: The path for the journal of each table, `LONE` for a server with a single table; the other files go
            beside it. The keys of browsers are not changed, nor are tables that the backup lacks.
        table: The only table to restore; None: all tables in the backup.
        check_calibration: Opens a calibration as the program will.

    Raises:
        BackupError: The backup is damaged or from a newer program, contains a table without a path, a server uses one
            of these journals, or a folder cannot be written. Nothing has changed.
    """
    try:
        with ExitStack() as stack:
            for journal in journals.values():
                folder = journal.absolute().parent
                folder.parent.mkdir(parents=True, exist_ok=True)
                folder.mkdir(mode=0o700, exist_ok=True)
            beside = next(iter(journals.values())).absolute().parent
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="companion-", dir=beside)))
            checked, left_out = unpack(backup, folder, check_calibration)
            wanted = _places(backup, checked, journals, table)
            for journal in wanted.values():
                stack.enter_context(_nobody_writes(journal))
            return Restored(tuple(wanted.values()), _put(checked, wanted), left_out)
    except OSError as error:
        raise BackupError(f"{backup} cannot be restored ({error.strerror or error}). Nothing was changed.") from error


def unpack(backup: Path, folder: Path, check_calibration: Check) -> Unpacked:
    """Unpacks a backup into a folder and checks all of it: first the checksums, then each file as the program will open
    it.

    A calibration, results or a note that cannot be used are left out, because they contain no game.

    Raises:
        BackupError: A checksum or a journal is wrong, or there is not enough room for the unpacked files.
    """
    try:
        with ZipFile(backup) as archive:
            manifest = _manifest(backup, archive)
            needed = sum(member.bytes for member in manifest.files.values())
            if needed > shutil.disk_usage(folder).free:
                raise BackupError(f"{backup} unpacks to {needed // 10**6 + 1} MB, and {folder} has no room for that.")
            files = {name: folder / name for name in manifest.files}
            for name, path in files.items():
                _unpack(backup, archive, name, manifest.files[name], path)
    except (*_NO_ZIP, KeyError) as error:
        raise BackupError(f"{backup} is no backup, or is damaged. Use another one; nothing was changed.") from error
    return _check(backup, files, check_calibration)


def _unpack(backup: Path, archive: ZipFile, name: str, member: Member, path: Path) -> None:
    """Unpacks one file. Raises BackupError: The contents differ from the manifest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    if archive.getinfo(name).compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise BadZipFile
    with archive.open(name) as packed, open(path, "xb", opener=_for_owner) as file:
        while chunk := packed.read(_CHUNK_BYTES):
            size += len(chunk)
            if size > member.bytes:
                break
            digest.update(chunk)
            file.write(chunk)
    if (digest.hexdigest(), size) != (member.sha256, member.bytes):
        raise BackupError(f'"{name}" in {backup} is not what was packed. Use another backup.')


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _manifest(backup: Path, archive: ZipFile) -> BackupManifest:
    with archive.open(MANIFEST) as file:
        text = file.read(_MANIFEST_BYTES)
    try:
        found = decode_json(text, BackupManifest)
    except Spoiled as error:
        raise BackupError(f"The manifest of {backup} cannot be read: {error}.") from error
    if found.format > FORMAT:
        raise BackupError(f"{backup} was made by Companion {found.companion}, which is newer. Update this one first.")
    if not found.tables or not all(name == CONFIGURATION or parts_of(name)[1] for name in found.files):
        raise BackupError(f"The manifest of {backup} names files that a backup cannot have. Use another backup.")
    if len(found.files) > MOST_FILES:
        raise BackupError(f"{backup} holds {len(found.files)} files; {MOST_FILES} are taken. Use another backup.")
    for name, member in found.files.items():
        most = MOST_BYTES[CONFIGURATION if name == CONFIGURATION else parts_of(name)[1]]
        if not 0 <= member.bytes <= most:
            raise BackupError(f'"{name}" in {backup} has {member.bytes} bytes; {most} are taken. Use another backup.')
    return found


def _check(backup: Path, files: dict[str, Path], check_calibration: Check) -> Unpacked:
    """Opens each file as the program will.

    Raises:
        BackupError: A journal cannot be opened, or a chain is broken.
    """
    checks: Mapping[str, Check] = {
        "results": check_results,
        "calibration": check_calibration,
        "table": lambda path: check_note(read_bytes(path)),
    }
    good, left_out = dict(files), []
    for name, path in files.items():
        kind = parts_of(name)[1]
        try:
            if kind == JOURNAL:
                _check_journal(path)
            elif kind in checks:
                checks[kind](path)
        except JournalError as error:
            raise BackupError(f"A journal in {backup} does not hold: {error}") from error
        except (Spoiled, CompanionError) as error:
            del good[name]
            said = str(error).replace(str(path), f'"{name}"').rstrip(".")
            left_out.append(f'"{name}" in {backup} cannot be used and was left out: {said}.')
    return Unpacked(good, tuple(left_out))


def _check_journal(path: Path) -> None:
    """Checks a journal. Raises JournalError: The file is not a journal, is damaged, or a game in it cannot be read."""
    with closing(Journal.read(path)) as journal:
        for header in journal.games():
            journal.rows(journal.header(header.id).id)
            journal.seed(header.id)


def _places(
    backup: Path, files: Mapping[str, Path], journals: Mapping[str, Path], table: str | None
) -> dict[str, Path]:
    """Returns the path of each restored table's journal, by its name in the backup.

    Raises:
        BackupError: A table is not in the backup, or its path is unknown.
    """
    held = [name for name, kind in map(parts_of, files) if kind == JOURNAL]
    if table is not None and table not in journals:
        raise BackupError(f"The configuration names no table {table}. It names: {', '.join(filter(None, journals))}.")
    if held == [LONE]:
        if table is None and LONE not in journals:
            raise BackupError(f"{backup} is of one table, and there are several. Say which with --table.")
        return {LONE: journals[table or LONE]}
    if table is not None and table not in held:
        raise BackupError(f"{backup} has no table {table}. It has: {', '.join(held)}.")
    wanted = held if table is None else [table]
    if homeless := [name for name in wanted if name not in journals]:
        raise BackupError(
            f"{backup} has the table {homeless[0]}, which the configuration does not name. Write"
            f" [tables.{homeless[0]}] there, or put back one table with --table NAME."
        )
    return {name: journals[name] for name in wanted}


@contextmanager
def _nobody_writes(journal: Path) -> Iterator[None]:
    """Holds the existing journal, so that no server can use it meanwhile.

    A program that has the journal open keeps SQLite from closing its write-ahead log. A damaged journal cannot be open
    anywhere.
    """
    if not journal.exists():
        yield
        return
    with closing(connect(journal, timeout_s=0.2)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE").fetchone()
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise BackupError(f"A server runs on {journal} ({error}). End it first; nothing was changed.") from error
        except sqlite3.DatabaseError:
            pass
        yield


def _put(files: Mapping[str, Path], journals: Mapping[str, Path]) -> tuple[Path, ...]:
    """Sets existing files aside and moves the new ones into their place; after a failure all files are as before."""
    moved: list[tuple[Path, Path]] = []
    kept: list[Path] = []
    try:
        for table, journal in journals.items():
            aside = _free_suffix(journal)
            ends = (*LOGS, HEADS)  # the last rows that were known before say nothing about the new journal
            there = [path_of(journal, kind) for kind in BESIDE] + [Path(f"{journal}{end}") for end in ends]
            for path in filter(Path.exists, there):
                kept.append(path.rename(path.with_name(path.name + aside)))
                moved.append((path, kept[-1]))
            for kind in BESIDE:
                packed = files.get(member_of(table, kind))
                if packed is not None:
                    # The file is moved and not renamed, because another table's journal may be on another disk.
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
