"""Dice and pawns as scenes: no two faces look alike without color."""

from __future__ import annotations

from companion.core.pieces import Die
from web.boards.parts.pieces import DICE
from web.scene.pieces.dice import LETTERS, halves, in_hand, outline, single_die
from web.scene.shape import Shape
from web.scene.svg import svg


def without_color(scene: Shape) -> str:
    """A scene as text, its paints left out."""
    parts = []
    for one in scene.walk():
        known = [(name, value) for name, value in one.attributes if name not in ("fill", "stroke")]
        parts.append(f"{one.tag}{known}{[child for child in one.children if isinstance(child, str)]}")
    return "".join(parts)


def test_letters_are_different_for_all_twelve_colors() -> None:
    assert LETTERS["red"] == "R" and LETTERS["green-blue"] == "GB"
    assert len(set(LETTERS.values())) == 12


def test_faces_can_be_told_apart_without_color() -> None:
    assert len(DICE) == 18
    assert len({without_color(single_die(one)) for one in DICE}) == 18


def test_an_intermediate_is_drawn_with_its_two_neighbors() -> None:
    assert halves("red-orange") == ("red", "orange") and halves("purple-red") == ("purple", "red")
    assert halves("red") == ("red", "red")
    fills = {one.get("fill") for one in single_die(Die("spectrum-d12", "red-orange")).walk() if one.tag == "polygon"}
    assert len(fills - {None}) == 2


def test_a_d6_is_square_and_a_d12_has_ten_corners() -> None:
    assert len(outline("spectrum-d6", (0, 0), 10)) == 8, "a square with its corners cut"
    assert len(outline("spectrum-d12", (0, 0), 10)) == 10
    assert "dashed" in svg(in_hand("spectrum-d6", (0, 0)))
