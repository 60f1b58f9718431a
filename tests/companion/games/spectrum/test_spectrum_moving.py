"""How pawns move, jump and capture (BRD-14 to BRD-28): the allowed and the forbidden, as examples from the rules."""

from __future__ import annotations

import pytest

from companion.core.contract import ToMove
from companion.core.foundation.errors import BadRecord, IllegalMove
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Declare, Pass, PlacePawn
from companion.games.spectrum.options import Options
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.short import after, rules
from tests.companion.games.spectrum.short_spectrum import board, go, in_stock, rolled, table, ways


@allows
@forbids
def test_brd_14_both_ends_of_a_step_are_open() -> None:
    state = table("red.4 red-orange.5 yellow.2", "red orange")
    assert not rules(state, go("red.4", "red-orange.4"))
    assert not rules(state, go("red-orange.5", "orange.5"))
    assert rules(state, go("yellow.2", "yellow.3")) == {"BRD-14"}
    assert rules(state, go("red.4", "purple-red.4")) == {"BRD-14"}
    assert rules(state, go("green.4", "green.5")) == {"BRD-14"}
    # A pawn on an intermediate that is not open stays.
    assert rules(table("red-orange.5", "red blue"), go("red-orange.5", "red.5")) == {"BRD-14"}


@allows
@forbids
def test_brd_15_pawns_enter_on_open_primaries() -> None:
    state = table("", "red orange", "red + orange", left=1)
    assert ways(state, "red stock") == {"red.1", "orange.1"}
    assert rules(state, go("red stock", "red-orange.1")) == {"BRD-15"}
    assert rules(state, go("red stock", "blue.1")) == {"BRD-14"}
    assert rules(table("", "red blue"), go("red stock", "red-orange.1")) == {"BRD-15"}
    twelve = table("", "red-orange red-orange red", options={"dice": "d12"})
    double = after(twelve, Declare(0, "red-orange + red-orange")) if twelve.phase == "declare" else twelve
    # Nothing enters on red-orange, so its first part is lost; the second enters on red, orange, green or blue.
    assert double.left == 2
    assert "red-orange.1" in ways(double, "red stock")
    assert rules(double, go("red stock", "red-orange.2")) == {"BRD-15"}


@allows
@forbids
def test_brd_16_two_pawns_never_share_a_space() -> None:
    state = table("red.4 red.5 | blue.3", "red blue", "red + blue", left=1)
    assert rules(state, go("red.4", "red.5")) == {"BRD-16"}
    captured = table("red.4 blue.2 | blue.3", "red blue").apply(go("blue.2", "blue.3"))
    assert captured.held is not None and captured.held.color == "orange"
    with pytest.raises(BadRecord, match="BRD-16"):
        SPECTRUM.from_record(2, Options(), {"pawns": [["red.4"], ["red.4"]]})


@allows
@forbids
def test_brd_17_two_single_spaces_or_two_at_once() -> None:
    state = table("red.4 blue.4", "red blue")
    first = state.apply(go("red.4", "red.5"))
    assert first.left == 1
    assert not rules(first, go("red.5", "red.6"))
    assert not rules(first, go("blue.4", "blue.5"))
    assert state.apply(go("red.4", "red.6")).turn == 1
    assert after(first, go("red.5", "red.6")).board == state.apply(go("red.4", "red.6")).board
    assert rules(first, go("blue.4", "blue.6")) == {"BRD-17"}
    assert rules(state, go("red.4", "red.7")) == {"BRD-17"}


@forbids
def test_brd_17_a_plain_roll_has_no_parts() -> None:
    state = table("red.4", "red blue")
    assert rules(state, go("red.4", "red.5", part=1)) == {"BRD-17"}


@allows
@forbids
def test_brd_18_a_part_is_not_cut_short_or_shared() -> None:
    state = table("red.3 red.6", "red red")
    assert ways(state, "red.3") == {"red.1", "red.5"}
    assert rules(state, go("red.3", "red.4")) == {"BRD-18"}
    assert rules(table("red.2", "red red"), go("red.2", "red.5")) == {"BRD-18"}


