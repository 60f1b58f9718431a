"""The five readers of this project keep what readers of other packages promise."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bench.pyramids import BUNDLED, BUNDLED_TRUTH
from companion.core.plan import Mat
from companion.testing.reader_contract import ReaderContract
from simulation.dice_pictures import MAT as TRAY
from simulation.dice_pictures import NINE, tray
from tests.vision import labeled
from tests.vision.readers.cards import tables as cards
from tests.vision.readers.pawns import boards
from vision.domains import DOMAINS
from vision.image.picture import read_picture
from vision.registration.registered_image import RegisteredImage, find_table


@cache
def dice() -> RegisteredImage:
    return find_table(tray(NINE), TRAY)


@cache
def tiles() -> tuple[RegisteredImage, int]:
    picture, label = labeled.load(labeled.NAMES[0])
    count = sum(cell is not None for cell in label["truth"]["cells"])
    return find_table(picture, labeled.MAT, labeled.clicked(label)), count


@cache
def pyramids() -> RegisteredImage:
    return find_table(read_picture(BUNDLED), Mat(600, 400, 40))


class TestDice(ReaderContract):
    reader = staticmethod(DOMAINS["dice"])

    def samples(self) -> Sequence[tuple[RegisteredImage, int]]:
        return [(dice(), len(NINE))]


class TestTiles(ReaderContract):
    reader = staticmethod(DOMAINS["spectrangle"])

    def samples(self) -> Sequence[tuple[RegisteredImage, int]]:
        return [tiles()]


class TestPawns(ReaderContract):
    reader = staticmethod(DOMAINS["spectrum"])

    def samples(self) -> Sequence[tuple[RegisteredImage, int]]:
        name = boards.NAMES[0]
        return [(boards.table_of(name), len(boards.load(name)[1]["truth"]["pawns"]))]


class TestPyramids(ReaderContract):
    reader = staticmethod(DOMAINS["pyramids"])

    def samples(self) -> Sequence[tuple[RegisteredImage, int]]:
        return [(pyramids(), len(BUNDLED_TRUTH["stacks"]))]


class TestCards(ReaderContract):
    reader = staticmethod(DOMAINS["cards"])

    def samples(self) -> Sequence[tuple[RegisteredImage, int]]:
        return [(cards.table_of(cards.ROWS), len(cards.ON_ROWS))]
