"""Cells and loose things followed from picture to picture: tiles, pawns and dice on pictures of tables."""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.layout import Layout
from companion.core.pieces import Pawn, Tile
from companion.core.plan import DiceTray, Mat, PawnBoard, Plan, TileBoard, TileHeap, Zone
from vision.image.picture import Picture, read_picture
from vision.image.pose import Pose
from vision.registration.registered_image import find_table
from vision.table_reader import TableReader

DATA = Path(__file__).parents[2] / "data"
CLOTH = (70, 84, 120)
BOARD = (60, 60, 60)
"""B, G, R."""
HAND = TileHeap("hand", ((-200, 330), (700, 330), (700, 700), (-200, 700)))
"""What lies below the board."""


class Seen:
    """A labeled picture with what a plan reads in it."""

    def __init__(self, folder: str, name: str, *zones: Zone) -> None:
        self.label = json.loads((DATA / folder / f"{name}.json").read_text())
        self.picture = read_picture(DATA / folder / f"{name}.jpg")
        known = self.label["mat"]
        self.mat = Mat(known["width_mm"], known["height_mm"], known["marker_mm"])
        self.reader = TableReader(Plan(self.mat, zones))
        reading = self.reader.read(self.picture)
        self.first, self.marks = reading.layout, reading.marks

    @property
    def pose(self) -> Pose:
        return find_table(self.picture, self.mat).pose

    def next(self, picture: Picture) -> Layout:
        return self.reader.read(picture).layout

    def covered(self, at_mm: tuple[float, float], radius_mm: float) -> Picture:
        """The picture with a round cloth on the table."""
        turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        ring = np.column_stack([np.cos(turns), np.sin(turns), np.zeros(48)]) * radius_mm
        outline = self.pose.project(ring + np.array([*at_mm, 6.0]))
        cloth = self.picture.copy()
        cv2.fillConvexPoly(cloth, np.round(outline).astype(np.int32), CLOTH, cv2.LINE_AA)
        return cloth


def faded(picture: Picture) -> Picture:
    """The lamp is turned down and warmer, and the sensor rustles."""
    rustle = np.random.default_rng(5).normal(0, 1.5, picture.shape)
    return np.asarray(np.clip(picture * (0.7, 0.78, 0.85) + rustle, 0, 255), np.uint8)


def tiles() -> Seen:
    return Seen("spectrangle", "spectrangle-0037", TileBoard(), HAND)


def test_a_first_picture_hides_nothing() -> None:
    assert not tiles().first.hidden


def test_tiles_keep_their_cells_and_places_while_the_light_fades() -> None:
    table = tiles()
    dim = table.next(faded(table.picture))
    assert kept(table.first, dim) == set(table.first.cells)
    assert {spot: one.piece for spot, one in dim.cells.items()} == {
        spot: one.piece for spot, one in table.first.cells.items()
    }
    places = {one.place: one.piece for one in table.first.heaps["hand"]}
    assert places
    assert all(places)
    assert {one.place: one.piece for one in dim.heaps["hand"]} == places


def kept(before: Layout, now: Layout) -> set[str]:
    """Cells of which the surer one of two readings is told, as of those whose picture has not changed."""
    return {
        spot
        for spot, one in now.cells.items()
        if one.piece == before.cells[spot].piece and one.confidence >= before.cells[spot].confidence
    }


def a_tile(table: Seen, spot: str) -> tuple[float, float]:
    """The middle of the first tile at a spot, in table millimeters."""
    mark = next(mark for mark in table.marks if mark.spot == spot)
    x, y = table.pose.unproject(np.array(mark.outline_px).mean(axis=0)[None], 5.0)[0]
    return float(x), float(y)


def on_board(layout: Layout) -> list[str]:
    return [spot for spot, cell in layout.cells.items() if isinstance(cell.piece, Tile)]


def test_only_the_cell_whose_tile_is_taken_has_changed() -> None:
    table = tiles()
    spot = on_board(table.first)[0]
    mark = next(mark for mark in table.marks if mark.spot == spot)
    bare = Seen("spectrangle", "spectrangle-0037", TileBoard())
    empty = next(f"c{k}" for k in range(36) if f"c{k}" not in on_board(bare.first))
    gone = table.picture.copy()
    outline = np.round(np.array(mark.outline_px)).astype(np.int32)
    cv2.fillConvexPoly(gone, outline, BOARD)
    now = table.next(gone)
    assert now.cells[spot].piece is None
    assert empty in kept(table.first, now)
    assert len(kept(table.first, now)) >= 32


def test_a_cloth_on_a_tile_hides_its_cell_until_it_is_lifted() -> None:
    table = tiles()
    spot = on_board(table.first)[0]
    cloth = table.covered(a_tile(table, spot), 42.0)
    for _ in range(2):
        under = table.next(cloth)
        assert spot in under.hidden
        assert spot not in under.cells
    lifted = table.next(table.picture)
    assert not lifted.hidden
    assert lifted.cells[spot].piece == table.first.cells[spot].piece


def test_a_cloth_on_a_tile_of_a_hand_hides_its_place() -> None:
    table = tiles()
    place = table.first.heaps["hand"][0].place
    under = table.next(table.covered(a_tile(table, "hand"), 45.0))
    assert place in under.hidden
    assert place not in {one.place for one in under.heaps["hand"]}
    assert place in {one.place for one in table.next(table.picture).heaps["hand"]}


def test_pawns_keep_their_spaces_until_a_cloth_hides_one() -> None:
    table = Seen("spectrum", "spectrum-0013", PawnBoard())
    assert kept(table.first, table.next(faded(table.picture))) == set(table.first.cells)
    pawn = table.label["truth"]["pawns"][0]
    spot = f"{pawn['path']}.{pawn['space']}"
    assert table.first.cells[spot].piece == Pawn(pawn["color"])
    middle = table.pose.unproject(np.array(next(m for m in table.marks if m.spot == spot).outline_px).mean(0)[None])[0]
    under = table.next(table.covered((float(middle[0]), float(middle[1])), 32.0))
    assert spot in under.hidden
    assert spot not in under.cells


def test_dice_keep_their_places_while_nobody_rolls() -> None:
    table = Seen("dice", "dice-0003", DiceTray())
    places = {one.place: one.piece for one in table.first.heaps["dice"]}
    assert len(places) == len(table.label["truth"]["dice"])
    dim = table.next(faded(table.picture))
    assert {one.place: one.piece for one in dim.heaps["dice"]} == places


def test_a_cloth_on_a_die_hides_its_place() -> None:
    table = Seen("dice", "dice-0003", DiceTray())
    dice = [(die["x"], die["y"]) for die in table.label["truth"]["dice"]]
    lone = max(dice, key=lambda one: min(math.dist(one, other) for other in dice if other != one))
    under = table.next(table.covered(lone, 18.0))
    gone = {one.place for one in table.first.heaps["dice"]} - {one.place for one in under.heaps["dice"]}
    assert len(gone) == 1
    assert gone <= under.hidden


@pytest.mark.parametrize("turns", [1, 2])
def test_a_further_look_knows_things_by_the_same_places(turns: int) -> None:
    table = tiles()
    for _ in range(turns):
        again = table.reader.read_again(faded(table.picture)).layout
        assert {one.place for one in again.heaps["hand"]} == {one.place for one in table.first.heaps["hand"]}
