"""Evenings played without a table, for tests of what follows from results."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.referee.evening.evening import Evening, EveningRound, GameResult, Matchup


def decided(evening: Evening, points: Callable[[Matchup], tuple[float, float]]) -> Evening:
    """The evening with every open game of its last round decided."""
    *before, last = evening.rounds
    done = tuple(
        one if one.result is not None else replace(one, result=GameResult(points(one), "game")) for one in last.pairings
    )
    return replace(evening, rounds=(*before, EveningRound(done)))
