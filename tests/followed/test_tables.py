"""Games on tables: what stands there, what is set down near what, and what eyes that never err read of it."""

from __future__ import annotations

from itertools import combinations

import pytest

from bench.referee import GAMES
from companion.core.layout import Layout
from simulation.drawn.spread import overlap
from simulation.drawn.standing import Upright
from simulation.followed.tables import PyramidTable, table_of

NOTHING = None


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_gives_the_same_game_again(game: str) -> None:
    one, other = table_of(game, 7, 0.1), table_of(game, 7, 0.1)
    for _ in range(6):
        assert one.step() == other.step()
        assert one.things() == other.things()


@pytest.mark.parametrize("game", GAMES)
def test_eyes_that_never_err_read_all_that_is_in_view(game: str) -> None:
    for seed in (0, 1, 2, 18):  # In 18 a pawn comes to stand behind another one, which hides the ground under it.
        table = table_of(game, seed, 0.1)
        eyes = table.eyes(seed, 0.0)
        for number in range(1, 7):
            eyes.show(number, table.things(), (), table.cells())
            read = eyes.read(NOTHING).layout  # type: ignore[arg-type]
            assert _without_tray(read).differences(table.seen(eyes)) == ()
            if table.step() is None:
                break
            table.untraced()


def _without_tray(layout: Layout) -> Layout:
    """A reading without the heaps that say which dice were rolled, and which lean."""
    return Layout(layout.cells, {spot: heap for spot, heap in layout.heaps.items() if "dice." not in spot})


def test_no_two_pyramids_fill_the_same_place_and_one_picture_in_ten_has_one_near_where_another_stood() -> None:
    pictures = near = 0
    for seed in range(12):
        table = table_of("spectra", seed, 0.1)
        assert isinstance(table, PyramidTable)
        before = {thing.stand for thing in table.things()}
        for _ in range(12):
            if table.step() is None:
                break
            stands = [thing.stand for thing in table.things() if isinstance(thing.stand, Upright)]
            assert not any(overlap(one, other) for one, other in combinations(stands, 2))
            left = [one.place_mm for one in before - set(stands)]
            come = [one.place_mm for one in set(stands) - before]
            pictures += 1
            near += any(((x - a) ** 2 + (y - b) ** 2) ** 0.5 <= 40 for x, y in come for a, b in left)
            before = set(stands)
    assert near >= pictures / 10


def test_mistakes_are_never_what_legal_moves_would_leave() -> None:
    kinds = set()
    for seed in range(30):
        table = table_of("spectra", seed, 0.0)
        for _ in range(10):
            step = table.step()
            if step is None:
                break
            if step.kind == "illegal":
                assert step.breaches == step.before.violations(step.events[0]) != ()
                kinds |= {breach.rule for breach in step.breaches}
    assert {"SPA-5", "SPA-13", "SPA-14", "SPA-15"} <= kinds
