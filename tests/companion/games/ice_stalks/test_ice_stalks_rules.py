"""Every numbered rule of Ice Stalks, the allowed and the forbidden, as examples from docs/rules/ice-stalks.md.

Stalks are written as in `short_stalks`: "B3C2" is a blue large with a cyan medium on top.
"""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Drawn, Over, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, BadOptions, GameOver, IllegalMove
from companion.core.pieces import Rock
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.growth import KINDS, RAINBOW, SMALL, Stock, completable, is_complete, shape
from companion.games.ice_stalks.moves import Pass, PlacePiece, Take
from companion.games.ice_stalks.options import Options
from companion.games.ice_stalks.scoring import line
from companion.games.ice_stalks.state import IceStalksState
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.ice_stalks.short_stalks import draw, put, table, words
from tests.companion.games.short import rules

EVERYTHING = (1 << len(KINDS)) - 1


@allows
@excludes
def test_ice_01_neighbors_stand_next_to_each_other_in_the_line() -> None:
    assert RAINBOW == ("red", "orange", "yellow", "green", "cyan", "blue", "purple")
    assert not rules(table("C3", hand="B"), put("B2", "C3"))
    assert rules(table("C3", hand="P"), put("P2", "C3")) == {"ICE-7"}


@allows
@forbids
def test_ice_02_five_rocks_and_five_pieces_of_each() -> None:
    state = ICE_STALKS.start(4, Options())
    assert sum(ICE_STALKS.unseen(state).values()) == 35
    assert state.left == (5,) * 21
    spent = table("R3", "R3", "R3", "R3", "R3", rocks={"R": 0})
    assert rules(spent, draw("R")) == {"ICE-2"}
    assert rules(spent, Drawn(0, (Rock("pink"),))) == {"ICE-2"}
    with pytest.raises(BadEvent, match="ICE-2"):
        spent.apply(draw("R"))
    assert "ICE-2" in rules(table("R3", "R3", "R3", "R3", "R3", hand="R"), put("R3"))


@allows
@forbids
def test_ice_02_two_to_four_players_unless_more_are_agreed() -> None:
    with pytest.raises(BadOptions, match="ICE-2"):
        ICE_STALKS.start(5, Options())
    with pytest.raises(BadOptions, match="ICE-2"):
        ICE_STALKS.start(1, Options())
    assert ICE_STALKS.start(6, Options(max_players=6)).seats == 6


@allows
@forbids
def test_ice_03_purple_is_not_next_to_red() -> None:
    state = table("P3", "R3", hand="R")
    assert rules(state, put("R2", "P3")) == {"ICE-3"}
    assert rules(table("R3", hand="P"), put("P3", "R3")) == {"ICE-3"}
    assert not rules(table("P3", hand="B"), put("B2", "P3"))


@allows
@forbids
def test_ice_04_one_rock_then_one_piece_then_the_next_player() -> None:
    state = ICE_STALKS.start(3, Options())
    assert state.expects() == ToDraw(0, 1, "bag", True)
    assert rules(state, put("R3")) == {"ICE-4"}
    held = state.apply(draw("R"))
    assert held.expects() == ToMove((0,))
    assert rules(held, draw("G")) == {"ICE-4"}
    assert rules(state, Drawn(0, (Rock("red"), Rock("red")))) == {"ICE-4"}
    placed = held.apply(put("R3"))
    assert placed.expects() == ToDraw(1, 1, "bag", True)
    assert [s.piece for s in placed.layout().heaps["rocks"]] == [Rock("red")]
    assert ICE_STALKS.unseen(placed)[Rock("red")] == 4


@allows
@forbids
def test_ice_05_only_the_rocks_color_is_placed_and_bases_are_large() -> None:
    state = table(hand="G")
    assert not rules(state, put("G3"))
    assert rules(state, put("R3")) == {"ICE-5"}
    assert rules(state, put("G2")) == {"ICE-5"}
    assert rules(state, put("G2", "B3")) == {"ICE-5"}


