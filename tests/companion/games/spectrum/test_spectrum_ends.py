"""How a game of Spectrum ends, its options, playing alone, and jumps (BRD-29 to BRD-37), as examples from the rules."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Over, ToRoll
from companion.core.foundation.errors import BadOptions, GameOver
from companion.core.pieces import PRIMARIES, WHEEL, Card
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Activate, Fulfil, PlacePawn, Roll, Surrender, TakeOff
from companion.games.spectrum.options import Options
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.short import after, rules
from tests.companion.games.spectrum.short_spectrum import alone, board, go, in_stock, rolled, table, ways


@allows
@forbids
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
@allows
def test_brd_29_all_colors_captured_without_a_winner(
    mine: tuple[str, ...], theirs: tuple[str, ...], places: tuple[tuple[int, ...], ...]
) -> None:
    stars = [" ".join(f"{color}.9" for color in colors) for colors in (mine, theirs)]
    outcome = table(" | ".join(stars)).outcome()
    assert outcome is not None and outcome.places == places and outcome.rule == "BRD-29"


@allows
@excludes
def test_brd_30_own_pawns_are_captured_only_by_option() -> None:
    pawns = "red.4 red.5 | green.4"
    assert rules(table(pawns, "red blue"), go("red.4", "red.5")) == {"BRD-16"}
    state = table(pawns, "red blue", options={"self_capture": True}).apply(go("red.4", "red.5"))
    assert state.held is not None and state.held.color == "red"
    placed = state.apply(PlacePawn(0, "red", "purple.1"))
    assert board(placed)["purple.1"] == "red"
    full = "red.4 red.5 red.1 blue.1 orange.1 yellow.1 | green.1 purple.1"
    stocked = table(full, "red blue", options={"self_capture": True}).apply(go("red.4", "red.5"))
    assert in_stock(stocked, 0) == 5


@allows
@excludes
def test_brd_31_own_pawns_are_jumped_only_by_option() -> None:
    pawns = "red.4 red.5"
    assert rules(table(pawns, "red blue"), go("red.4", "red.6")) == {"BRD-20"}
    state = table(pawns, "red blue", options={"self_jump": True})
    assert not rules(state, go("red.4", "red.6"))
    assert rules(state, go("red.4", "red.5")) == {"BRD-16"}
    assert not rules(table("red.1", "red blue", options={"self_jump": True}), go("red stock", "red.2"))


@allows
@forbids
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


@forbids
def test_brd_32_without_a_pawn_on_the_paths_nothing_is_surrendered() -> None:
    hidden = [["??"] * 3] * 2
    state = table("red.9", options={"surrender": True, "portals": True}, portals=hidden)
    assert state.phase == "start" and rules(state, Surrender(0)) == {"BRD-32"}


@allows
@excludes
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


@allows
@forbids
def test_brd_33_nothing_comes_before_the_extra_roll() -> None:
    options = {"speed_rule": True, "surrender": True, "portals": True, "missions": True}
    hidden = {"portals": [["??"] * 3] * 2, "missions": [["??"] * 6] * 2}
    state = table("red.1 green.1", "red red", options=options, **hidden)
    assert not rules(table("red.1 green.1", options=options, **hidden), Surrender(0))
    again = after(state, go("red.1", "red.3"), go("green.1", "green.3"))
    assert again.expects() == ToRoll(0, ("spectrum-d6",) * 2)
    for event in (Surrender(0), Activate(0, Card("red", 3)), Activate(1, Card("red", 3)), Fulfil(0)):
        assert rules(again, event) == {"BRD-33"}
    speed = after(table("red.1 green.1", "red red", options={"speed_rule": True}), go("red.1", "red.3"))
    assert rules(speed.apply(go("green.1", "green.3")), Surrender(0)) == {"BRD-32"}, "the option is off"


@allows
@excludes
def test_brd_34_the_kind_of_dice_is_an_option() -> None:
    for seats, dice, count in ((2, "d6", 2), (2, "d12", 3), (1, "d6", 2), (1, "d12", 3)):
        state = SPECTRUM.start(seats, Options(dice="d12" if dice == "d12" else "d6"))
        assert state.expects() == ToRoll(0, (f"spectrum-{dice}",) * count)
        other = "d12" if dice == "d6" else "d6"
        assert rules(state, rolled(" ".join(["red"] * count), other)) == {"BRD-7"}


@allows
@forbids
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


@allows
@excludes
def test_brd_35_own_pawns_are_captured_and_jumped_alone() -> None:
    state = alone("red.4 red.5", "red blue")
    assert ways(state, "red.4") >= {"red.5", "red.6"}
    assert rules(alone("red.4 red.5", "red blue", solo_without="jump"), go("red.4", "red.6")) == {"BRD-20"}
    assert rules(alone("red.4 red.5", "red blue", solo_without="capture"), go("red.4", "red.5")) == {"BRD-16"}
    both = alone("red.4 red.5", "red blue", solo_without="both")
    assert rules(both, go("red.4", "red.6")) == {"BRD-20"}


@allows
def test_brd_35_the_game_is_lost_when_nothing_can_move_and_won_with_all_stars() -> None:
    pawns = {f"yellow.{n}": "red" for n in range(1, 7)} | {f"green.{n}": "orange" for n in range(1, 7)}
    state = SPECTRUM.from_record(1, Options(solo_without="both"), {"pawns": pawns})
    lost = state.apply(rolled("red blue"))
    outcome = lost.outcome()
    assert outcome is not None and outcome.rule == "BRD-35" and lost.expects() == Over()
    last = alone("red.8 " + " ".join(f"{color}.9" for color in WHEEL[1:]), "red red red blue", "red + blue")
    won = last.apply(go("red.8", "red.9")).outcome()
    assert won is not None and won.text == "All twelve stars are captured."


@allows
@excludes
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


@allows
@excludes
def test_brd_36_jumps_sideways_from_blue_4() -> None:
    state = table("blue.4 | green-blue.4", "blue green")
    jumped = {"green.3", "green.4", "green.5", "green-blue.3", "green-blue.5"}
    assert jumped <= ways(state, "blue.4")
    # blue.3 and blue.5 are steps; with one space blocked they are not reached over the pawn.
    double = table("blue.4 | green-blue.4", "blue blue", "blue + blue", left=[2])
    assert not {"blue.3", "blue.5"} & ways(double, "blue.4")


@allows
@forbids
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
