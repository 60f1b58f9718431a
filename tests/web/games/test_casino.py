"""The table of Casino says in full which colors count, whatever color was chosen."""

from __future__ import annotations

import pytest

from companion.core.pieces import WHEEL
from companion.games import GAMES
from tests.web.scene.boards.test_card_table import texts
from web.boards import PRESENTERS
from web.scene.marks import NOTHING
from web.scene.shape import BoardFrame


@pytest.mark.parametrize("color", WHEEL)
def test_the_colors_that_count_are_not_cut(color: str) -> None:
    game = GAMES["casino"]
    position = {"hands": [["R9"], ["B6"]], "board": ["G4"], "chosen": color, "deal": 11}
    state = game.from_record(2, game.Options(), position)
    said = texts(PRESENTERS["casino"].board(state, NOTHING, BoardFrame("b", "Board", live=True, names=("Ada", "Ben"))))
    assert any(text.startswith(f"{color} counts 2, ") and text.endswith(" 1") for text in said), said
