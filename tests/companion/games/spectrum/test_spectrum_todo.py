"""Half turns: what must still be played, what is lost, and what is said to a table that no event explains."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.contract import Rolled
from companion.core.layout import Detection, Layout
from companion.core.verdict import Accepted, Pending, Same
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Declare, Pass, PlacePawn
from companion.games.spectrum.observation import MOVED
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.turns import with_pawn
from companion.referee.matching import match
from tests.companion.games.short import after
from tests.companion.games.spectrum.short_spectrum import go, rolled, table


def board(state: SpectrumState, dice: str = "", moved: str | None = None) -> Layout:
    """What a camera sees of a position; other dice in the tray, and those that were rolled where it knows them."""
    layout = state.layout()
    heaps = {"dice": layout.heaps["dice"]}
    if dice:
        heaps["dice"] = tuple(map(Detection.sure, rolled(dice).faces))
    if moved is not None:
        heaps[MOVED] = tuple(map(Detection.sure, rolled(moved).faces)) if moved else ()
    return Layout(layout.cells, heaps)


def verdict(state: SpectrumState, layout: Layout) -> Any:
    return match(SPECTRUM, state, layout)


def test_brd_27_what_is_left_of_a_plain_roll_is_said() -> None:
    state = table("red.3 blue.3 | green.5", "red blue").apply(go("red.3", "red.4"))
    said = SPECTRUM.turn_hints.still_to_do(state)
    assert said == "To be played: 1 space in red or blue, by R4, B3 or red stock (BRD-27)."
    assert SPECTRUM.turn_hints.still_to_do(state.apply(go("red.4", "red.5"))) is None


def test_brd_27_the_parts_of_a_special_roll_that_are_left_are_said() -> None:
    state = after(table("red.3 | green.5", "red red"), go("red.3", "red.5"))
    said = SPECTRUM.turn_hints.still_to_do(state)
    assert said is not None
    assert "2 spaces with one pawn in red, red-orange, yellow-green, green, green-blue or purple-red" in said


def test_brd_24_the_captured_pawn_is_waited_for() -> None:
    state = table("red.4 | red.5", "red blue").apply(go("red.4", "red.5"))
    said = SPECTRUM.turn_hints.still_to_do(state)
    assert said is not None and said.startswith("The captured orange pawn goes on a free start (BRD-24): R1, O1")


def test_brd_27_what_nobody_can_play_is_lost() -> None:
    """All ten pawns are out, and the only one in an open path takes its star: nothing is left for the second space."""
    out = "red.9 orange.9 yellow.9 blue.2 blue.3 blue.4 blue.5 blue.6 blue.7"
    before = table(f"red.8 {out} | purple.3", "red green", seats=2, options={"colors": "red,blue"})
    event = go("red.8", "red.7")
    then = before.apply(event)
    assert SPECTRUM.turn_hints.lost(before, event, then) is None and then.phase == "move"
    blocked = table(f"green.8 {out} | purple.3", "red green", seats=2)
    star = go("green.8", "green.9")
    done = blocked.apply(star)
    assert done.turn == 1
    assert SPECTRUM.turn_hints.lost(blocked, star, done) == (
        "Lost, because no pawn can play it: 1 space in red or green (BRD-27)."
    )


def test_brd_28_a_roll_without_a_move_is_a_pass() -> None:
    out = "red.9 orange.9 yellow.9 blue.2 blue.3 blue.4 blue.5 blue.6 blue.7 blue.8"
    state = table(f"{out} | purple.3", "red green")
    assert state.legal_moves() == (Pass(0),)
    assert SPECTRUM.turn_hints.still_to_do(state) == "Player 1 cannot move with this roll and passes (BRD-28)."


def test_words_name_the_usage_and_the_pass() -> None:
    state = table("red.3 blue.3 | green.5", "red blue")
    assert SPECTRUM.words(state, Declare(0, "red + blue")) == {"player": 0, "type": "use", "usage": "red + blue"}
    assert SPECTRUM.words(state, Pass(0)) == {"player": 0, "type": "pass"}


def test_dice_in_a_hand_or_the_box_say_nothing() -> None:
    state = table("red.3 | blue.4", "red blue")
    for dice in ((), rolled("red").faces):
        seen = Layout(state.layout().cells, {"dice": tuple(map(Detection.sure, dice))})
        assert verdict(state, seen) == Same()
    moved = state.apply(go("red.3", "red.5"))
    seen = Layout(moved.layout().cells, {"dice": ()})
    assert isinstance(verdict(state, seen), Accepted)


def test_dice_that_show_what_they_showed_are_a_roll_once_a_pawn_moves() -> None:
    state = after(table("red.3 | blue.4", "red blue"), go("red.3", "red.5"))
    assert state.turn == 1 and state.roll == ("red", "blue")
    then = after(state, rolled("red blue"), go("blue.4", "blue.6", seat=1))
    waits = verdict(state, board(state, "red blue", "red blue"))
    assert isinstance(waits, Pending) and waits.text.startswith("The dice may have fallen as they lay: rolled")
    assert verdict(state, board(state, "red blue", "")) == Same()
    found = verdict(state, board(then, "red blue", "red blue"))
    assert (
        isinstance(found, Accepted)
        and isinstance(found.events[0], Rolled)
        and found.events[1:] == (go("blue.4", "blue.6", seat=1),)
    )
    assert isinstance(verdict(state, board(then, "red blue", "")), Pending), "no die moved: the roll is to be told"


def test_brd_7_a_die_that_was_not_rolled_is_no_part_of_a_roll() -> None:
    state = after(table("red.3 | blue.4", "red blue"), go("red.3", "red.5"))
    found = verdict(state, board(state, "red green", "green"))
    assert isinstance(found, Pending)
    assert found.text.startswith("1 of the dice was rolled, and player 2 rolls 2 (BRD-7).")
    assert isinstance(verdict(state, board(state, "red green", "red green")), Accepted)


def test_brd_7_a_die_out_of_sight_is_no_part_of_a_roll() -> None:
    state = after(table("red.3 | blue.4", "red blue"), go("red.3", "red.5"))
    hidden = {"dice": rolled("blue").faces}
    found = match(SPECTRUM, state, board(state, "green"), absent=hidden)
    assert isinstance(found, Pending), "the die under the cloth is known by the roll before alone"


def test_brd_7_too_many_dice_are_named_and_nobody_is_accused() -> None:
    state = after(table("red.3 | blue.4", "red blue"), go("red.3", "red.5"))
    found = verdict(state, board(state, "green green yellow", "green green yellow"))
    assert isinstance(found, Pending) and found.text.startswith("3 dice lie, and player 2 rolls 2 (BRD-7).")


def test_brd_8_a_pawn_that_moved_before_a_roll_was_seen_asks_for_the_roll() -> None:
    state = after(table("red.3 | blue.4", "red blue"), go("red.3", "red.5"))
    board_ = with_pawn(with_pawn(state.board, SPOTS.index("blue.6"), "o"), SPOTS.index("blue.4"), ".")
    seen = replace(state, board=board_).layout()
    found = verdict(state, Layout(seen.cells, {"dice": state.layout().heaps["dice"]}))
    assert isinstance(found, Pending)
    assert found.text == (
        "Pawns were moved (B4 and B6), and the roll of player 2 was not seen (BRD-8). Say what the dice show."
    )


def test_more_usages_than_a_question_holds_wait_for_what_is_done_next() -> None:
    stars = "green.9 orange-yellow.9 orange.9 red.9 | purple.9 red-orange.9 blue.9 green-blue.9"
    state = table(f"red.3 {stars}", "red yellow green blue purple", options={"dice": "d12"})
    then = after(state, Declare(0, "red + green"), go("red.3", "red.4"))
    found = verdict(state, board(then))
    assert isinstance(found, Pending)
    assert found.text.startswith("It may be: player 1 uses red + ") and "; or something else." in found.text
    done = after(then, go("red stock", "green.1"))
    told = verdict(state, board(done))
    assert isinstance(told, Accepted) and told.events[0] == Declare(0, "red + green")


@pytest.mark.parametrize("place", ("red.1", "yellow.1"))
def test_a_capture_and_what_follows_is_told(place: str) -> None:
    state = table("red.4 green.2 | red.5", "red blue").apply(go("red.4", "red.5"))
    then = state.apply(PlacePawn(0, "orange", place))
    assert SPECTRUM.turn_hints.lost(state, PlacePawn(0, "orange", place), then) is None
    assert "To be played: 1 space" in (SPECTRUM.turn_hints.still_to_do(then) or "")
