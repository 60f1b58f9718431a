"""Tiles that the picture's edge cuts off are unknown: what is left of one reads as another tile."""

from __future__ import annotations

import json
from functools import cache

import cv2
import numpy as np
import pytest

from companion.core.layout import Layout
from companion.core.pieces import Tile
from companion.core.plan import Plan, TileBoard, TileHeap
from tests.vision.labeled import FOLDER, MAT, load
from vision.image.picture import Picture
from vision.readers.tiles.hands import heaps_by_tiles
from vision.readers.tiles.scene import LooseTile, read_scene
from vision.registration.registered_image import find_table
from vision.table_reader import TableReader

LEFT = ("GGY4", "GGR5", "PPG5", "WWW1")
"""The hand at the left of the board, from the top down."""
OTHERS = ("YBP3", "RRY5", "YYP4", "BBB6", "PPB4", "BYG1", "RGY3", "BBY4")
ROW_MM = ((-85.0, 142.0), (0.0, 142.0), (0.0, 385.0), (-85.0, 385.0))
"""Around the tiles at the left, and past what the turned camera sees."""


@cache
def turned(right_px: float) -> Picture:
    """The picture that a camera takes which is turned to the right by so many pixels."""
    picture, _ = load("spectrangle-0037")
    lens = np.array(json.loads((FOLDER / "spectrangle-0037.json").read_text())["camera"]["K"])
    angle = np.arctan(right_px / lens[0, 0])
    turn = cv2.Rodrigues(np.array([0.0, -angle, 0.0]))[0]
    size = (picture.shape[1], picture.shape[0])
    matrix = lens @ turn @ np.linalg.inv(lens)
    return np.asarray(cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def loose(right_px: float) -> tuple[LooseTile, ...]:
    return read_scene(find_table(turned(right_px), MAT)).loose


def read(right_px: float) -> Layout:
    plan = Plan(MAT, (TileBoard(None), TileHeap("left", ROW_MM)))
    return TableReader(plan).read(turned(right_px)).layout


def names(layout: Layout) -> set[str]:
    return {sighting.piece.name for sighting in layout.heaps["left"] if isinstance(sighting.piece, Tile)}


def test_where_the_picture_shows_all_of_a_hand_it_is_known() -> None:
    picture, _ = load("spectrangle-0037")
    layout = TableReader(Plan(MAT, (TileBoard(None), TileHeap("left", ROW_MM)))).read(picture).layout
    assert names(layout) == set(LEFT)
    assert not layout.partial


@pytest.mark.parametrize("right_px", [225, 240, 255])
def test_a_tile_that_is_cut_off_is_not_told_and_more_may_lie_there(right_px: float) -> None:
    cut = [tile for tile in loose(right_px) if tile.is_cut_off]
    assert cut, "the picture shows a part of one"
    layout = read(right_px)
    assert names(layout) < set(LEFT)
    assert layout.partial == {"left"}


def test_a_heap_whose_outline_leaves_the_picture_at_one_side_may_hold_more() -> None:
    far = (*ROW_MM, (-2000.0, 263.0))
    picture, _ = load("spectrangle-0037")
    layout = TableReader(Plan(MAT, (TileBoard(None), TileHeap("left", far)))).read(picture).layout
    assert layout.partial == {"left"}


def test_a_tile_that_is_cut_off_belongs_to_the_hand_beside_it() -> None:
    scene = read_scene(find_table(turned(240), MAT))
    heaps = heaps_by_tiles(scene, [LEFT, OTHERS])
    cut = [tile for tile in scene.loose if tile.is_cut_off and tile.spot.y_mm > ROW_MM[0][1]]
    (left,) = (np.array(heap.outline_mm, np.float32) for heap in heaps if heap.spot == "seat0.hand")
    assert len(cut) == 3
    assert all(cv2.pointPolygonTest(left, (tile.spot.x_mm, tile.spot.y_mm), False) > 0 for tile in cut)
