"""Playouts share their luck, end where their horizon says, and count points beside places."""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.capabilities import LIFE, POINTS, Horizon
from companion.core.contract import Over, ToMove
from companion.games import GAMES
from companion.games.roll_and_color.game import routine
from companion.games.roll_and_color.moves import Enter, Reroll
from companion.games.roll_and_color.sheet import POINTS as CELL_POINTS
from companion.referee.players.player import RandomPlayer, mover, moves_of, worth
from companion.referee.players.searching import Luck, horizon_of, played, played_on
from simulation.play import game_of


def advanced(game: str, seed: int, least: int) -> Any:
    """A position, at random, in which a seat may choose, after `least` choices at least."""
    random, state = Random(seed), GAMES[game].start(2, GAMES[game].Options())
    while not isinstance(state.expects(), Over):
        if not isinstance(state.expects(), ToMove):
            state = state.apply(game_of(state).sample(state, random))
            continue
        seat = mover(state, random)
        least -= len(moves_of(state, seat)) > 1
        if least < 0 and len(moves_of(state, seat)) > 1:
            return state
        state = state.apply(RandomPlayer().choose(game_of(state), state, seat, random))
    raise AssertionError("the game was over before")


def test_what_a_seat_rolls_does_not_hang_on_what_others_roll() -> None:
    alone, beside = Luck(7), Luck(7)
    beside.of(0).random()
    assert alone.of(1).random() == beside.of(1).random()
    assert Luck(7).of(0).random() != Luck(7).of(1).random()
    assert Luck(7).of(0).random() != Luck(8).of(0).random()


def test_rocks_come_in_the_same_order_after_every_move() -> None:
    state = advanced("ice-stalks", 3, 1)
    seat = state.turn
    for seed in range(5):
        bags = {
            played_on(game_of(state), state.apply(move), seat, Horizon(60, turns=9), Luck(seed), Random(seed), 60).rocks
            for move in state.legal_moves()
        }
        assert len(bags) == 1 < len(state.legal_moves())
        assert sum(bags.pop()) < sum(state.rocks)


def test_a_seat_with_one_move_chooses_nothing() -> None:
    start = GAMES["ice-stalks"].start(2, GAMES["ice-stalks"].Options())
    end = played_on(game_of(start), start, 0, Horizon(choices=1), Luck(1), Random(1), 60)
    assert sum(start.rocks) - sum(end.rocks) >= 2


def test_a_playout_ends_after_its_depth() -> None:
    state = advanced("spectrangle", 2, 4)
    deep, flat = (
        played_on(game_of(state), state, state.turn, Horizon(), Luck(1), Random(1), depth) for depth in (9, 2)
    )
    assert deep != flat != state
    assert played_on(game_of(state), state, state.turn, Horizon(), Luck(1), Random(1), 0) == state


def test_a_playout_of_cribbage_ends_with_the_hand() -> None:
    state = advanced("cribbage", 1, 0)
    end = played_on(game_of(state), state, 0, horizon_of(GAMES["cribbage"]), Luck(2), Random(2), 60)
    assert end.dealer != state.dealer
    assert end.to_deal and not any(end.played)
    assert sum(end.totals) > sum(state.totals)


def test_a_playout_of_spectrump_ends_with_the_set() -> None:
    state = advanced("spectrump", 1, 12)
    end = played_on(game_of(state), state, 0, horizon_of(GAMES["spectrump"]), Luck(2), Random(2), 60)
    assert (state.session, state.playing) == (0, 0)
    assert (end.session, end.playing) == (0, 1)
    assert not end.trick


def test_a_game_that_is_over_counts_its_points_and_its_place() -> None:
    state = advanced("ice-stalks", 8, 12)
    seat, seed = state.turn, 4
    move = state.legal_moves()[0]
    end = played_on(
        game_of(state), state.apply(move), seat, horizon_of(GAMES["ice-stalks"]), Luck(seed), Random(seed), 60
    )
    assert isinstance(end.expects(), Over)
    own, other = (end.scores()[one].total for one in (seat, 1 - seat))
    assert own != other
    assert played(game_of(state), state, move, seat, seed, 60) == own - other + (POINTS if own > other else -POINTS)


def test_a_playout_of_roll_and_color_stops_at_a_roll_that_beats_par() -> None:
    """Of a hundred and more moves the good entry is found, and the last roll goes where it brings most."""
    rich = replace(advanced("roll-and-color", 4, 0), dice=(2,) * 4 + (1,) * 5, rerolls=1)
    move = routine(rich, rich.turn, Random(1))
    assert isinstance(move, Enter) and CELL_POINTS[move.entry] == 60
    nothing = replace(rich, dice=(0, 0, 4, 4, 8, 8, 0, 4, 8), rerolls=2)
    assert isinstance(routine(nothing, rich.turn, Random(1)), Reroll)
    last = replace(nothing, rerolls=4)
    entries = [move for move in last.legal_moves() if isinstance(move, Enter)]
    chosen = routine(last, rich.turn, Random(1))
    assert chosen in entries
    assert worth(game_of(last), last.apply(chosen), rich.turn) == max(
        worth(game_of(last), last.apply(move), rich.turn) for move in entries
    )


def test_wild_luck_asks_for_more_certainty() -> None:
    """Spectrumo passes whole hands around: a move for which little speaks at once needs more to speak for it later."""
    wild, usual = (horizon_of(GAMES[name]) for name in ("spectrumo", "casino"))
    assert wild.sure > usual.sure and wild.choices < usual.choices


def test_a_place_counts_most_where_estimates_are_large() -> None:
    assert horizon_of(GAMES["regenbogen"]).decided == LIFE > POINTS
