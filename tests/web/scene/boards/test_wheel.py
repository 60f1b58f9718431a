"""The round board: every space by name, every path by letters and pattern, pawns by letter, pattern and sign."""

from __future__ import annotations

from math import hypot

import pytest

from companion.core.pieces import PRIMARIES, WHEEL, Card, Pawn, Special
from companion.games.shared.cards.deck import PIECES
from tests.web.scene.pieces.test_dice import without_color
from tests.web.scene.pieces.test_tiles import contrast
from web.scene.boards.wheel import HUB, INKS, RIM, WheelPawn, WheelSpace, board, middle
from web.scene.marks import NOTHING, Marks
from web.scene.pieces.number_cards import NUMBER_CODES, card_back, card_code, card_words, single_card
from web.scene.pieces.pawns import board_pawn, single_board_pawn
from web.scene.pieces.pyramids import PAINTS
from web.scene.shape import BOARD, BoardFrame, Shape
from web.scene.svg import svg

EMPTY = [WheelSpace(f"{color}.{number}", path, number) for path, color in enumerate(WHEEL) for number in range(1, 10)]
RED = WheelPawn(Pawn("red"), "circle", "Ann")


def with_pawn(spot: str, standing: WheelPawn = RED) -> list[WheelSpace]:
    return [WheelSpace(one.spot, one.path, one.number, standing if one.spot == spot else None) for one in EMPTY]


def drawn(spaces: list[WheelSpace] = EMPTY, opened: frozenset[str] | None = None, marks: Marks = NOTHING) -> Shape:
    return board(spaces, opened, marks, BOARD)


def cells(scene: Shape) -> dict[str, Shape]:
    return {str(one.get("data-spot")): one for one in scene.walk() if one.get("data-spot")}


def kind(one: Shape) -> list[str]:
    return (one.get("class") or "").split()


def test_brd_2_there_are_108_spaces_with_names_of_their_own() -> None:
    found = cells(drawn())
    assert len(found) == 108
    assert len({one.get("aria-label") for one in found.values()}) == 108
    assert found["red-orange.4"].get("aria-label") == "RO4, red-orange 4, empty"
    assert found["blue.9"].get("aria-label") == "B9, blue star, empty"


def test_spaces_lie_on_twelve_paths_from_the_rim_to_the_hub() -> None:
    for one in EMPTY:
        away = hypot(*middle(one.path, one.number))
        assert HUB < away < RIM
    assert middle(0, 1)[0] == pytest.approx(0) and middle(0, 1)[1] < 0, "red is at the top"
    assert middle(3, 1)[0] > 0, "clockwise"
    assert hypot(*middle(5, 1)) > hypot(*middle(5, 9)), "space 1 is the rim"


def test_a_pawn_is_told_with_its_color_and_its_player() -> None:
    scene = drawn(with_pawn("red.4"))
    cell = cells(scene)["red.4"]
    assert cell.get("aria-label") == "R4, red 4, red pawn of Ann"
    assert any(kind(one) == ["pawn"] for one in cell.walk())
    star = cells(drawn(with_pawn("blue.9")))["blue.9"]
    assert star.get("aria-label") == "B9, blue star, red pawn of Ann, captured"


def test_a_roll_lights_its_paths_and_no_others() -> None:
    scene = drawn(opened=frozenset(("red", "red-orange")))
    paths = [one for one in scene.walk() if "path" in kind(one) and one.tag == "g"]
    assert len(paths) == 12
    assert [one for one in paths if "open" in kind(one)] == paths[:2]
    assert all("closed" in kind(one) for one in paths[2:])
    assert "lit" in kind(scene) and "lit" not in kind(drawn())
    assert not any({"open", "closed"} & set(kind(one)) for one in drawn().walk())


def test_no_two_paths_look_alike_without_color() -> None:
    paths = [one for one in drawn().walk() if one.tag == "g" and "path" in kind(one)]
    letters = [[one.children[0] for one in path.walk() if one.tag == "text"] for path in paths]
    assert [one[0] for one in letters] == ["R", "RO", "O", "OY", "Y", "YG", "G", "GB", "B", "BP", "P", "PR"]
    strokes = ["".join(str(one.get("d")) for one in path.walk() if kind(one) == ["strokes"]) for path in paths]
    assert len(set(strokes)) == 12, "an intermediate has its neighbors' patterns side by side"


def test_an_intermediate_lies_between_its_neighbors() -> None:
    assert INKS["red"] == PAINTS["red"].fill
    assert len(set(INKS.values())) == 12


def test_marks_are_drawn_and_said() -> None:
    spots = frozenset(("red.4",))
    for name, words in (
        ("last", "last move"),
        ("refused", "not allowed"),
        ("about", "in question"),
        ("changed", "would"),
    ):
        cell = cells(drawn(marks=Marks(**{name: spots})))["red.4"]
        assert words in str(cell.get("aria-label"))
        assert any(f"{name}-sign" in kind(one) for one in cell.walk())
    ghost = cells(drawn(with_pawn("red.4"), marks=Marks(ghosts={"red.4": Pawn("blue"), "red.5": None})))["red.4"]
    assert [kind(one) for one in ghost.walk() if "ghost" in kind(one)] == [["upright", "ghost"]]
    assert sum(kind(one) == ["pawn"] for one in ghost.walk()) == 1


def test_a_small_picture_has_nothing_to_choose() -> None:
    still = board(EMPTY, None, NOTHING, BoardFrame(name="small", title="Small", live=False))
    assert still.get("role") == "img" and not cells(still)


def test_what_stands_upright_is_marked_so() -> None:
    scene = drawn(with_pawn("yellow.3"))
    for one in scene.walk():
        if kind(one) == ["pawn"] or one.tag == "text":
            assert one not in scene.children
    upright = [one for one in scene.walk() if "upright" in kind(one)]
    inside = {id(inner) for one in upright for inner in one.walk()}
    assert all(id(one) in inside for one in scene.walk() if one.tag == "text" or kind(one) == ["pawn"])


def test_pawns_can_be_told_apart_without_color_and_show_whose_they_are() -> None:
    assert len({without_color(single_board_pawn(Pawn(color), "circle")) for color in PRIMARIES}) == 6
    signs = ("circle", "square", "triangle", "diamond", "pentagon", "cross")
    assert len({without_color(single_board_pawn(Pawn("red"), sign)) for sign in signs}) == 6
    for color in PRIMARIES:
        assert contrast(PAINTS[color].fill, PAINTS[color].ink) >= 4.5
    assert 'class="pawn-halo"' in svg(board_pawn(Pawn("red"), "circle", (0, 0), 10)), "apart from a path of its color"


def test_cards_show_color_letters_and_number() -> None:
    assert card_code(Card("red-orange", 3)) == "RO3" and NUMBER_CODES["RO3"] == Card("red-orange", 3)
    assert card_words(Card("red", 4)) == "red 4"
    assert len({without_color(single_card(piece)) for piece in PIECES}) == len(PIECES)
    swap = svg(single_card(Special("swap red/green")))
    assert ">R<" in swap and ">G<" in swap
    assert ">?<" in svg(card_back())
