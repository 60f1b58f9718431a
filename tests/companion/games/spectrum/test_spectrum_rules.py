"""Every numbered rule of the board game, the allowed and the forbidden, as examples from docs/rules/spectrum.md.

Player 1 has red pawns, player 2 orange ones. A position is written as `table("red.4 | blue.3", "red blue")`: pawns by seat,
and the roll that is to be used.
"""

from __future__ import annotations

from random import Random

import pytest

from companion.contract import Over, ToMove, ToRoll
from companion.errors import BadEvent, BadOptions, BadRecord, GameOver, IllegalMove
from companion.games.spectrum import SPECTRUM
from companion.games.spectrum.board import POINT, SIDE, SPACE, SPOTS, STEP, spaces_in
from companion.games.spectrum.moves import Declare, Pass, Place, Roll, Surrender, TakeOff
from companion.games.spectrum.options import Options
from companion.games.spectrum.usages import Usage, opposite, usages_of
from companion.pieces import INTERMEDIATES, PRIMARIES, WHEEL
from tests.companion.games.spectrum.short_spectrum import (
    after,
    alone,
    board,
    go,
    in_stock,
    rolled,
    rules,
    table,
    ways,
)


def neighbors(spot: str) -> set[str]:
    return {SPOTS[space] for space in spaces_in(SIDE[SPACE[spot]])}


def usage(roll: str, name: str, kind: str = "d6") -> Usage:
    return {one.name: one for one in usages_of(tuple(roll.split()), "d12" if kind == "d12" else "d6", False)}[name]


def parts(roll: str, name: str, kind: str = "d6") -> list[tuple[int, set[str]]]:
    return [(part.spaces, set(part.colors)) for part in usage(roll, name, kind).parts]


def test_brd_01_the_wheel_has_six_primaries_and_what_lies_between() -> None:
    assert WHEEL[0::2] == PRIMARIES
    assert WHEEL[1::2] == INTERMEDIATES
    assert [WHEEL[opposite(place)] for place in (0, 1, 6)] == ["green", "green-blue", "red"]
    assert "red-orange" in usage("red orange", "red + orange").colors
    assert "red-orange" not in usage("red yellow", "red + yellow").colors


def test_brd_02_every_path_has_nine_spaces() -> None:
    assert len(SPOTS) == 108
    state = table("red.8", "red blue")
    assert not rules(state, go("red.8", "red.9"))
    assert rules(state, go("red.8", "red.10")) == {"BRD-2"}
    assert rules(state, go("pink.1", "red.9")) == {"BRD-2"}


def test_brd_03_sides_and_points() -> None:
    assert neighbors("red.1") == {"red.2", "red-orange.1", "purple-red.1"}
    assert neighbors("green-blue.4") == {"green-blue.3", "green-blue.5", "green.4", "blue.4"}
    points = {SPOTS[space] for space in spaces_in(POINT[SPACE["green-blue.4"]])}
    assert points == {"green.3", "green.5", "blue.3", "blue.5"}
    state = table("red.4", "red orange")
    assert not rules(state, go("red.4", "red-orange.4"))
    two = table("red.4", "red orange", "red + orange", left=1)
    assert rules(two, go("red.4", "red-orange.5")) == {"BRD-17"}


def test_brd_04_a_star_is_entered_from_its_own_path_and_never_left() -> None:
    assert neighbors("red.9") == {"red.8"}
    assert not STEP[SPACE["red.9"]]
    assert ways(table("red.8", "red orange"), "red.8") >= {"red.9", "red-orange.8", "red-orange.9"}
    # Sideways from star to star is no way: red.9 would have to be passed.
    state = table("red.8", "red orange", "red + orange", left=1)
    assert rules(state, go("red.8", "red-orange.9")) == {"BRD-17"}
    # Over a pawn on space 8 of the own or a neighboring path.
    jump = table("red.7 | red.8", "red orange")
    assert ways(jump, "red.7") >= {"red.9", "red-orange.9"}


@pytest.mark.parametrize(("seats", "stars"), [(2, 7), (3, 5), (4, 4), (5, 3), (6, 3)])
def test_brd_05_ten_pawns_each_and_stars_to_win(seats: int, stars: int) -> None:
    state = SPECTRUM.start(seats, Options())
    assert [in_stock(state, seat) for seat in range(seats)] == [10] * seats
    assert not board(state)
    won = table(" ".join(f"{color}.9" for color in WHEEL[:stars]), seats=seats)
    assert won.outcome() is not None
    short = table(" ".join(f"{color}.9" for color in WHEEL[: stars - 1]), seats=seats)
    assert short.outcome() is None


