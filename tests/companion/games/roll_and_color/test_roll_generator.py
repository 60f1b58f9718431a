"""The fast scorer and the list of legal moves against the slow reading of the rules, over thousands of rolls."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from companion.core.contract import Over, Rolled, ToMove, ToRoll
from companion.core.pieces import FACES, PRIMARIES, WHEEL, Die
from companion.games.roll_and_color.game import ROLL_AND_COLOR, Options
from companion.games.roll_and_color.moves import Enter, Reroll
from companion.games.roll_and_color.sheet import POINTS, ROWS, met
from tests.companion.games.roll_and_color.slow_scorer import SHEET, met_cells

NUMBER = {color: place for place, color in enumerate(WHEEL)}


def random_roll(rng: Random) -> list[str]:
    """Nine colors, now and then few different ones, so that rare cells are met too."""
    colors = rng.sample(WHEEL, rng.choice((2, 3, 4, 12)))
    first = [color for color in colors if color in PRIMARIES] or list(PRIMARIES)
    return [rng.choice(first) for _ in range(4)] + [rng.choice(colors) for _ in range(5)]


def compare(roll: list[str]) -> None:
    cells = met(tuple(NUMBER[color] for color in roll))
    for place, (row, found) in enumerate(zip(ROWS, cells, strict=True)):
        if row.name.endswith(" 2"):
            assert found == cells[place - 1], "rows 1 and 2 are equal (ROL-13)"
            continue
        slowly = met_cells(row.name, roll)
        assert [row.cells[cell - 1] for cell in found] == slowly, (row.name, roll)
        assert all(row.points[cell - 1] == SHEET[row.name][name] for cell, name in zip(found, slowly, strict=True))


def test_met_cells_are_those_of_the_slow_scorer() -> None:
    rng = Random(7)
    for _ in range(2000):
        compare(random_roll(rng))


@pytest.mark.slow
def test_met_cells_are_those_of_the_slow_scorer_for_long() -> None:
    rng = Random(8)
    for _ in range(100_000):
        compare(random_roll(rng))


def test_the_sheet_is_that_of_the_slow_scorer() -> None:
    written = {
        (ROWS[number // 10].name, ROWS[number // 10].cells[number % 10 - 1]): points
        for number, points in POINTS.items()
        if number % 10
    }
    assert written == {(row, cell): points for row, cells in SHEET.items() for cell, points in cells.items()}


@pytest.mark.parametrize("seats", (2,))
def test_whole_games_with_the_slow_rules(seats: int) -> None:
    """Legal moves by the slow scorer at every step, totals by the slow sheet at the end."""
    rng = Random(seats)
    state = ROLL_AND_COLOR.start(seats, Options())
    sheets: list[dict[str, int]] = [{} for _ in range(seats)]
    for turn in range(24 * seats):
        seat, dice = turn % seats, [""] * 9
        due = list(range(9))
        for sizes in ((4,), (3,), (2,), (5, 6, 7, 8, 9), ()):
            expects = state.expects()
            assert isinstance(expects, ToRoll) and expects.seat == seat
            kinds = tuple("spectrum-d6" if number < 4 else "spectrum-d12" for number in due)
            assert expects.dice == kinds
            for number, kind in zip(due, kinds, strict=True):
                dice[number] = str(rng.choice(FACES[kind]))
            state = state.apply(Rolled(tuple(Die(kind, dice[number]) for number, kind in zip(due, kinds, strict=True))))
            assert state.expects() == ToMove((seat,))
            legal = list(state.legal_moves())
            entries = {(ROWS[move.row].name, move.cell) for move in legal if isinstance(move, Enter)}
            cells = list(SHEET["red"])
            expected = {
                (row, (cells if row in WHEEL else _cells(row)).index(cell) + 1)
                for row in SHEET
                if row not in sheets[seat]
                for cell in met_cells(row, dice)
            }
            expected |= {(row, 0) for row in SHEET if row not in sheets[seat] and not met_cells(row, dice)}
            assert entries == expected
            again = {move.dice for move in legal if isinstance(move, Reroll)}
            assert again == {one for size in sizes for one in combinations(range(1, 10), size)}
            if not again or rng.random() < 0.3:
                break
            move = rng.choice([move for move in legal if isinstance(move, Reroll)])
            state = state.apply(move)
            due = [number - 1 for number in move.dice]
        entry = rng.choice([move for move in legal if isinstance(move, Enter)])
        row = ROWS[entry.row]
        sheets[seat][row.name] = SHEET[row.name][row.cells[entry.cell - 1]] if entry.cell else 0
        state = state.apply(entry)
        assert [score.total for score in state.scores()] == [sum(sheet.values()) for sheet in sheets]
    assert isinstance(state.expects(), Over)
    totals = [sum(sheet.values()) for sheet in sheets]
    outcome = state.outcome()
    assert outcome is not None and outcome.places[0] == tuple(
        seat for seat, total in enumerate(totals) if total == max(totals)
    )


def _cells(row: str) -> list[str]:
    return list("234567") if "sequence" in row else ["2&2", "2&3", "2&4", "3&3", "3&4", "4&4"]


def test_every_roll_is_one_of_the_chances_with_its_weight() -> None:
    state = ROLL_AND_COLOR.start(1, Options())
    found = 0
    for number, (chance, ways) in enumerate(ROLL_AND_COLOR.outcomes(state)):
        found += ways
        if number == 0:
            assert not state.violations(chance)
        if number == 4367:
            break
    assert found == 12**5, "every roll of the d12 beside one of the d6"
    picked = state.apply(chance).apply(Reroll(0, (3, 4, 8, 9)))
    again = list(ROLL_AND_COLOR.outcomes(picked))
    assert sum(ways for _, ways in again) == 6**2 * 12**2 and len(again) == 21 * 78
    assert not list(ROLL_AND_COLOR.outcomes(picked.apply(again[0][0])))
