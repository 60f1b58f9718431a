"""Several tables in one server under load: recorded cameras, many pages, and a reader that is killed again and again.

`python -m tests.reliability.several_tables MINUTES [--tables 8] [--pages 60] [--phones 4] [--kill-s 20]` starts
`companion serve` with a motion-JPEG camera for each table, at five pictures a second, and plays short games before
them. It prints what screens received and how soon; exit status 1 if a row was missed or doubled.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from companion.app.demos import load_demo
from tests.vision.sources.mjpeg_server import part, serving

_, FOLDER = load_demo("spectrangle")
EMPTY, FIRST, SECOND = ((FOLDER / f"frame-{n:04}.jpg").read_bytes() for n in (0, 6, 9))
RATE_HZ = 5
REST_S = 4.0
"""How long each picture stands before the next move."""
AFTER_S = 3.0
"""A move this close to a kill may feel it."""
PATIENCE_S = 20.0
"""A move that is no row after so long has been missed."""


class Table:
    """One table: what its camera shows, and when that was changed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.picture = EMPTY
        self.shown_s = 0.0
        self.verdicts: list[tuple[float, float]] = []
        """Moment and seconds from a move's first picture to its row."""
        self.missed = 0

    def camera(self, send: Callable[[bytes], None], over: threading.Event) -> None:
        count = 0
        while not over.wait(1 / RATE_HZ):
            count += 1
            # A comment makes every picture another one, as a live camera's noise does.
            send(part(self.picture[:2] + b"\xff\xfe\x00\x08%06d" % (count % 10**6) + self.picture[2:]))


class Screen:
    """One live stream: every row must come once, in order."""

    def __init__(self, host: str, port: int, table: str) -> None:
        self.line = socket.create_connection((host, port), 20)
        self.line.sendall(f"GET /t/{table}/stream HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        self.line.setblocking(False)
        self.table = table
        self.rest = b""
        self.game = ""
        self.last = 0
        self.rows = self.wrong = 0
        self.late_s: list[float] = []

    def take(self) -> bool:
        """Read what has come; False at the end of the stream."""
        data = self.line.recv(1 << 16)
        now = time.time()
        *whole, self.rest = (self.rest + data).split(b"\n\n")
        for message in whole:
            event = re.search(rb"event: (\w+)\ndata: (.*)", message)
            if event is None:
                continue
            if event[1] == b"game":
                found = json.loads(event[2])
                self.game, self.last = found["game"], found["seq"]
            elif event[1] == b"row":
                row = json.loads(event[2])
                self.rows += 1
                self.wrong += row["n"] != self.last + 1
                self.last = row["n"]
                self.late_s.append(now - row["at"])
        return bool(data)


def ask(url: str, token: str | None = None, body: Any = None) -> Any:
    """The answer to one request."""
    headers = {"Content-Type": "application/json", **({} if token is None else {"Authorization": f"Bearer {token}"})}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers), timeout=30) as answer:
        return json.loads(answer.read())


def play(table: Table, url: str, token: str, over: threading.Event) -> None:
    """Play short games before the camera until it is over."""
    at = f"{url}t/{table.name}/api"
    while not over.is_set():
        now = ask(f"{at}/table")
        table.picture = EMPTY
        told = {"game": "spectrangle", "names": ["Ada", "Ben"], "options": now["game"]["options"]}
        ask(f"{at}/games", token, {**told, "instead": now["game"]["id"]})
        over.wait(REST_S)
        for count, picture in enumerate((FIRST, SECOND), 1):
            table.picture, shown_s = picture, time.time()
            while not over.is_set():
                rows = [row for row in ask(f"{at}/journal/rows")["rows"] if row["kind"] == "move"]
                if len(rows) == count:
                    table.verdicts.append((shown_s, rows[-1]["at"] - shown_s))
                    break
                if time.time() - shown_s > PATIENCE_S or len(rows) > count:
                    table.missed += 1
                    break
                over.wait(0.1)
            over.wait(REST_S)