def test_brd_05_colors_and_the_first_player_are_agreed() -> None:
    state = SPECTRUM.start(3, Options(colors="blue, purple, red", first=2))
    assert state.teams == (("blue",), ("purple",), ("red",))
    assert state.expects() == ToRoll(1, ("spectrum-d6",) * 2)
    for seats, options in ((7, Options()), (0, Options()), (2, Options(colors="red")), (2, Options(first=3))):
        with pytest.raises(BadOptions, match="BRD-5"):
            SPECTRUM.start(seats, options)
    for colors in ("red,red", "red,pink"):
        with pytest.raises(BadOptions, match="BRD-5"):
            SPECTRUM.start(2, Options(colors=colors))


def test_brd_05_an_event_needs_a_player_who_is_there_and_a_pawn_in_stock() -> None:
    state = table("", "red blue")
    assert rules(state, go("red stock", "red.1", seat=4)) == {"BRD-5"}
    assert rules(state, go("orange stock", "red.1")) == {"BRD-8"}
    everything = table("red.1 red.3 red.5 red.7 blue.1 blue.3 blue.5 blue.7 green.2 green.4", "red blue")
    assert rules(everything, go("red stock", "red.2")) == {"BRD-5"}
    with pytest.raises(BadRecord, match="BRD-5"):
        table(" ".join(f"red-orange.{space}" for space in range(1, 10)) + " red.1 red.2")


def test_brd_06_dice_show_primaries_or_all_colors() -> None:
    state = SPECTRUM.start(2, Options())
    assert state.apply(rolled("red blue")).roll == ("red", "blue")
    with pytest.raises(BadEvent, match="BRD-6"):
        state.apply(rolled("red red-orange"))
    assert SPECTRUM.start(2, Options(dice="d12")).apply(rolled("red red-orange blue", "d12")).roll


@pytest.mark.parametrize(("taken", "cubes"), [(0, 2), (3, 2), (4, 3), (7, 3), (8, 4), (11, 4)])
@pytest.mark.parametrize(("dice", "more"), [("d6", 0), ("d12", 1)])
def test_brd_07_dice_by_the_stars_taken(taken: int, cubes: int, dice: str, more: int) -> None:
    stars = [f"{color}.9" for color in WHEEL[:taken]]
    state = table(f"{' '.join(stars[0::2])} | {' '.join(stars[1::2])}", options={"dice": dice})
    due = state.expects()
    assert due == ToRoll(0, (f"spectrum-{dice}",) * (cubes + more))
    assert rules(state, rolled(" ".join(["red"] * (cubes + more + 1)), dice)) == {"BRD-7"}
    assert not rules(state, rolled(" ".join(["red"] * (cubes + more)), dice))


def test_brd_08_the_better_roll_need_not_be_chosen() -> None:
    stars = "red-orange.9 orange.9 orange-yellow.9 yellow.9 | green.9 blue.9 purple.9 yellow-green.9"
    state = table("red.3 " + stars, "red red red blue")
    assert [move.usage for move in state.legal_moves()] == ["red + blue", "red + red", "red + red + red"]
    assert state.apply(Declare(0, "red + blue")).usage == "red + blue"
    assert rules(state, Declare(0, "blue + blue")) == {"BRD-10"}
    assert rules(state, go("red.3", "red.4")) == {"BRD-8"}
    assert rules(state.apply(Declare(0, "red + red")), Declare(0, "red + blue")) == {"BRD-8"}


def test_brd_08_only_usage_is_in_use_without_a_word_and_others_wait() -> None:
    state = table("red.3 | blue.3", "red blue")
    assert state.usage == "red + blue"
    assert rules(state, go("blue.3", "blue.4")) == {"BRD-8"}
    assert rules(state, go("orange stock", "red.1", seat=1)) == {"BRD-8"}
    assert rules(table("red.3"), go("red.3", "red.4")) == {"BRD-7"}
    assert rules(table("red.3"), Roll(0)) == {"BRD-7"}


def test_brd_09_a_jump_enters_two_colors() -> None:
    # The first part of a double enters red alone: over an orange pawn on red-orange is another color.
    state = table("red.3 | red-orange.3", "red red")
    assert rules(state, go("red.3", "red-orange.4")) == {"BRD-10"}
    assert not rules(table("red.3 | red.4", "red red"), go("red.3", "red.5"))


