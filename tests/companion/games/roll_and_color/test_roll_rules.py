"""Every numbered rule of Roll & Color, the allowed and the forbidden, as examples from docs/rules/roll-and-color.md.

Rolls are written as in `short_roll`: "R R B G | RO R R B P" is dice 1 to 4 and 5 to 9.
"""

from __future__ import annotations

import pytest

from companion.core.contract import Over, Rolled, ToRoll
from companion.core.foundation.errors import BadEvent, BadNotation, BadOptions, BadRecord, GameOver, IllegalMove
from companion.core.pieces import Die
from companion.games.roll_and_color.game import ROLL_AND_COLOR, Options
from companion.games.roll_and_color.moves import REROLLS, Enter, Reroll
from companion.games.roll_and_color.sheet import CELL_COUNT, POINTS, ROW, ROWS
from companion.games.roll_and_color.situation import KINDS
from companion.games.roll_and_color.state import RollState
from tests.companion.games.examples import allows, excludes, forbids
from tests.companion.games.roll_and_color.short_roll import colors, legal, roll, rules, table, told
from tests.companion.games.short import assert_unchanged

MIXED = "R Y B G | RO R R B P"


def best(state: RollState, row: str) -> str:
    """The cell of a row that brings most."""
    cells = state.met(ROW[row])
    return ROWS[ROW[row]].cells[cells[-1] - 1] if cells else "0"


@allows
@forbids
def test_rol_01_four_d6_and_five_d12() -> None:
    state = ROLL_AND_COLOR.start(1, Options())
    assert state.expects() == ToRoll(0, ("spectrum-d6",) * 4 + ("spectrum-d12",) * 5)
    fine = roll("d6 red blue green red, d12 red red-orange purple-red blue green")
    assert state.apply(fine).dice == (0, 8, 6, 0, 0, 1, 11, 8, 6)
    for wrong in (
        Rolled((Die("spectrum-d6", "red-orange"), *fine.faces[1:])),
        roll("d6 red blue green, d12 red red-orange purple-red blue green red"),
    ):
        assert [breach.rule for breach in state.violations(wrong)] == ["ROL-1"]
        with pytest.raises(BadEvent, match="ROL-1"):
            state.apply(wrong)
    ten = Rolled((*fine.faces, Die("spectrum-d12", "red")))
    assert [breach.rule for breach in state.violations(ten)] == ["ROL-1"]


@allows
def test_rol_01_dice_may_be_told_in_any_order_of_their_kinds() -> None:
    state = ROLL_AND_COLOR.start(1, Options())
    mixed = roll("d12 red red-orange, d6 red blue, d12 purple-red blue green, d6 green red")
    assert state.apply(mixed).dice == (0, 8, 6, 0, 0, 1, 11, 8, 6)


@allows
@forbids
def test_rol_02_each_player_scores_one_roll_a_round() -> None:
    state = told(table(MIXED, seats=2), "player 1 enters 1 in red-orange")
    assert state.expects() == ToRoll(1, KINDS)
    state = told(state, "rolls d6 red red red red, d12 red red red red red")
    assert rules(state, "player 1 enters 0 in green")[0] != "ROL-5"
    assert "ROL-2" in rules(state, "player 1 enters 0 in green")
    state = told(state, "player 2 enters 0 in green")
    assert state.turn == 0 and [score.total for score in state.scores()] == [3, 0]


@pytest.mark.parametrize("seats", (0, 7))
@forbids
def test_rol_02_one_to_six_players(seats: int) -> None:
    assert ROLL_AND_COLOR.start(6, Options()).seats == 6
    with pytest.raises(BadOptions, match="ROL-2"):
        ROLL_AND_COLOR.start(seats, Options())
    assert rules(table(MIXED), "player 2 enters 0 in green") == ["ROL-2"]


@allows
@forbids
def test_rol_02_after_24_rounds_the_highest_total_wins_and_equal_ones_share() -> None:
    zeros = {row.name: "0" for row in ROWS if row.name != "red"}
    for last, places in (("1", ((0, 1),)), ("2", ((1,), (0,)))):
        state = table("R Y B G | RO RO RO RO RO", {**zeros, "red": "1"}, zeros)
        assert not isinstance(state.expects(), Over)
        if last == "2":
            state = table("R R B G | RO RO RO RO RO", {**zeros, "red": "1"}, zeros)
        state = told(state, f"player 2 enters {last} in red")
        outcome = state.outcome()
        assert outcome is not None and outcome.places == places and outcome.rule == "ROL-2"
        with pytest.raises(GameOver, match="ROL-2"):
            told(state, "rolls d6 red red red red, d12 red red red red red")


