"""What every game promises, for every registered game, number of seats and option: a new game is covered at once."""

from __future__ import annotations

from companion.games import GAMES
from companion.testing import GameContract


class TestEveryGame(GameContract):
    games = tuple(GAMES.values())


def test_games_are_listed_by_their_own_names() -> None:
    assert {game.name for game in GAMES.values()} == set(GAMES)
