"""Players choose legal moves, see only what their seat may know, and the better ones win more often."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import pytest

from companion.core.contract import Over, ToMove
from companion.games import GAMES
from companion.referee.players import PLAYERS, Greedy, RandomPlayer, Searching
from companion.referee.players.player import PlayerStrength, duel, mover, moves_of
from simulation.play import game_of

QUICK = ("spectrangle", "escape", "cribbage")


def advanced(game: str, events: int, seed: int = 3) -> Any:
    """A position where a seat is to move, after so many random events."""
    random, state = Random(seed), GAMES[game].start(2, GAMES[game].Options())
    while events > 0 or not isinstance(state.expects(), ToMove):
        events -= 1
        if isinstance(state.expects(), ToMove):
            seat = mover(state, random)
            state = state.apply(RandomPlayer().choose(game_of(state), state, seat, random))
        else:
            state = state.apply(game_of(state).sample(state, random))
        assert not isinstance(state.expects(), Over)
    return state


@pytest.mark.parametrize("game", QUICK)
@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_chooses_a_legal_move_of_its_seat(name: str, game: str) -> None:
    state, random = advanced(game, 6), Random(1)
    seat = mover(state, random)
    player = Searching(playouts=12, depth=4) if name == "search" else PLAYERS[name]()
    assert player.choose(game_of(state), state, seat, random) in moves_of(state, seat)


def test_the_searching_player_ends_after_its_playouts_and_after_its_time() -> None:
    state, random = advanced("ice-stalks", 4), Random(1)
    ticks = iter(range(10_000))
    late = Searching(budget_s=5.0, clock=lambda: float(next(ticks)))
    assert late.choose(game_of(state), state, mover(state, random), random) in state.legal_moves()
    assert next(ticks) < 5 + 2 * 60


def test_the_searching_player_asks_for_its_own_view_only() -> None:
    state, random = advanced("spectrangle", 8), Random(2)
    game, viewed = GAMES["spectrangle"], []

    def view(state: Any, seat: int | None) -> Any:
        viewed.append(seat)
        return state

    assert game.hidden is not None
    guarded = dataclasses.replace(game, hidden=dataclasses.replace(game.hidden, view=view))
    seat = mover(state, random)
    assert Searching(playouts=5, depth=2).choose(guarded, state, seat, random) in state.legal_moves()
    assert viewed == [seat]


def test_greedy_beats_random() -> None:
    game = GAMES["ice-stalks"]
    points = sum(duel(game, game.Options(), Greedy(), RandomPlayer(), number, 1) for number in range(40))
    assert PlayerStrength(40, points).interval()[0] > 0.5


def test_equal_players_are_equal_over_exchanged_seats() -> None:
    game = GAMES["escape"]
    points = sum(duel(game, game.Options(), RandomPlayer(), RandomPlayer(), number, 5) for number in range(30))
    low, high = PlayerStrength(30, points).interval()
    assert low < 0.5 < high


def test_the_interval_is_wilsons() -> None:
    low, high = PlayerStrength(10, 10.0).interval()
    assert (round(low, 4), round(high, 4)) == (0.7225, 1.0)
    assert PlayerStrength(0, 0.0).share == 0.5
