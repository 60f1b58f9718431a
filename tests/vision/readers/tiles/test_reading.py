"""Real pictures of Spectrangle tables: every tile as it lies, every empty cell empty, and the board where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.accuracy import best_turn, truth
from companion.app.demos import load_demo
from companion.core.foundation.errors import NoBoard
from companion.core.pieces import TILES, Tile
from companion.core.plan import Plan, TileBoard
from companion.games import RECORDED
from tests.vision.labeled import MAT, NAMES, clicked, load
from vision.image.picture import Picture, read_picture
from vision.readers.tiles.scene import TileScene, place_board, read_scene
from vision.registration.registered_image import find_table
from vision.table_reader import TableReader


def scene_of(picture: Picture, label: dict[str, Any]) -> TileScene:
    table = find_table(picture, MAT, clicked(label))
    return read_scene(table, place_board(table), apex_known=False)


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_is_read(name: str) -> None:
    picture, label = load(name)
    shot = best_turn(label, scene_of(picture, label), 0.0)
    assert shot.joint == truth(label)
    assert shot.corner_mm < 3.0


@pytest.mark.parametrize("name", NAMES)
def test_candidates_are_ranked_and_no_tile_is_named_twice(name: str) -> None:
    picture, label = load(name)
    cells = scene_of(picture, label).board.cells
    assert len(cells) == 36
    named = []
    for cell in cells:
        chances = [candidate.probability for candidate in cell.joint.candidates]
        assert chances == sorted(chances, reverse=True)
        assert 0 < sum(chances) <= 1 + 1e-6
        if isinstance(cell.joint.piece, Tile):
            named.append("".join(sorted(cell.joint.piece.edges)))
    assert len(set(named)) == len(named) <= len(TILES)


def test_the_apex_stays_where_it_was_from_picture_to_picture() -> None:
    demo, folder = load_demo("spectrangle")
    plan = RECORDED["spectrangle"](demo.mat, demo.setup).plan
    reader = TableReader(Plan(plan.mat, (TileBoard(),)))
    tiles = [set() for _ in range(3)]
    for seen, name in zip(tiles, ("frame-0006.jpg", "frame-0011.jpg", "frame-0025.jpg"), strict=True):
        layout = reader.read(read_picture(folder / name)).layout
        seen |= {(spot, s.piece) for spot, s in layout.cells.items() if s.piece is not None}
    assert tiles[0] < tiles[1] < tiles[2]
    assert [len(seen) for seen in tiles] == [1, 3, 7]


def test_a_board_that_is_not_where_the_plan_says_is_found_all_the_same() -> None:
    _, folder = load_demo("spectrangle")
    elsewhere = TileBoard(((220.0, 68.0), (70.0, 328.0), (370.0, 328.0)))
    reader = TableReader(Plan(MAT, (elsewhere,)))
    layout = reader.read(read_picture(folder / "frame-0025.jpg")).layout
    assert sum(sighting.piece is not None for sighting in layout.cells.values()) == 7


def test_a_table_without_a_board_is_said_to_have_none() -> None:
    picture, label = load("spectrangle-0037")
    table = find_table(picture, MAT)
    outline = table.pose.project(np.column_stack([np.array([[30, 30], [410, 30], [410, 370], [30, 370]]), np.zeros(4)]))
    x0, y0 = outline.min(axis=0).astype(int)
    x1, y1 = outline.max(axis=0).astype(int)
    bare = picture.copy()
    bare[y0:y1, x0:x1] = np.random.default_rng(0).normal(
        np.median(picture[::9, ::9].reshape(-1, 3), axis=0), 3, (y1 - y0, x1 - x0, 3)
    )
    for number in label["mat"]["visible_ids"]:
        x, y = (round(v) for v in label["mat"]["corners_px"][number])
        bare[y - 45 : y + 45, x - 45 : x + 45] = picture[y - 45 : y + 45, x - 45 : x + 45]
    with pytest.raises(NoBoard, match="board"):
        TableReader(Plan(MAT, (TileBoard(),))).read(bare)
