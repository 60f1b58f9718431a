"""The house's own store of the two secrets that let browsers change the table: phones stay joined over a restart.

They lie in a file beside the journal that its owner alone may read. Who holds the table's secret may play, no more; the
host can draw a fresh one at any time, which sends every phone back to the door.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.errors import UNREADABLE, CompanionError
from companion.whole_file import write_whole

_LETTERS = 32


class KeysNotKept(CompanionError, status=503):
    """A fresh secret could not be written down, so the old one holds."""


class KeyPair(Struct, frozen=True, forbid_unknown_fields=True):
    """A secret of 128 bits for each role, as 32 hexadecimal digits."""

    host: str
    table: str


class Keys:
    """Both secrets; kept in a file, or for this run alone."""

    def __init__(self, path: Path | None = None, token: Callable[[], str] = lambda: secrets.token_hex(16)) -> None:
        """
        :param path: where they are kept; None: nowhere.
        :param token: draws a secret of 128 bits.
        """
        self._path = path
        self._draw = token
        self.pair = _read(path) or KeyPair(token(), token())
        # A disk that takes nothing keeps nobody from playing; the phones join again after the next start then.
        with suppress(OSError):
            self._write(self.pair)

    def renew_table(self) -> None:
        """Draw a fresh secret for the table: every browser but the host's must join again.

        :raises KeysNotKept: it could not be written down; nothing has changed.
        """
        fresh = KeyPair(self.pair.host, self._draw())
        try:
            self._write(fresh)
        except OSError as error:
            raise KeysNotKept(
                f"The fresh key could not be written down ({error.strerror}). All phones are still in; make room, and"
                " try again."
            ) from error
        self.pair = fresh

    def _write(self, pair: KeyPair) -> None:
        if self._path is not None:
            write_whole(self._path, msgspec.json.encode(pair), durable=True, private=True)


def _read(path: Path | None) -> KeyPair | None:
    """What is kept; None where nothing is, or nothing that could have been drawn: then phones join anew."""
    if path is None:
        return None
    try:
        pair = msgspec.json.decode(path.read_bytes(), type=KeyPair)
    except (OSError, *UNREADABLE):
        return None
    good = all(len(one) == _LETTERS and one.isascii() and one.isalnum() for one in (pair.host, pair.table))
    return pair if good and pair.host != pair.table else None
