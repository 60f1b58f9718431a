"""Tallies of many games, for players and for pairs of players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, groupby

from msgspec import Struct

from companion.core.contract import Points
from companion.games import GAMES
from companion.referee.results.result import Result


class Tally(Struct, frozen=True, kw_only=True):
    """The games of one player in one game. All numbers but `illegal` count finished games only."""

    name: str
    game: str
    games: int
    wins: int
    """The number of first places, shared ones included; a single player has none."""
    best: Points | None
    """The highest total, or the lowest where the lowest wins; None where points mean nothing."""
    average: float | None
    illegal: int
    """The number of illegal moves, including those in unfinished games."""
    streak: int
    """The number of games won in a row up to the last one."""
    longest: int
    """The longest such series."""


class PlayerPair(Struct, frozen=True, kw_only=True):
    """Two players who finished games together, alone or with others."""

    names: tuple[str, str]
    games: int
    ahead: tuple[int, int]
    """The number of games in which each player finished ahead of the other."""
    streak: tuple[int | None, int]
    """The player who finished ahead in the last games, 0 or 1 (None: neither), and the number of those games in a
    row."""
    longest: tuple[int, int]
    """The longest series of games in which each player finished ahead of the other."""


def lowest_wins(game: str) -> bool:
    """True if the lowest total of a game is the best; false for unknown games."""
    return game in GAMES and GAMES[game].lead == "fewest"


def tallies(results: Iterable[Result]) -> tuple[Tally, ...]:
    """Returns the tallies of every player in every game, sorted by name and game. Names are compared without regard to
    case.
    """
    played: dict[tuple[str, str], list[tuple[Result, int]]] = {}
    for result in sorted(results, key=lambda result: result.started):
        for seat, name in enumerate(result.names):
            played.setdefault((name.casefold(), result.game), []).append((result, seat))
    return tuple(_tally(games) for _, games in sorted(played.items()))


def pairs(results: Iterable[Result]) -> tuple[PlayerPair, ...]:
    """Returns every pair of players, those with the most games together first."""
    met: dict[tuple[str, str], tuple[tuple[str, str], list[int | None]]] = {}
    for result in sorted(results, key=lambda result: result.started):
        if not result.finished:
            continue
        place = {seat: number for number, seats in enumerate(result.places) for seat in seats}
        for one, other in combinations(range(len(result.names)), 2):
            both = sorted((one, other), key=lambda seat: result.names[seat].casefold())
            names = result.names[both[0]], result.names[both[1]]
            ranks = [place[seat] for seat in both if seat in place]
            ahead = int(ranks[1] < ranks[0]) if len(set(ranks)) == 2 else None
            met.setdefault((names[0].casefold(), names[1].casefold()), (names, []))[1].append(ahead)
    found = [_pair(names, games) for names, games in met.values()]
    return tuple(sorted(found, key=lambda pair: (-pair.games, pair.names)))


def _pair(names: tuple[str, str], games: Sequence[int | None]) -> PlayerPair:
    """
    Args:
        games: The player who finished ahead, 0 or 1, the oldest game first; None: neither.
    """
    runs = [(one, len(list(run))) for one, run in groupby(games)]
    longest = [max((length for who, length in runs if who == one), default=0) for one in (0, 1)]
    return PlayerPair(
        names=names,
        games=len(games),
        ahead=(games.count(0), games.count(1)),
        streak=runs[-1],
        longest=(longest[0], longest[1]),
    )


def _tally(games: Sequence[tuple[Result, int]]) -> Tally:
    last, last_seat = games[-1]
    over = [(result, seat) for result, seat in games if result.finished]
    meant = last.game not in GAMES or GAMES[last.game].lead != "nothing"
    scores = [result.scores[seat] for result, seat in over if meant]
    streak = longest = wins = 0
    for result, seat in over:
        won = seat in result.winners
        wins += won
        streak = streak + 1 if won else 0
        longest = max(longest, streak)
    best = min if lowest_wins(last.game) else max
    return Tally(
        name=last.names[last_seat],
        game=last.game,
        games=len(over),
        wins=wins,
        best=best(scores) if scores else None,
        average=sum(scores) / len(scores) if scores else None,
        illegal=sum(result.refused[seat] for result, seat in games if seat < len(result.refused)),
        streak=streak,
        longest=longest,
    )