@forbids
def test_ice_05_no_piece_follows_a_rock_that_cannot_be_drawn_any_more() -> None:
    none = table("R3", rocks={"R": 0})
    assert "ICE-5" in rules(none, put("R2", "R3"))
    unseen = IceStalksState(Options(), ("R3",), ((), ()), (0, 4, 4, 4, 4, 4, 4), 0, "unknown")
    assert rules(unseen, put("O2", "R3")) <= {"ICE-6", "ICE-12"}
    assert "ICE-5" in rules(unseen, put("R2", "R3"))


@allows
@forbids
def test_ice_06_additions_come_before_bases() -> None:
    state = table("B3", hand="C")
    assert rules(state, put("C3")) == {"ICE-6"}
    assert not rules(state, put("C3", "B3"))
    assert not rules(table("R3", hand="C"), put("C3"))


@allows
def test_ice_06_a_base_may_be_dead_from_the_start() -> None:
    """The last cyan rock, and neither blue nor green ones left: the base can never be completed, and must be placed."""
    state = table(hand="C", rocks={"C": 0, "B": 0, "G": 0})
    assert state.legal_moves() == (put("C3"),)


@pytest.mark.parametrize("fits", ("G2", "Y3", "Y2", "C3", "C2"))
@allows
def test_ice_07_on_a_lone_base(fits: str) -> None:
    assert not rules(table("G3", hand=fits[0]), put(fits, "G3"))


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [("G3", "ICE-8"), ("G1", "ICE-8"), ("Y1", "ICE-8"), ("C1", "ICE-8"), ("O3", "ICE-7"), ("B2", "ICE-7")],
)
@forbids
def test_ice_07_and_nothing_else(wrong: str, rule: str) -> None:
    assert rules(table("G3", hand=wrong[0]), put(wrong, "G3")) == {rule}


@allows
@forbids
def test_ice_08_sizes_never_grow_and_never_skip() -> None:
    assert not rules(table("R3O2", hand="Y"), put("Y2", "R3O2"))
    assert not rules(table("R3O2", hand="Y"), put("Y1", "R3O2"))
    assert rules(table("R3O2", hand="Y"), put("Y3", "R3O2")) == {"ICE-8"}
    assert rules(table("R3O3", hand="Y"), put("Y1", "R3O3")) == {"ICE-8"}


@allows
@forbids
def test_ice_09_the_second_piece_fixes_the_way() -> None:
    assert [shape(stalk).way for stalk in ("G3", "G3G2", "G3C3", "G3Y2")] == ["base", "solid", "up", "down"]
    assert rules(table("G3C3", hand="Y"), put("Y3", "G3C3")) == {"ICE-11"}
    assert not rules(table("G3C3", hand="B"), put("B2", "G3C3"))
    agreed = table("G3O2", hand="Y")
    assert rules(agreed, put("Y2", "G3O2")) == {"ICE-9"}


@allows
@forbids
def test_ice_10_solid_stays_solid() -> None:
    assert not rules(table("G3G2", hand="G"), put("G1", "G3G2"))
    assert rules(table("G3G2", hand="G"), put("G2", "G3G2")) == {"ICE-10"}
    assert rules(table("G3G2", hand="Y"), put("Y2", "G3G2")) == {"ICE-10"}


@allows
@forbids
def test_ice_11_rainbows_go_on_in_their_direction() -> None:
    assert not rules(table("R3O3", hand="Y"), put("Y3", "R3O3"))
    assert rules(table("R3O3", hand="O"), put("O2", "R3O3")) == {"ICE-11"}
    assert rules(table("R3O3", hand="R"), put("R3", "R3O3")) == {"ICE-11"}
    assert rules(table("R3O3", hand="G"), put("G3", "R3O3")) == {"ICE-11"}
    assert rules(table("B3P2", hand="B"), put("B2", "B3P2")) == {"ICE-11"}


@allows
@forbids
def test_ice_12_no_addition_may_leave_a_dead_stalk() -> None:
    state = table("C3", hand="B")
    assert rules(state, put("B3", "C3")) == {"ICE-12"}
    assert not rules(state, put("B2", "C3"))
    with pytest.raises(IllegalMove, match="nothing follows purple"):
        state.apply(put("B3", "C3"))


