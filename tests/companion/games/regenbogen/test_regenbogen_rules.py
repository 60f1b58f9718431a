"""Every numbered rule of Regenbogen, the allowed and the forbidden, as examples from docs/rules/regenbogen.md.

Positions are written as in `short_regenbogen`. `alive` is a table where Wizards that are not named do not count as dead.
"""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from companion.core.contract import Over, ToMove
from companion.core.foundation.errors import BadOptions, BadRecord, GameOver, IllegalMove
from companion.core.pieces import Pyramid
from companion.games.regenbogen.data import DATA
from companion.games.regenbogen.ending import by_domination
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.kinds import DAMAGE, SPIRITS
from companion.games.regenbogen.moves import OfferDraw
from companion.games.regenbogen.options import Options
from companion.games.rule_pages import rule_of
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.regenbogen.short_regenbogen import alive, at, moves_of, play, rules, table

START = REGENBOGEN.start(2, Options())


def dead(*names: str) -> int:
    return sum(1 << DATA.names.index(name) for name in names)


@allows
@forbids
def test_rgb_1_two_sides_and_seven_names() -> None:
    assert DATA.names == ("red", "orange", "yellow", "green", "blue", "purple", "ultima")
    with pytest.raises(BadOptions, match="RGB-1"):
        REGENBOGEN.start(3, Options())
    assert {breach.rule for breach in START.violations(OfferDraw(2))} == {"RGB-1"}
    assert START.seats == 2


@allows
def test_rgb_2_opposites_are_three_steps_apart() -> None:
    pairs = {frozenset(pair) for pair in DATA.opposite.items()}
    assert pairs == {frozenset(pair) for pair in (("red", "green"), ("orange", "blue"), ("yellow", "purple"))}
    assert [DATA.distance("red", name) for name in DATA.wheel] == [0, 1, 2, 3, 2, 1]


@excludes
def test_rgb_2_only_the_opposite_is_shunned_and_nothing_is_opposite_to_ultima() -> None:
    state = alive("e4 W red wizard")
    assert rules(state, "white moves e4 to f4") == {"RGB-12"}, "green"
    assert not rules(state, "white moves e4 to e3"), "yellow is at distance 2"
    assert not rules(alive("e4 W ultima wizard"), "white moves e4 to f4")


@allows
@forbids
def test_rgb_3_what_stands_on_top() -> None:
    state = alive("b4 W red wizard 5, d4 W green wizard 0")
    assert state.tops["b4"] == Pyramid("red", "small") and state.tops["d4"] == Pyramid("green", "large")
    state = alive("b4 W red spirit 0, a4 W cleric 2, d4 B cleric 0, e2 W ultima spirit 1")
    assert state.tops["b4"] == Pyramid("red", "medium") and state.tops["a4"] == Pyramid("white", "small")
    assert state.tops["d4"] == Pyramid("black", "medium") and state.tops["e2"] == Pyramid("clear", "small")
    assert alive("d4 B cleric 0", spells=[0, 0]).tops["d4"] == Pyramid("black", "large")
    with pytest.raises(BadRecord, match="RGB-3"):
        table("d4 W red cleric")


@allows
@forbids
def test_rgb_4_what_each_side_has() -> None:
    assert START.spells == (4, 4) and at(START, "b1") == "white red wizard 5" and at(START, "c8") == "black cleric 5"
    assert sum(REGENBOGEN.unseen(START).values()) == 2 * (43 + 6 * 20 + 13) - 16
    for wrong in ("b4 W red wizard 6", "b4 W red wizard, b5 W red wizard", "b4 W red spirit 4"):
        with pytest.raises(BadRecord, match="RGB-4"):
            table(wrong)


@allows
def test_rgb_5_two_stores_never_mix() -> None:
    state = alive("b4 W red wizard 0, c1 W red spirit 3, d1 W red spirit 3, a4 W cleric 5")
    assert state.pool(0, 0) == (2, 4)
    state = play(state, "white heals b4 by 2 with a4")
    assert at(state, "b4") == "white red wizard 2" and state.pool(0, 0) == (2, 4)


