"""A hundred screens on the live stream for a minute: no row missed, none twice, and how soon each one had it.

The page runs as it is served, on a port of its own; rows come in as commands over HTTP, each committed to a journal
on disk. The screens are plain sockets in a second process, so that reading them costs the server nothing; every one
of them drops its connection now and then and resumes by `Last-Event-ID`. `python -m bench.stream [SECONDS [SCREENS]]`
runs it alone.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import re
import selectors
import socket
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.figure import Figure
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from web.admission.access import Access
from web.app import create_app
from web.sockets.server import Server

SCREENS = 100
SECONDS = 60.0
ROWS_A_SECOND = 5.0
STAYS_S = 12.0
"""A screen drops its connection about this often."""
_LONG_MS = 150.0

_ROW = re.compile(rb'id: (\d+)\nevent: row\ndata: \{"n":\d+,"at":([0-9.]+)')


class Measured(NamedTuple):
    """The result of one run."""

    screens: int
    rows: int
    deliveries: int
    missed: int
    doubled: int
    resumed: int
    p50_ms: float
    p95_ms: float
    longest_ms: float
    processor: float
    """Share of one core that the server used, journal and commands included."""


def figures(seconds: float = SECONDS, screens: int = SCREENS) -> Iterator[Figure]:
    """Rows missed and delays."""
    found = measure(screens, seconds)
    on = f"{found.screens} screens, {found.rows} rows, {found.resumed} resumed"
    yield Figure(f"{on}: delivered", float(found.deliveries), "", at_least=float(found.rows * found.screens))
    yield Figure("  missed or twice", float(found.missed + found.doubled), "", at_most=0.0)
    yield Figure("  commit to screen, median", found.p50_ms, "ms")
    yield Figure("  commit to screen, 95th percentile", found.p95_ms, "ms", at_most=_LONG_MS)
    yield Figure("  commit to screen, longest", found.longest_ms, "ms")
    yield Figure("  processor of the server", 100 * found.processor, "% of a core")


def measure(screens: int, seconds: float, rows_a_second: float = ROWS_A_SECOND) -> Measured:
    """Run the page and its screens, and count."""
    with TemporaryDirectory(prefix="companion-stream-") as folder:
        journal = Journal.open(Path(folder) / "journal.sqlite")
        access = Access()
        sessions = SessionManager(journal, GAMES, PLANS["spectrangle"](2))
        table = sessions.start("spectrangle", ["Ann", "Ben"], {"hands": "unseen"})
        server = Server(create_app(sessions, access=access), port=0)
        server.start()
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        watching = context.Process(
            target=_watch, args=(server.port, table.session.header.id, screens, there), daemon=True
        )
        watching.start()
        try:
            if here.recv() != "ready":
                raise RuntimeError("the screens could not connect")
            began, used = time.monotonic(), time.process_time()
            _send(server.port, access.token("table"), seconds, rows_a_second)
            processor = (time.process_time() - used) / (time.monotonic() - began)
            here.send(table.session.seq)
            received: list[list[int]]
            delays_ms: list[float]
            received, delays_ms, resumed = here.recv()
        finally:
            watching.join(timeout=10)
            watching.kill()
            server.close()
            journal.close()
    rows = table.session.seq
    delays_ms.sort()
    return Measured(
        screens=screens,
        rows=rows,
        deliveries=sum(len(numbers) for numbers in received),
        missed=sum(rows - len(set(numbers)) for numbers in received),
        doubled=sum(len(numbers) - len(set(numbers)) for numbers in received),
        resumed=resumed,
        p50_ms=delays_ms[len(delays_ms) // 2],
        p95_ms=delays_ms[int(len(delays_ms) * 0.95)],
        longest_ms=delays_ms[-1],
        processor=processor,
    )


def _send(port: int, token: str, seconds: float, rows_a_second: float) -> None:
    """Commands at a steady pace: a move, and its undoing, in turn."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    count = int(seconds * rows_a_second)
    began = time.monotonic()
    for n in range(count):
        time.sleep(max(0.0, began + n / rows_a_second - time.monotonic()))
        path, body = ("undo", {"to": n - 1, "why": ""}) if n % 2 else ("play", {"text": "GGG6 c0"})
        connection.request("POST", f"/api/table/{path}", json.dumps({"expected": n, **body}), headers)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"row {n + 1} was refused: {said.decode()}")
    connection.close()


class _Screen:
    """One listener on a socket."""

    def __init__(self, port: int, game: str, number: int) -> None:
        self.port = port
        self.game = game
        self.number = number
        self.rows: list[int] = []
        self.connect()

    def connect(self) -> None:
        """Listen from the last row on."""
        last = self.rows[-1] if self.rows else 0
        self.buffer = b""
        self.since = time.time()
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        # HTTP/1.0, so that the events come as they are, not cut into chunks.
        head = f"GET /stream?game={self.game}&after=0 HTTP/1.0\r\nHost: 127.0.0.1\r\nLast-Event-ID: {last}\r\n\r\n"
        self.socket.sendall(head.encode())

    def read(self, delays_ms: list[float]) -> None:
        """Take what has come; rows from before the connection are caught up with, not delayed."""
        self.buffer += self.socket.recv(1 << 16)
        whole, _, self.buffer = self.buffer.rpartition(b"\n\n")
        now = time.time()
        for number, at in _ROW.findall(whole + b"\n"):
            self.rows.append(int(number))
            if float(at) > self.since:
                delays_ms.append(1000 * (now - float(at)))


def _watch(port: int, game: str, screens: int, pipe: Connection) -> None:
    """The screens' process: listen until the last row has come everywhere, or ten seconds after it was sent."""
    chosen = selectors.DefaultSelector()
    watching = [_Screen(port, game, number) for number in range(screens)]
    for screen in watching:
        chosen.register(screen.socket, selectors.EVENT_READ, screen)
    delays_ms: list[float] = []
    resumed = 0
    pipe.send("ready")
    began = time.monotonic()
    leaves = [began + STAYS_S * (0.3 + screen.number / screens) for screen in watching]
    last, until = None, float("inf")
    while time.monotonic() < until:
        for key, _ in chosen.select(timeout=0.05):
            key.data.read(delays_ms)
        now = time.monotonic()
        for screen in watching:
            if now >= leaves[screen.number]:
                leaves[screen.number] = now + STAYS_S
                chosen.unregister(screen.socket)
                screen.socket.close()
                screen.connect()
                chosen.register(screen.socket, selectors.EVENT_READ, screen)
                resumed += 1
        if last is None and pipe.poll():
            last, until = pipe.recv(), now + 10
        if last is not None and all(screen.rows and screen.rows[-1] >= last for screen in watching):
            break
    pipe.send(([screen.rows for screen in watching], delays_ms, resumed))


def main(words: list[str]) -> int:
    """Print the figures; exit status 1 if one misses its mark."""
    seconds = float(words[0]) if words else SECONDS
    screens = int(words[1]) if len(words) > 1 else SCREENS
    missed = 0
    for figure in figures(seconds, screens):
        print(figure, flush=True)
        missed += not figure.holds
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