@pytest.mark.parametrize(
    ("roll", "name", "opened"),
    [
        ("red yellow", "red + yellow", "red yellow"),
        ("red green", "red + green", "red green"),
        ("red orange", "red + orange", "red red-orange orange"),
        ("red purple", "red + purple", "purple purple-red red"),
        ("red red", "red + red", "red red-orange purple-red green yellow-green green-blue"),
        (
            "red red blue blue",
            "red + red + blue + blue",
            "red red-orange purple-red green yellow-green green-blue blue blue-purple orange orange-yellow",
        ),
    ],
)
def test_brd_10_what_cubes_open(roll: str, name: str, opened: str) -> None:
    assert set(usage(roll, name).colors) == set(opened.split())


def test_brd_10_what_cubes_allot() -> None:
    six = {"red", "red-orange", "purple-red", "green", "yellow-green", "green-blue"}
    assert usage("red yellow", "red + yellow").plain
    assert parts("red red", "red + red") == [(2, {"red"}), (2, six)]
    assert parts("red red red", "red + red + red") == [(3, {"red"}), (3, six)]
    assert parts("red red red red", "red + red + red + red") == [(4, {"red"}), (4, {"green"}), (4, six)]
    both = six | {"blue", "blue-purple", "orange", "orange-yellow"}
    assert parts("red red blue blue", "red + red + blue + blue") == [
        (2, {"red", "blue"}),
        (2, {"green", "orange"}),
        (2, both),
    ]


def test_brd_10_the_last_part_of_a_double_double_needs_an_intermediate() -> None:
    stars = "orange.9 yellow.9 purple.9 orange-yellow.9 | red-orange.9 yellow-green.9 green-blue.9 purple-red.9"
    state = table(f"blue.3 blue-purple.6 {stars}", "red red blue blue", "red + red + blue + blue", left=[3])
    assert rules(state, go("blue.3", "blue.5")) == {"BRD-10"}
    assert not rules(state, go("blue.3", "blue-purple.4"))
    assert not rules(state, go("blue-purple.6", "blue.7"))


def test_brd_10_a_roll_has_no_other_usages() -> None:
    names = {one.name for one in usages_of(("red", "red", "blue", "green"), "d6", False)}
    assert names == {"red + blue", "red + green", "green + blue", "red + red"}


@pytest.mark.parametrize(
    ("roll", "name", "opened"),
    [
        ("red orange blue", "red + orange", "red orange"),
        ("red red-orange blue", "red + red-orange", "purple-red red red-orange orange"),
        ("red purple-red blue", "red + purple-red", "purple purple-red red red-orange"),
        ("red-orange red-orange blue", "red-orange + red-orange", "red red-orange orange green green-blue blue"),
        ("red red blue blue", "red + red + blue + blue", "red green blue orange"),
    ],
)
def test_brd_11_what_twelve_sided_dice_open(roll: str, name: str, opened: str) -> None:
    assert set(usage(roll, name, "d12").colors) == set(opened.split())


def test_brd_11_what_twelve_sided_dice_allot() -> None:
    six = {"red", "red-orange", "purple-red", "green", "yellow-green", "green-blue"}
    for count in (2, 3, 4, 5):
        roll = " ".join(["red"] * 5)
        assert parts(roll, " + ".join(["red"] * count), "d12") == [(count, {"red"}), (count, six)]
    assert parts("red red blue blue", "red + red + blue + blue", "d12") == [
        (2, {"red"}),
        (2, {"blue"}),
        (2, {"red", "green", "blue", "orange"}),
    ]
    state = table("red.3 red-orange.3", "red red-orange blue", "red + red-orange", options={"dice": "d12"})
    assert not rules(state, go("red.3", "purple-red.3"))
    assert rules(state, go("red.3", "yellow.3")) == {"BRD-14"}
    assert rules(state, Declare(0, "red + red")) == {"BRD-8"}
    again = table("red.3", "red orange blue", options={"dice": "d12"})
    assert rules(again, Declare(0, "red + red")) == {"BRD-11"}


def test_brd_12_parts_come_in_the_printed_order() -> None:
    printed = table("red.3 green.3", "red red")
    assert not rules(printed, go("red.3", "red.5"))
    assert rules(printed, go("green.3", "green.5")) == {"BRD-10"}
    assert rules(printed, go("red.3", "red.5", part=1)) == {"BRD-12"}
    free = table("red.3 green.3", "red red", options={"special_order": "free"})
    assert not rules(free, go("green.3", "green.5", part=2))
    assert rules(free, go("green.3", "green.5", part=1)) == {"BRD-10"}
    later = free.apply(go("green.3", "green.5", part=2))
    assert rules(later, go("green.5", "green.7", part=2)) == {"BRD-12"}
    assert not rules(later, go("red.3", "red.5", part=1))