@allows
@forbids
def test_rol_03_re_rolls_take_four_three_two_and_five_or_more() -> None:
    allowed = {0: {4}, 1: {3}, 2: {2}, 3: {5, 6, 7, 8, 9}}
    for made, sizes in allowed.items():
        state = table(MIXED, rerolls=made)
        for count in range(1, 10):
            line = f"player 1 re-rolls {' '.join(map(str, range(1, count + 1)))}"
            assert (not rules(state, line)) == (count in sizes), (made, count)
            if count not in sizes:
                assert rules(state, line)[0] == "ROL-3"
                with pytest.raises(IllegalMove, match="ROL-3"):
                    told(state, line)


@allows
@forbids
def test_rol_03_first_all_nine_are_rolled() -> None:
    state = table(seats=2)
    assert rules(state, "player 1 re-rolls 1 2 3 4") == ["ROL-3"]
    assert rules(state, "player 1 enters 0 in green") == ["ROL-3"]
    assert rules(state, "rolls d6 red red, d12 red") == ["ROL-3"]
    assert not rules(state, "rolls d6 red red red red, d12 red red red red red")


@allows
def test_rol_03_which_dice_is_free_each_time() -> None:
    state = told(table(MIXED), "player 1 re-rolls 1 2 5 6")
    assert state.expects() == ToRoll(0, ("spectrum-d6", "spectrum-d6", "spectrum-d12", "spectrum-d12"))
    state = told(state, "rolls d6 orange orange, d12 purple-red purple-red")
    assert state.dice == colors("O O B G | PR PR R B P")
    assert not rules(state, "player 1 re-rolls 1 2 9"), "dice that were rolled before and others"
    assert [len(REROLLS[0][made]) for made in range(4)] == [126, 84, 36, 256]


@allows
@forbids
def test_rol_03_exactly_the_dice_that_were_taken_up_are_rolled() -> None:
    state = told(table(MIXED), "player 1 re-rolls 1 2 5 6")
    assert rules(state, "rolls d6 red red, d12 red") == ["ROL-3"]
    assert rules(state, "rolls d6 red, d12 red red red") == ["ROL-1"]
    assert rules(state, "player 1 enters 0 in green") == ["ROL-3"], "not while dice are in the hand"
    lies = table(MIXED)
    assert rules(lies, "rolls d6 red red, d12 red red") == ["ROL-3"], "say first which dice"
    assert rules(lies, "rolls d6 red red, d12 red") == ["ROL-3", "ROL-3"]


@allows
def test_rol_04_the_player_may_stop_before_any_re_roll() -> None:
    for made in range(5):
        assert not rules(table(MIXED, rerolls=made), "player 1 enters 1 in red-orange")


@forbids
def test_rol_04_after_the_fourth_the_roll_must_be_scored() -> None:
    state = table(MIXED, rerolls=4)
    assert rules(state, "player 1 re-rolls 1 2 3 4 5") == ["ROL-4"]
    assert all(isinstance(move, Enter) for move in state.legal_moves())


@forbids
def test_rol_04_no_re_roll_is_skipped() -> None:
    state = table(MIXED)
    assert rules(state, "player 1 re-rolls 1 2 3") == ["ROL-3", "ROL-4"], "three dice are for the second"
    assert rules(state, "player 1 re-rolls 1") == ["ROL-3"]


@allows
@forbids
def test_rol_05_nothing_may_be_entered_in_a_row_that_is_not_met() -> None:
    state = table("R R B B | R R B B B")
    assert not rules(state, "player 1 enters 0 in green"), "also though other rows are met"
    assert rules(state, "player 1 enters 0 in red") == ["ROL-5"]
    after = told(state, "player 1 enters 0 in green")
    assert after.scores()[0].lines[0].rule == "ROL-5" and after.scores()[0].total == 0


@forbids
def test_rol_05_each_row_takes_one_entry() -> None:
    state = table(MIXED, {"red": "2", "green": "0"})
    assert rules(state, "player 1 enters 3 in red") == ["ROL-5"]
    assert rules(state, "player 1 enters 0 in green") == ["ROL-5"]
    assert not any("in red" in line.split(" or ") or line.endswith("in red") for line in legal(state))
    with pytest.raises(BadRecord, match="ROL-5"):
        ROLL_AND_COLOR.load(b'{"type":"roll-and-color","sheets":[[10,12]],"turn":0}')


