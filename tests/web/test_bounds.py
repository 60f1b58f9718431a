"""What pages take, they give back: threads, descriptors and what is kept of answers stay within bounds."""

from __future__ import annotations

import contextlib
import http.client
import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

from flask import Flask

from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import header
from tests.web.sockets.test_server import get
from web.sockets.server import THREADS, Server
from web.views.table_view import TableView

MOST = 2048
"""Descriptors are looked for below this number."""


def descriptors() -> int:
    """How many files and sockets are open."""
    found = 0
    for number in range(MOST):
        with contextlib.suppress(OSError):
            os.fstat(number)
            found += 1
    return found


def settled(count: Callable[[], int], most: int) -> bool:
    """True if a number comes down to a bound within a few seconds."""
    end = time.monotonic() + 8
    while time.monotonic() < end:
        if count() <= most:
            return True
        time.sleep(0.05)
    return False


def test_a_hundred_pages_that_come_and_go_leave_nothing_behind(app: Flask, table: Table) -> None:
    others = threading.active_count()
    server = Server(app, port=0)
    server.start()
    try:
        get(server, "/api/table").read()
        before, threads = descriptors(), threading.active_count()
        for _ in range(5):
            held = []
            for _ in range(20):
                one = socket.create_connection(("127.0.0.1", server.port), timeout=5)
                one.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
                held.append(one)
            assert all(b"200 OK" in one.recv(4096) for one in held)
            for one in held:
                one.close()
        assert settled(descriptors, before + 2), descriptors()
        assert settled(threading.active_count, threads + 1), "one thread looks for all pages"
        assert threading.active_count() <= others + THREADS + 20
        assert get(server, "/api/table").status == 200, table.session.seq
    finally:
        server.close()


def test_requests_that_break_off_are_given_up(app: Flask, table: Table) -> None:
    server = Server(app, port=0)
    server.start()
    try:
        get(server, "/api/table").read()
        before = descriptors()
        broken = (
            b"",
            b"GET",
            b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
            b"\x00\xff" * 500,
            b"POST /api/games HTTP/1.1\r\n",
        )
        for number in range(100):
            with contextlib.suppress(OSError):
                one = socket.create_connection(("127.0.0.1", server.port), timeout=5)
                one.sendall(broken[number % len(broken)])
                one.close()
        assert settled(descriptors, before + 2), descriptors()
        assert get(server, "/api/table").status == 200, table.session.seq
    finally:
        server.close()


def test_servers_and_journals_that_come_and_go_leave_nothing_behind(app: Flask, tmp_path: Path) -> None:
    def once(number: int) -> None:
        server = Server(app, port=0)
        server.start()
        with contextlib.suppress(http.client.HTTPException, OSError):
            get(server, "/favicon.ico").read()
        server.close()
        journal = Journal.open(tmp_path / f"{number}.journal")
        journal.begin(header())
        journal.close()

    once(0)
    before, threads = descriptors(), threading.active_count()
    for number in range(1, 6):
        once(number)
    assert settled(descriptors, before + 2), descriptors()
    assert settled(threading.active_count, threads), threading.enumerate()


def test_what_is_kept_of_answers_is_bounded(sessions: SessionManager) -> None:
    view = TableView(sessions)
    for number in range(5000):
        assert view.kept(("advice", str(number)), (number,), lambda number=number: number) == number  # type: ignore[misc]
        assert len(view._kept) <= 513
