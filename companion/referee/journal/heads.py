"""Keeps the last row of every game in a file beside the journal.

A journal that lost its last rows, or an older copy, still has a valid chain; only this file reveals the loss. A line is
added after each row is on disk, without waiting: a lost line weakens the check but never raises a false alarm.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from companion.core.foundation.kept_file import Spoiled, name_aside, read_bytes, write_whole
from companion.core.foundation.logs import note

END = ".heads"
"""The suffix of the file's name after the journal's name."""
TIDY_BYTES = 2**20
"""The size in bytes above which the file is rewritten with one line per game."""
_MOST_BYTES = 2**26
_LINE = re.compile(rb"([a-z0-9-]{1,32}) ([1-9][0-9]{0,9}) ([0-9a-f]{64})")

_LOG = logging.getLogger("companion.journal")


class Head(NamedTuple):
    """The last row of a game that was written."""

    n: int
    hash: str


class Heads:
    """The file beside one journal. Use it from one thread at a time."""

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(journal.name + END)
        self._journal = journal

    def note(self, game: str, n: int, hash_: str) -> None:
        """Notes that this row is on disk."""
        with suppress(OSError):  # a full disk must not stop the game
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(file, f"{game} {n} {hash_}\n".encode("ascii"))
                large = os.fstat(file).st_size > TIDY_BYTES
            finally:
                os.close(file)
            if large:
                self.tidy()

    def tidy(self) -> None:
        """Rewrites the file with one line per game."""
        with suppress(OSError):
            heads = self._read()
            if heads:
                lines = "".join(f"{game} {head.n} {head.hash}\n" for game, head in heads.items())
                write_whole(self.path, lines.encode("ascii"))

    def lost(self, connection: sqlite3.Connection) -> str | None:
        """Returns a sentence on the rows that a journal has lost; None if it has them all.

        Raises:
            sqlite3.Error: The journal cannot be read.
        """
        lost: list[tuple[str, int, int]] = []
        for game, head in self._read().items():
            row = connection.execute("SELECT hash FROM row WHERE game = ? AND n = ?", (game, head.n)).fetchone()
            if row is None or row[0] != head.hash:
                (last,) = connection.execute("SELECT max(n) FROM row WHERE game = ?", (game,)).fetchone()
                lost.append((game, head.n, last or 0))
        if not lost:
            return None
        game, had, has = lost[-1]
        more = "" if len(lost) == 1 else f" So have {len(lost) - 1} other games."
        changed = f"has {has} rows and had {had}" if has < had else f"has another row {had}"
        return (
            f"The journal {self._journal} has lost rows since it was written: the game {game} {changed}.{more}"
            " It was cut, or is an older copy. Put a backup back to have them again."
        )

    def set_aside(self, why: str) -> None:
        """Starts a new file after the missing rows were reported; the old file is kept under another name."""
        with suppress(OSError):
            aside = self.path.replace(name_aside(self.path))
            note(_LOG, logging.WARNING, "rows lost", heads=aside.name, why=why)

    def _read(self) -> dict[str, Head]:
        """Returns the last row of each game. Lines that are invalid, such as one that was cut off by a crash, are
        skipped.
        """
        try:
            data = read_bytes(self.path, _MOST_BYTES)
        except (OSError, Spoiled):
            return {}
        heads: dict[str, Head] = {}
        for line in data.split(b"\n"):
            found = _LINE.fullmatch(line)
            if found is not None:
                game, n = found[1].decode("ascii"), int(found[2])
                if game not in heads or n >= heads[game].n:
                    heads[game] = Head(n, found[3].decode("ascii"))
        return heads
