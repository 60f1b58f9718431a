"""What many games say of players and of pairs of players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec import Struct

from companion.contract import Points
from companion.games import GAMES
from companion.results.result import Result


class Tally(Struct, frozen=True, kw_only=True):
    """One player in one game, finished games only but for `illegal`."""

    name: str
    game: str
    games: int
    wins: int
    """First places, shared ones included; alone at the table nobody wins."""
    best: Points | None
    """The highest total, or the lowest where the lowest wins."""
    average: float | None
    illegal: int
    """Illegal moves, in unfinished games, too."""
    streak: int
    """Games won in a row up to the last one."""
    longest: int
    """The longest such row ever."""


class Pair(Struct, frozen=True, kw_only=True):
    """Two players who finished games together, however many others sat with them."""

    names: tuple[str, str]
    games: int
    ahead: tuple[int, int]
    """How often each was placed before the other."""


def lowest_wins(game: str) -> bool:
    """Whether the lowest total of a game is the best; of games that are not known here, the highest."""
    return game in GAMES and GAMES[game].lead == "fewest"


def tallies(results: Iterable[Result]) -> tuple[Tally, ...]:
    """Every player in every game, by name and game; people are told apart by their names, whatever the case."""
    played: dict[tuple[str, str], list[tuple[Result, int]]] = {}
    for result in sorted(results, key=lambda result: result.started):
        for seat, name in enumerate(result.names):
            played.setdefault((name.casefold(), result.game), []).append((result, seat))
    return tuple(_tally(games) for _, games in sorted(played.items()))


def pairs(results: Iterable[Result]) -> tuple[Pair, ...]:
    """Every pair of players, those with the most games together first."""
    met: dict[tuple[str, str], tuple[tuple[str, str], list[int]]] = {}
    for result in results:
        if not result.finished:
            continue
        place = {seat: number for number, seats in enumerate(result.places) for seat in seats}
        for one, other in combinations(range(len(result.names)), 2):
            first, second = sorted((one, other), key=lambda seat: result.names[seat].casefold())
            names = result.names[first], result.names[second]
            _, counts = met.setdefault((names[0].casefold(), names[1].casefold()), (names, [0, 0, 0]))
            counts[0] += 1
            if first in place and second in place and place[first] != place[second]:
                counts[1 if place[first] < place[second] else 2] += 1
    found = [Pair(names=names, games=counts[0], ahead=(counts[1], counts[2])) for names, counts in met.values()]
    return tuple(sorted(found, key=lambda pair: (-pair.games, pair.names)))


def _tally(games: Sequence[tuple[Result, int]]) -> Tally:
    last, last_seat = games[-1]
    over = [(result, seat) for result, seat in games if result.finished]
    scores = [result.scores[seat] for result, seat in over]
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