@pytest.mark.parametrize(
    ("row", "cell"),
    [
        ("red-orange", "6"),
        ("secondary sequence 1", "6"),
        ("secondary sequence 2", "7"),
        ("primary sequence 1", "7"),
        ("secondary combo 1", "2&4"),
        ("secondary combo 2", "4&4"),
    ],
)
@forbids
def test_rol_06_cells_that_can_never_be_filled(row: str, cell: str) -> None:
    state = table("R R R R | RO RO RO RO RO")
    assert rules(state, f"player 1 enters {cell} in {row}") == ["ROL-6"]
    with pytest.raises(BadEvent, match="ROL-6"):
        state.apply_unchecked(ROLL_AND_COLOR.parse(state, f"player 1 enters {cell} in {row}"))
    with pytest.raises(BadRecord, match="ROL-6"):
        table("", {row: cell})


@allows
def test_rol_06_the_last_cell_before_may_be_filled() -> None:
    for dice, row, cell in (
        ("R R R R | RO RO RO RO RO", "red-orange", "5"),
        ("R R R R | RO OY YG GB BP", "secondary sequence 1", "5"),
        ("R R R R | RO RO OY OY OY", "secondary combo 1", "2&3"),
    ):
        assert not rules(table(dice), f"player 1 enters {cell} in {row}")


@pytest.mark.parametrize(("count", "points"), [(1, 3), (2, 6), (3, 10), (4, 24), (5, 60)])
@allows
@forbids
def test_rol_07_secondary_rows(count: int, points: int) -> None:
    state = table(f"R R R R | {'RO ' * count}{'R ' * (5 - count)}")
    assert told(state, f"player 1 enters {count} in red-orange").scores()[0].total == points
    if count < 5:
        assert rules(state, f"player 1 enters {count + 1} in red-orange")[0] == "ROL-7"


@pytest.mark.parametrize(("count", "points"), [(1, 1), (2, 2), (3, 3), (4, 6), (5, 10), (6, 20)])
@allows
@forbids
def test_rol_08_primary_rows(count: int, points: int) -> None:
    dice = ["G"] * count + ["B"] * (9 - count)
    state = table(f"{' '.join(dice[:4])} | {' '.join(dice[4:])}")
    assert told(state, f"player 1 enters {count} in green").scores()[0].total == points
    if count < 6:
        assert rules(state, f"player 1 enters {count + 1} in green")[0] == "ROL-8"


@allows
def test_rol_08_seven_or_more_count_as_six() -> None:
    state = table("G G G G | G G G G G")
    assert best(state, "green") == "6"


@pytest.mark.parametrize(
    ("roll_", "row", "cell", "points"),
    [
        ("R R R R | RO OY R R R", "secondary sequence 1", "2", 4),
        ("R R R R | RO OY YG R R", "secondary sequence 2", "3", 13),
        ("R R R R | PR RO OY BP R", "secondary sequence 1", "4", 29),
        ("R R R R | RO OY YG GB BP", "secondary sequence 1", "5", 54),
        ("R R R R | RO R R R R", "spectrum sequence 1", "2", 2),
        ("R R O R | RO R R R R", "spectrum sequence 2", "3", 6),
        ("R R O R | RO PR R R R", "spectrum sequence 1", "4", 15),
        ("R R O R | RO PR P R R", "spectrum sequence 1", "5", 27),
        ("R R O R | RO PR P BP R", "spectrum sequence 1", "6", 42),
        ("R B O R | RO PR P BP R", "spectrum sequence 1", "7", 60),
        ("R O R R | R R R R R", "primary sequence 1", "2", 1),
        ("R O P R | R R R R R", "primary sequence 2", "3", 5),
        ("R O P B | R R R R R", "primary sequence 1", "4", 9),
        ("R O P B | G R R R R", "primary sequence 1", "5", 14),
        ("R O P B | G Y R R R", "primary sequence 1", "6", 19),
    ],
)
@allows
def test_rol_09_sequences(roll_: str, row: str, cell: str, points: int) -> None:
    state = table(roll_)
    assert best(state, row) == cell
    assert told(state, f"player 1 enters {cell} in {row}").scores()[0].total == points
    longer = str(int(cell) + 1)
    breached = rules(state, f"player 1 enters {longer} in {row}") if cell != "7" else ["ROL-9"]
    assert breached[0] in ("ROL-9", "ROL-6")


@allows
@forbids
def test_rol_09_colors_must_follow_each_other() -> None:
    state = table("R Y B R | RO YG R R R")
    assert rules(state, "player 1 enters 3 in primary sequence 1")[0] == "ROL-9", "red, yellow, blue are no neighbors"
    assert rules(state, "player 1 enters 2 in secondary sequence 1")[0] == "ROL-9"
    assert not rules(state, "player 1 enters 2 in spectrum sequence 1"), "red, red-orange; yellow, yellow-green"


