"""Tests that memory stays flat: `python -m bench.memory --pictures 10000`, and with `--read` through the real readers.

Without pictures, game after game of Spectra and Ice Stalks is refereed in one process as doubting eyes tell it. With
`--read` the pictures of a bundled demo are read and refereed over and over. Prints megabytes after each tenth of them.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.figure import Figure
from companion.app.commands.watch import RecordingReferee
from companion.app.demos import load_demo
from companion.core.foundation.errors import CompanionError
from companion.games import RECORDED
from companion.referee.journal import Journal
from simulation.drawn.refereed import Refereed, Setting
from vision.gate.moments import moments
from vision.sources.folder import FolderSource

SHORT = 1500
"""So many pictures for `make bench`."""
STATM = Path("/proc/self/statm")
"""The file in which Linux states the memory of a process, in pages (proc_pid_statm(5))."""
PAGE_KB = 4
ROWS = 10
"""Lines of the table that is printed."""


def figures() -> Iterator[Figure]:
    """By how much memory grows over the second half of a run."""
    found = [mb for _, mb in grown(refereed(), SHORT)]
    yield Figure("memory grown over the second half", found[-1] - found[len(found) // 2], "MB", at_most=8)


def refereed() -> Iterator[int]:
    """Referee games for ever; yields how many pictures each had."""
    for seed in count():
        for game in ("spectra", "ice-stalks"):
            played = Refereed(Setting(game, eyes="doubting"), seed)
            played.run()
            yield played.tally.counts["pictures"]


def read(name: str) -> Iterator[int]:
    """Read and referee a demo's pictures for ever, with one reader; yields 1 for each picture."""
    demo, folder = load_demo(name)
    recording = RECORDED[demo.game](demo.mat, demo.setup)
    steady = list(moments(FolderSource(folder)))
    with TemporaryDirectory() as kept:
        journal = Journal.open(Path(kept) / "journal.sqlite")
        referee = RecordingReferee(demo.game, recording, journal)
        for number, moment in enumerate(cycle(steady)):
            with suppress(CompanionError):
                referee.look(moment.picture, number)
            yield 1


def grown(pictures: Iterator[int], most: int) -> Iterator[tuple[int, float]]:
    """Megabytes in use after each tenth of so many pictures."""
    done, due = 0, most / ROWS
    for more in pictures:
        done += more
        if done >= due:
            gc.collect()
            yield done, int(STATM.read_text().split()[1]) * PAGE_KB / 1024
            due += most / ROWS
        if done >= most:
            return


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=10000)
    parser.add_argument("--read", metavar="DEMO", help="read the pictures of this demo instead")
    args = parser.parse_args()
    for done, mb in grown(read(args.read) if args.read else refereed(), args.pictures):
        print(f"{done:7d} pictures  {mb:7.1f} MB", flush=True)


if __name__ == "__main__":
    main()