@excludes
def test_rgb_5_health_that_a_wizard_lost_is_none_for_spirits() -> None:
    full = "b4 W red spirit 1, b1 W red spirit 3, c1 W red spirit 3, d1 W red spirit 3, c5 W cleric 5"
    state = alive(f"{full}, a4 W red wizard 0")
    assert state.pool(0, 0) == (0, 0)
    assert rules(state, "white heals b4 by 1 with c5") == {"RGB-21"}
    assert not rules(alive(f"{full.replace('spirit 1', 'spirit 0')}"), "white heals b4 by 1 with c5")


@allows
@forbids
def test_rgb_6_the_board_of_the_page_is_the_board_of_the_data() -> None:
    rows = re.findall(r"^\| ([1-8]) \| (.+) \|$", rule_of("regenbogen", "RGB-6").text, re.M)
    told = {
        f"{file}{rank}": "ultima" if color == "white" else color
        for rank, colors in rows
        for file, color in zip("abcdef", colors.split(" | "), strict=True)
        if color != "-"
    }
    assert told == DATA.board.cells and len(told) == 44
    assert rules(START, "white moves b2 to a1") == {"RGB-6"}
    assert not rules(START, "white moves b2 to b3")


@allows
@excludes
def test_rgb_7_the_array_and_who_begins() -> None:
    assert at(START, "c1") == "white ultima wizard 5" and at(START, "d8") == "black ultima wizard 5"
    assert at(START, "e2") == "white blue wizard 5" and at(START, "b7") == "black blue wizard 5"
    assert START.expects() == ToMove((0,))
    assert rules(START, "black moves e7 to e6") == {"RGB-9"}


@allows
@excludes
def test_rgb_8_adjacent_are_the_eight_cells_around() -> None:
    state = alive("c4 W red wizard, d5 B blue wizard, c6 B orange wizard")
    assert not rules(state, "white fights d5 with c4")
    assert rules(state, "white fights c6 with c4") == {"RGB-15"}


@allows
@forbids
def test_rgb_9_one_piece_moves_and_acts() -> None:
    state = play(START, "white moves b2 to b3")
    assert state.turn == 0 and state.moved is not None
    assert rules(state, "white moves b3 to b4") == {"RGB-9"}
    assert rules(state, "white summons on d3 with c2") == {"RGB-9"}
    assert not rules(state, "white summons on c3 with b3")
    assert play(state, "white ends the turn").turn == 1
    assert play(state, "white summons on c3").turn == 1


@allows
@forbids
def test_rgb_9_nothing_is_passed_while_something_can_be_done() -> None:
    assert rules(START, "white passes") == {"RGB-9"} == rules(START, "white ends the turn")
    assert rules(START, "white moves e7 to e6") == {"RGB-9"}
    assert rules(START, "white moves b4 to b5") == {"RGB-9"}
    stuck = alive("b8 B purple wizard")
    assert not rules(stuck, "white passes") and play(stuck, "white passes").turn == 1


@allows
def test_rgb_9_a_turn_without_anything_left_to_do_ends_of_itself() -> None:
    state = play(alive("c4 W red spirit 3, a7 B blue wizard"), "white moves c4 to d4")
    assert state.turn == 1 and state.moved is None


@allows
@forbids
def test_rgb_10_how_far() -> None:
    state = alive("e2 W cleric 5, d1 B red wizard")
    assert not rules(state, "white moves e2 to e4")
    assert rules(state, "white moves e2 to e5") == {"RGB-10"}
    assert rules(state, "white moves e2 to d4") == {"RGB-10"}
    assert rules(alive("c8 W cleric 5"), "white moves c8 to c5") == {"RGB-10"}


@allows
@forbids
def test_rgb_11_nobody_goes_through_anybody() -> None:
    state = alive("e2 W cleric 5, e3 B red spirit 3")
    assert rules(state, "white moves e2 to e3") == {"RGB-11"} == rules(state, "white moves e2 to e4")
    assert not rules(state, "white moves e2 to d3")
    killed = play(alive("e2 W cleric 5, e3 B red spirit 0"), "white fights e3")
    assert at(killed, "e3") is None and at(killed, "e2") == "white cleric 5"


