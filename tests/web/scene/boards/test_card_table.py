"""Cards on a table: names, counts, overlapping columns, marks, and that what lies face down names no card."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from companion.core.pieces import Card, Special
from companion.games.shared.cards.deck import PIECES, card
from tests.web.scene.test_svg import HOSTILE
from web.scene.boards.card_table import CardPlace, board
from web.scene.marks import NOTHING, Marks
from web.scene.shape import BoardFrame, Shape
from web.scene.svg import plain, svg

R7, RO12, B1 = Card("red", 7), Card("red-orange", 12), Card("blue", 1)


def drawn(*bands: list[CardPlace], marks: Marks = NOTHING, live: bool = True) -> Shape:
    return board(bands, marks, BoardFrame(name="b", title="Board", live=live))


def cells(scene: Shape) -> dict[str, str]:
    return {str(one.get("data-spot")): str(one.get("aria-label")) for one in scene.walk() if one.get("data-spot")}


def texts(scene: Shape) -> list[str]:
    return [text for one in scene.walk() for text in one.children if isinstance(text, str)]


def test_every_card_is_a_cell_with_its_name() -> None:
    scene = drawn([CardPlace("board", "Board", (R7, None, RO12))])
    assert cells(scene) == {
        "board.R7": "Board: red 7, R7",
        "board.back1": "Board: a card that is not shown",
        "board.RO12": "Board: red-orange 12, RO12",
    }
    assert {"R", "7", "RO", "12", "?"} <= set(texts(scene))


def test_a_pile_shows_its_top_card_and_its_count() -> None:
    scene = drawn(
        [
            CardPlace("won", "Won", (B1, R7), form="pile", span=6),
            CardPlace("stock", "Stock", (None,), form="pile", count=98, span=6),
        ]
    )
    assert cells(scene) == {"won": "Won: red 7, 2 cards", "stock": "Stock: face down, 98 cards"}
    assert "98" in texts(scene) and "1" not in texts(scene)


def test_an_empty_place_can_be_chosen_and_a_line_is_words_alone() -> None:
    scene = drawn(
        [CardPlace("pile3", "3", empty="pile 3, empty")],
        [CardPlace("seat0.hand", "Ann", note="holds 9", form="line", strong=True)],
    )
    assert cells(scene) == {"pile3": "3: pile 3, empty"}
    assert "▶ Ann" in texts(scene) and "holds 9" in texts(scene)
    assert [one.get("aria-label") for one in scene.walk() if one.get("role") == "row"] == [
        "3, pile 3, empty",
        "Ann, holds 9",
    ]


def test_a_column_overlaps_and_keeps_letters_and_number_of_every_card() -> None:
    up = tuple(PIECES[card(color, rank)] for color, rank in ((0, 12), (1, 11), (2, 10)))
    scene = drawn([CardPlace("pile1", "1", (None, None, *up), form="column", span=1, size="small")])
    heights = {str(one.get("data-spot")): float(str(one.get("data-y"))) for one in scene.walk() if one.get("data-spot")}
    assert list(heights) == ["pile1.back0", "pile1.back1", "pile1.R12", "pile1.RO11", "pile1.O10"]
    assert sorted(heights.values()) == list(heights.values())
    for text in ("R", "12", "RO", "11", "O", "10"):
        assert text in texts(scene)


@pytest.mark.parametrize("kind", ["legal", "last", "refused", "about", "changed"])
def test_marks_have_a_sign_of_their_own(kind: str) -> None:
    spots = {"board.R7": ""} if kind == "legal" else frozenset(("board.R7",))
    scene = drawn([CardPlace("board", "Board", (R7, B1))], marks=Marks(**{kind: spots}))
    signs = [one for one in scene.walk() if f"{kind}-sign" in str(one.get("class"))]
    assert len(signs) == 1


def test_a_picture_alone_is_one_image_without_cells() -> None:
    scene = drawn([CardPlace("board", "Board", (R7,))], live=False)
    assert (scene.get("role"), cells(scene)) == ("img", {})


@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_text(name: str) -> None:
    scene = drawn([CardPlace("seat0.played", name, (R7,), note=name)])
    found = ET.fromstring(svg(scene))
    assert found.tag.endswith("svg")
    shown = [text for one in found.iter() for text in one.itertext()]
    assert any(plain(name) == text or (text.endswith("…") and plain(name).startswith(text[:-1])) for text in shown)


def test_long_titles_are_cut_and_notes_go_below() -> None:
    scene = drawn(
        [CardPlace("won", "A very long name of somebody", (R7,), note="12 cards, 3 points, 2 twelves", span=6)]
    )
    (title,) = [one for one in scene.walk() if one.get("class") == "place-title"]
    (note,) = [one for one in scene.walk() if one.get("class") == "place-note"]
    assert str(title.children[0]).endswith("…")
    assert float(str(note.get("y"))) > float(str(title.get("y")))
    short = drawn([CardPlace("won", "Ann", (R7,), note="2 cards", span=6)])
    heights = {one.get("y") for one in short.walk() if str(one.get("class")).startswith("place-")}
    assert len(heights) == 1


def test_specials_have_their_words() -> None:
    found = texts(drawn([CardPlace("discard", "Table card", (Special("reverse draw"), Special("pass hand left")))]))
    assert {"reverse", "draw", "pass", "hand", "← left"} <= set(found)
