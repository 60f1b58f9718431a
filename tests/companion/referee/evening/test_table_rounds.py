"""Rounds of tables: everybody plays, three or four at a table, and meets as many others as possible."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace

from companion.core.foundation.errors import BadOptions
from companion.referee.evening.evening import (
    EveningRound,
    GameResult,
    begin,
    can_be,
    is_open,
    over,
    table_points,
    withdraw,
)
from companion.referee.evening.pairing import pair, seat_at_tables
from companion.referee.evening.standings import as_csv, standings

NAMES = ["Ann", "Ben", "Cem", "Dov", "Eve", "Fay", "Gus"]


@pytest.mark.parametrize("count", range(3, 41))
def test_everybody_sits_at_a_table_of_three_or_four(count: int) -> None:
    players = [f"p{n}" for n in range(count)]
    tables = seat_at_tables(players, {}, {}, Random(1))
    assert sorted(name for table in tables for name in table) == sorted(players)
    assert {len(table) for table in tables} <= ({2, 3} if count == 5 else {3, 4})


def test_sixteen_players_meet_eleven_others_or_more_in_five_rounds_and_begin_equally_often() -> None:
    players = [f"p{n}" for n in range(16)]
    met: Counter[frozenset[str]] = Counter()
    begun: Counter[str] = Counter()
    for number in range(5):
        tables = seat_at_tables(players, met, begun, Random(number))
        met.update(frozenset(two) for table in tables for two in combinations(table, 2))
        begun.update(table[0] for table in tables)
    assert min(sum(name in two for two in met) for name in players) >= 11
    assert max(begun.values()) <= 2 and max(met.values()) <= 2


def test_a_table_of_three_counts_as_much_as_one_of_four() -> None:
    assert table_points([2, 0, 1]) == (0, 3, 1.5) and table_points([0, 1, 2, 3]) == (3, 2, 1, 0)
    assert table_points([0, 0, 1]) == (2.25, 2.25, 0) and table_points([1, 0]) == (0, 3)


def test_points_of_all_tables_make_the_standings() -> None:
    evening = begin("Friday", "tables", NAMES)
    assert evening.planned == 2
    evening = pair(evening, known=lambda _: (), tables=["hall", "bar"])
    (one, other) = evening.rounds[0].pairings
    assert {len(one.players), len(other.players)} == {3, 4} and {one.table, other.table} == {"hall", "bar"}
    done = tuple(replace(at, result=GameResult(table_points(range(len(at.players))), "g")) for at in (one, other))
    evening = replace(evening, rounds=(EveningRound(done),))
    lines = standings(evening)
    assert {lines[0].name, lines[1].name} == {one.first, other.first} and lines[0].place == lines[1].place == 1
    assert lines[0].points == 3 and lines[0].wins == 1 and sum(line.points for line in lines) == 10.5
    assert can_be(evening) and not is_open(evening) and not over(evening)
    first, *_, last = as_csv(evening).split("\r\n\r\n")[0].splitlines()
    assert first.endswith("fourth,points of fourth") and len(last.split(",")) in (10, 12)


def test_at_the_table_of_somebody_who_goes_home_the_others_begin_anew() -> None:
    evening = pair(begin("Friday", "tables", NAMES), known=lambda _: ())
    table = next(one for one in evening.rounds[0].pairings if len(one.players) == 3)
    evening = withdraw(evening, table.players[0])
    rest = next(one for one in evening.rounds[0].pairings if table.players[1] in one.players)
    assert rest.players == table.players[1:] and rest.result is None
    evening = withdraw(evening, table.players[1])
    alone = next(one for one in evening.rounds[0].pairings if table.players[2] in one.players)
    assert alone.result is not None and alone.result.points[alone.players.index(table.players[2])] == 3
    assert can_be(evening)


def test_two_players_are_no_table() -> None:
    with pytest.raises(BadOptions, match="at least three"):
        begin("Friday", "tables", NAMES[:2])