def test_brd_13_three_and_two_of_five_dice() -> None:
    names = {one.name for one in usages_of(("red", "red", "red", "blue", "blue"), "d12", False)}
    assert names == {
        "red + blue",
        "red + red",
        "red + red + red",
        "blue + blue",
        "red + red + blue + blue",
    }
    stars = "orange.9 yellow.9 purple.9 orange-yellow.9 | red-orange.9 yellow-green.9 green-blue.9 purple-red.9"
    state = table(f"red.3 blue.3 {stars}", "red red red blue blue", options={"dice": "d12"})
    assert not rules(state, Declare(0, "red + red + red"))
    assert rules(state, Declare(0, "red + red + red + blue + blue")) == {"BRD-11"}


def test_brd_14_both_ends_of_a_step_are_open() -> None:
    state = table("red.4 red-orange.5 yellow.2", "red orange")
    assert not rules(state, go("red.4", "red-orange.4"))
    assert not rules(state, go("red-orange.5", "orange.5"))
    assert rules(state, go("yellow.2", "yellow.3")) == {"BRD-14"}
    assert rules(state, go("red.4", "purple-red.4")) == {"BRD-14"}
    assert rules(state, go("green.4", "green.5")) == {"BRD-14"}
    # A pawn on an intermediate that is not open stays.
    assert rules(table("red-orange.5", "red blue"), go("red-orange.5", "red.5")) == {"BRD-14"}


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


def test_brd_16_two_pawns_never_share_a_space() -> None:
    state = table("red.4 red.5 | blue.3", "red blue", "red + blue", left=1)
    assert rules(state, go("red.4", "red.5")) == {"BRD-16"}
    captured = table("red.4 blue.2 | blue.3", "red blue").apply(go("blue.2", "blue.3"))
    assert captured.held is not None and captured.held.color == "orange"
    with pytest.raises(BadRecord, match="BRD-16"):
        SPECTRUM.position(2, Options(), {"pawns": [["red.4"], ["red.4"]]})


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


def test_brd_18_a_part_is_not_cut_short_or_shared() -> None:
    state = table("red.3 red.6", "red red")
    assert ways(state, "red.3") == {"red.1", "red.5"}
    assert rules(state, go("red.3", "red.4")) == {"BRD-18"}
    assert rules(table("red.2", "red red"), go("red.2", "red.5")) == {"BRD-18"}


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


def test_brd_19_a_pawn_that_moves_twice_shows_two_colors() -> None:
    state = table("red.3 green.2", "red red").apply(go("red.3", "red.5"))
    assert rules(state, go("red.5", "red.7")) == {"BRD-19"}
    assert not rules(state, go("red.5", "red-orange.6"))
    assert not rules(state, go("green.2", "green.4"))


def test_brd_19_does_not_bind_plain_rolls() -> None:
    state = table("red.3", "red blue").apply(go("red.3", "red.4"))
    assert not rules(state, go("red.4", "red.5"))


def test_brd_19_where_a_pawn_could_enter_two_colors_it_did_unless_it_is_said() -> None:
    free = table("red.3", "red red", options={"special_order": "free"})
    # From red.3 to red.5 leads red alone; from red.3 to red-orange.4 lead both red and red-orange.
    moved = free.apply(go("red.3", "red-orange.4", part=2))
    assert moved.phase == "move" and "red.6" not in ways(moved, "red-orange.4")
    assert not rules(moved, go("red-orange.4", "red.5", part=1))
    straight = free.apply(go("red.3", "red.5", part=2))
    assert rules(straight, go("red.5", "red.7", part=1)) == {"BRD-19"}


def test_brd_19_keeping_to_one_color_is_said_where_it_matters() -> None:
    # An orange pawn on red.4 can be jumped within red, and one on red-orange.4 by way of red-orange.
    options = {"special_order": "free"}
    state = table("red.3 | red.4 red-orange.3", "red red", options=options)
    # To red-orange.4: over the orange pawn on red-orange.3, or the one on red.4.
    several = state.apply(go("red.3", "red-orange.4", part=2))
    one = state.apply(go("red.3", "red-orange.4", part=2, one_color=True))
    assert several.board == one.board and several != one
    assert not rules(several, go("red-orange.4", "red.5", part=1))
    assert state.alike(go("red.3", "red-orange.4", part=2), go("red.3", "red-orange.4", part=2, one_color=True))
    printed = table("red.3", "red red")
    assert rules(printed, go("red.3", "red.5", one_color=True)) == {"BRD-19"}


