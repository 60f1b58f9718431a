"""The evening on disk: one JSON file, replaced as a whole; the evening before is set aside when a new one begins."""

from __future__ import annotations

from pathlib import Path
from time import gmtime, strftime

import msgspec

from companion.core.foundation.errors import BadFile
from companion.core.foundation.kept_file import Spoiled, decode_json, read_kept
from companion.core.foundation.whole_file import write_whole
from companion.referee.evening.evening import Evening, can_be

LARGEST_BYTES = 5 * 1024 * 1024


def _decoded(data: bytes) -> Evening:
    """Raises Spoiled: it is no evening, or one that cannot be."""
    evening = decode_json(data, Evening)
    if not can_be(evening):
        raise Spoiled("its players, teams and rounds do not fit each other")
    return evening


class KeptEvening:
    """The file of one hub."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> Evening | None:
        """The evening that was kept; None before the first, and after one that cannot be read: that is set aside."""
        return read_kept(self.path, _decoded, LARGEST_BYTES)

    def save(self, evening: Evening) -> None:
        """Saves the evening as it is now; it is on disk when this returns.

        Raises:
            BadFile: It cannot be written; the saved one stands.
        """
        data = msgspec.json.format(msgspec.json.encode(evening), indent=2)
        try:
            write_whole(self.path, data, durable=True)
        except OSError as error:
            raise BadFile(f"The evening {self.path} cannot be written ({error.strerror}).") from error

    def set_aside(self, now: float) -> None:
        """Give the evening before another name, so that a new one may begin.

        Raises:
            BadFile: It cannot be renamed.
        """
        stem = f"{self.path.stem}-{strftime('%Y%m%d-%H%M%S', gmtime(now))}"
        try:
            if self.path.exists():
                self.path.replace(self.path.with_name(stem + self.path.suffix))
        except OSError as error:
            raise BadFile(f"The evening {self.path} cannot be set aside ({error.strerror}).") from error
