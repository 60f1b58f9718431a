"""The signs that people have chosen for themselves: a shape and a color, stored beside the journal and used in every
game.

A person without a chosen sign gets one by the order in which the journal first met people (`web.scene.signs`).
"""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.core.foundation.errors import CompanionError
from companion.core.foundation.kept_file import decode_json, read_kept, write_whole


class ChosenSign(Struct, frozen=True):
    """The sign of a person."""

    shape: str
    """A name of `web.scene.signs.SIGN_PATHS`."""
    color: int
    """The index of the color among the page's colors for signs, from 0."""


class SignTaken(CompanionError, status=409):
    """An error: another person has that sign."""


class SignNotKept(CompanionError, status=503):
    """An error: a choice could not be saved, so nothing was changed."""


class ChosenSigns:
    """The chosen signs by name, without regard to case. May be called from any thread."""

    def __init__(self, path: Path | None = None) -> None:
        """
        Args:
            path: The file; None: the signs are not saved. If the file cannot be read, all choices are lost.
        """
        self._path = path
        self._lock = threading.Lock()
        self._chosen = _read(path)

    def of(self, name: str) -> ChosenSign | None:
        """Returns the sign that a person chose, or None."""
        return self._chosen.get(name.casefold())

    def choose(self, name: str, sign: ChosenSign) -> None:
        """Gives a person this sign from now on; the choice is on disk when this returns.

        Raises:
            SignTaken: Another person has already chosen it.
            SignNotKept: The choice could not be saved.
        """
        with self._lock:
            if any(other != name.casefold() and one == sign for other, one in self._chosen.items()):
                raise SignTaken("Another person has chosen this sign. Choose another shape or color.")
            chosen = {**self._chosen, name.casefold(): sign}
            if self._path is not None:
                try:
                    write_whole(self._path, msgspec.json.encode(chosen), durable=True)
                except OSError as error:
                    raise SignNotKept(
                        f"The sign could not be saved ({error.strerror}). Nothing was changed; make room, and"
                        " try again."
                    ) from error
            self._chosen = chosen


def _read(path: Path | None) -> dict[str, ChosenSign]:
    found = None if path is None else read_kept(path, lambda data: decode_json(data, dict[str, ChosenSign]))
    return found or {}
