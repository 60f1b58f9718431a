"""What a device takes, it gives back: threads, descriptors and memory stay within bounds, whatever the line sends."""

from __future__ import annotations

import contextlib
import gc
import importlib
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware import DiceTower, LedBoard, connect
from hardware.line import simulate
from hardware.link import Driver
from hardware.ports import SerialPort
from hardware.simulated.devices import SimulatedBoard, SimulatedTower
from tests.hardware.test_connection import Waiter

THREADS, DESCRIPTORS = 1, 1
"""Of one device on a line of its own; docs/reliability.md says so."""
DEVICE_KB = 128
"""What one device may keep in memory, however long and whatever it sends."""
SENT_MB = 64
READ_KB = 2 * DEVICE_KB
"""Of what is sent, so much must have been read before memory is judged."""
OPEN = Path("/proc/self/fd")


def tower() -> Driver:
    """A tower whose throws nobody waits for."""
    return DiceTower(lambda event: None)


def board() -> Driver:
    """A board with one light for each of 24 cells."""
    return LedBoard({f"c{light}": [light] for light in range(24)})


def descriptors() -> int:
    """How many files and sockets this process has open."""
    return len(list(OPEN.iterdir()))


def traced_kb() -> float:
    """What Python's objects take now."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1024


@contextlib.contextmanager
def tracing() -> Iterator[None]:
    """Memory is counted inside; what was there before is not looked through again each time."""
    gc.collect()
    gc.freeze()
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def once() -> None:
    """A tower and a board come, answer and go."""
    for driver, device in ((tower(), SimulatedTower()), (board(), SimulatedBoard())):
        ready = Waiter("ready")
        line, _ = simulate(driver, device, changed=ready)
        assert ready.reached.wait(5.0)
        line.close()


@pytest.mark.skipif(not OPEN.is_dir(), reason="counts descriptors in /proc, which Linux has")
def test_devices_that_come_and_go_leave_nothing_behind() -> None:
    once()
    threads, files = threading.active_count(), descriptors()
    with tracing():
        once()
        before = traced_kb()
        for _ in range(10):
            once()
        kept = traced_kb() - before
    assert threading.active_count() <= threads
    assert descriptors() <= files
    assert kept < 10, f"20 devices left {kept:.1f} KB behind"


class Counted(SerialPort):
    """A port that counts what was read."""

    def __init__(self, name: str, taken: list[int]) -> None:
        self._taken = taken
        super().__init__(name)

    def read(self, timeout_s: float) -> bytes:
        """See Port."""
        found = super().read(timeout_s)
        self._taken[0] += len(found)
        return found


@contextlib.contextmanager
def a_server(sends: Callable[[socket.socket], None]) -> Iterator[str]:
    """The address of a line whose other end does `sends` for each who connects."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            while True:
                try:
                    peer, _ = server.accept()
                except OSError:
                    return
                with peer, contextlib.suppress(OSError):
                    sends(peer)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield f"socket://127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(10)


@pytest.mark.timeout(150)
@pytest.mark.parametrize("noise", [b"\x00", b"\x7e\x01\x02", b"no device at all\r\n"], ids=["breaks", "frames", "text"])
@pytest.mark.parametrize("driver", [tower, board])
def test_a_line_that_never_stops_sending_fills_no_memory(driver: Callable[[], Driver], noise: bytes) -> None:
    chunk = (noise * 65536)[:65536]

    def flood(peer: socket.socket) -> None:
        for _ in range(SENT_MB * 16):
            peer.sendall(chunk)

    for loaded_once in ("serial.urlhandler.protocol_socket", "encodings.idna"):
        importlib.import_module(loaded_once)
    with a_server(flood) as address, tracing():
        threads, files, before = threading.active_count(), descriptors(), traced_kb()
        most = 0.0
        taken = [0]
        line = connect(driver(), address, open_port=lambda name: Counted(name, taken))
        end = time.monotonic() + 90
        while time.monotonic() < end and taken[0] < READ_KB << 10:
            most = max(most, traced_kb() - before)
            assert threading.active_count() <= threads + THREADS
            assert descriptors() <= files + DESCRIPTORS + 1, "the server of this test has one of its own"
            time.sleep(0.05)
        line.close()
        assert taken[0] >= READ_KB << 10
        assert most < DEVICE_KB, f"a device kept {most:.0f} KB"


def test_a_port_that_is_not_there_is_tried_without_keeping_anything() -> None:
    tried = [0]

    def missing(name: str) -> SerialPort:
        tried[0] += 1
        return SerialPort("/dev/no-such-port", 115200)

    clock = [0.0]
    waiting = Waiter("waiting")
    line = connect(tower(), "/dev/no-such-port", open_port=missing, clock=lambda: clock[0], changed=waiting)
    assert waiting.reached.wait(5.0)
    line.close()
    with tracing():
        files, before = descriptors(), traced_kb()
        for _ in range(100):
            clock[0] += 60.0
            line.step()
        kept = traced_kb() - before
    assert tried[0] > 100
    assert descriptors() <= files
    assert kept < DEVICE_KB
