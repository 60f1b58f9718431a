"""Computer players for practice and hints: they see only what their seat may know, and answer with a legal move."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.referee.players.coach import Coach, NoHint, ProcessCoach
from companion.referee.players.player import Greedy, Player, RandomPlayer
from companion.referee.players.searching import Searching

PLAYERS: Mapping[str, Callable[[], Player]] = {"random": RandomPlayer, "greedy": Greedy, "search": Searching}
"""The players by name, with their default settings."""

__all__ = ["PLAYERS", "Coach", "Greedy", "NoHint", "Player", "ProcessCoach", "RandomPlayer", "Searching"]