@allows
@forbids
def test_brd_18_the_way_is_empty_and_visits_nothing_twice() -> None:
    blocked = table("red.3 red.4 | blue.1", "red red")
    assert rules(blocked, go("red.3", "red.5")) == {"BRD-20"}
    over = table("red.2 red.4 | blue.1 orange.9 yellow.9 green.9 blue.9", "red red red", "red + red + red")
    assert rules(over, go("red.2", "red.5")) == {"BRD-20"}
    corner = table("red.3 red.5 red-orange.4 red-orange.3 | purple-red.4", "red red", "red + red", left=[2])
    assert rules(corner, go("red.3", "purple-red.3")) == {"BRD-18"}
    assert not rules(table("red.3 | red.5", "red red"), go("red.3", "red.5"))
    # Three spaces in red alone lead from red.3 to red.6, and never back to a neighbor.
    stars = "orange.9 yellow.9 | purple.9 orange-yellow.9"
    triple = table(f"red.3 {stars}", "red red red", "red + red + red")
    assert ways(triple, "red.3") == {"red.6"}
    assert rules(triple, go("red.3", "red.2")) == {"BRD-18"}


@forbids
def test_brd_18_two_pawns_in_a_row_are_not_jumped_and_a_move_ends_elsewhere() -> None:
    stars = "orange.9 yellow.9 | purple.9 orange-yellow.9"
    triple = table(f"red.2 {stars} red.3 red.4", "red red red", "red + red + red")
    assert rules(triple, go("red.2", "red.5")) == {"BRD-18"}
    assert rules(triple, go("red.2", "red.2")) == {"BRD-18"}


@forbids
def test_brd_18_places_that_no_way_reaches() -> None:
    assert rules(table("red.1", "red red"), go("red.1", "red.8")) == {"BRD-18"}
    assert rules(table("red.1", "red blue"), go("red.1", "red.8")) == {"BRD-17"}
    assert rules(table("red.1", "red blue"), go("red.1", "red.9")) == {"BRD-26"}
    assert rules(table("", "red blue"), go("red stock", "red.9")) == {"BRD-15"}


@allows
@forbids
def test_brd_18_entering_counts_as_the_first_space() -> None:
    state = table("", "red red")
    assert ways(state, "red stock") == {"red.2"}
    assert rules(state, go("red stock", "red.1")) == {"BRD-18"}
    second = table("red.5", "red red", "red + red", left=[2])
    assert ways(second, "red stock") == {
        "red.2",
        "red-orange.1",
        "purple-red.1",
        "green.2",
        "yellow-green.1",
        "green-blue.1",
    }


@allows
@forbids
def test_brd_19_a_pawn_that_moves_twice_shows_two_colors() -> None:
    state = table("red.3 green.2", "red red").apply(go("red.3", "red.5"))
    assert rules(state, go("red.5", "red.7")) == {"BRD-19"}
    assert not rules(state, go("red.5", "red-orange.6"))
    assert not rules(state, go("green.2", "green.4"))


@allows
def test_brd_19_does_not_bind_plain_rolls() -> None:
    state = table("red.3", "red blue").apply(go("red.3", "red.4"))
    assert not rules(state, go("red.4", "red.5"))


@allows
@forbids
def test_brd_19_where_a_pawn_could_enter_two_colors_it_did_unless_it_is_said() -> None:
    free = table("red.3", "red red", options={"special_order": "free"})
    # From red.3 to red.5 leads red alone; from red.3 to red-orange.4 lead both red and red-orange.
    moved = free.apply(go("red.3", "red-orange.4", part=2))
    assert moved.phase == "move" and "red.6" not in ways(moved, "red-orange.4")
    assert not rules(moved, go("red-orange.4", "red.5", part=1))
    straight = free.apply(go("red.3", "red.5", part=2))
    assert rules(straight, go("red.5", "red.7", part=1)) == {"BRD-19"}


