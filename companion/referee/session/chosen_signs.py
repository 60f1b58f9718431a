"""Signs that people have chosen for themselves: a shape and a color, kept beside the journal and so for every game.

Who has chosen none has the sign that their number in the house gives (`web.scene.signs`).
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
    """Which of the page's colors for signs, from 0."""


class SignTaken(CompanionError, status=409):
    """Another person has that sign."""


class SignNotKept(CompanionError, status=503):
    """A choice could not be saved, so nothing was changed."""


class ChosenSigns:
    """The signs that people chose, by name however it is written as to capitals. May be called from any thread."""

    def __init__(self, path: Path | None = None) -> None:
        """
        Args:
            path: Where they are kept; None: nowhere. A file that cannot be read is as none: signs are chosen anew.
        """
        self._path = path
        self._lock = threading.Lock()
        self._chosen = _read(path)

    def of(self, name: str) -> ChosenSign | None:
        """The choice of a person, or None."""
        return self._chosen.get(name.casefold())

    def choose(self, name: str, sign: ChosenSign) -> None:
        """A person has this sign from now on, on disk when this returns.

        Raises:
            SignTaken: Somebody else has chosen it before.
            SignNotKept: It could not be written down.
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
                        f"The sign could not be written down ({error.strerror}). Nothing was changed; make room, and"
                        " try again."
                    ) from error
            self._chosen = chosen


def _read(path: Path | None) -> dict[str, ChosenSign]:
    found = None if path is None else read_kept(path, lambda data: decode_json(data, dict[str, ChosenSign]))
    return found or {}