def test_brd_20_a_jump_goes_over_a_neighbor() -> None:
    state = table("red.4 red.7 | red.5", "red blue")
    assert ways(state, "red.4") >= {"red.5", "red.6"}
    own = table("red.4 red.5", "red blue")
    assert rules(own, go("red.4", "red.6")) == {"BRD-20"}
    assert rules(table("red.4", "red blue", "red + blue"), go("red.4", "red.7")) == {"BRD-17"}


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


def test_brd_21_start_jumped_space_and_landing_are_open() -> None:
    plain = table("blue.4 | blue.5", "blue red")
    assert ways(plain, "blue.4") - {"blue.3", "blue.2", "blue.5"} == {"blue.6"}
    assert rules(plain, go("blue.4", "green-blue.5")) == {"BRD-14"}
    assert rules(table("blue.4 | green-blue.4", "blue red"), go("blue.4", "green.4")) == {"BRD-14"}
    closed = table("blue.4 | green-blue.5", "blue green red", options={"dice": "d12"})
    pair = closed.apply(Declare(0, "green + blue")) if closed.phase == "declare" else closed
    assert "green.4" not in ways(pair, "blue.4")
    assert rules(pair, go("blue.4", "green.4")) == {"BRD-21"}


def test_brd_21_jump_and_capture_together() -> None:
    state = table("blue.4 | blue.5 blue.6", "blue red")
    landed = state.apply(go("blue.4", "blue.6"))
    assert landed.held is not None and landed.held.color == "orange"
    assert board(landed) == {"blue.5": "orange", "blue.6": "red"}
    assert landed.phase == "place"


def test_brd_22_jumps_in_longer_parts_and_in_plain_rolls() -> None:
    stars = "orange.9 yellow.9 | purple.9 orange-yellow.9"
    triple = table(f"red.2 {stars} red.3", "red red red", "red + red + red")
    assert "red.5" in ways(triple, "red.2")
    full = table(f"red.2 {stars} red.3 red.4", "red red red", "red + red + red")
    assert "red.5" not in ways(full, "red.2")
    plain = table("red.4 blue.3 | red.5", "red blue").apply(go("blue.3", "blue.4"))
    assert rules(plain, go("red.4", "red.6")) == {"BRD-22"}
    assert table("red.4 | red.5", "red blue").apply(go("red.4", "red.6")).turn == 1


def test_brd_23_a_jump_in_from_stock() -> None:
    state = table("| red.1 red.2", "red blue")
    assert ways(state, "red stock") >= {"red.1", "red.2"}
    landed = state.apply(go("red stock", "red.2"))
    assert board(landed) == {"red.1": "orange", "red.2": "red"} and landed.held is not None
    # Over both is two jumps and costs 4; a plain roll has 2.
    assert rules(state, go("red stock", "red.3")) == {"BRD-15"}
    # One by one both are taken.
    one = after(state, go("red stock", "red.1"), Place(0, "orange", "green.1"))
    assert not rules(one, go("red.1", "red.2"))


def test_brd_24_the_capturer_puts_the_pawn_on_a_free_start() -> None:
    state = table("red.4 green.9 blue.1 | red.5", "red blue").apply(go("red.4", "red.5"))
    assert state.expects() == ToMove((0,))
    assert {move.to for move in state.legal_moves()} == {"red.1", "orange.1", "yellow.1", "green.1", "purple.1"}
    assert rules(state, Place(0, "orange", "blue.1")) == {"BRD-24"}
    assert rules(state, Place(0, "orange", "red-orange.1")) == {"BRD-24"}
    assert rules(state, Place(1, "orange", "red.1")) == {"BRD-24"}
    assert rules(state, Place(0, "red", "red.1")) == {"BRD-24"}
    assert rules(state, go("red.5", "red.6")) == {"BRD-24"}
    assert rules(state, rolled("red blue")) == {"BRD-24"}
    placed = state.apply(Place(0, "orange", "green.1"))
    assert board(placed)["green.1"] == "orange" and placed.left == 1
    assert rules(placed, Place(0, "orange", "red.1")) == {"BRD-24"}


