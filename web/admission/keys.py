"""Stores the secrets by which browsers change the table, so that phones stay joined after a restart.

A file beside the journal, which only its owner may read, contains two secrets, the PIN that the host chose on the page,
and the choice to let phones in. The table's secret only gives the right to play. The host can replace it at any time;
every phone must then join again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.foundation.errors import CompanionError
from companion.core.foundation.kept_file import Spoiled, decode_json, read_kept, write_whole
from web.admission.pin import is_pin

_LETTERS = 32


class KeysNotKept(CompanionError, status=503):
    """An error: a new secret or PIN could not be saved."""


class KeptKeys(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A secret of 128 bits for each role, as 32 hexadecimal digits, and the ways in which phones are admitted."""

    host: str
    table: str
    pin: str = ""
    """Six digits, stored or chosen on the page; empty: there never was a PIN."""
    phones: bool = False
    """True if the host has let phones in on the page."""
    camera: str = ""
    """The secret of the phone that is the table's camera; empty: no phone is."""


class Keys:
    """The secrets and the PIN, stored in a file or only for this run."""

    def __init__(self, path: Path | None = None, token: Callable[[], str] = lambda: secrets.token_hex(16)) -> None:
        """
        Args:
            path: The file; None: nothing is saved.
            token: Draws a random secret of 128 bits.
        """
        self._path = path
        self._draw = token
        self.kept = _read(path) or KeptKeys(token(), token())
        # If the disk is full, the game goes on; the phones must then join again after the next start.
        with suppress(OSError):
            self._write(self.kept)

    def renew_table(self) -> None:
        """Draws a new secret for the table: every browser but the host's must join again.

        Raises:
            KeysNotKept: The secret could not be saved; nothing has changed.
        """
        try:
            self._keep(replace(self.kept, table=self._draw()))
        except OSError as error:
            raise KeysNotKept(
                f"The new key could not be saved ({error.strerror}). All phones are still in; make room, and try again."
            ) from error

    def keep_pin(self, pin: str, *, phones: bool) -> None:
        """Saves a PIN, and the choice to let phones in on the page.

        Args:
            pin: Six digits.

        Raises:
            KeysNotKept: The PIN could not be saved; nothing has changed.
        """
        try:
            self._keep(replace(self.kept, pin=pin, phones=phones))
        except OSError as error:
            raise KeysNotKept(
                f"The PIN could not be saved ({error.strerror}). Nothing has changed; make room, and try again."
            ) from error

    def keep_camera(self, secret: str) -> None:
        """Saves which phone is the table's camera.

        Args:
            secret: The phone's secret; empty: no phone is the camera.

        Raises:
            KeysNotKept: The secret could not be saved. A new secret is then invalid, while an empty one is valid until
                this run ends.
        """
        changed = replace(self.kept, camera=secret)
        try:
            self._keep(changed)
        except OSError as error:
            if not secret:
                self.kept = changed
            raise KeysNotKept(
                f"The choice of the phone could not be saved ({error.strerror}). Make room, and try again."
            ) from error

    def close_to_phones(self) -> None:
        """Saves that phones are no longer let in; the PIN is kept for the next time.

        Raises:
            KeysNotKept: The change could not be saved, and is valid only until this run ends.
        """
        closed = replace(self.kept, phones=False)
        try:
            self._keep(closed)
        except OSError as error:
            self.kept = closed
            raise KeysNotKept(
                f"The table is closed to phones, but that could not be saved ({error.strerror}), so the next"
                " start lets them in again. Make room, and close it once more."
            ) from error

    def _keep(self, kept: KeptKeys) -> None:
        self._write(kept)
        self.kept = kept

    def _write(self, kept: KeptKeys) -> None:
        if self._path is not None:
            write_whole(self._path, msgspec.json.encode(kept), durable=True)


def _read(path: Path | None) -> KeptKeys | None:
    """Returns the stored keys; None if there are none, or if they are damaged (phones must then join again).

    An invalid PIN also closes the table to phones.
    """
    return None if path is None else read_kept(path, _decoded)


def _decoded(data: bytes) -> KeptKeys:
    """Returns the keys in a file. Raises Spoiled: The server cannot have written them."""
    kept = decode_json(data, KeptKeys)
    good = all(len(one) == _LETTERS and one.isascii() and one.isalnum() for one in (kept.host, kept.table))
    if not good or kept.host == kept.table:
        raise Spoiled("its keys are none that were drawn")
    if kept.camera and not (len(kept.camera) == _LETTERS and kept.camera.isascii() and kept.camera.isalnum()):
        kept = replace(kept, camera="")
    return kept if is_pin(kept.pin) else replace(kept, pin="", phones=False)
