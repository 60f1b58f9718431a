"""What every game promises, for every registered game, number of seats and option: a new game is covered at once."""

from __future__ import annotations

from typing import ClassVar

from companion.games import GAMES, MANIFESTS
from companion.testing import GameContract


class TestEveryGame(GameContract):
    games = tuple(GAMES.values())
    manifests = tuple(MANIFESTS.values())
    needs_worked_games = False
    """Each game has worked games among its own tests."""
    unnamed: ClassVar = {"escape": 0.08, "regenbogen": 0.12, "spectrum": 0.11}


def test_games_are_listed_by_their_own_names() -> None:
    assert {game.name for game in GAMES.values()} == set(GAMES)