@allows
@forbids
def test_brd_19_keeping_to_one_color_is_said_where_it_matters() -> None:
    # An orange pawn on red.4 can be jumped within red, and one on red-orange.4 by way of red-orange.
    options = {"special_order": "free"}
    state = table("red.3 | red.4 red-orange.3", "red red", options=options)
    # To red-orange.4: over the orange pawn on red-orange.3, or the one on red.4.
    several = state.apply(go("red.3", "red-orange.4", part=2))
    one = state.apply(go("red.3", "red-orange.4", part=2, one_color=True))
    assert several.board == one.board and several != one
    assert not rules(several, go("red-orange.4", "red.5", part=1))
    assert SPECTRUM.looks_alike(
        state, go("red.3", "red-orange.4", part=2), go("red.3", "red-orange.4", part=2, one_color=True)
    )
    printed = table("red.3", "red red")
    assert rules(printed, go("red.3", "red.5", one_color=True)) == {"BRD-19"}


@allows
@forbids
def test_brd_20_a_jump_goes_over_a_neighbor() -> None:
    state = table("red.4 red.7 | red.5", "red blue")
    assert ways(state, "red.4") >= {"red.5", "red.6"}
    own = table("red.4 red.5", "red blue")
    assert rules(own, go("red.4", "red.6")) == {"BRD-20"}
    assert rules(table("red.4", "red blue", "red + blue"), go("red.4", "red.7")) == {"BRD-17"}


@forbids
def test_brd_20_nothing_is_jumped_where_no_pawn_stands() -> None:
    state = table("red.4", "red red red", "red + red + red", options={"dice": "d12"})
    found = state.violations(go("red.4", "red-orange.7"))
    assert {breach.rule for breach in found} == {"BRD-20", "BRD-11"}
    assert any("jumps over a space without a pawn" in breach.text for breach in found)


@allows
@forbids
def test_brd_20_no_landing_beside_the_start() -> None:
    # From red-orange.4 over red.4: red-orange.5 shares a side with the start.
    state = table("red.4 | red.5 red-orange.4", "red orange")
    assert "red-orange.5" in ways(state, "red.4")
    over = table("red.4 | red-orange.4 red.6", "red orange", "red + orange")
    assert {"red-orange.5", "red-orange.3", "orange.4", "orange.3", "orange.5"} <= ways(over, "red.4")
    # red.3 and red.5 are entered by a step only, and not over the pawn on red-orange.4.
    double = table("red.4 | red-orange.4 red.5 red.3", "red red", "red + red", left=[2])
    assert "red.5" not in ways(double, "red.4")
    open_way = table("red.4 | red-orange.4", "red red", "red + red", left=[2])
    assert rules(open_way, go("red.4", "red.5")) == {"BRD-18", "BRD-20"}


@allows
@forbids
def test_brd_21_start_jumped_space_and_landing_are_open() -> None:
    plain = table("blue.4 | blue.5", "blue red")
    assert ways(plain, "blue.4") - {"blue.3", "blue.2", "blue.5"} == {"blue.6"}
    assert rules(plain, go("blue.4", "green-blue.5")) == {"BRD-14"}
    assert rules(table("blue.4 | green-blue.4", "blue red"), go("blue.4", "green.4")) == {"BRD-14"}
    closed = table("blue.4 | green-blue.4", "blue green red", options={"dice": "d12"})
    pair = closed.apply(Declare(0, "green + blue")) if closed.phase == "declare" else closed
    assert "green.4" not in ways(pair, "blue.4")
    assert rules(pair, go("blue.4", "green.4")) == {"BRD-21"}
    stepped = table("blue.4", "blue green red", "green + blue", options={"dice": "d12"})
    assert rules(stepped, go("blue.4", "green.4")) == {"BRD-14"}, "steps through a closed path are no jump"


@allows
def test_brd_21_jump_and_capture_together() -> None:
    state = table("blue.4 | blue.5 blue.6", "blue red")
    landed = state.apply(go("blue.4", "blue.6"))
    assert landed.held is not None and landed.held.color == "orange"
    assert board(landed) == {"blue.5": "orange", "blue.6": "red"}
    assert landed.phase == "place"


