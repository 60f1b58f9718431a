"""The server on a real port."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from flask import Flask

import web.sockets.server
from companion.referee.table.table import Table
from web.pages.stream import TABS
from web.sockets.server import CannotListen, Server, is_own_address, lan_address


def get(server: Server, path: str) -> http.client.HTTPResponse:
    """The answer to one request; read it to its end."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    try:
        connection.request("GET", path, headers={"Connection": "close"})
        return connection.getresponse()
    finally:
        connection.close()  # the answer keeps its own hold on the socket


def test_a_port_in_use_is_said_in_one_sentence(app: Flask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        before = threading.active_count()
        with pytest.raises(CannotListen, match=f"Port {port} is in use already. Stop the other program"):
            Server(app, port=port)
        assert threading.active_count() == before, "nothing is left behind"


@pytest.mark.parametrize(
    ("host", "port"), [("192.0.2.1", 0), ("no such host", 0), ("127.0.0.1", 70000), ("256.1.1.1", 80)]
)
def test_addresses_that_cannot_be_listened_on(app: Flask, host: str, port: int) -> None:
    with pytest.raises(CannotListen) as said:
        Server(app, host, port)
    assert str(said.value).endswith((".", ")."))


def test_it_serves_and_lets_everything_go(app: Flask, table: Table) -> None:
    before = threading.active_count()
    server = Server(app, port=0, threads=8)
    server.start()
    answer = get(server, "/api/table")
    assert answer.status == 200 and json.loads(answer.read())["seq"] == 22
    assert answer.headers["Server"] is None
    stream = get(server, "/stream")
    assert b"retry" in stream.readline()

    def read_to_the_end() -> None:
        with contextlib.closing(stream), contextlib.suppress(http.client.IncompleteRead):
            stream.read()

    ended = threading.Thread(target=read_to_the_end)
    ended.start()
    server.close()
    server.close()
    ended.join(timeout=5)
    assert not ended.is_alive(), "live streams end with the server"
    with pytest.raises(OSError):
        get(server, "/api/table")
    assert threading.active_count() <= before


def test_when_streams_end_the_port_no_longer_answers(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(app, port=0, threads=8)
    server.start()
    answer = get(server, "/stream")
    assert b"retry" in answer.readline()
    live = app.extensions["live"]
    end, found = live.close, []

    def come_back() -> None:
        with pytest.raises(OSError) as refused:
            get(server, "/stream")
        found.append(refused.value)
        end()

    monkeypatch.setattr(live, "close", come_back)
    server.close()
    answer.close()
    assert len(found) == 1, "a screen that comes back is not told of too many screens"


def test_running_in_the_foreground_ends_when_closed(app: Flask) -> None:
    server = Server(app, port=0, threads=4)
    running = threading.Thread(target=server.run)
    running.start()
    for _ in range(100):
        try:
            answer = get(server, "/api/door")
            assert answer.status == 200 and answer.read()
            break
        except OSError:
            threading.Event().wait(0.02)
    server.close()
    running.join(timeout=5)
    assert not running.is_alive()


def test_a_disconnected_screen_gives_its_place_back(app: Flask, table: Table) -> None:
    server = Server(app, port=0, threads=8)
    server.start()
    live = app.extensions["live"]
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.sendall(b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert b"200 OK" in connection.recv(4096)
    assert live.screens == 1
    connection.close()
    for _ in range(100):
        if live.screens == 0:
            break
        threading.Event().wait(0.05)
    assert live.screens == 0
    server.close()


def test_a_tab_that_has_gone_leaves_its_share_to_the_next(app: Flask) -> None:
    server = Server(app, port=0, threads=16)
    server.start()
    for _ in range(3 * TABS):  # within one beat, so that every stream is still held
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(b"GET /stream?browser=one HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert b"200 OK" in connection.recv(4096)
        threading.Event().wait(0.02)
    server.close()


OTHER = "127.0.0.2"
"""Another address of this machine, as that in the local network is."""


def asked(host: str, port: int, path: str = "/api/door") -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", path, headers={"Connection": "close"})
        return connection.getresponse()
    finally:
        connection.close()


def test_another_address_comes_and_goes_while_it_serves(app: Flask, table: Table) -> None:
    before = threading.active_count()
    server = Server(app, port=0, threads=8)
    server.start()
    live = app.extensions["live"]
    own = get(server, "/stream")
    assert b"retry" in own.readline()
    with pytest.raises(OSError):
        asked(OTHER, server.port)
    for _ in range(2):
        assert server.also is None
        server.listen_also(OTHER)
        assert server.also == OTHER
        assert asked(OTHER, server.port).status == asked("127.0.0.1", server.port).status == 200
        there = asked(OTHER, server.port, "/stream")
        assert b"retry" in there.readline() and live.screens == 2
        server.listen_no_more()
        with pytest.raises(OSError):
            asked(OTHER, server.port)
        with contextlib.suppress(OSError, http.client.HTTPException):
            there.read()
        there.close()
        until(lambda: live.screens == 1)
    assert asked("127.0.0.1", server.port).status == 200
    assert b"event" in own.read(200), "the stream on this machine goes on"
    server.listen_also(OTHER)
    server.close()
    own.close()
    for host in ("127.0.0.1", OTHER):
        with pytest.raises(OSError):
            asked(host, server.port)
    assert threading.active_count() <= before
    with pytest.raises(CannotListen):
        server.listen_also(OTHER)


def test_from_one_other_address_to_the_next(app: Flask) -> None:
    server = Server(app, port=0, threads=8)
    server.listen_also(OTHER)  # before it serves
    server.start()
    assert asked(OTHER, server.port).status == 200
    server.listen_also("127.0.0.3")
    assert server.also == "127.0.0.3" and asked("127.0.0.3", server.port).status == 200
    with pytest.raises(OSError):
        asked(OTHER, server.port)
    server.close()


def test_a_port_that_is_taken_at_the_other_address_is_said_and_nothing_is_lost(app: Flask) -> None:
    server = Server(app, port=0, threads=8)
    server.start()
    server.listen_also("127.0.0.3")
    with socket.create_server((OTHER, server.port)), pytest.raises(CannotListen, match="is in use already"):
        server.listen_also(OTHER)
    with pytest.raises(CannotListen, match="is not an address of this machine"):
        server.listen_also("198.51.100.7")
    assert server.also == "127.0.0.3" and asked("127.0.0.3", server.port).status == 200
    assert asked("127.0.0.1", server.port).status == 200
    server.close()


@contextlib.contextmanager
def held_loop(server: Server) -> Iterator[None]:
    """The loop stands still meanwhile, as on a machine that is too busy."""
    listener, stands, goes_on = server._server, threading.Event(), threading.Event()

    def readable() -> bool:
        stands.set()
        goes_on.wait(10)
        return True

    listener.readable = readable
    listener.pull_trigger()
    assert stands.wait(10)
    yield
    del listener.readable
    goes_on.set()


def test_what_the_server_does_not_come_to_in_time_is_never_carried_out(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web.sockets.server, "_LOOP_S", 0.1)
    server = Server(app, port=0, threads=8)
    server.start()
    for before, change in ((None, partial(server.listen_also, OTHER)), (OTHER, server.listen_no_more)):
        with held_loop(server), pytest.raises(CannotListen, match="does not come to it"):
            change()
        assert asked("127.0.0.1", server.port).status == 200 and server.also == before
        if before is None:
            server.listen_also(OTHER)
    assert asked(OTHER, server.port).status == 200
    server.close()


def test_addresses_of_this_machine() -> None:
    assert is_own_address("127.0.0.1") and is_own_address(OTHER)
    assert not is_own_address("198.51.100.7") and not is_own_address("no address")


def until(condition: Callable[[], bool]) -> None:
    for _ in range(100):
        if condition():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it took too long")


def test_urls_for_browsers_on_this_machine(app: Flask) -> None:
    for host, url in (
        ("127.0.0.1", "http://127.0.0.1:"),
        ("0.0.0.0", "http://127.0.0.1:"),
        ("localhost", "http://localhost:"),
    ):
        server = Server(app, host, 0, threads=1)
        assert server.url == f"{url}{server.port}/"
        server.close()


def test_the_address_on_the_local_network_is_an_address() -> None:
    assert len(lan_address().split(".")) == 4