def test_brd_24_with_all_starts_occupied_the_pawn_goes_to_stock() -> None:
    full = "red.4 red.1 blue.1 orange.1 | red.5 yellow.1 green.1 purple.1"
    state = table(full, "red blue")
    before = in_stock(state, 1)
    captured = state.apply(go("red.4", "red.5"))
    assert captured.phase == "move" and in_stock(captured, 1) == before + 1


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


def test_brd_27_everything_that_can_be_used_is_used() -> None:
    state = table("red.4", "red blue").apply(go("red.4", "red.5"))
    assert rules(state, rolled("red blue")) == {"BRD-27"}
    assert rules(state, Pass(0)) == {"BRD-27"}
    with pytest.raises(IllegalMove):
        state.apply(rolled("red blue"))


def test_brd_27_a_part_without_a_move_is_lost_and_the_next_is_played() -> None:
    pawns = "green.3 green.5 green.7 yellow.2 yellow.4 yellow.6 blue.2 blue.4 blue.6 blue.8"
    state = table(pawns, "red red")
    assert state.left == 2
    assert "green.3>yellow-green.4" in ways(state)
    # The rest of a plain roll is lost when nothing can move any more.
    last = table("red.8 " + " ".join(f"yellow.{n}" for n in range(1, 10)), "red green")
    assert last.apply(go("red.8", "red.9")).turn == 1


def test_brd_27_nobody_must_choose_the_order_that_uses_most() -> None:
    state = table("red.8 red.7 " + " ".join(f"yellow.{n}" for n in range(1, 9)), "red green")
    first = state.apply(go("red.8", "red.9"))
    assert first.turn == 0
    assert ways(first) == {"red.7>red.8", "red.7>red.6"}


def test_brd_28_a_turn_without_a_move() -> None:
    pawns = " ".join(f"yellow.{n}" for n in range(1, 10)) + " orange.2"
    state = table(pawns, "red blue")
    assert state.legal_moves() == (Pass(0),)
    assert state.apply(Pass(0)).turn == 1
    assert rules(state, go("orange.2", "orange.3")) == {"BRD-14"}
    some = table(pawns, "red orange")
    assert rules(some, Pass(0)) == {"BRD-27"}


def test_brd_28_a_dead_usage_is_chosen_only_among_dead_ones() -> None:
    pawns = "red.3 " + " ".join(f"yellow.{n}" for n in range(1, 8))
    state = table(f"{pawns} yellow.9 orange.9 | purple.9 green.9", "red blue green")
    names = {move.usage for move in state.legal_moves()}
    assert names == {"red + blue", "red + green"}
    assert rules(state, Declare(0, "green + blue")) == {"BRD-28"}
    assert rules(state, Pass(0)) == {"BRD-28"}
    assert rules(state, rolled("red blue green")) == {"BRD-8"}


def test_brd_28_a_capture_that_is_the_only_move_is_not_refused() -> None:
    pawns = " ".join(f"yellow.{n}" for n in range(1, 10)) + " red.1 | red.2 red-orange.1"
    state = table(pawns, "red blue", "red + blue", left=1)
    assert ways(state) == {"red.1>red.2"}
    assert rules(state, Pass(0)) == {"BRD-27"}


def test_brd_29_the_first_with_enough_stars_wins_at_once() -> None:
    six = "orange.9 yellow.9 green.9 blue.9 purple.9 red-orange.9"
    state = table(f"red.8 {six}", "red red green", "red + green")
    won = state.apply(go("red.8", "red.9"))
    outcome = won.outcome()
    assert outcome is not None and outcome.rule == "BRD-29" and outcome.places == ((0,), (1,))
    assert won.expects() == Over()
    with pytest.raises(GameOver, match="BRD-29"):
        won.apply(rolled("red blue"))
    assert rules(won, go("red stock", "red.1")) == {"BRD-29"}


@pytest.mark.parametrize(
    ("mine", "theirs", "places"),
    [
        # Six each: intermediates count 2.
        (WHEEL[0::2], WHEEL[1::2], ((1,), (0,))),
        (WHEEL[0:6], WHEEL[6:12], ((0, 1),)),
        (WHEEL[0:5:2] + WHEEL[1:6:2], WHEEL[6::2] + WHEEL[7::2], ((0, 1),)),
    ],
)
def test_brd_29_all_colors_captured_without_a_winner(
    mine: tuple[str, ...], theirs: tuple[str, ...], places: tuple[tuple[int, ...], ...]
) -> None:
    stars = [" ".join(f"{color}.9" for color in colors) for colors in (mine, theirs)]
    outcome = table(" | ".join(stars)).outcome()
    assert outcome is not None and outcome.places == places and outcome.rule == "BRD-29"


