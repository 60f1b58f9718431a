"""Swiss rounds: nobody meets twice, those who stand alike meet, and each round is the best that there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from companion.referee.evening.evening import Evening, GameResult, Matchup, begin, withdraw
from companion.referee.evening.pairing import best_pairs, cost_of, pair, swiss
from companion.referee.evening.standings import standings
from tests.companion.referee.evening.playing import decided


def evenings(count: int, rounds: int, seed: int) -> Evening:
    rng = Random(seed)
    evening = begin("", "swiss", [f"p{n}" for n in range(count)], planned=rounds)
    for _ in range(rounds):
        evening = decided(pair(evening, known=lambda _: ()), lambda one: rng.choice([(1, 0), (0.5, 0.5), (0, 1)]))
    return evening


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (3, 2), (5, 3), (8, 4), (9, 5), (16, 8), (21, 6), (40, 6)])
def test_nobody_meets_twice_or_rests_twice(count: int, rounds: int) -> None:
    for seed in range(4 if count < 20 else 1):
        pairings = [one for round_ in evenings(count, rounds, seed).rounds for one in round_.pairings]
        met = Counter(frozenset(one.players) for one in pairings if one.second is not None)
        assert set(met.values()) == {1} and len(met) == rounds * (count // 2)
        rested = Counter(one.first for one in pairings if one.second is None)
        assert sum(rested.values()) == rounds * (count % 2) and all(times == 1 for times in rested.values())
        begun = Counter(one.first for one in pairings if one.second is not None)
        assert all(abs(2 * begun[f"p{n}"] - (rounds - rested[f"p{n}"])) <= 3 for n in range(count))


def test_the_first_round_is_the_upper_half_against_the_lower() -> None:
    names = list("abcdefgh")
    found = swiss(names, dict.fromkeys(names, 0.0), (), (), {})
    assert {frozenset(one) for one in found} == {frozenset(one) for one in ("ae", "bf", "cg", "dh")}


def test_those_who_stand_alike_meet() -> None:
    names, points = list("abcdef"), {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0, "e": 0.0, "f": 0.0}
    assert {frozenset(one) for one in swiss(names, points, (), (), {})} == {
        frozenset(one) for one in ("ab", "cd", "ef")
    }
    found = swiss(names, points, {frozenset("ab")}, (), {})
    assert {"".join(sorted(name for name in one if name in "abcd"))[1:] for one in found[:2]} == {"c", "d"}, (
        "as near as may be"
    )
    assert set(found[2]) == set("ef")


def test_whoever_stands_lowest_without_a_bye_rests() -> None:
    names, points = list("abcde"), {"a": 2.0, "b": 1.0, "c": 1.0, "d": 1.0, "e": 0.0}
    assert swiss(names, points, (), (), {})[-1] == ("e", None)
    assert swiss(names, points, (), {"e"}, {})[-1] == ("d", None)


def test_who_has_begun_less_begins() -> None:
    assert swiss(["a", "b"], {"a": 0, "b": 0}, (), (), {"a": 1}) == [("b", "a")]


def matchings(names: list[str]) -> Iterator[list[tuple[str, str]]]:
    """Every way to pair an even number of names."""
    if not names:
        yield []
        return
    one, *others = names
    for other in others:
        for rest in matchings([name for name in others if name != other]):
            yield [(one, other), *rest]


@pytest.mark.parametrize("seed", range(12))
def test_no_other_round_is_better(seed: int) -> None:
    """Held against all 105 ways to pair eight players: fewest second meetings, then the least that they stand apart."""
    rng = Random(seed)
    names = [f"p{n}" for n in range(8)]
    points = {
        name: value / 2
        for name, value in zip(names, sorted((rng.randrange(7) for _ in names), reverse=True), strict=True)
    }
    met = {frozenset(rng.sample(names, 2)) for _ in range(rng.randrange(14))}
    place = {name: n for n, name in enumerate(names)}

    def cost(pairs: list[tuple[str, str]]) -> tuple[int, int]:
        again = sum(frozenset(one) in met for one in pairs)
        return again, sum(cost_of(*one, place, points, len(names)) for one in pairs)

    pairs, resting = best_pairs(names, points, met, ())
    assert resting is None and cost(pairs) == min(map(cost, matchings(names)))


def test_a_round_is_found_where_a_list_from_above_would_end_in_a_second_meeting() -> None:
    met = {frozenset(one) for one in ("ab", "cd", "ac", "bd")}
    names = list("abcd")
    assert {frozenset(one) for one in swiss(names, dict.fromkeys(names, 0.0), met, (), {})} == {
        frozenset("ad"),
        frozenset("bc"),
    }


def test_who_has_left_is_not_paired() -> None:
    gone = pair(withdraw(replace(evenings(6, 2, 1), planned=3), "P2"), known=lambda _: ())
    assert all("p2" not in one.players for one in gone.rounds[-1].pairings)
    assert len(standings(gone)) == 6
    assert gone.rounds[-1].pairings[-1].second is None and gone.rounds[-1].pairings[-1].result == GameResult((1.0, 0.0))


def test_a_pairing_has_its_table_and_the_games_before_it() -> None:
    evening = pair(begin("", "swiss", "abcde", planned=1), known=lambda players: ("old",), tables=["blue"])
    first, second, rest = evening.rounds[0].pairings
    assert (first.table, second.table, rest.table) == ("blue", "", "") and first.before == ("old",)
    assert rest == Matchup(rest.first, None, result=GameResult((1.0, 0.0)))
