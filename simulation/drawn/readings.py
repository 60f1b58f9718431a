"""Keeps a reader's readings of drawn games in a file: pictures are drawn and read once, and judged as often as needed.

The file has one game per line. Such a game is refereed as it was with its pictures, with one exception: the reader
learned the colors of confirmed pieces from the verdicts given when the file was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.core.foundation.errors import NoTable
from companion.core.layout import Layout
from companion.core.plan import Plan
from simulation.drawn.eyes import EyesWithoutPictures
from vision.image.picture import Picture
from vision.table_reader import Reading


class Look(Struct, frozen=True):
    """One picture that was taken for a steady one."""

    number: int
    turn: int
    hand: bool
    """True if it nevertheless had a hand in it."""
    reads: tuple[Layout, ...]
    """The readings of the picture; the first picture is read twice, because the game begins with it. Empty if no table
    was found.
    """
    again: Layout | None
    """The reading of a further look at it; None if there was none."""


class GameRead(Struct, frozen=True):
    """The readings of one game, with its setting."""

    game: str
    seed: int
    steps: int
    table: str | None
    tilt_deg: float | None
    seats: int | None
    calibrated: bool
    looks: tuple[Look, ...] = ()


def games_of(path: Path) -> Iterator[GameRead]:
    """Yields the games of a file."""
    decoder = msgspec.json.Decoder(GameRead)
    with path.open("rb") as lines:
        for line in lines:
            yield decoder.decode(line)


def keep(game: GameRead, path: Path) -> None:
    """Appends a game to a file."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(game) + b"\n")


class RememberedEyes(EyesWithoutPictures):
    """Eyes that repeat recorded readings."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._look: Look | None = None
        self._read = 0

    def show(self, look: Look) -> None:
        """Sets the look whose readings are repeated from now on."""
        self._look, self._read = look, 0

    def read(self, picture: Picture) -> Reading:
        """Returns the next recorded reading.

        Raises:
            NoTable: No table was found in the picture.
        """
        assert self._look is not None
        self.last = None
        if not self._look.reads:
            raise NoTable("No table was found in this picture when it was read.")
        layout = self._look.reads[min(self._read, len(self._look.reads) - 1)]
        self._read += 1
        return self._told(layout)

    def read_again(self, picture: Picture) -> Reading:
        """Returns the recorded reading of the further look.

        Raises:
            NoTable: No table was found in the further look.
        """
        assert self._look is not None
        if self._look.again is None:
            raise NoTable("No table was found in a further look at this picture when it was read.")
        return self._told(self._look.again)