def test_brd_30_own_pawns_are_captured_only_by_option() -> None:
    pawns = "red.4 red.5 | green.4"
    assert rules(table(pawns, "red blue"), go("red.4", "red.5")) == {"BRD-16"}
    state = table(pawns, "red blue", options={"self_capture": True}).apply(go("red.4", "red.5"))
    assert state.held is not None and state.held.color == "red"
    placed = state.apply(Place(0, "red", "purple.1"))
    assert board(placed)["purple.1"] == "red"
    full = "red.4 red.5 red.1 blue.1 orange.1 yellow.1 | green.1 purple.1"
    stocked = table(full, "red blue", options={"self_capture": True}).apply(go("red.4", "red.5"))
    assert in_stock(stocked, 0) == 5


def test_brd_31_own_pawns_are_jumped_only_by_option() -> None:
    pawns = "red.4 red.5"
    assert rules(table(pawns, "red blue"), go("red.4", "red.6")) == {"BRD-20"}
    state = table(pawns, "red blue", options={"self_jump": True})
    assert not rules(state, go("red.4", "red.6"))
    assert rules(state, go("red.4", "red.5")) == {"BRD-16"}
    assert not rules(table("red.1", "red blue", options={"self_jump": True}), go("red stock", "red.2"))


def test_brd_32_a_pawn_is_surrendered_instead_of_the_roll() -> None:
    options = {"surrender": True}
    state = table("red.4 red.9 | blue.3", options=options)
    assert state.legal_moves() == (Surrender(0), Roll(0))
    off = state.apply(Surrender(0))
    assert off.legal_moves() == (TakeOff(0, "red.4"),)
    assert rules(off, TakeOff(0, "red.9")) == {"BRD-25"}
    assert rules(off, TakeOff(0, "blue.3")) == {"BRD-32"}
    assert rules(off, rolled("red blue")) == {"BRD-32"}
    done = off.apply(TakeOff(0, "red.4"))
    assert done.turn == 1 and in_stock(done, 0) == 9
    late = state.apply(rolled("red blue"))
    assert rules(late, Surrender(0)) == {"BRD-32"}
    assert rules(late, TakeOff(0, "red.4")) == {"BRD-32"}
    assert rules(table("red.4"), Surrender(0)) == {"BRD-32"}
    assert rules(table("red.9", options=options), Surrender(0)) == {"BRD-32"}


def test_brd_33_a_special_roll_gives_one_more_turn() -> None:
    options = {"speed_rule": True}
    state = table("red.1 green.1", "red red", options=options)
    again = after(state, go("red.1", "red.3"), go("green.1", "green.3"))
    assert again.turn == 0 and again.again and again.expects() == ToRoll(0, ("spectrum-d6",) * 2)
    third = after(again, rolled("red red"), go("red.3", "red.5"), go("green.3", "green.5"))
    assert third.turn == 1 and not third.again
    plain = table("red.1", "red blue", options=options).apply(go("red.1", "red.3"))
    assert plain.turn == 1
    off = after(table("red.1 green.1", "red red"), go("red.1", "red.3"), go("green.1", "green.3"))
    assert off.turn == 1


def test_brd_34_the_kind_of_dice_is_an_option() -> None:
    for seats, dice, count in ((2, "d6", 2), (2, "d12", 3), (1, "d6", 2), (1, "d12", 3)):
        state = SPECTRUM.start(seats, Options(dice="d12" if dice == "d12" else "d6"))
        assert state.expects() == ToRoll(0, (f"spectrum-{dice}",) * count)
        other = "d12" if dice == "d6" else "d6"
        assert rules(state, rolled(" ".join(["red"] * count), other)) == {"BRD-7"}


def test_brd_35_twelve_pawns_and_twelve_stars_alone() -> None:
    state = SPECTRUM.start(1, Options())
    assert in_stock(state, 0) == 12
    assert alone(" ".join(f"{color}.9" for color in WHEEL[1:])).outcome() is None
    won = alone(" ".join(f"{color}.9" for color in WHEEL)).outcome()
    assert won is not None and won.rule == "BRD-35"
    with pytest.raises(BadOptions, match="BRD-35"):
        SPECTRUM.start(1, Options(colors="red"))
    for variant in ({"missions": True}, {"portals": True}, {"weighted": True}, {"shotgun": "d12"}):
        with pytest.raises(BadOptions, match="BRD-35"):
            SPECTRUM.start(1, Options(**variant))
    with pytest.raises(BadOptions, match="BRD-35"):
        SPECTRUM.start(2, Options(solo_without="jump"))


