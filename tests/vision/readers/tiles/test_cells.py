"""From sector colors to candidates: every tile in every turn, under any lamp, with and without the set as prior."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.pieces import TILES, Tile
from vision.readers.tiles.cells import WAYS, CellReading, flatness, read_places, score, way_piece, weigh
from vision.readers.tiles.glyphs import Digits
from vision.readers.tiles.inks import INKS, LETTERS, InkPalette, log_prior
from vision.readers.tiles.sectors import Sectors

BOARD = (0.06, 0.06, 0.06)
PALETTE = InkPalette(tuple(tuple(ink) for ink in INKS.tolist()), BOARD)


def seen(*cells: str, shade: float = 1.0, glare: float = 0.0) -> Sectors:
    """Cells as a camera would see them; "---" is bare board."""
    inks = dict(zip(LETTERS, INKS, strict=True)) | {"-": np.array(BOARD)}
    color = np.array([[inks[letter] * shade + glare for letter in cell] for cell in cells])
    count = len(cells)
    contrast = np.array([0.03 if cell == "---" else 0.5 for cell in cells])
    return Sectors(
        color,
        np.zeros((count, 3)),
        np.ones((count, 3)),
        np.full((count, 3), 3.0),
        contrast,
        np.zeros((count, 3)),
        np.zeros(count),
    )


def digits(*values: int) -> Digits:
    """Digits that are read clearly; 0 is none."""
    table = np.zeros((len(values), 6))
    for row, value in enumerate(values):
        if value:
            table[row] = -3
            table[row, value - 1] = 1.5
    return Digits(table, np.array([0.85 if value else 0.2 for value in values]))


def read(sectors: Sectors, numbers: Digits) -> tuple[CellReading, ...]:
    count = len(sectors.color)
    evidence = weigh(sectors, PALETTE, sectors)
    flat = flatness(sectors, sectors, numbers, np.zeros(count, dtype=bool))
    return read_places(score(evidence, log_prior(np.zeros((count, 2)), PALETTE), numbers, flat), count)


def names(cells: tuple[CellReading, ...]) -> list[str | None]:
    return [cell.joint.piece.name if isinstance(cell.joint.piece, Tile) else None for cell in cells]


def test_tri_01_every_tile_has_its_ways_to_lie() -> None:
    ways = [way_piece(k) for k in range(len(WAYS))]
    assert len(set(ways)) == len(ways) == 6 * 1 + 20 * 3 + 10 * 6
    assert {way.tile for way in WAYS} == set(range(len(TILES)))


@pytest.mark.parametrize("shade", [0.4, 1.0, 1.8])
def test_tiles_and_bare_board_are_told_in_shade_and_in_light(shade: float) -> None:
    cells = read(seen("GGY", "WWW", "---", "PRB", shade=shade), digits(4, 1, 0, 2))
    assert names(cells) == ["GGY4", "WWW1", None, "PRB2"]
    assert min(cell.joint.confidence for cell in cells) > 0.8


def test_a_veil_of_glare_makes_a_reading_less_sure_and_not_wrong() -> None:
    clear, veiled = (read(seen("BBP", "RRY", glare=glare), digits(5, 5)) for glare in (0.0, 0.5))
    assert names(clear) == names(veiled) == ["BBP5", "RRY5"]
    assert veiled[0].joint.confidence <= clear[0].joint.confidence


def test_the_set_settles_what_one_place_leaves_open() -> None:
    """Between red and purple, with RRR6 already on the board: the other can only be what is left."""
    doubtful = seen("RRR", "RRR")
    color = doubtful.color.copy()
    color[1, 2] = np.sqrt(INKS[LETTERS.index("R")] * INKS[LETTERS.index("P")])
    cells = read(doubtful._replace(color=color), digits(6, 0))
    assert cells[0].joint.piece == Tile("R", "R", "R", 6)
    assert cells[1].joint.piece == Tile("R", "R", "P", 5)
    assert cells[1].joint.confidence > cells[1].alone.probability(Tile("R", "R", "P", 5))


def test_something_that_is_neither_tile_nor_board_is_not_named_surely() -> None:
    finger = seen("RRR")
    skin = np.array([[[0.25, 0.35, 0.55], [0.2, 0.3, 0.5], [0.3, 0.42, 0.62]]])
    cell = read(finger._replace(color=skin), digits(0))[0]
    assert cell.joint.confidence < 0.8
    assert sum(c.probability for c in cell.joint.candidates if c.piece is not None) < 0.3


def test_candidates_fall_and_never_exceed_certainty() -> None:
    for cell in read(seen("GGY", "---"), digits(4, 0)):
        chances = [candidate.probability for candidate in cell.joint.candidates]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) <= 1 + 1e-9


def test_a_sector_beyond_the_border_is_left_open() -> None:
    cut = seen("GGY")
    cells = read(cut._replace(shown=np.array([[1.0, 1.0, 0.0]])), digits(0))
    chances = [c.probability for c in cells[0].alone.candidates if c.piece is not None and c.piece.edges[:2] == "GG"]
    assert len(chances) >= 4
    assert sum(chances) > 0.85
    assert max(chances) < 0.5
