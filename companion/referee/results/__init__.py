"""The memory of games: players, results, and the records of players and pairs."""

from companion.referee.results.result import Result, result_of
from companion.referee.results.store import Keeper, Results, check_results
from companion.referee.results.tallies import PlayerPair, Tally, pairs, tallies

__all__ = ["Keeper", "PlayerPair", "Result", "Results", "Tally", "check_results", "pairs", "result_of", "tallies"]
