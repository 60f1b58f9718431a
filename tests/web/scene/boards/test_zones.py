"""Zones of pyramids: places with names, signs besides colors, and text that stays text."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from companion.core.pieces import Pyramid
from tests.web.scene.test_svg import HOSTILE
from web.scene.boards.zones import CELL_MM, Item, Section, Zone, board
from web.scene.marks import NOTHING, Marks
from web.scene.shape import BoardFrame, Shape
from web.scene.svg import plain, svg

RED = Pyramid("red", "large")
BLUE = Pyramid("blue", "small")


def drawn(*items: Item, marks: Marks = NOTHING, title: str = "Ann", columns: int = 3, live: bool = True) -> Shape:
    return board(
        [Section(title, (Zone("heap", "heap", columns, items),))], marks, BoardFrame(name="b", title="Board", live=live)
    )


def cells(scene: Shape) -> list[Shape]:
    return [one for one in scene.walk() if one.get("data-spot")]


def test_every_place_has_a_name_an_id_and_a_spot() -> None:
    scene = drawn(Item("heap.1", "tree 1", (RED, BLUE)), Item("heap.2", "tree 2", hint="+"), Item("heap.3", "tree 3"))
    assert [one.get("aria-label") for one in cells(scene)] == [
        "tree 1, red large then blue small",
        "tree 2",
        "tree 3, empty",
    ]
    assert [one.get("id") for one in cells(scene)] == ["b-0-0", "b-0-1", "b-0-2"]
    assert [one.get("role") for one in scene.walk() if one.get("role")] == ["grid", "row", *["gridcell"] * 3]


def test_places_fill_rows() -> None:
    scene = drawn(*[Item(f"heap.{i}", "", (RED,)) for i in range(4)])
    at = [(float(one.get("data-x") or 0), float(one.get("data-y") or 0)) for one in cells(scene)]
    assert at[0][1] == at[1][1] == at[2][1] < at[3][1]
    assert at[1][0] - at[0][0] == CELL_MM and at[3][0] == at[0][0]


def test_what_is_pointed_out_has_a_sign_and_a_word() -> None:
    marks = Marks(
        legal={"heap.1": ""}, last=frozenset({"heap.1"}), refused=frozenset({"heap.2"}), changed=frozenset({"heap"})
    )
    first, second = cells(drawn(Item("heap.1", "a", (RED,)), Item("heap.2", "b", (BLUE,)), marks=marks))
    assert (first.get("aria-label") or "").endswith("allowed here, last move")
    assert (second.get("aria-label") or "").endswith("not allowed")
    assert any(one.get("class") == "cross" for one in second.walk())
    zone = next(one for one in drawn(marks=marks).walk() if (one.get("class") or "").startswith("zone "))
    assert zone.get("class") == "zone changed"


def test_equal_things_share_a_mark() -> None:
    marks = Marks(last=frozenset({"heap.R3"}))
    both = cells(drawn(Item("heap.R3", "", (RED,)), Item("heap.R3.2", "", (RED,), mark="heap.R3"), marks=marks))
    assert all("last" in (one.get("class") or "") for one in both)


def test_trials_stand_on_a_stack_or_in_the_heap() -> None:
    on_stack = drawn(Item("heap.1", "", (RED,)), marks=Marks(ghosts={"heap.1": BLUE}), live=False)
    in_heap = drawn(Item("heap.1", "", (RED,)), marks=Marks(ghosts={"heap": BLUE}), live=False)
    for scene, kind in ((on_stack, "ghost"), (in_heap, "cell filled ghost")):
        assert any(one.get("class") == kind for one in scene.walk())
        assert cells(scene) == [] and scene.get("role") == "img"


def test_names_of_players_stay_text() -> None:
    for name in HOSTILE:
        root = ET.fromstring(svg(drawn(Item("heap.1", "", (RED,)), title=name)))
        titles = [one.text for one in root.iter() if (one.get("class") or "").startswith("zone-title")]
        assert titles == [plain(name)]
        assert not [one for one in root.iter() if one.tag.endswith(("img", "script"))]
