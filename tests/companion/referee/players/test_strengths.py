"""Greedy play beats play at random, and search beats greedy play, where a few games show it (docs/players.md has all)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from companion.games import GAMES
from companion.referee.players import Greedy, Player, RandomPlayer, Searching
from companion.referee.players.player import PlayerStrength, duel

SHORT: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("casino", {}, 40),
    ("cribbage", {"target": 60}, 24),
    ("escape", {}, 16),
    ("five-hundred", {}, 160),
    ("ice-stalks", {}, 40),
    ("regenbogen", {}, 8),
    ("roll-and-color", {}, 5),
    ("solitaire", {}, 24),
    ("spectrangle", {}, 12),
    ("spectrum", {}, 6),
    ("spectrump", {}, 12),
)
SEARCHED: tuple[tuple[str, dict[str, Any], int, int], ...] = (
    ("casino", {}, 36, 60),
    ("escape", {}, 8, 60),
    ("five-hundred", {}, 8, 60),
    ("poker", {"exchanges": 1}, 160, 200),
    ("regenbogen", {}, 4, 24),
    ("roll-and-color", {}, 8, 240),
    ("solitaire", {}, 8, 24),
    ("spectra", {}, 16, 60),
    ("spectrum", {}, 6, 60),
    ("spectrump", {"rounds": 1}, 16, 60),
)
"""Games with their options: how many are played, and how many playouts the search has for a choice."""


def strength(name: str, options: dict[str, Any], one: Player, other: Player, games: int) -> PlayerStrength:
    """What comes of so many games with a fixed seed."""
    game = GAMES[name]
    points = sum(duel(game, game.Options(**options), one, other, number, 1) for number in range(games))
    return PlayerStrength(games, points)


@pytest.mark.parametrize(("name", "options", "games"), SHORT, ids=[name for name, _, _ in SHORT])
def test_greedy_beats_random(name: str, options: dict[str, Any], games: int) -> None:
    assert strength(name, options, Greedy(), RandomPlayer(), games).interval()[0] > 0.5


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("name", "options", "games", "playouts"), SEARCHED, ids=[one[0] for one in SEARCHED])
def test_search_beats_greedy(name: str, options: dict[str, Any], games: int, playouts: int) -> None:
    """Playouts are counted in place of seconds, so that the games are the same on every machine."""
    player = Searching(budget_s=math.inf, playouts=playouts)
    found = strength(name, options, player, Greedy(), games)
    assert found.interval()[0] > 0.5, found
