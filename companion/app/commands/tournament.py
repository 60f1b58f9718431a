"""`companion tournament`: lets computer players compete in parallel, with confidence intervals."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import combinations

import click
import msgspec
from msgspec import Struct

from companion.app.commands.options import parse_options
from companion.core.foundation.errors import WrongUsage
from companion.games import GAMES
from companion.referee.journal.timeline import options_of
from companion.referee.players import PLAYERS, Player, Searching
from companion.referee.players.player import PlayerStrength, duel

_WIDTH = 70
"""The number of columns of the line that shows progress."""


def player(name: str, budget_ms: float, playouts: int | None) -> Player:
    """Returns a player by name; the searching one has this number of playouts, or this budget of processor time.

    Neither depends on other work of the machine; with playouts, the games are the same on every machine.
    """
    if name != "search":
        return PLAYERS[name]()
    if playouts is not None:
        return Searching(budget_s=math.inf, playouts=playouts)
    return Searching(budget_s=budget_ms / 1000, clock=time.process_time)


class Contest(Struct, frozen=True):
    """The game in which two players compete, and the settings."""

    game: str
    pair: tuple[str, str]
    options: dict[str, object]
    seed: int
    budget_ms: float
    playouts: int | None


def some_duels(contest: Contest, numbers: Sequence[int]) -> PlayerStrength:
    """Plays a few games of a contest in a separate process."""
    game = GAMES[contest.game]
    first, second = (player(name, contest.budget_ms, contest.playouts) for name in contest.pair)
    options = options_of(game, contest.options)
    points = [duel(game, options, first, second, number, contest.seed) for number in numbers]
    return PlayerStrength(len(points), sum(points))


@click.command("tournament", short_help="Let players compete, with 95 percent intervals.")
@click.argument("games", nargs=-1, metavar="GAME...")
@click.option(
    "--players", default="random,greedy,search", show_default=True, metavar="A,B", help="Players that compete."
)
@click.option(
    "--games", "count", type=click.IntRange(2), default=100, show_default=True, help="Number of games of each pair."
)
@click.option(
    "--budget-ms", type=click.FloatRange(1), default=100.0, show_default=True, help="Search time for each move."
)
@click.option("--playouts", type=click.IntRange(1), help="Number of playouts for each move instead of a search time.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; repeatable.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each pair.")
def tournament_command(
    games: tuple[str, ...],
    players: str,
    count: int,
    budget_ms: float,
    playouts: int | None,
    options: tuple[str, ...],
    seed: int,
    processes: int,
    as_json: bool,
) -> None:
    """Let computer players compete in the given games, or in all games."""
    names = [name.strip() for name in players.split(",") if name.strip()]
    unknown = [name for name in names if name not in PLAYERS]
    if unknown or len(names) < 2:
        raise WrongUsage(f"Name two or more of these players: {', '.join(PLAYERS)}.")
    for game in games:
        if game not in GAMES:
            raise WrongUsage(f'There is no game "{game}". Choose one of: {", ".join(GAMES)}.')
    given = parse_options(options)
    for game in games or tuple(GAMES):
        options_of(GAMES[game], given)
    with ProcessPoolExecutor(processes) as pool:
        for game in games or tuple(GAMES):
            for weaker, stronger in combinations(names, 2):
                contest = Contest(game, (stronger, weaker), given, seed, budget_ms, playouts)
                strength = _contest(pool, contest, count)
                low, high = strength.interval()
                if as_json:
                    told = {"game": game, "player": stronger, "against": weaker, "games": strength.games}
                    more = {"share": strength.share, "low": low, "high": high}
                    click.echo(msgspec.json.encode({**told, **more}))
                else:
                    click.echo(
                        f"{game:16s} {stronger:8s} against {weaker:8s} {strength.share:6.1%} of {strength.games} games"
                        f"   95 % interval {low:.1%} to {high:.1%}"
                    )


def _contest(pool: ProcessPoolExecutor, contest: Contest, count: int) -> PlayerStrength:
    """Plays all games of one contest, a few at a time, and shows the progress on standard error."""
    parts = [range(at, min(at + 4, count)) for at in range(0, count, 4)]
    waiting = [pool.submit(some_duels, contest, part) for part in parts]
    total = PlayerStrength(0, 0.0)
    begun = time.monotonic()
    for done in as_completed(waiting):
        part = done.result()
        total = PlayerStrength(total.games + part.games, total.points + part.points)
        left = time_left(time.monotonic() - begun, total.games, count)
        told = f"{contest.game} {'-'.join(contest.pair)} {total.games}/{count}, {left} left"
        click.echo(f"\r{told:<{_WIDTH}}", nl=False, err=True)
    click.echo("\r" + " " * _WIDTH + "\r", nl=False, err=True)
    return total


def time_left(passed_s: float, done: int, count: int) -> str:
    """Returns the time left at the present pace: "40 s", "12 min"."""
    rest_s = passed_s / done * (count - done)
    return f"{rest_s:.0f} s" if rest_s < 120 else f"{rest_s / 60:.0f} min"
