"""The outermost element of a drawn board."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from web.scene.shape import Attributes, Shape, measure, shape


class BoardFrame(Struct, frozen=True):
    """The name of a drawn board, its players, and its use: for moves or for viewing only."""

    name: str = "board"
    """Its id on the page; the ids of its places start with it."""
    title: str = "Board"
    live: bool = True
    """True if its places can be walked through and chosen; a small picture is one image instead."""
    names: Sequence[str] = ()
    """Players by seat, for games whose board shows them."""

    def around(self, kind: str, box: tuple[float, float, float, float], *parts: Shape | None) -> Shape:
        """The board of these parts.

        Args:
            kind: Its class beside "board".
            box: Left, top, width and height of the visible part, in mm of the drawing.
        """
        known: Attributes = {
            "id": self.name,
            "class": f"board {kind}",
            "viewBox": " ".join(map(measure, box)),
            "role": "grid" if self.live else "img",
            "aria-label": self.title,
        }
        return shape("svg", known, *parts)


BOARD = BoardFrame()
"""A board without names of players."""
