"""An evening of rounds: pairings, results from the journals of the tables, and standings."""

from __future__ import annotations

from companion.referee.evening.director import KeptEvening
from companion.referee.evening.evening import (
    Evening,
    EveningRound,
    GameResult,
    Matchup,
    Team,
    begin,
    is_open,
    over,
    withdraw,
)
from companion.referee.evening.pairing import pair
from companion.referee.evening.standings import Standing, standings

__all__ = [
    "Evening",
    "EveningRound",
    "GameResult",
    "KeptEvening",
    "Matchup",
    "Standing",
    "Team",
    "begin",
    "is_open",
    "over",
    "pair",
    "standings",
    "withdraw",
]
