"""What a reader made of drawn games, kept in a file: pictures are drawn and read once, and judged as often as needed.

One game a line. A game of the file is refereed as when its pictures were there, but for one thing: what the reader
learns from the game (colors of confirmed pieces) it learned from the verdicts of the day when the file was written.
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
    """True if a hand was in it after all."""
    reads: tuple[Layout, ...]
    """What it was read as; the first picture is read twice, because the game begins with it. Empty: no table found."""
    again: Layout | None
    """A further look at it."""


class GameRead(Struct, frozen=True):
    """One game as it was read."""

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
    """Add a game to a file."""
    with path.open("ab") as file:
        file.write(msgspec.json.encode(game) + b"\n")


class RememberedEyes(EyesWithoutPictures):
    """Eyes that tell what a reader once read."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._look: Look | None = None
        self._read = 0

    def show(self, look: Look) -> None:
        """The picture that is read from now on."""
        self._look, self._read = look, 0

    def read(self, picture: Picture) -> Reading:
        """What was read.

        :raises NoTable: no table was found then.
        """
        assert self._look is not None
        self.last = None
        if not self._look.reads:
            raise NoTable("No table was found in this picture when it was read.")
        layout = self._look.reads[min(self._read, len(self._look.reads) - 1)]
        self._read += 1
        return self._told(layout)

    def read_again(self, picture: Picture) -> Reading:
        """What was read in the further look."""
        assert self._look is not None
        if self._look.again is None:
            raise NoTable("No table was found in a further look at this picture when it was read.")
        return self._told(self._look.again)
