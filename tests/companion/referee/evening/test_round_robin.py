"""Everybody meets everybody once, and nobody begins much oftener than another."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.referee.evening.pairing import round_robin


@pytest.mark.parametrize("count", [*range(2, 17), 31, 64])
def test_everybody_meets_everybody_once_and_rests_at_most_once(count: int) -> None:
    entrants = [f"p{n}" for n in range(count)]
    rounds = [round_robin(entrants, number) for number in range(count - 1 if count % 2 == 0 else count)]
    met, rested, begun = Counter(), Counter(), Counter()
    for pairs in rounds:
        assert sorted(name for pair in pairs for name in pair if name is not None) == sorted(entrants), "all at once"
        for one, other in pairs:
            if other is None:
                rested[one] += 1
            else:
                met[frozenset((one, other))] += 1
                begun[one] += 1
    assert len(met) == count * (count - 1) // 2 and set(met.values()) == {1}
    assert dict(rested) == (dict.fromkeys(entrants, 1) if count % 2 else {})
    assert max(begun[name] for name in entrants) - min(begun[name] for name in entrants) <= 1


def test_berger_s_table_for_four() -> None:
    """FIDE's handbook, C.05, annex 1: 1-4 2-3, 4-3 1-2, 2-4 3-1, whoever begins."""
    rounds = [{frozenset(pair) for pair in round_robin("1234", number)} for number in range(3)]
    wanted = [{("1", "4"), ("2", "3")}, {("4", "3"), ("1", "2")}, {("2", "4"), ("3", "1")}]
    assert sorted(map(str, (sorted(map(sorted, one)) for one in rounds))) == sorted(
        map(str, (sorted(map(sorted, one)) for one in wanted))
    )
