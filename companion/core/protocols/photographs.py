"""The protocol by which the page reads photographs; the page never imports `vision`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from companion.core.foundation.errors import CompanionError
from companion.core.plan import Point


class NoPhotographs(CompanionError, status=404):
    """An error: this server reads no photographs."""


class PhotographReader(Protocol):
    """A reader of photographs of a game. Every method may be called from any thread."""

    def read(self, data: bytes, game: str, corners_px: Sequence[Point] | None = None) -> dict[str, Any]:
        """Returns the pieces that a photograph shows.

        The answer has `reading` in the words of the labeled picture set, `marks` with outlines as fractions of width
        and height, `doubtful` spots with their `candidates`, and the photograph's `size_px`.

        Args:
            data: A JPEG, PNG or WebP file.
            corners_px: Corners of the mat as a person tapped them.

        Raises:
            UnreadablePicture: The data is not a picture, or exceeds the limits.
            SeeError: The table or its pieces are not found.
            WrongUsage: Photographs of this game cannot be read.
        """


class NoPhotographReader:
    """The photograph reader of a server that reads no photographs."""

    def read(self, data: bytes, game: str, corners_px: Sequence[Point] | None = None) -> dict[str, Any]:
        """Raises an error, because this server reads no photographs.

        Raises:
            NoPhotographs: Always.
        """
        raise NoPhotographs("This page reads no photographs. Use `companion score`.")
