"""Expected values of stopping and re-rolling, against plain enumeration by the slow scorer."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random
from statistics import mean, stdev

import pytest

from companion.core.pieces import PRIMARIES, WHEEL
from companion.games.roll_and_color.expectation import PARS, EntryChoice, outlook, par, sets
from companion.games.roll_and_color.moves import Enter, Reroll
from companion.games.roll_and_color.sheet import POINTS, ROW, ROWS
from companion.games.roll_and_color.state import RollState
from companion.games.shared.color_dice import D6, D12, outcomes
from tests.companion.games.roll_and_color.short_roll import table
from tests.companion.games.roll_and_color.slow_scorer import best


def only(roll: str, *rows: str, rerolls: int = 0) -> RollState:
    """A roll with nothing but these rows open."""
    return table(roll, {row.name: "0" for row in ROWS if row.name not in rows}, rerolls=rerolls)


def best_of(state: RollState) -> float:
    """The value of a roll to who plays it best."""
    found = outlook(state)
    return max(found.entries[0].value, *(choice.value for choice in found.rerolls[:1]))


def kept(state: RollState, dice: tuple[int, ...]) -> list[tuple[bool, int]]:
    """What stays when these dice are re-rolled: whether a d6, and the color."""
    return sorted((number <= 4, color) for number, color in enumerate(state.dice, 1) if number not in dice)


def kept_by(state: RollState, choice: EntryChoice) -> list[tuple[bool, int]]:
    assert isinstance(choice.event, Reroll)
    return kept(state, choice.event.dice)


def value_of(state: RollState, *dice: int) -> float:
    """The value of re-rolling these dice."""
    for choice in outlook(state).rerolls:
        if kept_by(state, choice) == kept(state, dice):
            return choice.value
    raise AssertionError(f"no choice keeps what {dice} leave")


def after(state: RollState, dice: tuple[int, ...], colors: tuple[int, ...]) -> RollState:
    """The roll after these dice came up so."""
    lie = list(state.dice)
    for number, color in zip(dice, colors, strict=True):
        lie[number - 1] = color
    return RollState(state.sheets, 0, True, tuple(lie), state.rerolls + 1)


def test_sets_of_dice_are_counted_once() -> None:
    assert [len(level) for level in sets(D6).members] == [1, 6, 21, 56, 126]
    assert [len(level) for level in sets(D12).members] == [1, 12, 78, 364, 1365, 4368]


def test_stopping_is_worth_the_best_cell() -> None:
    state = table("R R R B | RO RO O Y P", rerolls=4)
    found = outlook(state)
    assert found.rerolls == ()
    roll = [WHEEL[color] for color in state.dice]
    for choice in found.entries:
        assert isinstance(choice.event, Enter)
        assert choice.value == best(ROWS[choice.event.row].name, roll) == POINTS[choice.event.entry]
    assert len(found.entries) == 24 and found.entries[0].value == 14, "blue, purple, red, orange, yellow"
    assert not state.violations(found.entries[0].event)


@pytest.mark.parametrize("rows", [("red", "secondary combo 1"), ("spectrum sequence 2",)])
def test_the_last_re_roll_is_the_mean_over_every_throw(rows: tuple[str, ...]) -> None:
    """Four d6 and one d12 again: 15,552 throws, each scored on its own."""
    state = only("R O G P | R RO RO OY OY", *rows, rerolls=3)
    known = {}
    total = 0
    for faces in product(PRIMARIES, repeat=4):
        for last in WHEEL:
            key = (*sorted(faces), last)
            if key not in known:
                roll = [*faces, last, "red-orange", "red-orange", "orange-yellow", "orange-yellow"]
                known[key] = max(best(row, roll) for row in rows)
            total += known[key]
    assert value_of(state, 1, 2, 3, 4, 5) == pytest.approx(total / (6**4 * 12), rel=1e-5)


@pytest.mark.parametrize(("made", "dice"), [(2, (1, 5)), (2, (8, 9)), (1, (1, 2, 9)), (0, (1, 2, 3, 4))])
def test_an_earlier_re_roll_is_the_mean_of_the_best_that_follows(made: int, dice: tuple[int, ...]) -> None:
    state = only("R O G P | R RO RO OY B", "spectrum combo 1", "purple", "secondary sequence 1", rerolls=made)
    cubes = sum(number <= 4 for number in dice)
    total = ways_of_all = 0.0
    for first, ways in outcomes(D6, cubes):
        for second, more in outcomes(D12, len(dice) - cubes):
            colors = tuple(WHEEL.index(str(die.face)) for die in (*first, *second))
            total += ways * more * best_of(after(state, dice, colors))
            ways_of_all += ways * more
    assert value_of(state, *dice) == pytest.approx(total / ways_of_all, rel=1e-5)


def test_choices_that_keep_the_same_are_one() -> None:
    state = only("R R G P | R RO RO OY B", "red")
    found = outlook(state).rerolls
    different = {tuple(kept_by(state, choice)) for choice in found}
    assert len(different) == len(found) < 126
    assert [choice.value for choice in found] == sorted((choice.value for choice in found), reverse=True)
    assert all(not state.violations(choice.event) for choice in found)


def test_a_good_player_keeps_what_counts() -> None:
    state = only("R R R P | R RO BP OY B", "red")
    top = outlook(state).rerolls[0]
    assert isinstance(top.event, Reroll) and {1, 2, 3, 5}.isdisjoint(top.event.dice)
    assert top.value > outlook(state).entries[0].value, "four red and re-rolls to come are more than four red"


def test_more_open_rows_are_never_worth_less() -> None:
    roll = "R O G P | R RO RO OY B"
    few, more = outlook(only(roll, "red")), outlook(only(roll, "red", "secondary combo 1"))
    assert more.rerolls[0].value > few.rerolls[0].value
    assert max(value_of(only(roll, "red", "secondary combo 1"), 1, 2, 3, 4), 0) >= value_of(
        only(roll, "red"), 1, 2, 3, 4
    )


def test_equal_rows_share_their_tables() -> None:
    roll = "R O G P | R RO RO OY B"
    one, other = (outlook(only(roll, f"spectrum combo {number}")) for number in (1, 2))
    assert [choice.value for choice in one.rerolls] == [choice.value for choice in other.rerolls]


def test_what_a_row_would_bring_later_is_taken_off() -> None:
    """One red die in its row brings a point, and costs what the row would bring in a round of its own."""
    state = only("R O G P | G RO RO OY B", "red", "spectrum combo 1")
    points = {choice.event: choice.value for choice in outlook(state, "points").entries}
    sheet = {choice.event: choice.value for choice in outlook(state, "sheet").entries}
    red, combo = Enter(0, ROW["red"], 1), Enter(0, ROW["spectrum combo 1"], 1)
    assert points == {red: 1, combo: 2}
    assert sheet[red] == pytest.approx(1 - PARS["primary"])
    assert sheet[combo] == pytest.approx(2 - PARS["spectrum combo"])
    assert outlook(state, "sheet").entries[0].event == red, "the cheaper row is given away"
    best_now = outlook(state, "sheet").rerolls[0]
    assert isinstance(best_now, EntryChoice) and best_now.value > sheet[red]


def test_pars_are_what_a_round_for_one_row_alone_brings() -> None:
    assert par(ROW["red-orange"]) == pytest.approx(PARS["secondary"], abs=1e-4)
    assert set(PARS) == {row.group for row in ROWS}


@pytest.mark.slow
def test_every_par_is_what_a_round_for_one_row_alone_brings() -> None:
    for place, row in enumerate(ROWS):
        assert par(place) == pytest.approx(PARS[row.group], abs=1e-4), row.name


@cache
def slow_best(row: str, roll: tuple[str, ...]) -> int:
    return best(row, list(roll))


@pytest.mark.slow
def test_playing_as_advised_brings_the_par() -> None:
    """Three thousand rounds for one row alone, played by the outlook: their mean is the par within three errors."""
    rng = Random(11)
    for row in ("red", "spectrum combo 1"):
        scored = []
        for _ in range(1500):
            state = only("R R R R | R R R R R", row)
            lie = [rng.randrange(0, 12, 2) for _ in range(4)] + [rng.randrange(12) for _ in range(5)]
            state = RollState(state.sheets, 0, True, tuple(lie), 0)
            while state.rerolls < 4:
                found = outlook(state)
                if found.entries[0].value >= found.rerolls[0].value:
                    break
                event = found.rerolls[0].event
                assert isinstance(event, Reroll)
                colors = tuple(rng.randrange(0, 12, 2) if number <= 4 else rng.randrange(12) for number in event.dice)
                state = after(state, event.dice, colors)
            scored.append(slow_best(row, tuple(WHEEL[color] for color in state.dice)))
        error = stdev(scored) / len(scored) ** 0.5
        assert abs(mean(scored) - PARS[ROWS[ROW[row]].group]) < 3 * error
