"""Board, dice and usages of Spectrum (BRD-1 to BRD-13): the allowed and the forbidden, as examples from docs/rules/spectrum.md.

Player 1 has red pawns, player 2 orange ones. A position is written as `table("red.4 | blue.3", "red blue")`: pawns by seat,
and the roll that is to be used.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.core.contract import ToRoll
from companion.core.foundation.errors import BadOptions, BadRecord, IllegalMove
from companion.core.pieces import INTERMEDIATES, PRIMARIES, WHEEL
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import POINT, SIDE, SPACE, SPOTS, STEP
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Declare, Pass, Pick, Roll
from companion.games.spectrum.options import Options
from companion.games.spectrum.usages import Usage, opposite, usages_of
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.short import rules
from tests.companion.games.spectrum.short_spectrum import board, go, in_stock, rolled, table, ways


def neighbors(spot: str) -> set[str]:
    return {SPOTS[space] for space in bits(SIDE[SPACE[spot]])}


def usage(roll: str, name: str, kind: str = "d6") -> Usage:
    return {one.name: one for one in usages_of(tuple(roll.split()), "d12" if kind == "d12" else "d6", False)}[name]


def parts(roll: str, name: str, kind: str = "d6") -> list[tuple[int, set[str]]]:
    return [(part.spaces, set(part.colors)) for part in usage(roll, name, kind).parts]


@allows
@excludes
def test_brd_01_the_wheel_has_six_primaries_and_what_lies_between() -> None:
    assert WHEEL[0::2] == PRIMARIES
    assert WHEEL[1::2] == INTERMEDIATES
    assert [WHEEL[opposite(place)] for place in (0, 1, 6)] == ["green", "green-blue", "red"]
    assert "red-orange" in usage("red orange", "red + orange").colors
    assert "red-orange" not in usage("red yellow", "red + yellow").colors


@allows
@forbids
def test_brd_01_colors_that_are_not_on_the_wheel_are_not_named() -> None:
    doubles = SPECTRUM.start(2, Options(shotgun="d12")).apply(rolled("red red", "d12"))
    assert not rules(doubles, Pick(0, "purple-red", "red-orange"))
    assert rules(doubles, Pick(0, "purple-red", "red-purple")) == {"BRD-1"}


@allows
@forbids
def test_brd_02_every_path_has_nine_spaces() -> None:
    assert len(SPOTS) == 108
    state = table("red.8", "red blue")
    assert not rules(state, go("red.8", "red.9"))
    assert rules(state, go("red.8", "red.10")) == {"BRD-2"}
    assert rules(state, go("pink.1", "red.9")) == {"BRD-2"}


@allows
@excludes
def test_brd_03_sides_and_points() -> None:
    assert neighbors("red.1") == {"red.2", "red-orange.1", "purple-red.1"}
    assert neighbors("green-blue.4") == {"green-blue.3", "green-blue.5", "green.4", "blue.4"}
    points = {SPOTS[space] for space in bits(POINT[SPACE["green-blue.4"]])}
    assert points == {"green.3", "green.5", "blue.3", "blue.5"}
    state = table("red.4", "red orange")
    assert not rules(state, go("red.4", "red-orange.4"))
    two = table("red.4", "red orange", "red + orange", left=1)
    assert rules(two, go("red.4", "red-orange.5")) == {"BRD-17"}


@allows
@excludes
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


@forbids
def test_brd_04_no_way_leads_round_the_ring_of_the_stars() -> None:
    name = "red-orange + red-orange + red-orange"
    state = table(
        "red-orange.8",
        name.replace(" +", ""),
        name,
        options={"dice": "d12"},
        left=[2],
        walked={"red-orange.8": "red-orange"},
    )
    # Three spaces would lead over red.8 and red.9 to the pawn's own star.
    assert rules(state, go("red-orange.8", "red-orange.9")) == {"BRD-26", "BRD-4"}
    assert not rules(state, go("red-orange.8", "red.6"))


@pytest.mark.parametrize(("seats", "stars"), [(2, 7), (3, 5), (4, 4), (5, 3), (6, 3)])
@allows
def test_brd_05_ten_pawns_each_and_stars_to_win(seats: int, stars: int) -> None:
    state = SPECTRUM.start(seats, Options())
    assert [in_stock(state, seat) for seat in range(seats)] == [10] * seats
    assert not board(state)
    won = table(" ".join(f"{color}.9" for color in WHEEL[:stars]), seats=seats)
    assert won.outcome() is not None
    short = table(" ".join(f"{color}.9" for color in WHEEL[: stars - 1]), seats=seats)
    assert short.outcome() is None


@allows
@forbids
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


@forbids
def test_brd_05_an_event_needs_a_player_who_is_there_and_a_pawn_in_stock() -> None:
    state = table("", "red blue")
    assert rules(state, go("red stock", "red.1", seat=4)) == {"BRD-5"}
    assert rules(state, go("orange stock", "red.1")) == {"BRD-8"}
    everything = table("red.1 red.3 red.5 red.7 blue.1 blue.3 blue.5 blue.7 green.2 green.4", "red blue")
    assert rules(everything, go("red stock", "red.2")) == {"BRD-5"}
    with pytest.raises(BadRecord, match="BRD-5"):
        table(" ".join(f"red-orange.{space}" for space in range(1, 10)) + " red.1 red.2")


@allows
@forbids
def test_brd_06_dice_show_primaries_or_all_colors() -> None:
    state = SPECTRUM.start(2, Options())
    assert state.apply(rolled("red blue")).roll == ("red", "blue")
    with pytest.raises(IllegalMove, match="BRD-6"):
        state.apply(rolled("red red-orange"))
    assert SPECTRUM.start(2, Options(dice="d12")).apply(rolled("red red-orange blue", "d12")).roll


@pytest.mark.parametrize(("taken", "cubes"), [(0, 2), (3, 2), (4, 3), (7, 3), (8, 4), (11, 4)])
@pytest.mark.parametrize(("dice", "more"), [("d6", 0), ("d12", 1)])
@allows
@forbids
def test_brd_07_dice_by_the_stars_taken(taken: int, cubes: int, dice: str, more: int) -> None:
    stars = [f"{color}.9" for color in WHEEL[:taken]]
    state = table(f"{' '.join(stars[0::2])} | {' '.join(stars[1::2])}", options={"dice": dice})
    due = state.expects()
    assert due == ToRoll(0, (f"spectrum-{dice}",) * (cubes + more))
    assert rules(state, rolled(" ".join(["red"] * (cubes + more + 1)), dice)) == {"BRD-7"}
    assert not rules(state, rolled(" ".join(["red"] * (cubes + more)), dice))


@allows
@forbids
def test_brd_08_the_better_roll_need_not_be_chosen() -> None:
    stars = "red-orange.9 orange.9 orange-yellow.9 yellow.9 | green.9 blue.9 purple.9 yellow-green.9"
    state = table("red.3 " + stars, "red red red blue")
    assert [move.usage for move in state.legal_moves()] == ["red + blue", "red + red", "red + red + red"]
    assert state.apply(Declare(0, "red + blue")).usage == "red + blue"
    assert rules(state, Declare(0, "blue + blue")) == {"BRD-10"}
    assert rules(state, go("red.3", "red.4")) == {"BRD-8"}
    assert rules(state.apply(Declare(0, "red + red")), Declare(0, "red + blue")) == {"BRD-8"}


@forbids
def test_brd_08_only_usage_is_in_use_without_a_word_and_others_wait() -> None:
    state = table("red.3 | blue.3", "red blue")
    assert state.usage == "red + blue"
    assert rules(state, go("blue.3", "blue.4")) == {"BRD-8"}
    assert rules(state, go("orange stock", "red.1", seat=1)) == {"BRD-8"}
    assert rules(table("red.3"), go("red.3", "red.4")) == {"BRD-7"}
    assert rules(table("red.3"), Roll(0)) == {"BRD-7"}


@allows
@excludes
def test_brd_09_a_jump_enters_two_colors() -> None:
    # The first part of a double enters red alone: over an orange pawn on red-orange is another color.
    state = table("red.3 | red-orange.3", "red red")
    assert rules(state, go("red.3", "red-orange.4")) == {"BRD-10"}
    assert not rules(table("red.3 | red.4", "red red"), go("red.3", "red.5"))


@allows
@excludes
def test_brd_10_neighbors_open_what_lies_between_and_other_pairs_do_not() -> None:
    near = {
        "red": {"orange": "red-orange", "purple": "purple-red"},
        "yellow": {"orange": "orange-yellow", "green": "yellow-green"},
        "blue": {"green": "green-blue", "purple": "blue-purple"},
    }
    for one, other in combinations(PRIMARIES, 2):
        between = near.get(one, {}).get(other) or near.get(other, {}).get(one)
        opened = usage(f"{one} {other}", f"{one} + {other}").colors
        assert set(opened) == {one, other, *([between] if between else [])}


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
@allows
def test_brd_10_what_cubes_open(roll: str, name: str, opened: str) -> None:
    assert set(usage(roll, name).colors) == set(opened.split())


@allows
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


@allows
@forbids
def test_brd_10_the_last_part_of_a_double_double_needs_an_intermediate() -> None:
    stars = "orange.9 yellow.9 purple.9 orange-yellow.9 | red-orange.9 yellow-green.9 green-blue.9 purple-red.9"
    state = table(f"blue.3 blue-purple.6 {stars}", "red red blue blue", "red + red + blue + blue", left=[3])
    assert rules(state, go("blue.3", "blue.5")) == {"BRD-10"}
    assert not rules(state, go("blue.3", "blue-purple.4"))
    assert not rules(state, go("blue-purple.6", "blue.7"))


@allows
@forbids
def test_brd_10_the_last_part_of_a_quadruple_needs_an_intermediate() -> None:
    stars = "orange.9 yellow.9 purple.9 orange-yellow.9 | red-orange.9 yellow-green.9 green-blue.9 purple-red.9"
    state = table(f"red.2 {stars}", "red red red red", "red + red + red + red", left=[3])
    assert rules(state, go("red.2", "red.6")) == {"BRD-10"}
    assert not rules(state, go("red.2", "red-orange.5"))


@excludes
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
@allows
def test_brd_11_what_twelve_sided_dice_open(roll: str, name: str, opened: str) -> None:
    assert set(usage(roll, name, "d12").colors) == set(opened.split())


@allows
@forbids
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


@allows
@excludes
def test_brd_08_to_name_the_usage_that_is_in_use_changes_nothing() -> None:
    only = table("red.3", "red red")
    assert only.usage == "red + red", "it is in use without a word"
    assert not rules(only, Declare(0, "red + red"))
    assert only.apply(Declare(0, "red + red")) == only
    assert rules(only, Declare(1, "red + red")) == {"BRD-8"}
    assert Declare(0, "red + red") not in only.legal_moves()


@allows
@excludes
def test_brd_28_a_usage_without_a_move_may_be_named_where_none_has_one() -> None:
    stock = "yellow.2 yellow.3 yellow.4 yellow.5 yellow.6 yellow.7 yellow.8 orange.5 orange.6 orange.7"
    dead = table(stock, "red blue")
    assert dead.phase == "pass"
    assert not rules(dead, Declare(0, "red + blue"))
    assert dead.apply(Declare(0, "red + blue")) == dead
    assert rules(dead, Declare(0, "red + red")) == {"BRD-10"}
    assert not rules(dead.apply(Declare(0, "red + blue")), Pass(0))


@allows
@forbids
def test_brd_11_the_colors_of_a_double_double_are_walked_in_either_order() -> None:
    stars = "blue.9 purple.9 | red.9 orange.9"
    doubled = "yellow + yellow + green + green"
    state = table(f"green.2 yellow.2 {stars}", "yellow yellow green green", doubled, options={"dice": "d12"})
    assert not rules(state, go("yellow.2", "yellow.4"))
    assert not rules(state, go("green.2", "green.4"))
    other = state.violations(go("red stock", "red.2"))
    assert [breach.rule for breach in other] == ["BRD-11"]
    assert "it allows yellow and green" in other[0].text
    then = state.apply(go("green.2", "green.4"))
    assert ways(then, "yellow.2") == {"yellow.4"}
    assert rules(then, go("red stock", "green.2")) == {"BRD-11"}, "green is walked: yellow is left, then the four"
    last = then.apply(go("yellow.2", "yellow.4"))
    assert not rules(last, go("red stock", "red.2"))


@allows
@forbids
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


@allows
@excludes
def test_brd_12_the_last_part_need_not_be_named() -> None:
    free = table("red.3 green.3", "red red", options={"special_order": "free"})
    last = free.apply(go("green.3", "green.5", part=2))
    assert not rules(last, go("red.3", "red.5"))
    assert last.apply(go("red.3", "red.5")) == last.apply(go("red.3", "red.5", part=1))
    assert rules(last, go("red.3", "red.4")) == {"BRD-18"}, "not that the part is unnamed"
    assert rules(last, SPECTRUM.parse(last, "player 1 moves red.3 to red.4")) == {"BRD-18"}
    back = table("red.3", "red red", options={"special_order": "free"}).apply(go("red.3", "red.5", part=1))
    assert rules(back, go("red.5", "red.7")) == {"BRD-19"}


@allows
@excludes
def test_var_09_the_last_card_need_not_be_named() -> None:
    cards = {"cards": ["R1", "R3"], "usage": "R1 + R3", "left": [2], "options": {"cards_as_dice": True}}
    last = table("red.4", **cards)
    assert not rules(last, go("red.4", "red.7"))
    assert rules(last, go("red.4", "red.6")) == {"BRD-18"}
    both = table("red.4", **{**cards, "left": [1, 2]})
    assert rules(both, go("red.4", "red.6")) == {"BRD-18"}, "wrong as either part"
    assert not rules(both, go("red.4", "red.7")), "right as one part alone"


@allows
@excludes
def test_brd_13_three_and_two_of_five_dice() -> None:
    names = {one.name for one in usages_of(("red", "red", "red", "blue", "blue"), "d12", False)}
    assert names == {"red + blue", "red + red", "red + red + red", "blue + blue", "red + red + blue + blue"}
    stars = "orange.9 yellow.9 purple.9 orange-yellow.9 | red-orange.9 yellow-green.9 green-blue.9 purple-red.9"
    state = table(f"red.3 blue.3 {stars}", "red red red blue blue", options={"dice": "d12"})
    assert not rules(state, Declare(0, "red + red + red"))
    assert rules(state, Declare(0, "red + red + red + blue + blue")) == {"BRD-11"}