def test_brd_35_own_pawns_are_captured_and_jumped_alone() -> None:
    state = alone("red.4 red.5", "red blue")
    assert ways(state, "red.4") >= {"red.5", "red.6"}
    assert rules(alone("red.4 red.5", "red blue", solo_without="jump"), go("red.4", "red.6")) == {"BRD-20"}
    assert rules(alone("red.4 red.5", "red blue", solo_without="capture"), go("red.4", "red.5")) == {"BRD-16"}
    both = alone("red.4 red.5", "red blue", solo_without="both")
    assert rules(both, go("red.4", "red.6")) == {"BRD-20"}


def test_brd_35_the_game_is_lost_when_nothing_can_move_and_won_with_all_stars() -> None:
    pawns = {f"yellow.{n}": "red" for n in range(1, 7)} | {f"green.{n}": "orange" for n in range(1, 7)}
    state = SPECTRUM.position(1, Options(solo_without="both"), {"pawns": pawns})
    lost = state.apply(rolled("red blue"))
    outcome = lost.outcome()
    assert outcome is not None and outcome.rule == "BRD-35" and lost.expects() == Over()
    last = alone("red.8 " + " ".join(f"{color}.9" for color in WHEEL[1:]), "red red red blue", "red + blue")
    won = last.apply(go("red.8", "red.9")).outcome()
    assert won is not None and won.text == "All twelve stars are captured."


def test_brd_36_jumps_from_blue_4() -> None:
    everything = {"dice": "d12"}
    ahead = table("blue.4 | blue.5", "blue blue green-blue", "blue + blue", left=[2], options=everything)
    landings = {"blue.6", "green-blue.5", "blue-purple.5", "green-blue.6", "blue-purple.6"}
    by_jump = {"blue.6", "green-blue.6", "blue-purple.6"}
    assert by_jump <= ways(ahead, "blue.4")
    assert landings <= ways(ahead, "blue.4")
    purple = table("blue.4 | blue.5 green-blue.4 blue-purple.4", "blue purple")
    assert {"blue.6", "blue-purple.5", "blue-purple.6"} <= ways(purple, "blue.4")
    assert not {"green-blue.5", "green-blue.6"} & ways(purple, "blue.4")
    assert rules(purple, go("blue.4", "green-blue.6")) == {"BRD-14"}
    red = table("blue.4 | blue.5", "blue red")
    assert ways(red, "blue.4") == {"blue.5", "blue.3", "blue.2", "blue.6"}


def test_brd_36_jumps_sideways_from_blue_4() -> None:
    state = table("blue.4 | green-blue.4", "blue green")
    jumped = {"green.3", "green.4", "green.5", "green-blue.3", "green-blue.5"}
    assert jumped <= ways(state, "blue.4")
    # blue.3 and blue.5 are steps; with one space blocked they are not reached over the pawn.
    double = table("blue.4 | green-blue.4", "blue blue", "blue + blue", left=[2])
    assert not {"blue.3", "blue.5"} & ways(double, "blue.4")


def test_brd_37_a_pawn_at_a_point_is_never_jumped() -> None:
    state = table("blue.4 | green-blue.5 blue.3", "blue green")
    assert "green.6" not in ways(state, "blue.4")
    assert rules(state, go("blue.4", "green-blue.6")) == {"BRD-37"}
    assert not rules(state, go("blue.4", "green.4"))
    beside = table("blue.5 | green-blue.5", "blue green")
    assert "green-blue.6" in ways(beside, "blue.5")


def test_random_games_keep_every_pawn() -> None:
    rng = Random(3)
    state = SPECTRUM.start(3, Options(self_capture=True, self_jump=True))
    for _ in range(150):
        moves = state.legal_moves()
        due = state.expects()
        if isinstance(due, Over):
            break
        event = rng.choice(moves) if moves else rolled(" ".join(rng.choices(PRIMARIES, k=len(due.dice))))
        state = state.apply(event)
        held = state.held is not None
        assert len(board(state)) + sum(in_stock(state, seat) for seat in range(3)) + held == 30
