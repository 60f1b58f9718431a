"""Kill a playing process again and again, and see that nothing it confirmed is lost.

`python -m tests.reliability.kill --times 200` prints what it found; exit status 1 if anything was lost. With
`--slow-us 2000` each write waits so long and each kill is a power cut: what was not synced is gone (Linux, gcc).
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.journal.record import replay
from tests.reliability.slow_disk import SlowDisk

ROOT = Path(__file__).parents[2]
LONGEST_S = 0.25
"""A process is killed at most this long after it began to play."""
LONGEST_SLOW_S = 1.0
"""The same on a slow disk."""


class Found(NamedTuple):
    """What many kills led to."""

    kills: int
    confirmed: int
    """Rows that the processes said were on disk."""
    lost: int
    """Of these, rows that the journal did not have, or had otherwise."""
    unconfirmed: int
    """Rows on disk that were not yet confirmed: at most one a kill."""
    broken: int
    """Kills after which the journal could not be opened, its chain did not hold, or the rules disagreed with it."""

    @property
    def good(self) -> bool:
        """Whether nothing was lost."""
        return not self.lost and not self.broken and self.unconfirmed <= self.kills

    def __str__(self) -> str:
        return (
            f"{self.kills} kills: {self.confirmed} rows confirmed, {self.lost} lost, {self.unconfirmed} on disk that were"
            f" not yet confirmed, {self.broken} times the journal did not open or hold"
        )


def run(path: Path, times: int, seed: int, *, pages: int = 1, disk: SlowDisk | None = None) -> Found:
    """Play into one journal, kill, check, and go on from there.

    :param pages: how many pages write at once.
    :param disk: the disk of the journal's folder, which forgets what was not synced.
    """
    rng = Random(seed)
    confirmed: dict[tuple[str, int], str] = {}
    lost = broken = on_disk = 0
    for kill in range(times):
        environment = {} if disk is None else disk.environment()
        after_s = rng.uniform(0.0, LONGEST_S if disk is None else LONGEST_SLOW_S)
        confirmed |= _play_and_kill(path, seed * 10_000 + kill, pages, after_s, environment)
        if disk is not None:
            disk.cut()
        try:
            kept = check(path)
        except (AssertionError, sqlite3.Error) as error:
            print(f"kill {kill}: {error}", file=sys.stderr)
            broken += 1
            continue
        lost += sum(kept.get(row) != said for row, said in confirmed.items())
        on_disk = len(kept)
    return Found(times, len(confirmed), lost, on_disk - len(confirmed), broken)


def _play_and_kill(
    path: Path, seed: int, pages: int, after_s: float, environment: dict[str, str]
) -> dict[tuple[str, int], str]:
    """The rows that a process confirmed before it was killed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.reliability.player", str(path), str(seed), str(pages)],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline()]
    time.sleep(after_s)
    process.kill()
    lines += process.stdout.read().splitlines(keepends=True)
    process.stdout.close()
    process.wait()
    confirmed = {}
    for line in lines:
        words = line.split()
        if line.endswith("\n") and len(words) == 3:
            confirmed[words[0], int(words[1])] = words[2]
    return confirmed


def check(path: Path) -> dict[tuple[str, int], str]:
    """Every row of the journal, once it is known to be whole."""
    connection = sqlite3.connect(path)
    sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
    connection.close()
    assert sound == "ok", sound
    journal = Journal.open(path)
    kept = {}
    for header in journal.games():
        rows = journal.rows(header.id)
        change = replay(GAMES[header.game], header, rows).change
        assert change is None, change
        kept.update({(header.id, row.n): row.hash for row in rows})
    journal.close()
    return kept


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=1, help="pages that write at once")
    parser.add_argument("--slow-us", type=int, default=0, help="how long each write waits, in microseconds")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "disk"
        if given.slow_us:
            disk = SlowDisk(place, given.slow_us)
        else:
            disk = None
            place.mkdir()
        found = run(place / "games.journal", given.times, given.seed, pages=given.pages, disk=disk)
    print(found)
    return 0 if found.good else 1


if __name__ == "__main__":
    sys.exit(main())