@allows
@forbids
def test_brd_22_jumps_in_longer_parts_and_in_plain_rolls() -> None:
    stars = "orange.9 yellow.9 | purple.9 orange-yellow.9"
    triple = table(f"red.2 {stars} red.3", "red red red", "red + red + red")
    assert "red.5" in ways(triple, "red.2")
    full = table(f"red.2 {stars} red.3 red.4", "red red red", "red + red + red")
    assert "red.5" not in ways(full, "red.2")
    plain = table("red.4 blue.3 | red.5", "red blue").apply(go("blue.3", "blue.4"))
    assert rules(plain, go("red.4", "red.6")) == {"BRD-22"}
    assert table("red.4 | red.5", "red blue").apply(go("red.4", "red.6")).turn == 1


@allows
@forbids
def test_brd_22_two_jumps_make_a_part_of_four_if_the_first_landing_is_empty() -> None:
    stars = "red-orange.9 orange.9 yellow.9 green.9 | purple.9 orange-yellow.9 blue.9 yellow-green.9"
    dice, name = "red red red red", "red + red + red + red"
    jumps = table(f"red.2 {stars} red.3 red.5", dice, name)
    assert ways(jumps, "red.2") == {"red.6"}
    blocked = table(f"red.2 {stars} red.3 red.4 red.5", dice, name)
    assert not ways(blocked, "red.2") and blocked.left == 6, "the part in red is lost"
    plain = table("red.2 | red.3 red.5", "red blue")
    assert rules(plain, go("red.2", "red.6")) == {"BRD-17"}
    stepped = table("red.2 blue.4 | red.3", "red blue").apply(go("blue.4", "blue.5"))
    assert rules(stepped, go("red.2", "red.4")) == {"BRD-22"}, "a jump is the whole turn"


@allows
@excludes
def test_brd_23_a_jump_in_from_stock() -> None:
    state = table("| red.1 red.2", "red blue")
    assert ways(state, "red stock") >= {"red.1", "red.2"}
    landed = state.apply(go("red stock", "red.2"))
    assert board(landed) == {"red.1": "orange", "red.2": "red"} and landed.held is not None
    # Over both is two jumps and costs 4; a plain roll has 2.
    assert rules(state, go("red stock", "red.3")) == {"BRD-15"}
    # One by one both are taken.
    one = after(state, go("red stock", "red.1"), PlacePawn(0, "orange", "green.1"))
    assert not rules(one, go("red.1", "red.2"))


@allows
@forbids
def test_brd_24_the_capturer_puts_the_pawn_on_a_free_start() -> None:
    state = table("red.4 green.9 blue.1 | red.5", "red blue").apply(go("red.4", "red.5"))
    assert state.expects() == ToMove((0,))
    assert {move.to for move in state.legal_moves()} == {"red.1", "orange.1", "yellow.1", "green.1", "purple.1"}
    assert rules(state, PlacePawn(0, "orange", "blue.1")) == {"BRD-24"}
    assert rules(state, PlacePawn(0, "orange", "red-orange.1")) == {"BRD-24"}
    assert rules(state, PlacePawn(1, "orange", "red.1")) == {"BRD-24"}
    assert rules(state, PlacePawn(0, "red", "red.1")) == {"BRD-24"}
    assert rules(state, go("red.5", "red.6")) == {"BRD-24"}
    assert rules(state, rolled("red blue")) == {"BRD-24"}
    placed = state.apply(PlacePawn(0, "orange", "green.1"))
    assert board(placed)["green.1"] == "orange" and placed.left == 1
    assert rules(placed, PlacePawn(0, "orange", "red.1")) == {"BRD-24"}


@allows
def test_brd_24_with_all_starts_occupied_the_pawn_goes_to_stock() -> None:
    full = "red.4 red.1 blue.1 orange.1 | red.5 yellow.1 green.1 purple.1"
    state = table(full, "red blue")
    before = in_stock(state, 1)
    captured = state.apply(go("red.4", "red.5"))
    assert captured.phase == "move" and in_stock(captured, 1) == before + 1


