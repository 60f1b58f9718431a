"""Tables that fill as games are played keep no more than their bound says."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.core.contract import Over
from companion.games import GAMES
from companion.games.regenbogen import reach
from companion.games.shared.lazy import Bound
from companion.games.spectrangle import placements
from companion.games.spectrum import moves
from tests.fuzz.played import next_event


def test_the_oldest_entries_of_all_tables_go_first() -> None:
    bound, one, other = Bound(3), dict[str, int](), dict[str, int]()
    for number, (table, key) in enumerate([(one, "a"), (other, "b"), (one, "c"), (other, "d"), (other, "e")]):
        table[key] = number
        bound.add(table, key)
    assert len(bound) == 3
    assert one == {"c": 2} and other == {"d": 3, "e": 4}


def _openings() -> int:
    cells = [cell for table in placements.TABLES.values() for cell in table.cells]
    return sum(len(cell) + len(cell.placements) for cell in cells)


def _moves() -> int:
    return len(moves.ENDS) + sum(map(len, moves.GOES))


def _actions() -> int:
    fights = [near for side in reach.FIGHTING for near in side]
    summons = {id(near): near for side in reach.SUMMONING for color in side for near in color}  # Wizards share them
    return sum(map(len, fights)) + sum(map(len, summons.values()))


@pytest.mark.parametrize(
    ("name", "kept", "held"),
    [
        ("spectrangle", placements.KEPT, _openings),
        ("spectrum", moves.KEPT, _moves),
        ("regenbogen", reach.KEPT, _actions),
    ],
)
def test_play_is_the_same_and_holds_no_more_than_the_bound(
    name: str, kept: Bound, held: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a bound that is far too small for one turn."""

    def played() -> list[tuple[Any, ...]]:
        state, rng, listed = GAMES[name].start(2, GAMES[name].Options()), Random(1), []
        while len(listed) < 60 and not isinstance(state.expects(), Over):
            event = next_event(state, rng)
            assert event is not None
            state = state.apply(event)
            listed.append(tuple(state.legal_moves()))
            assert held() <= kept.most
        return listed

    expected = played()
    monkeypatch.setattr(kept, "most", 20)
    kept.add({}, "")
    assert held() <= 20
    assert played() == expected
