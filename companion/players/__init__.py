"""Players for practice and hints: they see what their seat may know and answer with a legal move."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.players.coach import Coach, NoHint, ProcessCoach
from companion.players.greedy import Greedy
from companion.players.player import Player
from companion.players.random_player import RandomPlayer
from companion.players.searching import Searching

PLAYERS: Mapping[str, Callable[[], Player]] = {"random": RandomPlayer, "greedy": Greedy, "search": Searching}
"""Name to a player with its usual settings."""

__all__ = ["PLAYERS", "Coach", "Greedy", "NoHint", "Player", "ProcessCoach", "RandomPlayer", "Searching"]