@allows
@forbids
def test_rgb_12_opposite_colors_are_shunned() -> None:
    state = alive("e4 W red wizard, d2 B cleric")
    assert rules(state, "white moves e4 to f4") == {"RGB-12"}
    assert not rules(state, "white moves e4 to e3")
    assert rules(alive("d3 W orange wizard"), "white moves d3 to d1") == {"RGB-12"}
    assert rules(alive("c5 W cleric"), "white moves c5 to d5") == {"RGB-12"}
    assert not rules(alive("c5 W ultima wizard"), "white moves c5 to d5")


@allows
@excludes
def test_rgb_13_a_start_on_the_own_color_goes_further() -> None:
    assert "e1" in moves_of(alive("e4 W red wizard"), "e4")
    assert "e1" not in moves_of(alive("e4 W orange wizard"), "e4")
    assert "e1" not in moves_of(alive("e4 W cleric"), "e4")


@allows
@excludes
def test_rgb_14_an_own_cell_on_the_way_goes_further_that_way_only() -> None:
    state = alive("d5 W yellow wizard")
    assert "d8" in moves_of(state, "d5")
    assert "d2" not in moves_of(state, "d5") and rules(state, "white moves d5 to d2") >= {"RGB-10"}
    blocked = alive("d5 W yellow wizard, d7 B cleric")
    assert moves_of(blocked, "d5") & {"d6", "d8"} == {"d6"}


@allows
@forbids
def test_rgb_14_the_boosts_add_up_only_by_the_option() -> None:
    both = "a5 W green wizard"
    assert {"a6", "a7", "a8"} & moves_of(alive(both), "a5") == {"a6", "a7"}
    lane = "a6 W green wizard"
    plain, stacked = alive(lane), alive(lane, Options(boost_stacks=True))
    assert {"a3"} <= moves_of(plain, "a6") and "a2" not in moves_of(plain, "a6")
    assert rules(plain, "white moves a6 to a2") == {"RGB-14"}
    assert not rules(stacked, "white moves a6 to a2")


@allows
@forbids
def test_rgb_15_only_adjacent_enemies_are_fought() -> None:
    state = alive("c4 W red wizard, c5 W blue wizard, d5 B blue wizard")
    assert rules(state, "white fights c5 with c4") == {"RGB-15"} == rules(state, "white fights b4 with c4")
    assert not rules(state, "white fights d5 with c4")


@allows
@excludes
def test_rgb_16_equal_damage_leaves_it_alive_and_more_kills() -> None:
    survived = play(alive("c4 W red wizard, d5 B blue wizard 3"), "white fights d5")
    assert at(survived, "d5") == "black blue wizard 0" and survived.dead == (0, 0)
    killed = play(alive("c4 W red wizard, d5 B blue wizard 2"), "white fights d5")
    assert at(killed, "d5") is None and killed.dead == (0, dead("blue"))


@allows
@forbids
def test_rgb_17_a_spell_saves_the_cleric_if_its_owner_says_so() -> None:
    state = play(alive("c4 W red wizard, d4 B cleric 1", spells=[0, 2]), "white fights d4")
    assert state.expects() == ToMove((1,)) and rules(state, "white moves c4 to c5") == {"RGB-17"}
    saved = play(state, "black gives up a spell")
    assert at(saved, "d4") == "black cleric 0" and saved.spells == (0, 1) and saved.turn == 1
    lost = play(state, "black gives up the cleric")
    assert at(lost, "d4") is None and lost.spells == (0, 0) and lost.ending is None
    without = play(alive("c4 W red wizard, d4 B cleric 1", spells=[0, 0]), "white fights d4")
    assert at(without, "d4") is None and rules(without, "black gives up a spell") == {"RGB-17"}


