"""RGB-29: from the tops that are seen to the pieces that show them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import BadEvent
from companion.core.pieces import Pyramid
from companion.games.regenbogen.position import set_out, turns
from tests.companion.games.regenbogen.short_regenbogen import at, table

KINGS = "d1 W cleric 5, c8 B cleric 5"
RED, BLUE = Pyramid("red", "small"), Pyramid("blue", "small")


def test_a_piece_that_stands_elsewhere_has_moved_and_keeps_its_health() -> None:
    state = set_out(table(f"{KINGS}, b2 W red wizard 4"), {"b2": (), "b4": (RED,)})
    assert (at(state, "b2"), at(state, "b4")) == (None, "white red wizard 4")


def test_a_top_without_health_takes_it_from_the_piece_that_stood_there() -> None:
    state = set_out(table(f"{KINGS}, b2 W red wizard 4"), {"b2": (Pyramid("red", "large"),)})
    assert at(state, "b2") == "white red wizard 0"


def test_rgb_19_a_small_beside_a_wizard_of_its_color_was_summoned() -> None:
    state = set_out(table(f"{KINGS}, b2 W red wizard 4, e7 B red wizard 5"), {"b3": (RED,)})
    assert at(state, "b3") == "white red spirit 3"


def test_pieces_that_are_gone_are_gone() -> None:
    state = set_out(table(f"{KINGS}, b2 W red wizard 4"), {"b2": (), "c8": ()})
    assert at(state, "b2") is None and state.spells[1] == 0


@pytest.mark.parametrize(
    ("pieces", "seen", "says"),
    [
        ("b2 W red wizard 4", {"e4": (BLUE,)}, "No piece that has left its cell shows a blue small, as e4 does"),
        ("b2 W red wizard 4, e7 B red wizard 5", {"d4": (RED,)}, "may stand a Spirit of either side"),
        (
            "b2 W red wizard 4, e7 B red wizard 5",
            {"b2": (), "e7": (), "d4": (RED,)},
            "d4 may stand the red Wizard of black or the red Wizard of white",
        ),
    ],
)
def test_what_a_top_cannot_tell_is_asked(pieces: str, seen: dict[str, Any], says: str) -> None:
    with pytest.raises(BadEvent, match=says):
        set_out(table(f"{KINGS}, {pieces}"), seen)


def test_either_side_may_be_on_turn() -> None:
    state = table(f"{KINGS}, b2 W red wizard 4")
    found = turns(state)
    assert list(found) == ["player 1 is on turn", "player 2 is on turn"]
    assert found["player 1 is on turn"] is state and found["player 2 is on turn"].turn == 1
