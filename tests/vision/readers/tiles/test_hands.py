"""Loose tiles beside the board: found, named, and given to the hands they belong to."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from bench.strange_tables import best, kept_of
from companion.core.layout import Candidate, Detection
from companion.core.pieces import Tile, identify
from simulation.changed.cloths import CLOTHS, laid
from tests.vision.labeled import MAT, load
from vision.readers.tiles.hands import heaps_by_place, heaps_by_tiles
from vision.readers.tiles.patches import Spot
from vision.readers.tiles.recognition import read_tiles
from vision.readers.tiles.scene import LooseTile, TileScene, read_scene
from vision.registration.registered_image import find_table

HANDS = {"YBP3", "RRY5", "YYP4", "BBB6", "PPB4", "BYG1", "RGY3", "BBY4", "GGY4", "GGR5", "PPG5", "WWW1"}
"""What lies beside the board in this picture, as a person reads it."""


@cache
def scene() -> TileScene:
    picture, _ = load("spectrangle-0037")
    return read_scene(find_table(picture, MAT))


def names(tiles: tuple[LooseTile, ...]) -> set[str]:
    return {tile.joint.piece.name for tile in tiles if isinstance(tile.joint.piece, Tile)}


def loose(name: str, x_mm: float, y_mm: float) -> LooseTile:
    sighting = Detection((Candidate(identify(name[:3]), 0.97),))
    return LooseTile(Spot(x_mm, y_mm, 0.0), 1.0, sighting, sighting)


def test_every_tile_beside_the_board_is_found_and_named() -> None:
    assert names(scene().loose) == HANDS


def test_a_tile_is_never_both_in_a_hand_and_on_the_board() -> None:
    on_board = {identify(cell.joint.piece.edges) for cell in scene().board.cells if isinstance(cell.joint.piece, Tile)}
    assert not on_board & {tile.joint.piece for tile in scene().loose}


@pytest.mark.parametrize("name", ["spectrangle-0011", "spectrangle-0029"])
def test_squares_of_a_cloth_take_no_tile_from_the_board(name: str) -> None:
    picture, label = load(name)
    table = find_table(picture, MAT)
    cloth = laid(picture, table, kept_of("spectrangle", label, table), CLOTHS["black and white squares"])
    reading = read_tiles(find_table(cloth, MAT))
    right, wanted, given = best("spectrangle", label["truth"], reading)[0]
    assert (right, given) == (wanted, wanted)
    assert not names(reading.scene.loose)


def test_known_hands_get_a_heap_each_around_their_own_tiles() -> None:
    row = (loose("GGY4", 40, 450), loose("PPB4", 110, 452), loose("RYB1", 120, -60), loose("BBR5", 190, -58))
    table = TileScene(scene().board, scene().fit, row, (0.0, 0.0, 0.0))
    heaps = heaps_by_tiles(table, [["RYB1", "BBR5"], ["PPB4", "GGY4"]])
    assert [heap.spot for heap in heaps] == ["seat0.hand", "seat1.hand"]
    middles = [np.mean(heap.outline_mm, axis=0) for heap in heaps]
    assert middles[0] == pytest.approx((155, -59), abs=2)
    assert middles[1] == pytest.approx((75, 451), abs=2)


def test_a_seat_without_a_tile_in_sight_gets_no_heap() -> None:
    table = TileScene(scene().board, scene().fit, (loose("GGY4", 40, 450),), (0.0, 0.0, 0.0))
    assert [heap.spot for heap in heaps_by_tiles(table, [["RRR6"], ["GGY4"]])] == ["seat1.hand"]


def test_unknown_hands_are_told_apart_by_where_they_lie_clockwise_from_the_lower_edge() -> None:
    row = (
        loose("GGY4", 180, 450), loose("PPB4", 250, 450),
        loose("RYB1", -60, 180), loose("BBR5", -60, 250),
        loose("RRR6", 200, -50),
    )  # fmt: skip
    heaps = heaps_by_place(TileScene(scene().board, scene().fit, row, (0.0, 0.0, 0.0)), MAT)
    middles = [np.mean(heap.outline_mm, axis=0) for heap in heaps]
    assert middles[0] == pytest.approx((215, 450), abs=2)
    assert middles[1] == pytest.approx((-60, 215), abs=2)
    assert middles[2] == pytest.approx((200, -50), abs=2)


def test_heaps_of_neighbors_do_not_overlap() -> None:
    row = (loose("GGY4", 100, 450), loose("RYB1", 180, 450))
    heaps = heaps_by_tiles(TileScene(scene().board, scene().fit, row, (0.0, 0.0, 0.0)), [["GGY4"], ["RYB1"]])
    left, right = (np.array(heap.outline_mm) for heap in heaps)
    assert left[:, 0].max() <= right[:, 0].min() + 0.1