@pytest.mark.parametrize(
    ("attacker", "victim", "harm"),
    [
        ("cleric", "red wizard", 1),
        ("cleric", "cleric", 1),
        ("ultima wizard", "cleric", 2),
        ("ultima spirit", "cleric", 1),
        ("red wizard", "ultima spirit", 3),
        ("ultima spirit", "red wizard", 2),
        *[("red wizard", f"{name} wizard", harm) for name, harm in zip(DATA.wheel, (1, 2, 3, 4, 3, 2), strict=True)],
        *[("red spirit", f"{name} wizard", harm) for name, harm in zip(DATA.wheel, (1, 1, 2, 3, 2, 1), strict=True)],
    ],
)
@allows
def test_rgb_18_the_damage_table(attacker: str, victim: str, harm: int) -> None:
    state = alive(f"c6 W {attacker}, c5 B {victim}")
    before = int(str(at(state, "c5"))[-1])
    after = play(state, "white fights c5")
    left = at(after, "c5")
    assert left is None if harm > before else left is not None and int(left[-1]) == before - harm


@allows
@excludes
def test_rgb_18_the_first_line_counts_and_cells_do_not() -> None:
    assert at(play(alive("c6 W cleric 5, c5 B ultima wizard 5"), "white fights c5"), "c5") == "black ultima wizard 4"
    assert at(play(alive("c6 W ultima wizard, c5 B cleric 5"), "white fights c5"), "c5") == "black cleric 3"
    for attacker, victim in (("e4", "e3"), ("b5", "a6"), ("d6", "d7")):
        fought = play(alive(f"{attacker} W red wizard, {victim} B green wizard 5"), f"white fights {victim}")
        assert at(fought, victim) == "black green wizard 1"


@allows
def test_rgb_18_spirits_are_victims_like_wizards() -> None:
    assert [row[:7] for row in DAMAGE] == [row[SPIRITS:] for row in DAMAGE]


@allows
@forbids
def test_rgb_19_summon() -> None:
    state = play(START, "white summons on c3 with c2")
    assert at(state, "c3") == "white yellow spirit 3"
    assert rules(START, "white summons on c4 with c2") == {"RGB-19"} == rules(START, "white summons on b2 with c2")
    assert rules(START, "white summons on e3 with d1") == {"RGB-19"}
    assert rules(alive("e4 W red wizard"), "white summons on f4 with e4") == {"RGB-19"}


@allows
@forbids
def test_rgb_19_ten_health_for_four_spirits_and_five_for_two_of_ultima() -> None:
    three = "e4 W red wizard, b1 W red spirit 3, c1 W red spirit 3, d1 W red spirit"
    assert rules(alive(f"{three} 3"), "white summons on e3 with e4") == {"RGB-19"}
    assert not rules(alive(f"{three} 1"), "white summons on e3 with e4")
    four = alive(f"{three} 0, e1 W red spirit 0")
    assert rules(four, "white summons on e3 with e4") == {"RGB-19"}
    clear = "e4 W ultima wizard, b1 W ultima spirit"
    assert rules(alive(f"{clear} 3"), "white summons on e3 with e4") == {"RGB-19"}
    assert not rules(alive(f"{clear} 2"), "white summons on e3 with e4")


@allows
def test_rgb_20_what_a_spirit_loses_can_be_summoned_again() -> None:
    state = alive("e4 W red wizard, d4 W red spirit 0, b1 W red spirit 3, c1 W red spirit 3, c4 B blue spirit 3")
    assert state.pool(0, 0) == (1, 4)
    state = play(state, "white moves b1 to b2", "black fights d4 with c4")
    assert at(state, "d4") is None and state.pool(0, 0) == (2, 4)
    assert not rules(state, "white summons on d4 with e4")
    full = alive("d4 B red spirit 3, e4 B red spirit 3, e3 B red spirit 3, c4 W cleric 5, f3 B red wizard")
    assert full.pool(1, 0) == (1, 1)
    assert play(full, "white fights d4").pool(1, 0) == (1, 2)


@excludes
def test_rgb_20_what_a_wizard_loses_goes_to_no_pool() -> None:
    state = alive("c4 W red wizard, d5 B blue wizard 5, b1 B blue spirit 3")
    assert state.pool(1, DATA.names.index("blue")) == (3, 7)
    fought = play(state, "white fights d5")
    assert at(fought, "d5") == "black blue wizard 2"
    assert fought.pool(1, DATA.names.index("blue")) == (3, 7)