@allows
@forbids
def test_ice_12_the_rock_in_hand_has_left_the_bag() -> None:
    assert rules(table("R3", hand="R", rocks={"R": 0}), put("R2", "R3")) == {"ICE-12"}
    assert not rules(table("R3", hand="R", rocks={"R": 1}), put("R2", "R3"))
    unseen = IceStalksState(Options(), ("R3",), ((), ()), (1, 0, 4, 4, 4, 4, 4), 0, "unknown")
    assert rules(unseen, put("R2", "R3")) == {"ICE-12"}


@allows
def test_ice_12_other_stalks_do_not_matter() -> None:
    """One orange rock is enough for each of two stalks that both wait for it."""
    state = table("R3R2", "Y3", "G3Y2", hand="Y", rocks={"O": 1})
    assert not rules(state, put("Y2", "Y3"))
    assert not rules(table("G3", "Y3O2", hand="Y", rocks={"O": 1}), put("Y2", "G3"))


@allows
@forbids
def test_ice_12_pieces_count_as_well_as_rocks() -> None:
    """Five orange smalls stand elsewhere by agreement, so no rock helps a yellow medium that needs one."""
    heap = tuple(["R2O1"] * 5)
    state = table("G3", hand="Y", taken=(" ".join(heap), ""), rocks={"O": 1, "R": 0})
    assert state.left[3 * RAINBOW.index("orange") + SMALL] == 0
    assert rules(state, put("Y2", "G3")) == {"ICE-12"}
    assert not rules(table("G3", hand="Y", rocks={"O": 1, "R": 0}), put("Y2", "G3"))


def _facts(way: str, color: int, size: int, rocks: tuple[int, ...]) -> bool:
    """ICE-13 as a formula, for stalks of two pieces or more."""
    if way == "solid":
        return rocks[color] >= (2 - size)
    step = 1 if way == "up" else -1
    needed = range(color + step, color + step * (3 - size), step)
    return all(0 <= other < len(RAINBOW) and rocks[other] >= 1 for other in needed)


@allows
@excludes
def test_ice_13_facts_that_follow_from_the_search() -> None:
    for bits in range(1 << len(RAINBOW)):
        rocks = tuple(bits >> color & 1 for color in range(len(RAINBOW)))
        left = Stock(rocks, EVERYTHING)
        for color, letter in enumerate("ROYGCBP"):
            assert completable(shape(f"{letter}3{letter}2"), left) == _facts("solid", color, 1, rocks)
            for other in (color - 1, color + 1):
                if 0 <= other < len(RAINBOW):
                    way = "up" if color > other else "down"
                    below = "ROYGCBP"[other] + "3"
                    assert completable(shape(f"{below}{letter}2"), left) == _facts(way, color, 1, rocks)
                    assert completable(shape(f"{below}{letter}3"), left) == _facts(way, color, 0, rocks)


