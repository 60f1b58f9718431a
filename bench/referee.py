"""The referee judged without pictures: `python -m bench.referee GAME --eyes exact --turns 10000`.

Random games on a table in millimeters are told by eyes that follow things as the real ones do
(`simulation.followed`): legal turns, mistakes of every kind that the rules know, pieces set down near where another one
stood, several turns in one picture, cloths and hands, a camera aside. Exact eyes never err: what fails then is the
referee. Erring ones misread as often as a reader on a table that it has never seen, times `--faults`. A person answers
truly, but never answers a share of the questions. One line a failure, with its seed (`--seed S --games 1 -v` plays that
game again and tells all), then sums.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from statistics import median

from simulation.followed.losses import Loss, Misread
from simulation.followed.played import FAILURES, OUTCOMES, Played, Setting

GAMES = ("spectra", "ice-stalks", "spectrangle", "spectrum", "regenbogen")
"""Games that are played."""
ILLEGAL = {
    "right": "named",
    "asked": "asked about",
    "waits": "not judged yet, and said so",
    "missed": "missed",
    "unexplained": "said to be no move at all",
    "wrong": "taken for something that did not happen",
    "misnamed": "called illegal by another rule",
    "accused": "charged to somebody else",
    "unseen": "out of sight",
    "missed while open": "not judged while a question is open",
}
"""Outcomes of illegal moves in words."""


class Sums:
    """Sums over games."""

    def __init__(self) -> None:
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.counts: Counter[str] = Counter()
        self.lost: Counter[Loss] = Counter()
        self.shown: Counter[Misread] = Counter()
        self.lags: list[int] = []
        self.looks_s: list[float] = []
        self.seconds = 0.0

    def add(self, game: Played) -> None:
        """Add a game."""
        self.outcomes += game.outcomes
        self.counts += game.counts
        self.lost += game.losses.lost
        self.shown += game.losses.shown
        self.lags += game.lags
        self.looks_s += game.looks_s
        self.seconds += game.seconds

    @property
    def turns(self) -> int:
        """Steady pictures that were judged."""
        return self.outcomes.total()

    def of(self, *outcomes: str, kinds: Sequence[str] = ("legal", "illegal", "back", "nothing")) -> int:
        """Returns the number of pictures with each outcome."""
        return sum(count for (kind, name), count in self.outcomes.items() if name in outcomes and kind in kinds)

    def _lost_of(self, misread: Misread) -> int:
        """Returns how many events were never told of pictures that were misread so."""
        return sum(count for loss, count in self.lost.items() if loss.misread == misread)

    def lines(self) -> list[str]:
        """Returns the sums as words."""
        counts, turns = self.counts, max(self.turns, 1)
        illegal = {name: self.of(name, kinds=("illegal",)) for name in OUTCOMES}
        looks_ms = sorted(1000 * look_s for look_s in self.looks_s) or [0.0]
        events = max(counts["events"], 1)
        failed = self.of(*FAILURES)
        right = counts["told right"] + counts["answered right"]
        known = right + sum(count for loss, count in self.lost.items() if loss.can_be_known)
        back = f"median {median(self.lags or [0]):g}, longest {max(self.lags or [0])}"
        return [
            f"games {counts['games']}, turns {self.turns}: "
            + ", ".join(f"{name} {self.of(name)}" for name in OUTCOMES if self.of(name)),
            f"events {counts['events']}: told right {right} ({right / events:.4f}), {counts['answered right']} of them "
            f"by answers; never told {counts['untold']}, invented rows {counts['invented rows']}",
            f"events never told {self.lost.total()}: "
            + ", ".join(f"{loss.cause} {count} (misread {loss.misread})" for loss, count in self.lost.most_common())
            + "; of those in pictures misread "
            + ", ".join(f"{misread} {self._lost_of(misread)} of {count}" for misread, count in self.shown.items())
            + f"; who never guesses can know at most {known} ({known / events:.4f})",
            f"illegal moves {sum(illegal.values())}: "
            + ", ".join(f"{words} {illegal[name]}" for name, words in ILLEGAL.items() if illegal[name]),
            f"who broke no rule was accused {self.of('accused')} times; asked {counts['asked']} times "
            f"({counts['asked'] / turns:.1%} of the turns), left open {counts['left open']}; pictures until record and "
            f"table agreed again: {back}, not within the game {counts['never agreed again']}",
            f"failures {failed} ({failed / turns:.2%} of the turns), {counts['failures out of sight']} of them since "
            f"something was moved out of sight",
            f"CPU time {self.seconds:.0f} s, {1000 * self.seconds / turns:.1f} ms a turn; a look: "
            f"median {median(looks_ms):.1f} ms, 99 % {looks_ms[int(0.99 * len(looks_ms))]:.0f} ms, "
            f"longest {looks_ms[-1]:.0f} ms",
        ]


def main(arguments: Sequence[str]) -> int:
    """Play and print; exit status 1 if exact eyes have a failure, or erring ones an accusation of a legal move."""
    parser = argparse.ArgumentParser(prog="python -m bench.referee", description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--eyes", choices=("exact", "erring"), default="exact")
    parser.add_argument("--turns", type=int, default=2000, help="play games until there are so many turns")
    parser.add_argument("--games", type=int, help="play so many games instead")
    parser.add_argument("--steps", type=int, default=Setting("").steps, help="turns a game at most")
    parser.add_argument("--seed", type=int, default=0, help="of the first game; the next ones count up")
    parser.add_argument("--faults", type=float, default=2.0, help="how often erring eyes err")
    parser.add_argument("--near", type=float, default=0.1, help="share of turns with a near set-down")
    parser.add_argument("--unanswered", type=float, default=0.25, help="share of questions never answered")
    parser.add_argument("--only-answers", action="store_true", help="the person never sets the position")
    parser.add_argument("--no-covers", action="store_true", help="nothing foreign lies on the table")
    parser.add_argument("--also", default="", help="list these outcomes, too, with commas: silent,asked")
    parser.add_argument("-q", "--quiet", action="store_true", help="only the sums")
    parser.add_argument("-v", "--verbose", action="store_true", help="everything that happens and is told")
    given = parser.parse_args(arguments)
    faults = given.faults if given.eyes == "erring" else 0.0
    setting = Setting(
        given.game, given.steps, faults, given.near, given.unanswered, not given.only_answers, not given.no_covers
    )
    sums, seed = Sums(), given.seed
    while sums.turns < given.turns if given.games is None else seed < given.seed + given.games:
        played = Played(setting, seed, given.verbose, given.also.split(","))
        seed += 1
        played.run()
        sums.add(played)
        for failure in () if given.quiet or given.verbose else played.failures:
            print(failure.line, flush=True)
    for line in sums.lines():
        print(line)
    return int(bool(sums.of(*FAILURES) if given.eyes == "exact" else sums.of("accused")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