@allows
@forbids
def test_rgb_21_heal() -> None:
    state = alive("c5 W cleric 3, c4 W red wizard 4, b4 W red spirit 0, e1 W blue wizard 1")
    assert not rules(state, "white heals c4 by 1 with c5") and rules(state, "white heals c4 by 2 with c5") == {"RGB-21"}
    assert at(play(state, "white heals b4 by 2 with c5"), "b4") == "white red spirit 2"
    assert at(play(state, "white heals c5 by 2 with c5"), "c5") == "white cleric 5"
    assert play(state, "white heals c5 by 2 with c5").spells == (3, 0)
    assert rules(state, "white heals e1 by 1 with c5") == {"RGB-21"} == rules(state, "white heals c5 by 3 with c5")
    assert rules(alive("c5 W cleric 3", spells=[0, 0]), "white heals c5 by 1 with c5") == {"RGB-21"}
    moved = play(state, "white moves c5 to b5")
    assert rules(moved, "white heals b5 by 1 with b5") == {"RGB-21"}
    assert not rules(moved, "white heals c4 by 1 with b5")


@forbids
def test_rgb_21_only_the_cleric_heals_and_only_its_own_side() -> None:
    state = alive("c5 W cleric 3, c4 W red wizard 3, b5 W blue wizard 3, d4 B red wizard 1")
    assert rules(state, "white heals b5 by 1 with c4") == {"RGB-21"}
    assert rules(state, "white heals d4 by 1 with c5") == {"RGB-21"}


@allows
@forbids
def test_rgb_21_a_turn_that_ended_by_itself_is_still_the_turn_of_the_piece_that_moved() -> None:
    """After its move the Cleric can do nothing: what it does all the same breaks the rule of the action, not RGB-9."""
    moved = play(alive("c5 W cleric 3, e7 B blue wizard 1", spells=[1, 0]), "white moves c5 to b5")
    assert moved.turn == 1, "there is nothing left to do"
    assert rules(moved, "white heals b5 by 2 with b5") == {"RGB-21"}
    assert not rules(moved, "white ends the turn") and play(moved, "white ends the turn") == moved
    assert rules(moved, "white moves b5 to b4") == {"RGB-9"}
    assert rules(play(moved, "black moves e7 to e6"), "white ends the turn") == {"RGB-9"}


@forbids
def test_rgb_22_a_cleric_that_moved_and_so_ended_its_turn_recovers_nothing() -> None:
    moved = play(alive("c5 W cleric 5, e7 B blue wizard 1", spells=[1, 0]), "white moves c5 to b5")
    assert rules(moved, "white recovers a spell with b5") == {"RGB-22"}


@forbids
def test_rgb_23_a_spirit_that_moved_and_so_ended_its_turn_does_not_destroy_itself() -> None:
    moved = play(alive("c4 W red spirit 0, e7 B blue wizard 1"), "white moves c4 to c5")
    assert rules(moved, "white self-destructs c5") == {"RGB-23"}


@forbids
def test_rgb_09_a_turn_that_an_action_ended_is_not_ended_again() -> None:
    fought = play(alive("c4 W red wizard 3, c5 B blue wizard 5"), "white fights c5 with c4")
    late = fought.violations(REGENBOGEN.parse(fought, "white ends the turn"))
    assert [breach.rule for breach in late] == ["RGB-9"] and "nothing was done" not in late[0].text


@forbids
def test_rgb_22_only_the_cleric_recovers_spells() -> None:
    assert rules(alive("c4 W red wizard, a7 W cleric", spells=[3, 0]), "white recovers a spell with c4") == {"RGB-22"}


