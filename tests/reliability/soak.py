"""A long evening in a short time: pages, cameras, devices and games come and go, and nothing is kept of them.

`python -m tests.reliability.soak MINUTES` prints memory, what Python holds in it, threads and descriptors of the server's
process as a table, one line for each tenth of the time; exit status 1 if they grow, or if what Python holds or the memory
still rises in the second half. The two differ by room that is free, but in pieces too small for what is asked for.
"""

from __future__ import annotations

import contextlib
import gc
import math
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from companion.core.contract import Over
from companion.core.protocols.eyes import NoEyes
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from hardware.led_board import LedBoard
from hardware.line import simulate
from hardware.simulated.devices import SimulatedBoard, SimulatedTower
from hardware.tower import DiceTower
from tests.fuzz.played import next_event
from tests.vision.sources.mjpeg_server import serving, steady
from vision.gate.watcher import Watcher
from vision.sources.opening import open_source
from vision.table_reader import TableReader
from web.app import create_app
from web.sockets.server import Server

NAMES = "spectrangle", "spectrum", "regenbogen", "casino"
"""The games that are played."""
PAGES = 20
"""Live streams that are open at once."""
EVENTS = 40
"""Events of a game before the next one begins."""
MEMORY_MB, THREADS, DESCRIPTORS = 40, 4, 4
"""How much more there may be at the end than after the first rounds, which load what is loaded once."""
STEADY_BLOCKS = 2.0
"""Blocks of a round that Python may still hold in the second half, beyond what chance explains; an object has one to
three, and a game that was kept would have some thousand."""
STEADY_KB = 8.0
"""Memory of a round that may stay in the second half, beyond what chance explains: 80 KB for an evening of ten games, 30 MB
for such an evening on every day of a year."""
BEFORE = 5000
"""Games that are played before the first look, without a table: what the rules work out once and keep, within bounds
that docs/reliability.md states, fills ever more slowly, and is no part of what comes and goes."""
LINES, LOOKS = 10, 6
"""Lines of the table, and how often memory is looked at for each of them."""


class Taken(NamedTuple):
    """What the process holds between two rounds, when everything that came has gone."""

    rounds: int
    rows: int
    memory_mb: float
    blocks: int
    """What Python holds of its memory for small objects (`sys.getallocatedblocks`)."""
    threads: int
    descriptors: int

    def __str__(self) -> str:
        return (
            f"{self.rounds:>8,}{self.rows:>10,}{self.memory_mb:>10,.0f} MB{self.blocks:>12,}"
            f"{self.threads:>10}{self.descriptors:>13}"
        )


TUNABLES = "glibc.malloc.tcache_count=0"
"""As `deploy/` starts the server: else each of its threads keeps up to 236 KB that was freed, ever more slowly."""
HEAD = f"{'rounds':>8}{'rows':>10}{'memory':>13}{'blocks':>12}{'threads':>10}{'descriptors':>13}"


def grown(first: Taken, last: Taken) -> bool:
    """Whether something was not given back."""
    return (
        last.memory_mb > first.memory_mb + MEMORY_MB
        or last.threads > first.threads + THREADS
        or last.descriptors > first.descriptors + DESCRIPTORS
    )