@allows
@forbids
def test_brd_25_stars_stay_and_their_paths_stay_in_play() -> None:
    state = table("red.9 red.4 | blue.9", "red blue")
    assert rules(state, go("red.9", "red.8")) == {"BRD-25"}
    assert not rules(state, go("red.4", "red.5"))
    closed = table("red.8 | red.9", "red blue", "red + blue", left=1)
    assert rules(closed, go("red.8", "red.9")) == {"BRD-25"}
    # A pawn on a star is not jumped either.
    assert "blue-purple.9" not in ways(table("red.8 | red.9", "red purple"), "red.8")
    captured = table("red.8", "red blue").apply(go("red.8", "red.9"))
    assert captured.scores()[0].total == 1


@allows
@forbids
def test_brd_26_a_star_is_taken_exactly() -> None:
    assert not rules(table("red.8", "red blue"), go("red.8", "red.9"))
    double = table("red.8", "red red")
    assert rules(double, go("red.8", "red.9")) == {"BRD-26"}
    assert not rules(table("red.7", "red red"), go("red.7", "red.9"))
    sideways = table("red.8", "red red", "red + red", left=[2])
    assert "red-orange.9" in ways(sideways, "red.8")
    assert not rules(table("red.7", "red blue"), go("red.7", "red.9"))
    stars = "orange.9 yellow.9 | purple.9 orange-yellow.9"
    triple = table(f"red.6 red.8 {stars}", "red red red", "red + red + red")
    assert ways(triple, "red.6") == {"red.3"}
    assert "red.9" in ways(table(f"red.6 {stars}", "red red red", "red + red + red"), "red.6")


@forbids
def test_brd_27_everything_that_can_be_used_is_used() -> None:
    state = table("red.4", "red blue").apply(go("red.4", "red.5"))
    assert rules(state, rolled("red blue")) == {"BRD-27"}
    assert rules(state, Pass(0)) == {"BRD-27"}
    with pytest.raises(IllegalMove):
        state.apply(rolled("red blue"))


@allows
def test_brd_27_a_part_without_a_move_is_lost_and_the_next_is_played() -> None:
    pawns = "green.3 green.5 green.7 yellow.2 yellow.4 yellow.6 blue.2 blue.4 blue.6 blue.8"
    state = table(pawns, "red red")
    assert state.left == 2
    assert "green.3>yellow-green.4" in ways(state)
    # The rest of a plain roll is lost when nothing can move any more.
    last = table("red.8 " + " ".join(f"yellow.{n}" for n in range(1, 10)), "red green")
    assert last.apply(go("red.8", "red.9")).turn == 1


@allows
def test_brd_27_nobody_must_choose_the_order_that_uses_most() -> None:
    state = table("red.8 red.7 " + " ".join(f"yellow.{n}" for n in range(1, 9)), "red green")
    first = state.apply(go("red.8", "red.9"))
    assert first.turn == 0
    assert ways(first) == {"red.7>red.8", "red.7>red.6"}


@allows
def test_brd_28_a_turn_without_a_move() -> None:
    pawns = " ".join(f"yellow.{n}" for n in range(1, 10)) + " orange.2"
    state = table(pawns, "red blue")
    assert state.legal_moves() == (Pass(0),)
    assert state.apply(Pass(0)).turn == 1
    assert rules(state, go("orange.2", "orange.3")) == {"BRD-14"}
    some = table(pawns, "red orange")
    assert rules(some, Pass(0)) == {"BRD-27"}


@forbids
def test_brd_28_a_dead_usage_is_chosen_only_among_dead_ones() -> None:
    pawns = "red.3 " + " ".join(f"yellow.{n}" for n in range(1, 8))
    state = table(f"{pawns} yellow.9 orange.9 | purple.9 green.9", "red blue green")
    names = {move.usage for move in state.legal_moves()}
    assert names == {"red + blue", "red + green"}
    assert rules(state, Declare(0, "green + blue")) == {"BRD-28"}
    assert rules(state, Pass(0)) == {"BRD-28"}
    assert rules(state, rolled("red blue green")) == {"BRD-8"}


@excludes
def test_brd_28_a_capture_that_is_the_only_move_is_not_refused() -> None:
    pawns = " ".join(f"yellow.{n}" for n in range(1, 10)) + " red.1 | red.2 red-orange.1"
    state = table(pawns, "red blue", "red + blue", left=1)
    assert ways(state) == {"red.1>red.2"}
    assert rules(state, Pass(0)) == {"BRD-27"}
