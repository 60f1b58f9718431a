"""The Spectrangle board as a scene."""

from __future__ import annotations

import math

from companion.core.pieces import TILES, Tile
from companion.games.spectrangle.board import BONUS, NEIGHBORS, SPOTS
from web.games.spectrangle import board, center, single
from web.scene.marks import NOTHING, Marks
from web.scene.pieces.tiles import HEIGHT_MM
from web.scene.shape import BoardFrame, Shape

RGB = Tile("R", "G", "B", 3)


def cells(scene: Shape) -> dict[str, Shape]:
    """Cells of a board by spot."""
    return {shape.get("data-spot") or "": shape for shape in scene.walk() if shape.get("role") == "gridcell"}


def name_of(scene: Shape, spot: str) -> str:
    return cells(scene)[spot].get("aria-label") or ""


def test_the_board_is_a_grid_of_six_rows_and_36_cells() -> None:
    scene = board({})
    assert scene.get("role") == "grid" and scene.get("aria-label") == "Board"
    rows = [shape for shape in scene.walk() if shape.get("role") == "row"]
    assert [len(row.children) for row in rows] == [1, 3, 5, 7, 9, 11]
    assert list(cells(scene)) == list(SPOTS)
    assert len({shape.get("id") for shape in cells(scene).values()}) == 36


def test_neighbors_lie_side_by_side() -> None:
    for cell, trio in enumerate(NEIGHBORS):
        for other in trio:
            if other is not None:
                assert math.isclose(math.dist(center(cell), center(other)), 2 / 3 * HEIGHT_MM)


def test_a_cell_is_named_by_row_column_direction_and_what_lies_there() -> None:
    scene = board({7: RGB})
    assert name_of(scene, "c7") == "c7, points down, RGB3, left red, right green, flat blue, value 3"
    assert name_of(scene, "c11") == "c11 ×4, points up, empty"


def test_bonus_numbers_stand_on_empty_bonus_cells() -> None:
    def bonus(scene: Shape, cell: int) -> list[str]:
        return [str(s.children[0]) for s in cells(scene)[f"c{cell}"].walk() if s.get("class") == "bonus"]

    assert {cell: bonus(board({}), cell) for cell in BONUS} == {cell: [f"×{bonus}"] for cell, bonus in BONUS.items()}
    assert bonus(board({11: RGB}), 11) == []


def test_every_highlight_has_a_word_and_a_sign() -> None:
    plain = board({1: RGB})
    marked = {
        "legal": board({1: RGB}, Marks(legal={"c3": "24"})),
        "refused": board({1: RGB}, Marks(refused=frozenset({"c3"}))),
        "about": board({1: RGB}, Marks(about=frozenset({"c3"}))),
        "last": board({1: RGB}, Marks(last=frozenset({"c3"}))),
        "changed": board({1: RGB}, Marks(changed=frozenset({"c3"}))),
    }
    words = {
        "legal": "allowed here, 24 points",
        "refused": "not allowed",
        "last": "last move",
        "changed": "would change",
        "about": "in question",
    }
    drawn = set()
    for kind, scene in marked.items():
        assert name_of(scene, "c3") == f"{name_of(plain, 'c3')}, {words[kind]}"
        assert kind in (cells(scene)["c3"].get("class") or "").split()
        drawn.add(tuple((shape.tag, shape.get("class")) for shape in cells(scene)["c3"].walk()))
        assert cells(scene)["c4"] == cells(plain)["c4"]
    assert len(drawn) == 5, "no two highlights are drawn alike"


def test_a_trial_tile_lies_over_what_is_there() -> None:
    scene = board({1: RGB}, Marks(ghosts={"c1": TILES[0], "c2": None}))
    assert "on trial: RRR6, red on all edges, value 6" in name_of(scene, "c1")
    assert "empty" in name_of(scene, "c2")


def test_a_small_board_is_one_picture() -> None:
    scene = board({1: RGB}, NOTHING, BoardFrame(title="Answer 1", name="choice0", live=False))
    assert scene.get("role") == "img" and scene.get("aria-label") == "Answer 1"
    assert not [shape for shape in scene.walk() if shape.get("tabindex") or shape.get("role") in ("row", "gridcell")]


def test_scenes_on_one_page_share_no_ids() -> None:
    ids = [
        shape.get("id")
        for scene in (
            board({1: RGB}),
            board({1: RGB}, NOTHING, BoardFrame(name="b")),
            single(RGB, name="t0"),
            single(RGB, name="t1"),
        )
        for shape in scene.walk()
        if shape.get("id")
    ]
    assert len(set(ids)) == len(ids)


def test_everything_lies_within_the_picture() -> None:
    left, top, width, height = map(float, (board({}).get("viewBox") or "").split())
    for shape in board({}).walk():
        for point in (shape.get("points") or "").split():
            x, y = map(float, point.split(","))
            assert left <= x <= left + width and top <= y <= top + height
