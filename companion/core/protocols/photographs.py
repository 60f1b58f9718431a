"""The protocol by which the page has photographs read; the page never imports `vision`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from companion.core.foundation.errors import CompanionError
from companion.core.plan import Point


class NoPhotographs(CompanionError, status=404):
    """This server reads no photographs."""


class PhotographReader(Protocol):
    """Reads photographs of a game. Every method may be called from any thread."""

    def read(self, data: bytes, game: str, corners_px: Sequence[Point] | None = None) -> dict[str, Any]:
        """Returns what a photograph shows.

        The answer has `reading` in the words of the labeled picture set, `marks` with outlines as shares of width and
        height, `doubtful` spots with their `candidates`, and the photograph's `size_px`.

        Args:
            data: A JPEG, PNG or WebP file.
            corners_px: Corners of the mat as a person tapped them.

        Raises:
            UnreadablePicture: It is no picture, or beyond the limits.
            SeeError: The table or its pieces are not found.
            WrongUsage: No photograph of this game is read.
        """


class NoPhotographReader:
    """A page without a reader."""

    def read(self, data: bytes, game: str, corners_px: Sequence[Point] | None = None) -> dict[str, Any]:
        """There is no reader.

        Raises:
            NoPhotographs: Always.
        """
        raise NoPhotographs("This page reads no photographs. Use `companion score`.")