def readers(server: int) -> list[int]:
    """The processes in which the cameras are read, in the order in which they were started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if parent == server and b"spawn_main" in command:
                found.append(int(entry.name))
    return sorted(found)


def memory_mb(pid: int) -> float:
    """What a process has in memory."""
    return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) / 1024


def share(values: list[float], percent: int) -> float:
    """A percentile; 0 without values."""
    return statistics.quantiles(values, n=100)[percent - 1] if len(values) > 1 else 0.0


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability.several_tables")
    parser.add_argument("minutes", type=float)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--pages", type=int, default=60, help="live streams over all tables")
    parser.add_argument("--phones", type=int, default=4, help="further streams a table")
    parser.add_argument("--kill-s", type=float, default=20.0, help="0: kill no reader")
    told = parser.parse_args()
    tables = [Table(f"t{n}") for n in range(told.tables)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        lines = ["[serve]", "port = 0"]
        for table in tables:
            camera = stack.enter_context(serving(table.camera))
            lines += [f"[tables.{table.name}]", 'game = "spectrangle"', 'players = "Ada,Ben"']
            lines += [f'camera = "{camera}"', f'journal = "{folder / table.name}.sqlite"']
        (folder / "companion.toml").write_text("\n".join(lines))
        command = [sys.executable, "-m", "companion", "--config", str(folder / "companion.toml"), "serve"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        stack.callback(server.wait)
        stack.callback(server.terminate)
        assert server.stdout is not None
        url = next(m.group() for line in server.stdout if (m := re.search(r"http://[\d.]+:\d+/", line)))
        host, _, port = url.removeprefix("http://").rstrip("/").partition(":")
        over = threading.Event()
        players = []
        for table in tables:
            token = json.loads((folder / f"{table.name}.sqlite.keys").read_text())["host"]
            players.append(threading.Thread(target=play, args=(table, url, token, over)))
            players[-1].start()
        names = [tables[n % len(tables)].name for n in range(told.pages)]
        names += [table.name for table in tables for _ in range(told.phones)]
        screens = [Screen(host, int(port), name) for name in names]
        report(told, tables, screens, server.pid, over, players)


def report(
    told: argparse.Namespace,
    tables: list[Table],
    screens: list[Screen],
    server: int,
    over: threading.Event,
    players: list[threading.Thread],
) -> None:
    """Watch the screens until the time is over, kill readers meanwhile, and print what came of it."""
    ready = selectors.DefaultSelector()
    for screen in screens:
        ready.register(screen.line, selectors.EVENT_READ, screen)
    until_s = time.monotonic() + 60 * told.minutes
    killed_s, ended = time.monotonic(), 0
    kills: list[float] = []
    memory = [memory_mb(server)]
    looked_s = time.monotonic()
    victim = min(readers(server))
    others: set[int] = set(readers(server)) - {victim}
    while time.monotonic() < until_s:
        for key, _ in ready.select(0.5):
            if not key.data.take():
                ready.unregister(key.data.line)
                ended += 1
        if told.kill_s and time.monotonic() - killed_s > told.kill_s:
            fresh = [pid for pid in readers(server) if pid not in others]
            if fresh:
                os.kill(fresh[0], signal.SIGKILL)
                kills.append(time.time())
            killed_s = time.monotonic()
        if time.monotonic() - looked_s > 6 * told.minutes:
            memory.append(memory_mb(server))
            looked_s = time.monotonic()
    over.set()
    for player in players:
        player.join()
    late = [one for screen in screens for one in screen.late_s]
    rows, wrong = sum(screen.rows for screen in screens), sum(screen.wrong for screen in screens)
    moves = [move for table in tables[1:] for move in table.verdicts]
    near = [s for shown_s, s in moves if any(-AFTER_S < shown_s - kill < AFTER_S for kill in kills)]
    far = [s for shown_s, s in moves if not any(-AFTER_S < shown_s - kill < AFTER_S for kill in kills)]
    parts = {
        "killed table": [s for _, s in tables[0].verdicts],
        "other tables": far,
        f"other tables within {AFTER_S:.0f} s of a kill": near,
    }
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores; readers killed {len(kills)}; streams ended {ended}")
    print(f"rows sent to {len(screens)} screens: {rows}, missed or doubled {wrong}")
    print(f"from row to page, ms: median {1e3 * share(late, 50):.0f}, 95 % {1e3 * share(late, 95):.0f}")
    for what, found in parts.items():
        times = f"median {share(found, 50):.2f}, 95 % {share(found, 95):.2f}, longest {max(found, default=0):.2f}"
        print(f"{what}: {len(found)} moves, s from picture to row: {times}")
    print(f"moves without a row or with two: {sum(table.missed for table in tables)}")
    print("memory of the server after each tenth of the time, MB:", *(f"{one:.0f}" for one in memory))
    sys.exit(int(wrong > 0 or any(table.missed for table in tables) or rows == 0))


if __name__ == "__main__":
    main()
