"""A phone as the camera: how soon a tile that is laid has its row, and what pictures of a quiet table cost.

`companion serve` runs as people start it. A program sends pictures as the page of the phone does, through TLS, whenever
the server's answer asks for the next one. The comparison is the same server with a motion-JPEG camera of the same rate.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import ssl
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np

from bench.figure import Figure
from companion.app.demos import load_demo

ROUNDS = 8
LOSSES = 6
QUIET_S = 20.0
EMPTY, FIRST = "frame-0000.jpg", "frame-0006.jpg"
"""The empty board, and one legal tile on it."""
RATE = 8
CALM_S, THUMB, DIFFERS, PARTS = 2.0, (96, 54), 45, 2
"""As `phone.js` has them."""
_PATIENCE_S = 60.0
_KINDS = 16


class Table:
    """The scene before the camera: JPEG pictures that differ from each other as those of a live camera do."""

    def __init__(self) -> None:
        _, folder = load_demo("spectrangle")
        self._pictures = {name: _variants(folder / name) for name in (EMPTY, FIRST)}
        self.shown = EMPTY
        self._number = 0

    def picture(self) -> bytes:
        """Returns the next picture."""
        self._number += 1
        return self._pictures[self.shown][self._number % _KINDS]


def _variants(path: Path) -> list[bytes]:
    picture = cv2.imread(str(path))
    return [cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 75 + k])[1].tobytes() for k in range(_KINDS)]


class Server:
    """A table of `companion serve` in a process, and its host's browser."""

    def __init__(self, process: subprocess.Popen[str] | None, url: str) -> None:
        """
        Args:
            url: The address of the table, which ends in a slash.
        """
        at = urlsplit(url)
        self.process, self._port, self._below = process, at.port, at.path.rstrip("/")
        answer, _ = self._ask("GET", "/")
        self._cookie = "; ".join(one.partition(";")[0] for one in answer.headers.get_all("Set-Cookie") or ())

    def get(self, path: str) -> Any:
        """Returns the answer to a question."""
        return json.loads(self._ask("GET", path)[1])

    def post(self, path: str) -> Any:
        """Returns the answer to a command without parameters."""
        return json.loads(self._ask("POST", path)[1])

    def _ask(self, method: str, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        headers = {"Origin": f"http://127.0.0.1:{self._port}", "Content-Type": "application/json"}
        if hasattr(self, "_cookie"):
            headers["Cookie"] = self._cookie
        line.request(method, self._below + path, "{}" if method == "POST" else None, headers)
        try:
            answer = line.getresponse()
            return answer, answer.read()
        finally:
            line.close()

    def cpu_s(self) -> float:
        """Processor seconds of the process and all that it started."""
        assert self.process is not None
        ticks, family = 0, {self.process.pid}
        for _ in range(3):
            for entry in Path("/proc").iterdir():
                if entry.name.isdecimal():
                    fields = _stat(entry)
                    if fields and int(fields[1]) in family:
                        family.add(int(entry.name))
        for pid in family:
            fields = _stat(Path("/proc") / str(pid))
            ticks += int(fields[11]) + int(fields[12]) if fields else 0
        return ticks / os.sysconf("SC_CLK_TCK")


def _stat(entry: Path) -> list[str]:
    """State, parent and the rest of a process (proc(5)); empty if it is gone."""
    try:
        return (entry / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


@contextmanager
def serving(camera: str) -> Iterator[Server]:
    """Yields a server with a fresh game."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "companion", "serve", "--game", "spectrangle", "--players", "Ada,Ben"]
        command += ["--camera", camera, "--port", "0", "--https-port", "0", "--journal", f"{folder}/journal.sqlite"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            assert process.stdout is not None
            found = next(filter(None, (re.search(r"http://[\d.:]+/", line) for line in process.stdout)))
            yield Server(process, found.group())
        finally:
            process.terminate()
            process.communicate(timeout=20)


class Phone:
    """Sends pictures of the scene, as the page of the phone does. A context manager.

    Its public attributes: `sent`, the number of pictures; `lost`, set to fall silent.
    """

    def __init__(self, server: Server, table: Table) -> None:
        link = server.post("/api/camera/phone/invite")["link"]
        at, code = link.partition("/phone#")[::2]
        split = urlsplit(at)
        self._origin, self._below = f"{split.scheme}://{split.netloc}", split.path
        self._table, self._over = table, threading.Event()
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._line = http.client.HTTPSConnection(str(split.hostname), split.port, timeout=30, context=context)
        self._cookie = ""
        self._ask("join", json.dumps({"code": code}).encode())
        self._session = self._ask("start", b"{}")["session"]
        self.sent, self.lost = 0, threading.Event()
        self._before: np.ndarray | None = None
        self._moved_s = time.monotonic()
        self._thread = threading.Thread(target=self._send, daemon=True)

    def _ask(self, path: str, body: bytes, kind: str = "application/json") -> Any:
        headers = {"Origin": self._origin, "Content-Type": kind, "Cookie": self._cookie}
        self._line.request("POST", f"{self._below}/api/camera/phone/{path}", body, headers)
        answer = self._line.getresponse()
        self._cookie = (answer.headers.get("Set-Cookie") or "").partition(";")[0] or self._cookie
        return json.loads(answer.read())

    def _send(self) -> None:
        while not self._over.is_set():
            if self.lost.is_set():
                self._over.wait(0.01)
                continue
            self._moves()
            answer = self._ask(f"picture?session={self._session}", self._table.picture(), "image/jpeg")
            self.sent += 1
            wait_s, quiet_s = answer["wait_ms"] / 1000, answer["quiet_ms"] / 1000
            self._over.wait(wait_s)
            passed_s = wait_s
            while passed_s < quiet_s and time.monotonic() - self._moved_s > CALM_S and not self._moves():
                self._over.wait(min(wait_s, quiet_s - passed_s))
                passed_s += wait_s

    def _moves(self) -> bool:
        """Returns true if the scene differs from that of the last question, as a thumb of it shows."""
        data = np.frombuffer(self._table.picture(), np.uint8)
        small = cv2.resize(cv2.imdecode(data, cv2.IMREAD_COLOR), THUMB, interpolation=cv2.INTER_LINEAR).astype(int)
        before, self._before = self._before, small
        if before is not None and (np.abs(small - before).sum(axis=2) > DIFFERS).sum() < PARTS:
            return False
        self._moved_s = time.monotonic()
        return True

    def __enter__(self) -> Phone:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(30)
        self._line.close()

    @property
    def secrets(self) -> tuple[str, str]:
        """The phone's cookie and the word that its pictures carry."""
        return self._cookie.partition("=")[2], self._session


@contextmanager
def streaming(table: Table) -> Iterator[str]:
    """Yields the address of a motion-JPEG camera."""

    class Stream(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                while True:
                    data = table.picture()
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                    self.wfile.write(head.encode() + data + b"\r\n")
                    time.sleep(1 / RATE)
            except OSError:
                return

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/video"
    finally:
        server.shutdown()
        server.server_close()


def figures(rounds: int = ROUNDS) -> Iterator[Figure]:
    """Delays and processor time."""
    delays = sorted(_delay_s() for _ in range(rounds))
    yield Figure("a tile laid before a phone to its row, median", statistics.median(delays), "s", at_most=0.7)
    yield Figure("the slowest of these", delays[-1], "s", at_most=1.5)
    losses = sorted(_loss_s())
    yield Figure("a phone that falls silent to the sentence that says so, median", statistics.median(losses), "s")
    yield Figure("the slowest of these", losses[-1], "s", at_most=3.0)
    phone, rate = _quiet_phone()
    stream = _quiet_stream()
    yield Figure("pictures a second from the phone", rate, "/s")
    yield Figure("CPU of the server, quiet table, by phone", 100 * phone, "% of a core")
    yield Figure("the same as a share of a motion-JPEG camera's", phone / stream, "", at_most=1.3)


def _delay_s() -> float:
    table = Table()
    with serving("phone") as server, Phone(server, table):
        _await(lambda: server.get("/api/eyes")["state"] == "looking" and server.get("/api/table")["judged"])
        time.sleep(1.0)
        table.shown, began = FIRST, time.monotonic()
        _await(lambda: any(row["kind"] == "move" for row in server.get("/api/journal/rows")["rows"]))
        return time.monotonic() - began


def _loss_s() -> list[float]:
    """Seconds from a phone's silence to the report that it is missing, several times in one game."""
    table, found = Table(), []
    with serving("phone") as server, Phone(server, table) as phone:
        for _ in range(LOSSES):
            _await(lambda: server.get("/api/eyes")["state"] == "looking")
            time.sleep(1.0)
            phone.lost.set()
            began = time.monotonic()
            _await(lambda: server.get("/api/eyes")["blind"] is not None)
            found.append(time.monotonic() - began)
            phone.lost.clear()
    return found


def _quiet_phone() -> tuple[float, float]:
    """CPU seconds a second, and pictures a second."""
    table = Table()
    with serving("phone") as server, Phone(server, table) as phone:
        _await(lambda: server.get("/api/eyes")["state"] == "looking")
        time.sleep(3.0)
        cpu_s, sent, began = server.cpu_s(), phone.sent, time.monotonic()
        time.sleep(QUIET_S)
        passed_s = time.monotonic() - began
        return (server.cpu_s() - cpu_s) / passed_s, (phone.sent - sent) / passed_s


def _quiet_stream() -> float:
    table = Table()
    with streaming(table) as address, serving(address) as server:
        _await(lambda: server.get("/api/eyes")["state"] == "looking")
        time.sleep(3.0)
        cpu_s, began = server.cpu_s(), time.monotonic()
        time.sleep(QUIET_S)
        return (server.cpu_s() - cpu_s) / (time.monotonic() - began)


def _await(check: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE_S
    while not check():
        if time.monotonic() > until:
            raise TimeoutError("the server did not come to it")
        time.sleep(0.01)
