"""Draws that nobody tells."""

from __future__ import annotations

from companion.core.contract import ToDraw, ToMove
from companion.core.game import apply_due_draws
from companion.games import GAMES
from simulation.ladder import SET, Lay, dealt

TILE = {tile.name: tile for tile in SET}


def test_all_draws_that_are_due_happen_unseen() -> None:
    settled = apply_due_draws(dealt("", ""))
    assert settled.hands == ((None, None), (None, None))
    assert settled.expects() == ToMove((0,))


def test_nothing_is_drawn_where_no_draw_is_due() -> None:
    state = dealt("RRR6 RRY5", "BBB6 RRP5")
    assert apply_due_draws(state) is state
    assert apply_due_draws(state.apply(Lay(4, TILE["RRR6"]))).hands[0].count(None) == 1


def test_a_draw_that_the_rules_must_know_stays_due() -> None:
    game = GAMES["spectrangle"]
    start = game.start(2, game.Options())
    assert apply_due_draws(start) == start
    assert isinstance(start.expects(), ToDraw)
