"""Games in which the referee does not know every hand: whatever its lists allow can be played, to the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from companion.core.contract import Drawn, Over, ToDraw
from companion.games import GAMES

WALKED = 20_000
"""To the end of a longer list it takes seconds."""

MOST = {"five-hundred": 300}
"""Events of a game that is not waited for to its end: with every hand unknown its lists only grow."""


def chosen(rng: Random, moves: Sequence[Any]) -> Any:
    """A move near the beginning or the end of a list that may be too long to be listed."""
    near = min(len(moves), 150)
    at = rng.randrange(near)
    return moves[at if len(moves) > WALKED or rng.random() < 0.3 else len(moves) - 1 - at]


def pieces(game: Any, state: Any) -> Counter[str]:
    """Every card, where it lies open or known, and out of sight."""
    layout = state.layout()
    found = Counter(repr(one.piece) for heap in layout.heaps.values() for one in heap)
    found.update(repr(one.piece) for one in layout.cells.values() if one.piece is not None)
    for piece, count in game.unseen(state).items():
        found[repr(piece)] += count
    return found


@pytest.mark.parametrize("unknown", [{0}, {0, 1, 2, 3}], ids=["one hand", "all hands"])
@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("casino", 2, {}),
        ("casino", 4, {"free_discard": True}),
        ("cribbage", 2, {"target": 60}),
        ("cribbage", 4, {"target": 60}),
        ("five-hundred", 3, {}),
        ("poker", 3, {"exchanges": 1}),
    ],
)
def test_whatever_is_allowed_can_be_played(name: str, seats: int, options: dict[str, Any], unknown: set[int]) -> None:
    game = GAMES[name]
    rng = Random(f"{name} {seats} {sorted(unknown)}")
    state = game.start(seats, game.Options(**options))
    for n in range(MOST.get(name, 1500)):
        due = state.expects()
        if isinstance(due, Over):
            break
        if isinstance(due, ToDraw):
            seen = due.shown or due.seat not in unknown
            cards = rng.sample(list(game.unseen(state)), due.count)
            event = Drawn(due.seat, tuple(cards) if seen else (None,) * due.count)
        else:
            event = chosen(rng, state.legal_moves())
            if n % 10 == 0:
                assert game.parse(state, game.text(event)) == event
        assert state.violations(event) == ()
        state = state.apply(event)
        if n % 40 == 0:
            guess = game.determinize(state, rng)
            assert set(pieces(game, guess).values()) == {1} and len(pieces(game, guess)) == 144
            assert game.view(guess, None) == game.view(state, None)
    assert state.outcome() is not None or name in MOST
