"""A good move from a process of its own: legal, by what the seat may know alone, and never more than one at a time."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.contract import Over, ToMove
from companion.games import GAMES
from companion.referee.players import NoHint, ProcessCoach
from companion.referee.players.__main__ import answer
from companion.referee.players.coach import Question
from companion.referee.players.player import mover, moves_of
from simulation.play import game_of


def positions(name: str, count: int) -> list[tuple[Any, int]]:
    """Positions of a random game with a seat that is to move."""
    game, rng = GAMES[name], Random(3)
    state = game.start(2 if 2 in game.seats else game.seats[0], game.Options())
    found: list[tuple[Any, int]] = []
    while len(found) < count and not isinstance(state.expects(), Over):
        if not isinstance(state.expects(), ToMove):
            state = state.apply(game_of(state).sample(state, rng))
            continue
        seat = mover(state, rng)
        found.append((state, seat))
        state = state.apply(rng.choice(moves_of(state, seat)))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_the_answer_is_a_legal_move_found_from_the_seat_s_own_view(name: str) -> None:
    """The process is told the view as JSON, so every game's views must come back from it."""
    game = GAMES[name]
    for state, seat in positions(name, 5)[::4]:
        view = game.view(state, seat)
        assert game.load(msgspec.json.encode(view)) == view
        question = Question(name, msgspec.Raw(msgspec.json.encode(view)), seat, 0.0, 7)
        move = game.event(msgspec.json.decode(answer(msgspec.json.encode(question))))
        assert state.violations(move) == ()


def test_a_process_of_its_own_answers() -> None:
    game = GAMES["regenbogen"]
    state = game.start(2, game.Options())
    assert ProcessCoach(budget_s=0.01).advise(game, state, 0) in state.legal_moves()


def test_only_one_asks_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    coach, asked, go = ProcessCoach(), threading.Event(), threading.Event()
    game = GAMES["regenbogen"]
    state = game.start(2, game.Options())
    move = msgspec.to_builtins(state.legal_moves()[0])

    def slow(*_: Any) -> Any:
        asked.set()
        go.wait(10)
        return move

    monkeypatch.setattr(coach, "_asked", slow)
    first = threading.Thread(target=coach.advise, args=(game, state, 0))
    first.start()
    assert asked.wait(10)
    with pytest.raises(NoHint, match="a few seconds"):
        coach.advise(game, state, 0)
    go.set()
    first.join()
    assert coach.advise(game, state, 0) == state.legal_moves()[0]


def test_a_process_that_takes_too_long_is_ended() -> None:
    game = GAMES["regenbogen"]
    with pytest.raises(NoHint, match="in time"):
        ProcessCoach(budget_s=30, patience_s=-29.9).advise(game, game.start(2, game.Options()), 0)


def test_a_process_that_fails_is_no_fault_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["regenbogen"]
    monkeypatch.setattr("companion.referee.players.coach.sys.executable", "/nowhere/python")
    with pytest.raises(NoHint):
        ProcessCoach().advise(game, game.start(2, game.Options()), 0)
