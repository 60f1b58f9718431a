"""pyserial's quirks, each as one error with one sentence."""

from __future__ import annotations

import contextlib
import errno
import os
import pty
import select
import socket
import time
import tty
from collections.abc import Iterator

import pytest
import serial

from companion.core.foundation.errors import PortError
from hardware import ports as port_module
from hardware.ports import WRITE_TIMEOUT_S, SerialPort


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """A pseudo-terminal: the device's end as a file, the host's by its name."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(slave)
    try:
        os.close(master)
    except OSError as why:
        assert why.errno == errno.EBADF  # the test unplugged it


def test_bytes_go_both_ways(terminal: tuple[int, str]) -> None:
    master, name = terminal
    port = SerialPort(name)
    port.write(b"\0\1\2")
    assert os.read(master, 10) == b"\0\1\2"
    os.write(master, b"\0\xff\r\n\x03")
    assert port.read(1.0) == b"\0\xff\r\n\x03"
    port.close()


def test_a_socket_is_a_port_too_and_gone_when_the_other_side_closes() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = SerialPort(f"socket://127.0.0.1:{server.getsockname()[1]}")
        peer, _ = server.accept()
    port.write(b"\0\1\2")
    assert peer.recv(10) == b"\0\1\2"
    peer.sendall(b"\0\xff\r\n\x03")
    data, until_s = b"", time.monotonic() + 10.0
    while len(data) < 5 and time.monotonic() < until_s:
        data += port.read(0.1)
    assert data == b"\0\xff\r\n\x03"
    peer.close()
    with pytest.raises(PortError, match="is gone"):
        port.read(1.0)
    port.close()


class Endless:
    """A socket's peer that sends faster than anybody reads."""

    def __init__(self, there: socket.socket) -> None:
        self.there, self.reads = there, 0

    def fileno(self) -> int:
        return self.there.fileno()

    def recv(self, most: int) -> bytes:
        self.reads += 1
        assert self.reads < 1000, "reads for ever"
        return bytes(most)


def test_a_peer_that_never_stops_sending_holds_nobody_who_opens_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = port_module._Socket(f"socket://127.0.0.1:{server.getsockname()[1]}", timeout=0)
        peer, _ = server.accept()
    with peer, contextlib.closing(port._socket) as there:
        peer.sendall(b"\0")
        select.select([there], [], [], 10.0)
        port._socket = Endless(there)
        port.reset_input_buffer()
        assert port._socket.reads == port_module.OLD_READS


def test_what_came_in_before_a_socket_was_opened_is_no_news() -> None:
    """Other ends keep what a device said while nobody listened."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = port_module._Socket(f"socket://127.0.0.1:{server.getsockname()[1]}", timeout=0)
        peer, _ = server.accept()
    with peer:
        peer.sendall(bytes(10_000))
        until_s = time.monotonic() + 10.0
        while not port.in_waiting and time.monotonic() < until_s:
            time.sleep(0.01)
        time.sleep(0.05)
        port.reset_input_buffer()
        peer.sendall(b"now")
        port.timeout = 5.0
        assert port.read(3) == b"now"
    port.close()


@pytest.mark.parametrize("name", ["loop://?logging=x", "hwgrep://[", "rfc2217://127.0.0.1:1", "spy://x", "://"])
def test_other_addresses_are_no_ports(name: str) -> None:
    with pytest.raises(PortError, match="only socket://host:port is a port"):
        SerialPort(name)


@pytest.mark.parametrize(
    "place", ["", "h", "[::1", "h:x", "h:99999", "127.0.0.1:1?logging=x", "a..b:1", "a" * 300 + ":1"]
)
def test_an_address_that_is_none_says_so(place: str) -> None:
    with pytest.raises(PortError, match="cannot be opened: check the name"):
        SerialPort(f"socket://{place}")


def test_reading_waits_no_longer_than_asked(terminal: tuple[int, str]) -> None:
    port = SerialPort(terminal[1])
    began_s = time.perf_counter()
    assert port.read(0.05) == b""
    assert 0.04 <= time.perf_counter() - began_s < 1.0
    port.close()


def test_a_port_that_another_program_uses_says_so(terminal: tuple[int, str]) -> None:
    port = SerialPort(terminal[1])
    with pytest.raises(PortError, match="another program uses it"):
        SerialPort(terminal[1])
    port.close()
    SerialPort(terminal[1]).close()


def test_a_port_that_is_not_there_says_so() -> None:
    with pytest.raises(PortError, match="/dev/ttyACM99 cannot be opened: it is not there"):
        SerialPort("/dev/ttyACM99")


@pytest.mark.parametrize(
    ("number", "advice"), [(errno.EACCES, "dialout"), (errno.EBUSY, "another program"), (None, "companion doctor")]
)
def test_the_reason_decides_the_advice(monkeypatch: pytest.MonkeyPatch, number: int | None, advice: str) -> None:
    def refuse(*args: object, **settings: object) -> None:
        raise serial.SerialException(number, "no") if number else serial.SerialException("no")

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(PortError, match=advice):
        SerialPort("COM3")


def test_n9_a_peer_that_never_reads_is_given_up_after_a_third_of_a_second(terminal: tuple[int, str]) -> None:
    port = SerialPort(terminal[1])
    began_s = time.perf_counter()
    with pytest.raises(PortError, match=r"takes nothing for 0.3 s"):
        for _ in range(100):
            port.write(bytes(4096))
    assert time.perf_counter() - began_s < WRITE_TIMEOUT_S + 1.0
    port.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_pulled_cable_ends_reading_and_writing(terminal: tuple[int, str]) -> None:
    master, name = terminal
    os.close(os.open(name, os.O_RDWR | os.O_NOCTTY))
    port = SerialPort(name)
    os.close(master)
    with pytest.raises(PortError, match="is gone"):
        port.read(0.1)
    with pytest.raises(PortError, match="is gone"):
        port.write(b"x")
    port.close()
