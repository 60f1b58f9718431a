"""Positions that a record sets up: sensible when little is said, refused when they contradict themselves."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import ToDraw, ToMove
from companion.core.foundation.errors import BadRecord
from companion.core.pieces import TILES
from companion.games.spectrangle.board import LIES
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.options import Options
from companion.games.spectrangle.position import set_out, turns
from companion.games.spectrangle.state import SpectrangleState


def position(seats: int = 2, data: dict[str, Any] | None = None, **options: Any) -> SpectrangleState:
    return SPECTRANGLE.from_record(seats, Options(**options), data or {})


def names(state: SpectrangleState, seat: int) -> set[str]:
    return {TILES[number].name for number in state.hands[seat]}


def test_nothing_said_is_a_fresh_board_with_full_hands_that_nobody_knows() -> None:
    state = position()
    assert (state.hidden, state.bag, state.turn) == ((4, 4), 28, 0)
    assert state.expects() == ToMove((0,))


def test_known_hands_and_who_begins() -> None:
    state = position(data={"hands": [["GGY4", "PPB4", "YYB5", "BBP5"], ["RYB1", "BBR5", "BBY4", "GRB3"]], "to_move": 1})
    assert names(state, 0) == {"GGY4", "PPB4", "YYB5", "BBP5"}
    assert (state.hidden, state.bag, state.turn) == ((0, 0), 28, 1)
    assert state.expects() == ToMove((1,))


def test_a_hand_may_be_known_in_part() -> None:
    state = position(data={"hands": [["ygg", "??", "??", "??"], None]})
    assert names(state, 0) == {"GGY4"}
    assert (state.hidden, state.bag) == ((3, 4), 28)


def test_a_short_hand_owes_a_draw_while_the_bag_holds_tiles() -> None:
    assert position(data={"hands": [["GGY4"], None]}).expects() == ToDraw(0, 3, "bag", True)
    assert position(data={"hands": [["GGY4"], ["RRR6"]], "bag": 0}).expects() == ToMove((0,))


def test_with_unseen_hands_what_is_not_shown_is_there_all_the_same() -> None:
    state = position(data={"hands": [["GGY4"], None]}, hands="unseen")
    assert (state.hidden, state.bag) == ((3, 4), 28)
    assert state.expects() == ToMove((0,))


def test_late_in_a_game_hands_share_what_the_bag_does_not_hold() -> None:
    board = {f"c{cell}": tile.edges for cell, tile in enumerate(TILES[:30])}
    assert position(data={"board": board}).hidden == (4, 2)
    assert position(data={"board": board, "bag": 0, "to_move": 1}).hidden == (2, 4)
    assert position(data={"board": board, "bag": 3}).hidden == (3, 0)


def test_the_board_by_name_or_cell_by_cell() -> None:
    seen = {"left": "G", "right": "Y", "flat": "G", "value": 4}
    by_name = position(data={"board": {"c21": "GYG4", "c20": None}})
    by_cell = position(data={"board": [*[None] * 21, seen, *[None] * 14]})
    assert by_name == by_cell
    assert by_name.layout().cells["c21"].piece.name == "GYG4"


def test_tiles_named_nowhere_are_out_of_the_game_if_the_bag_is_told() -> None:
    state = position(data={"hands": [["GGY4"] * 1, ["RRR6"]], "bag": ["BBB6", "WWW1"]})
    assert {tile.name for tile in SPECTRANGLE.unseen(state)} == {"BBB6", "WWW1"}
    assert state.bag == 2


def test_scores_by_seat_or_by_team() -> None:
    assert [score.total for score in position(data={"scores": [12, -3]}).scores()] == [12, -3]
    assert [score.total for score in position(4, {"scores": [12, 30]}, teams=True).scores()] == [12, 30, 12, 30]
    assert [score.total for score in position(4, {"scores": [1, 2, 1, 2]}, teams=True).scores()] == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"hands": [["GGY4"]]}, "1 hands for 2 players"),
        ({"hands": [["GGY4", "YGG4"], None]}, "GGY4 is in hand 0 and in hand 0"),
        ({"hands": [["GGY4"], None], "board": {"c3": "YGG"}}, "GGY4 is in cell c3 and in hand 0"),
        ({"hands": [["RRR", "GGG", "BBB", "YYY", "PPP"], None]}, "at most 4"),
        ({"hands": [["GGW"], None]}, "no tile of the set"),
        ({"board": {"c36": "RRR"}}, "no cell"),
        ({"board": {"c3": "RRRR"}}, "no tile of the set"),
        ({"board": {"c3": {"left": "R"}}}, "left, right, flat"),
        ({"board": [None] * 35}, "35 entries"),
        ({"to_move": 2}, "seats are 0 to 1"),
        ({"to_move": -1}, "to_move"),
        ({"bag": 37}, "bag"),
        ({"bag": 30, "hands": [["RRR", "GGG", "BBB", "YYY"], ["??", "??", "??", "??"]]}, "cannot hold 30"),
        ({"bag": 3, "hands": [["RRR"], ["GGG"]]}, "name them in a list"),
        ({"bag": ["RRR", "RRR"]}, "RRR6 is in the bag and in the bag"),
        ({"scores": [1]}, "1 scores for 2 players"),
        ({"tiles": 3}, "unknown field"),
    ],
)
def test_a_position_that_contradicts_itself_is_refused(data: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        position(data=data)


# Set out as it is seen


def test_tiles_that_are_seen_leave_the_hands_and_points_stay() -> None:
    state = position(
        data={"hands": [["GGY4", "PPB4", "YYB5", "BBP5"], None], "scores": [12, 3], "board": {"c20": "RYR"}}
    )
    then = set_out(state, {"c20": (), "c21": (LIES["GYG"].tile,)})
    assert then.layout().cells["c20"].piece is None and then.layout().cells["c21"].piece == LIES["GYG"].tile
    assert names(then, 0) == {"PPB4", "YYB5", "BBP5"} and then.hidden == (0, 4)
    assert [score.total for score in then.scores()] == [12, 3]


def test_a_hand_that_is_seen_is_known() -> None:
    state = position()
    then = set_out(state, {"seat0.hand": tuple(TILES[number] for number in (0, 5, 9))})
    assert names(then, 0) == {TILES[number].name for number in (0, 5, 9)} and then.hidden[0] == 0


def test_a_tile_lies_in_one_place_alone() -> None:
    with pytest.raises(BadRecord, match="the set has it once"):
        set_out(position(), {"c20": (LIES["GYG"].tile,), "c3": (LIES["GYG"].tile,)})


def test_tri_15_each_player_may_be_on_turn() -> None:
    found = turns(position(3))
    assert [state.turn for state in found.values()] == [0, 1, 2]
    assert list(found)[2] == "player 3 is on turn"
