"""Card games refereed by exact eyes: `python -m bench.card_games solitaire --games 100`.

Random games lie on a drawn table, and the readings come from their true positions (`simulation.cards`). What fails then
is the referee or the game's observation. With `--drawn`, pictures are drawn instead and read by the real reader. One
line a failure, with its seed; then sums.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

from companion.games.poker.situation import Options
from simulation.cards import casino, cribbage, five_hundred, poker, solitaire, spectrumo, spectrump
from simulation.cards.played import CardGame, Tally, play
from simulation.printed.card_tables import DrawnGame

GAMES: dict[str, Callable[[], CardGame]] = {
    "casino": casino.Played,
    "casino-3": partial(casino.Played, 3),
    "cribbage": cribbage.Played,
    "cribbage-4": partial(cribbage.Played, 4),
    "five-hundred": five_hundred.Played,
    "poker": poker.Played,
    "poker-shared": lambda: poker.Played(Options(cards=2, shared=5)),
    "solitaire": solitaire.Played,
    "spectrumo": spectrumo.Played,
    "spectrump": spectrump.Played,
}
"""A new table of each game, by name."""
WRONG = ("wrong", "accused", "missed", "misnamed")
"""Outcomes that exact eyes must not have."""


def main(arguments: Sequence[str]) -> int:
    """Plays and prints the sums; exit status 1 if a verdict was wrong or a player who broke no rule was accused."""
    parser = argparse.ArgumentParser(prog="python -m bench.card_games", description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--steps", type=int, default=200, help="steps a game at most")
    parser.add_argument("--seed", type=int, default=0, help="of the first game; the next ones count up")
    parser.add_argument("--illegal", type=float, default=0.1, help="share of steps before which a rule is broken")
    parser.add_argument("--drawn", action="store_true", help="draw each picture, and read it with the real reader")
    parser.add_argument("-q", "--quiet", action="store_true", help="only the sums")
    given = parser.parse_args(arguments)
    drawn = DrawnGame if given.drawn else None
    tally, began_s = Tally(), time.process_time()
    for seed in range(given.seed, given.seed + given.games):
        play(GAMES[given.game](), seed, tally, steps=given.steps, illegal=given.illegal, drawn=drawn)
    for line in () if given.quiet else tally.failures:
        print(line)
    counts = tally.counts
    print(f"{given.game}: {given.games} games, " + ", ".join(f"{name} {count}" for name, count in counts.most_common()))
    print(f"CPU time {time.process_time() - began_s:.0f} s")
    return int(any(counts[name] for name in WRONG))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
