"""A thousand connections that ask for nothing, and readers that take nothing, keep nobody from the page."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from flask import Flask

from tests.web.test_bounds import settled
from web.sockets.connections import MOST, RESERVE, SELECTED, allowed
from web.sockets.server import Server

SERVER = """
import os, resource, sys, tempfile
from pathlib import Path
soft, hard, held = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from web.app import create_app
from web.sockets.server import Server
files = [open(os.devnull) for _ in range(held)]
with tempfile.TemporaryDirectory() as folder:
    sessions = SessionManager(Journal.open(Path(folder) / "journal.sqlite"), GAMES, PLANS["spectrangle"](2))
    sessions.start("spectrangle", ["Ann", "Ben"], {})
    server = Server(create_app(sessions), port=0)
    server.start()
    print(server.port, server._most, *resource.getrlimit(resource.RLIMIT_NOFILE), flush=True)
    sys.stdin.read()
    server.close()
"""


@contextmanager
def served(soft: int, hard: int, held: int = 0) -> Iterator[tuple[int, int, subprocess.Popen[str]]]:
    """A server whose process may have so many descriptors; its port, its bound, and its process."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(soft), str(hard), str(held)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        port, most, now_soft, now_hard = map(int, process.stdout.readline().split())
        assert (now_soft, now_hard) == (min(hard, 4096), hard), "it takes what it is allowed"
        yield port, most, process
    finally:
        said = process.communicate("", timeout=30)[1]
        assert "Traceback" not in said, said


def asks(port: int, path: str = "/api/table") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Connection": "close"})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def idle(stack: ExitStack, port: int, sends: bytes = b"") -> socket.socket:
    line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
    line.sendall(sends)
    return line


def open_ones(lines: list[socket.socket]) -> int:
    """Returns the number of these connections that the server has not closed."""
    count = 0
    for line in lines:
        line.setblocking(False)
        try:
            count += line.recv(1) != b""
        except BlockingIOError:
            count += 1
        except ConnectionResetError:
            continue
    return count


def slow_ones(server: Server) -> int:
    """Returns the number of connections that do not take what they asked for."""
    return sum(one.total_outbufs_len > 0 for one in server._server.channels())


@pytest.mark.timeout(120)
@pytest.mark.parametrize("sends", [b"", b"GET / HTTP/1.1\r\nHost: loc"], ids=["silent", "half a header"])
def test_1100_idle_connections_at_1024_descriptors_leave_the_page_to_others(sends: bytes) -> None:
    with served(1024, 1024) as (port, most, _), ExitStack() as stack:
        assert most == 1024 - RESERVE
        screen = idle(stack, port, b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b"200 OK" in screen.recv(4096)
        lines = [idle(stack, port, sends) for _ in range(1100)]
        assert [asks(port) for _ in range(20)] == [200] * 20
        assert most - 30 <= open_ones(lines) <= most, "those that came first have made room"
        assert open_ones([screen]) == 1, "a live screen reads, so it stays"


def test_readers_that_take_nothing_go_after_those_that_ask_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.sockets.connections.MOST", 40)
    app = Flask(__name__)
    app.add_url_rule("/big", "big", lambda: bytes(20_000_000))
    app.add_url_rule("/small", "small", lambda: "small")
    server = Server(app, port=0, threads=8)
    server.start()

    def slow(stack: ExitStack) -> socket.socket:
        line = stack.enter_context(socket.socket())
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", server.port))
        line.sendall(b"GET /big HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert line.recv(15) == b"HTTP/1.1 200 OK"
        return line

    try:
        with ExitStack() as stack:
            readers = [slow(stack) for _ in range(6)]
            lines = [idle(stack, server.port) for _ in range(60)]
            assert asks(server.port, "/small") == 200
            assert settled(lambda: open_ones(lines), 34), "the idle ones have made room"
            assert settled(lambda: -slow_ones(server), -6), "nobody who reads slowly has gone yet"
            server._server._most = server._server._usual = 6
            for line in lines:
                line.close()
            assert settled(lambda: len(server._server.channels()), 6)
            assert asks(server.port, "/small") == 200
            assert settled(lambda: slow_ones(server), 5), "now the quietest of them"
        assert len(readers) == 6
    finally:
        server.close()


@pytest.mark.timeout(120)
def test_a_process_without_a_descriptor_left_drops_the_idle_and_goes_on() -> None:
    with served(512, 512, held=300) as (port, most, process), ExitStack() as stack:
        assert most == 512 - RESERVE
        lines = [idle(stack, port) for _ in range(400)]
        assert [asks(port) for _ in range(10)] == [200] * 10
        assert open_ones(lines) < 220
        assert process.poll() is None


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors are looked at as Linux shows them")
def test_low_numbers_stay_free_for_those_who_can_wait_for_no_others() -> None:
    with served(1024, 4096) as (port, most, process), ExitStack() as stack:
        assert most == MOST
        lines = [idle(stack, port) for _ in range(300)]
        assert asks(port) == 200 and open_ones(lines) == 300
        numbers = [int(one.name) for one in Path(f"/proc/{process.pid}/fd").iterdir()]
        assert sum(number >= SELECTED for number in numbers) >= 300
        assert max(number for number in numbers if number < SELECTED) < 100


def test_this_process_is_allowed_some() -> None:
    assert 8 <= allowed() <= MOST