@allows
def test_ice_13_pieces_never_run_out_before_rocks() -> None:
    rng = Random(13)
    for _ in range(40):
        state = ICE_STALKS.start(3, Options())
        while not isinstance(state.expects(), Over):
            held = 0 if state.hand is None else 1
            for kind, left in enumerate(state.left):
                mine = held if state.hand == RAINBOW[kind // 3] else 0
                assert left >= state.rocks[kind // 3] + mine
            events = [event for event, _ in ICE_STALKS.outcomes(state)] or state.legal_moves()
            state = state.apply(rng.choice(list(events)))


@allows
@excludes
def test_ice_14_the_three_examples() -> None:
    assert rules(table("C3", hand="B"), put("B3", "C3")) == {"ICE-12"}
    assert not rules(table("C3", hand="B", rocks={"P": 1}), put("B2", "C3"))
    assert rules(table("C3", hand="B", rocks={"P": 0}), put("B2", "C3")) == {"ICE-12"}
    assert rules(table("B3", hand="C", rocks={"Y": 0}), put("C3", "B3")) == {"ICE-12"}
    assert not rules(table("B3", hand="C", rocks={"Y": 0, "G": 1}), put("C2", "B3"))
    assert rules(table("B3", hand="C", rocks={"Y": 0, "G": 0}), put("C2", "B3")) == {"ICE-12"}
    assert rules(table("Y3", hand="Y", rocks={"Y": 0}), put("Y2", "Y3")) == {"ICE-12"}


@allows
@excludes
def test_ice_15_a_stalk_that_died_stays_and_takes_no_addition() -> None:
    """Red large, orange large; the green rocks are gone since. Yellow fits, but nothing could end the stalk."""
    state = table("R3O3", hand="Y", rocks={"G": 0})
    assert rules(state, put("Y3", "R3O3")) == {"ICE-12"}
    assert rules(state, put("Y2", "R3O3")) == {"ICE-12"}
    after = state.apply(put("Y3"))
    assert after.stalks == ("R3O3", "Y3")


@allows
@forbids
def test_ice_16_a_small_completes_and_its_player_takes_the_stalk() -> None:
    state = table("G3G2", hand="G").apply(put("G1", "G3G2"))
    assert state.expects() == ToMove((0,)) and state.legal_moves() == (Take(0),)
    assert rules(state, Take(1)) == {"ICE-16"}
    assert rules(state, draw("R", seat=1)) == {"ICE-16", "ICE-21"}
    taken = state.apply(Take(0))
    assert taken.taken == (("G3G2G1",), ()) and taken.stalks == ()
    assert taken.expects() == ToDraw(1, 1, "bag", True)
    assert rules(taken, Take(1)) == {"ICE-16"}


@allows
def test_ice_16_an_agreed_take_goes_where_the_table_says() -> None:
    state = table("G3G2", hand="G").apply(put("G1", "G3G2")).apply_unchecked(Take(1))
    assert state.taken == ((), ("G3G2G1",)) and state.turn == 1


@allows
@forbids
def test_ice_17_the_game_ends_with_the_last_piece() -> None:
    none = dict.fromkeys("ROYGCBP", 0)
    state = table("B3", hand="R", rocks=none, taken=("G3G2G1", "R3O2Y1"))
    assert state.outcome() is None
    over = state.apply(put("R3"))
    assert over.expects() == Over()
    outcome = over.outcome()
    assert outcome is not None and outcome.rule == "ICE-17" and outcome.places == ((1,), (0,))
    assert [score.total for score in over.scores()] == [1, 3]
    assert rules(over, draw("R")) == {"ICE-17"}
    with pytest.raises(GameOver):
        over.apply(draw("R"))
    with pytest.raises(GameOver):
        over.apply_unchecked(put("R3"))


@allows
def test_ice_17_the_last_stalk_is_still_taken() -> None:
    none = dict.fromkeys("ROYGCBP", 0)
    state = table("R3R2", hand="R", rocks=none).apply(put("R1", "R3R2"))
    assert state.outcome() is None and state.legal_moves() == (Take(0),)
    outcome = state.apply(Take(0)).outcome()
    assert outcome is not None and outcome.places == ((0,), (1,))


@pytest.mark.parametrize(
    ("stalk", "points"),
    [
        ("G3G2G1", 1),
        ("R3O3Y2G1", 4),
        ("R3O3Y3G2C2B2P1", 10),
        ("P3B2C1", 3),
        ("B3C3G3Y3O2R1", 6),
        ("P3B2C2G2Y2O2R1", 10),
    ],
)
@allows
def test_ice_18_points_of_a_stalk(stalk: str, points: int) -> None:
    assert line(stalk).points == points
    state = table(taken=("", stalk))
    assert [score.total for score in state.scores()] == [0, points]


@excludes
def test_ice_18_a_stalk_without_small_scores_nothing() -> None:
    assert [score.total for score in table("G3G2", "R3O3Y2").scores()] == [0, 0]


@allows
@excludes
def test_ice_19_seven_solids() -> None:
    seven = " ".join(f"{letter}3{letter}2{letter}1" for letter in "ROYGCBP")
    assert table(taken=(seven, "")).scores()[0].total == 15
    assert table(taken=(seven, ""), solid_set="add").scores()[0].total == 22
    six = seven.removeprefix("R3R2R1 ")
    assert table(taken=(six, "R3R2R1")).scores()[0].total == 6
    assert table(taken=(six, ""), solid_set="add").scores()[0].total == 6
    assert sum(entry.points for entry in table(taken=(seven, "")).scores()[0].lines) == 15


@allows
@excludes
def test_ice_20_equal_scores_share() -> None:
    none = dict.fromkeys("ROYGCBP", 0)
    over = table(rocks=none, taken=("R3O2Y1", "P3B2C1", "G3G2G1"))
    outcome = over.outcome()
    assert outcome is not None and outcome.places == ((0, 1), (2,))


@allows
@forbids
def test_ice_21_any_player_may_begin_and_turns_go_clockwise() -> None:
    state = ICE_STALKS.start(3, Options(first=3))
    assert rules(state, draw("R", seat=0)) == {"ICE-21"}
    state = state.apply(draw("R", seat=2))
    assert rules(state, put("R3", seat=0)) == {"ICE-21"}
    assert state.apply(put("R3", seat=2)).turn == 0
    with pytest.raises(BadOptions, match="ICE-21"):
        ICE_STALKS.start(2, Options(first=3))


@allows
def test_ice_22_there_is_always_a_placement() -> None:
    rng = Random(22)
    for _ in range(60):
        state = ICE_STALKS.start(2, Options())
        while not isinstance(state.expects(), Over):
            events = [event for event, _ in ICE_STALKS.outcomes(state)]
            if not events:
                events = list(state.legal_moves())
                assert events
            state = state.apply(rng.choice(events))
    assert rules(table("R3", hand="C"), put("C3", "R3")) == {"ICE-7"}


@allows
@forbids
def test_ice_22_after_agreed_placements_a_turn_may_be_without_one() -> None:
    """Five green larges stand on red ones by agreement; the rock is laid aside."""
    crooked = [f"{base}3G3" for base in "RRRRR"]
    state = table(*crooked, hand="G")
    assert state.legal_moves() == (Pass(0),)
    assert state.apply(Pass(0)).turn == 1
    assert rules(table("R3", hand="G"), Pass(0)) == {"ICE-22"}
    assert rules(table("R3"), Pass(0)) == {"ICE-4"}


WORKED = (
    ("G3G2G1", None, 1),
    ("R3O3Y2G1", None, 4),
    ("R3O3Y3G2C2B2P1", None, 10),
    ("C3G3C3", "ICE-11", None),
    ("C3G3C2", "ICE-11", None),
    ("C3G3B2", "ICE-11", None),
    ("R3R2O2", "ICE-10", None),
    ("R3R2O1", "ICE-10", None),
    ("Y3G2G1", "ICE-11", None),
    ("O3O1", "ICE-8", None),
)
"""Stalks bottom to top, the rule that their last piece breaks, and the points if none is broken."""


@pytest.mark.parametrize(("stalk", "rule", "points"), WORKED)
def test_worked_stalks(stalk: str, rule: str | None, points: int | None) -> None:
    grown = ""
    for at in range(0, len(stalk), 2):
        code = stalk[at : at + 2]
        state = table(*[grown] if grown else [], hand=code[0])
        broken = rules(state, put(code, grown))
        grown += code
        if grown != stalk:
            assert not broken, grown
        else:
            assert broken == (set() if rule is None else {rule})
    assert is_complete(stalk) or rule is not None
    if points is not None:
        assert line(stalk).points == points


def test_what_the_pieces_do_not_permit_cannot_stand() -> None:
    state = table("R3", hand="R")
    for event in (put("R2", "G3"), Take(0), draw("R"), PlacePiece(7, *[put("R2").piece])):
        with pytest.raises(BadEvent):
            state.apply_unchecked(event)


def test_an_agreed_placement_stands_and_spends_the_rock() -> None:
    after = table("R3", hand="R", rocks={"R": 1}).apply_unchecked(put("O1", "R3"))
    assert after.done == "R3O1" and after.hand is None
    skipped = table("R3", "G3", hand="O").apply_unchecked(put("O3"))
    assert skipped.stalks == ("G3", "O3", "R3") and skipped.turn == 1
    assert words("O3") == ["orange large"]