@pytest.mark.parametrize(
    ("roll_", "row", "cell", "points"),
    [
        ("R R R R | RO RO OY OY R", "secondary combo 1", "2&2", 16),
        ("R R R R | RO RO OY OY OY", "secondary combo 2", "2&3", 32),
        ("R R B O | RO RO G Y P", "spectrum combo 1", "2&2", 2),
        ("R R R O | RO RO G Y P", "spectrum combo 1", "2&3", 4),
        ("R R R R | RO RO G Y P", "spectrum combo 1", "2&4", 8),
        ("R R R O | RO RO RO Y P", "spectrum combo 1", "3&3", 16),
        ("R R R O | RO RO RO RO P", "spectrum combo 2", "3&4", 32),
        ("R R R R | RO RO RO RO P", "spectrum combo 2", "4&4", 64),
        ("R R B B | Y G O P P", "primary combo 1", "2&2", 1),
        ("R R B B | B G O P Y", "primary combo 1", "2&3", 2),
        ("R R B B | B B O P Y", "primary combo 1", "2&4", 5),
        ("R R B B | B R O P Y", "primary combo 2", "3&3", 12),
        ("R R B B | B R R P Y", "primary combo 2", "3&4", 24),
        ("R R B B | B B R R Y", "primary combo 2", "4&4", 45),
    ],
)
@allows
@forbids
def test_rol_10_combos(roll_: str, row: str, cell: str, points: int) -> None:
    state = table(roll_)
    assert best(state, row) == cell
    assert told(state, f"player 1 enters {cell} in {row}").scores()[0].total == points
    cells = ROWS[ROW[row]].cells
    for larger in cells[cells.index(cell) + 1 :]:
        if row.startswith("secondary") or (cell, larger) == ("2&4", "3&3"):
            continue
        assert rules(state, f"player 1 enters {larger} in {row}")[0] == "ROL-10"


@allows
@forbids
def test_rol_10_the_two_colors_are_different() -> None:
    state = table("R R R R | RO RO RO RO O")
    assert rules(state, "player 1 enters 2&2 in primary combo 1")[0] == "ROL-10"
    assert rules(state, "player 1 enters 2&2 in secondary combo 1")[0] == "ROL-10"
    assert not rules(state, "player 1 enters 4&4 in spectrum combo 1")


@allows
@forbids
def test_rol_11_other_dice_do_not_matter() -> None:
    state = table("R R R R | B B B RO P")
    for cell in ("2&2", "2&3", "2&4", "3&3", "3&4"):
        assert not rules(state, f"player 1 enters {cell} in primary combo 1"), "the player chooses"
    assert rules(state, "player 1 enters 4&4 in primary combo 1") == ["ROL-10", "ROL-11"]
    assert best(state, "primary combo 1") == "3&4", "the best is offered"
    assert not rules(table("R R B B | B RO O Y P"), "player 1 enters 2&3 in primary combo 1")
    assert not rules(table("R R R B | B RO O Y P"), "player 1 enters 2&3 in primary combo 1"), (
        "the three in either color"
    )


@forbids
def test_rol_12_a_sequence_uses_one_die_of_each_color() -> None:
    state = table("R R R O | O P P B Y")
    assert rules(state, "player 1 enters 6 in primary sequence 1") == ["ROL-9", "ROL-12", "ROL-11"]
    assert best(state, "primary sequence 1") == "5"


@allows
def test_rol_12_eight_or_nine_in_a_row_count_as_seven() -> None:
    state = table("R O Y G | RO OY YG GB B")
    assert best(state, "spectrum sequence 1") == "7"
    assert told(state, "player 1 enters 7 in spectrum sequence 1").scores()[0].total == 60


@allows
def test_rol_12_six_primaries_fill_the_cell_of_six() -> None:
    assert best(table("R O Y G | B P P P P"), "primary sequence 1") == "6"


@allows
@excludes
def test_rol_13_rows_1_and_2_are_equal() -> None:
    state = table(MIXED)
    for kind in ("spectrum sequence", "primary sequence", "primary combo"):
        assert best(state, f"{kind} 1") == best(state, f"{kind} 2") != "0"
    second = told(state, "player 1 enters 2 in spectrum sequence 2")
    again = told(second, "rolls d6 red red red red, d12 red-orange red red red red")
    assert rules(again, "player 1 enters 2 in spectrum sequence 2") == ["ROL-5"]
    assert not rules(again, "player 1 enters 2 in spectrum sequence 1")