@allows
@forbids
def test_rgb_21_never_more_than_the_pool_holds() -> None:
    spirits = "b4 W red spirit 1, b1 W red spirit 3, c1 W red spirit 3, d1 W red spirit 2"
    state = alive(f"c5 W cleric 5, {spirits}")
    assert state.pool(0, 0) == (0, 1)
    assert rules(state, "white heals b4 by 2 with c5") == {"RGB-21"}
    assert not rules(state, "white heals b4 by 1 with c5")


@allows
@forbids
def test_rgb_22_recover() -> None:
    state = alive("c5 W cleric 3, c2 B red spirit 3", spells=[3, 0])
    assert play(state, "white recovers a spell").spells == (4, 0)
    assert rules(alive("c5 W cleric 3"), "white recovers a spell with c5") == {"RGB-22"}
    near = alive("c5 W cleric 3, c4 B red spirit 3", spells=[3, 0])
    assert rules(near, "white recovers a spell with c5") == {"RGB-22"}
    moved = play(alive("c5 W cleric 3, c4 W red wizard 1", spells=[3, 0]), "white moves c5 to b5")
    assert rules(moved, "white recovers a spell") == {"RGB-22"}


@allows
@forbids
def test_rgb_23_self_destruct() -> None:
    state = alive("c4 W red spirit 0, c5 B blue spirit 3, b4 W blue wizard 5, d4 B red wizard 2, e1 B blue wizard")
    after = play(state, "white self-destructs c4")
    assert at(after, "c4") is None and at(after, "c5") == "black blue spirit 0"
    assert at(after, "b4") == "white blue wizard 2" and at(after, "d4") is None
    healthy = "c4 W red spirit 2, c5 B blue spirit 3"
    assert rules(alive(healthy), "white self-destructs c4") == {"RGB-23"}
    allowed = play(alive(healthy, Options(self_destruct_any_health=True)), "white self-destructs c4")
    assert at(allowed, "c4") is None and allowed.pool(0, 0) == (4, 10)
    moved = play(alive("c4 W red spirit 0, d5 B blue spirit 3"), "white moves c4 to c5")
    assert rules(moved, "white self-destructs c5") == {"RGB-23"}
    assert rules(alive("c4 W red wizard 0"), "white self-destructs c4") == {"RGB-23"}


@allows
def test_rgb_24_both_clerics_may_be_saved_at_once() -> None:
    state = alive("c4 W red spirit 0, c5 B cleric 2, b4 W cleric 1")
    state = play(state, "white self-destructs c4")
    assert state.expects() == ToMove((0, 1))
    state = play(state, "black gives up the cleric")
    assert state.expects() == ToMove((0,)) and rules(state, "black gives up the cleric") == {"RGB-17"}
    state = play(state, "white gives up a spell")
    assert at(state, "b4") == "white cleric 0" and at(state, "c5") is None and state.turn == 1


@allows
@excludes
def test_rgb_24_colors_do_not_matter_and_all_are_met_at_once() -> None:
    names = ("red", "green", "ultima")
    state = alive("c4 W red spirit 0, b4 B red wizard 5, d4 B green wizard 5, c5 B ultima wizard 5, b3 B blue spirit 0")
    after = play(state, "white self-destructs c4")
    assert [at(after, cell) for cell in ("b4", "d4", "c5")] == [f"black {name} wizard 2" for name in names]
    assert at(after, "b3") is None and at(after, "c4") is None and after.turn == 1


@pytest.mark.parametrize(
    ("names", "wins"),
    [
        (("ultima",), True),
        (("purple", "red", "orange"), True),
        (("red", "green", "orange", "blue"), True),
        (("red", "yellow", "blue"), True),
        (("orange", "green", "purple"), True),
        (("red", "green", "orange"), False),
        (("red", "yellow", "green"), False),
        ((), False),
    ],
)
@allows
@excludes
def test_rgb_25_dominations(names: tuple[str, ...], wins: bool) -> None:
    ending = by_domination((0, dead(*names)))
    assert (ending is not None) == wins
    assert ending is None or (ending.rule, ending.places) == ("RGB-25", ((0,), (1,)))


