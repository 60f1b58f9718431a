"""What every game promises, for every registered game, number of seats and option: a new game is covered at once."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Move
from companion.games import GAMES, MANIFESTS
from companion.testing import Case, GameContract

TURNS_OF_SEVERAL_STEPS = ("escape", "regenbogen", "spectrum")
"""Games whose illegal moves `bench.referee` and their own tests look for."""


class TestEveryGame(GameContract):
    games = tuple(GAMES.values())
    manifests = tuple(MANIFESTS.values())
    needs_worked_games = False
    """Each game has worked games among its own tests."""

    def told_apart(self, case: Case, state: Any, move: Move) -> bool:
        """What such a table shows may as well be the end of a longer turn, and then people are asked what happened."""
        return case.game.name not in TURNS_OF_SEVERAL_STEPS


def test_games_are_listed_by_their_own_names() -> None:
    assert {game.name for game in GAMES.values()} == set(GAMES)