@allows
@forbids
def test_rol_14_one_roll_fills_one_row() -> None:
    state = told(table(MIXED, seats=2), "player 1 enters 1 in red-orange")
    assert rules(state, "player 1 enters 1 in green") == ["ROL-14", "ROL-2"]
    alone = told(table(MIXED), "player 1 enters 1 in red-orange")
    assert rules(alone, "player 1 enters 1 in green") == ["ROL-3"], "all nine are rolled first"
    assert not rules(told(alone, "rolls d6 green red red red, d12 red red red red red"), "player 1 enters 1 in green")


@allows
@excludes
def test_rol_15_no_sheet_brings_more_than_1028_in_its_24_rows() -> None:
    best_cells = {row.name: row.cells[row.points.index(max(row.points))] for row in ROWS}
    full = table("", best_cells)
    assert [score.total for score in full.scores()] == [1028]
    assert rules(full, "rolls d6 red red red red, d12 red red red red red") == ["ROL-2"]
    with pytest.raises(BadNotation):
        rules(table(MIXED), "player 1 enters 1 in secondary sequence 3")


@allows
def test_rol_15_the_whole_sheet() -> None:
    assert len(ROWS) == 24
    kinds = [row.kind for row in ROWS]
    most = dict.fromkeys(kinds, 0)
    for row in ROWS:
        most[row.kind] += max(row.points)
    assert [kinds.count(kind) for kind in most] == [6, 6, 6, 6]
    assert most == {"secondary": 360, "primary": 120, "sequence": 266, "combo": 282}
    assert sum(most.values()) == 1028
    assert max(POINTS.values()) == 64 and CELL_COUNT == 6


@allows
@excludes
def test_rol_16_the_primary_sequence_row() -> None:
    row = ROWS[ROW["primary sequence 1"]]
    assert dict(zip(row.cells, row.points, strict=True)) == {"2": 1, "3": 5, "4": 9, "5": 14, "6": 19, "7": 0}
    state = table("R O Y G | B P P P P")
    assert rules(state, "player 1 enters 7 in primary sequence 1") == ["ROL-6"]
    assert not rules(state, "player 1 enters 6 in primary sequence 1")


def test_what_the_table_lets_stand() -> None:
    state = table(MIXED)
    three = state.apply_unchecked(Reroll(0, (1, 2, 3)))
    assert three.expects() == ToRoll(0, ("spectrum-d6",) * 3) and three.rerolls == 1
    thrown = ROLL_AND_COLOR.parse(state, "player 1 re-rolls 1 2 5 as d6 orange orange, d12 green")
    assert state.apply_unchecked(thrown).dice == colors("O O B G | G R R B P")
    with pytest.raises(BadEvent):
        state.apply_unchecked(ROLL_AND_COLOR.parse(state, "player 1 re-rolls 1 2 5 as d6 orange, d12 green"))
    assert rules(state, "player 1 re-rolls 1 2 5 6 as d6 orange orange, d12 green red") == ["ROL-3"], "tell both"
    unmet = state.apply_unchecked(ROLL_AND_COLOR.parse(state, "player 1 enters 5 in red"))
    assert unmet.scores()[0].total == 10
    fifth = table(MIXED, rerolls=4).apply_unchecked(Reroll(0, (1,)))
    assert fifth.rerolls == 4
    for wrong in ("player 2 enters 0 in red", "player 1 enters 2&4 in secondary combo 1"):
        with pytest.raises(BadEvent):
            state.apply_unchecked(ROLL_AND_COLOR.parse(state, wrong))
    with pytest.raises(BadEvent):
        table(MIXED, {"red": "2"}).apply_unchecked(Enter(0, ROW["red"], 1))


def test_a_correction_of_a_roll_leaves_later_re_rolls_as_they_were() -> None:
    """Dice have numbers, so a misread face changes nothing but itself."""
    start = ROLL_AND_COLOR.start(1, Options())
    later = ("player 1 re-rolls 1 2 5 6", "rolls d6 red red, d12 blue blue")
    right = told(start, "rolls d6 purple blue green red, d12 red red green yellow blue", *later)
    wrong = told(start, "rolls d6 purple blue green red, d12 red red green yellow purple", *later)
    assert right.dice[:8] == wrong.dice[:8] and right.dice != wrong.dice


def test_a_state_is_not_changed_by_what_follows() -> None:
    assert_unchanged(ROLL_AND_COLOR, ROLL_AND_COLOR.start(2, Options()))