@allows
@forbids
def test_rgb_25_the_game_is_over_when_the_ultima_wizard_dies() -> None:
    state = alive("c4 W red wizard, d5 B ultima wizard 2")
    over = play(state, "white fights d5")
    assert over.expects() == Over() and over.outcome() is not None
    assert rules(over, "black passes") == {"RGB-25"}
    with pytest.raises(GameOver, match="RGB-25"):
        play(over, "black passes")


@allows
@forbids
def test_rgb_26_one_action_for_both_sides_is_a_draw() -> None:
    state = alive("c4 W red spirit 0, c5 B ultima wizard 2, b4 W ultima wizard 1")
    drawn = play(state, "white self-destructs c4")
    outcome = drawn.outcome()
    assert outcome is not None and (outcome.rule, outcome.places) == ("RGB-26", ((0, 1),))
    assert rules(drawn, "black passes") == {"RGB-26"}
    one = alive("c4 W red spirit 0, c5 B ultima wizard 2, b4 W ultima wizard 3")
    outcome = play(one, "white self-destructs c4").outcome()
    assert outcome is not None and outcome.rule == "RGB-25"


@allows
@forbids
def test_rgb_27_a_draw_by_agreement() -> None:
    offered = play(START, "white offers a draw")
    assert offered.expects() == ToMove((1,)) and rules(offered, "white moves b2 to b3") == {"RGB-27"}
    outcome = play(offered, "black accepts the draw").outcome()
    assert outcome is not None and outcome.rule == "RGB-27"
    declined = play(offered, "black declines the draw")
    assert declined.turn == 0 and OfferDraw(0) not in declined.legal_moves()
    assert rules(declined, "white offers a draw") == {"RGB-27"} == rules(START, "black accepts the draw") - {"RGB-9"}
    assert rules(play(START, "white moves b2 to b3"), "white offers a draw") == {"RGB-27"}


@allows
def test_rgb_27_the_third_occurrence_of_a_position() -> None:
    there = ("white moves c4 to d4", "black moves b7 to c6")
    back = ("white moves d4 to c4", "black moves c6 to b7")
    pieces = "c4 W red spirit 3, b7 B purple spirit 3"
    state = play(alive(pieces), *there, *back, *there)
    assert state.outcome() is None
    outcome = play(state, *back).outcome()
    assert outcome is not None and outcome.rule == "RGB-27"
    twice = play(alive(pieces, Options(repetition_draw=2)), *there, *back)
    assert twice.outcome() is not None


@allows
def test_rgb_27_fifty_turns_without_damage() -> None:
    state = alive("c4 W red spirit 3, d4 B red spirit 3, b7 B purple spirit 3", quiet=49)
    outcome = play(state, "white moves c4 to c5", "white ends the turn").outcome()
    assert outcome is not None and outcome.rule == "RGB-27"
    assert play(state, "white fights d4").quiet == 0
    longer = alive("c4 W red spirit 3, b7 B purple spirit 3", Options(no_damage_draw_turns=60), quiet=49)
    assert play(longer, "white moves c4 to d4").outcome() is None


@allows
@excludes
def test_rgb_28_two_never_win_and_four_always_do() -> None:
    assert not any(by_domination((0, dead(*names))) for names in combinations(DATA.wheel, 2))
    assert all(by_domination((0, dead(*names))) for names in combinations(DATA.wheel, 4))
    threes = [names for names in combinations(DATA.wheel, 3) if by_domination((0, dead(*names)))]
    assert len(threes) == 6 + 2


@allows
@excludes
def test_rgb_29_a_stack_hides_its_health() -> None:
    state = alive("c4 W red wizard, d5 B blue wizard 5")
    after = play(state, "white fights d5")
    assert not state.layout().differences(after.layout()) and after != state
    moved = play(state, "white moves c4 to c3")
    seen = moved.layout()
    assert REGENBOGEN.proposer.infer_event(state, seen) == REGENBOGEN.parse(state, "white moves c4 to c3")
    assert REGENBOGEN.proposer.infer_event(state, state.layout()) is None


def test_an_illegal_move_names_its_rules() -> None:
    with pytest.raises(IllegalMove, match="RGB-11"):
        play(START, "white moves b1 to b2")
