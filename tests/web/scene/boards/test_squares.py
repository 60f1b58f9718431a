"""Square cells with figures: names, signs besides colors, and text that stays text."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from tests.web.scene.test_svg import HOSTILE
from web.scene.boards.squares import HIGH_MM, WIDE_MM, BoardPiece, Square, board, tint
from web.scene.marks import NOTHING, Marks
from web.scene.shape import BoardFrame, Shape
from web.scene.signs import Sign
from web.scene.svg import plain, svg

WIZARD = BoardPiece(
    Pyramid("red", "large"), "Wiz", Sign("circle", 0), False, 5, None, "White's red Wizard, 5 of 5 health"
)
CLERIC = BoardPiece(
    Pyramid("black", "large"), "Cle", Sign("square", 1), True, 0, 3, "Black's Cleric, 0 of 5 health, 3 of 4 spells"
)


def drawn(*squares: Square, marks: Marks = NOTHING, live: bool = True) -> Shape:
    return board(squares, "ab", ("2", "1"), marks, BoardFrame(name="b", title="Board", live=live))


def cells(scene: Shape) -> list[Shape]:
    return [one for one in scene.walk() if one.get("data-spot")]


def texts(cell: Shape) -> list[str]:
    return [text for one in cell.walk() for text in one.children if isinstance(text, str)]


def test_a_cell_has_a_name_an_id_a_letter_and_a_place() -> None:
    scene = drawn(Square("a1", 0, 1, "red", "red cell", WIZARD), Square("b2", 1, 0, "clear", "white cell"))
    upper, lower = cells(scene)
    assert (upper.get("id"), upper.get("aria-label")) == ("b-b2", "b2, white cell, empty")
    assert lower.get("aria-label") == "a1, red cell, White's red Wizard, 5 of 5 health"
    assert float(upper.get("data-x") or 0) - float(lower.get("data-x") or 0) == WIDE_MM
    assert float(lower.get("data-y") or 0) - float(upper.get("data-y") or 0) == HIGH_MM
    assert texts(upper) == ["T"] and texts(lower) == ["R", "Wiz", "R", "5"]


def test_a_figure_shows_what_a_stack_hides() -> None:
    (cell,) = cells(drawn(Square("a1", 0, 1, "blue", "blue cell", CLERIC)))
    assert texts(cell) == ["B", "Cle", "K", "0", "*3"]
    kinds = {one.get("class") for one in cell.walk()}
    assert {"health none", "spells", "figure-base dark"} <= kinds


def test_what_is_pointed_out_has_a_sign_and_a_word() -> None:
    for kind, words in (("last", "last move"), ("refused", "not allowed"), ("about", "in question")):
        (cell,) = cells(drawn(Square("a1", 0, 1, "red", "red cell"), marks=Marks(**{kind: frozenset(("a1",))})))
        assert (cell.get("aria-label") or "").endswith(words)
        assert [one for one in cell.walk() if one.get("class") == f"pointed {kind}-sign"]


@pytest.mark.parametrize("color", PYRAMID_COLORS)
def test_a_tint_is_lighter_than_its_color(color: str) -> None:
    shades = [int(tint(color)[at : at + 2], 16) for at in (1, 3, 5)]
    assert min(shades) > 180


@pytest.mark.parametrize("text", HOSTILE)
def test_text_stays_text(text: str) -> None:
    scene = drawn(Square("a1", 0, 1, "red", text, WIZARD))
    read = ET.fromstring(svg(scene))
    assert any(plain(text) in (one.get("aria-label") or "") for one in read.iter())