def rises(taken: Sequence[Taken]) -> bool:
    """Whether what Python holds, or the memory, still went up in the second half."""
    found = slopes(taken[len(taken) // 2 :])
    return any(slope - 2 * error > most for (slope, error), most in zip(found, (STEADY_BLOCKS, STEADY_KB), strict=True))


def slopes(taken: Sequence[Taken]) -> tuple[tuple[float, float], tuple[float, float]]:
    """How many blocks, and how many KB, a round more there are, each with its standard error."""
    rounds = np.array([one.rounds for one in taken], float)
    return (
        _slope(rounds, np.array([one.blocks for one in taken], float)),
        _slope(rounds, np.array([one.memory_mb for one in taken]) * 1024),
    )


def _slope(rounds: np.ndarray, values: np.ndarray) -> tuple[float, float]:
    """By least squares, with its standard error; two values are too few for an error."""
    away = rounds - rounds.mean()
    slope = float(away @ values / (away @ away))
    off = values - values.mean() - slope * away
    free = len(values) - 2
    return slope, math.sqrt(float(off @ off) / free / float(away @ away)) if free > 0 else 0.0


def soak(seconds: float, parts: int = 10, before: int = 0) -> Iterator[Taken]:
    """What is held after the second round, and after each part of the time.

    :param before: games that are played first, without a table.
    """
    for number in range(before):
        _played(Random(-1 - number))
    with tempfile.TemporaryDirectory() as folder, serving(steady()) as camera:
        journal = Journal.open(Path(folder) / "soak.journal")
        sessions = SessionManager(journal, GAMES, PLANS["spectrangle"](2))
        server = Server(create_app(sessions), port=0)
        server.start()
        try:
            rows = _round(sessions, server, camera, 0) + _round(sessions, server, camera, 1)
            yield _taken(2, rows)
            begun, made = time.monotonic(), 2
            for part in range(1, parts + 1):
                while True:
                    rows += _round(sessions, server, camera, made)
                    made += 1
                    if time.monotonic() >= begun + seconds * part / parts:
                        break
                yield _taken(made, rows)
        finally:
            server.close()
            journal.close()


def _round(sessions: SessionManager, server: Server, camera: str, number: int) -> int:
    """Pages and devices come, a camera looks on, a game is played for a while, and all go; the rows written."""
    rng = Random(number)
    with contextlib.ExitStack() as there:
        watcher = Watcher(open_source(camera), TableReader(sessions.plan), sessions.see)
        there.callback(watcher.close)
        sessions.eyes = watcher
        for driver, device in (
            (DiceTower(lambda event: None), SimulatedTower()),
            (LedBoard({f"c{light}": [light] for light in range(24)}), SimulatedBoard()),
        ):
            there.callback(simulate(driver, device)[0].close)
        name = rng.choice(NAMES)
        table = sessions.start(name, ("Ann", "Ben"), {}, draws="dealt" if name == "casino" else "told")
        pages = [there.enter_context(socket.create_connection(("127.0.0.1", server.port), 5)) for _ in range(PAGES)]
        for page in pages:
            page.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(EVENTS):
            if isinstance(table.session.state.expects(), Over):
                break
            event = next_event(table.session.state, rng)
            assert event is not None
            table.play(event, source="software")
        table.undo(max(0, table.session.seq - 3), "soak", source="software")
        for page in pages:
            assert b"200 OK" in page.recv(4096)
    sessions.eyes = NoEyes()
    return table.session.seq


def _played(rng: Random) -> None:
    """As many events of a game as a round has, without a table."""
    game = GAMES[rng.choice(NAMES)]
    state = game.start(2, game.Options())
    for _ in range(EVENTS):
        event = next_event(state, rng)
        if event is None:
            return
        state = state.apply(event)


def _taken(rounds: int, rows: int) -> Taken:
    time.sleep(1.5)  # lines and streams notice within a second that they were closed
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    memory_mb = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    descriptors = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    return Taken(rounds, rows, memory_mb, sys.getallocatedblocks(), threading.active_count(), descriptors)


def main(minutes: float) -> int:
    """Print the table; 1 if something grew."""
    print(HEAD, flush=True)
    found = []
    for number, taken in enumerate(soak(minutes * 60, LINES * LOOKS, BEFORE)):
        if number % LOOKS == 0:
            print(taken, flush=True)
        found.append(taken)
    (blocks, blocks_error), (kb, kb_error) = slopes(found[len(found) // 2 :])
    print(
        f"second half, a round: {blocks:+.2f} blocks (standard error {blocks_error:.2f}), {kb:+.2f} KB ({kb_error:.2f})"
    )
    return int(grown(found[0], found[-1]) or rises(found))


if __name__ == "__main__":
    if os.environ.get("GLIBC_TUNABLES") != TUNABLES:  # read by the C library before a program begins
        os.execve(sys.executable, sys.orig_argv, {**os.environ, "GLIBC_TUNABLES": TUNABLES})
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 30.0))
