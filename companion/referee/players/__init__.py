"""Players for practice and hints: they see what their seat may know and answer with a legal move."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.referee.players.coach import Coach, NoHint, ProcessCoach
from companion.referee.players.player import Greedy, Player, RandomPlayer
from companion.referee.players.searching import Searching

PLAYERS: Mapping[str, Callable[[], Player]] = {"random": RandomPlayer, "greedy": Greedy, "search": Searching}
"""Name to a player with its usual settings."""

__all__ = ["PLAYERS", "Coach", "Greedy", "NoHint", "Player", "ProcessCoach", "RandomPlayer", "Searching"]
