"""Measures the reliability of the link to devices (N1 to N7, N9): on the C core, on an emulated Uno, and on a
pseudo-terminal.

The tests compare these figures with the claims, in sizes that fit into a normal run; `python -m bench serial` and the
longer runs print them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.core.foundation.errors import DeviceRestarted, PortError
from firmware_protocol.messages import Kind, Ping, PingReply, RollSettled, RollStarted, Stats, StatsReply, TowerConfig
from firmware_protocol.payload import Payload
from hardware import picture
from hardware.led_board import LedBoard
from hardware.line import SerialLine
from hardware.link import Patience
from hardware.ports import SerialPort
from simulation.firmware.native_device import NativeDevice
from simulation.firmware.peer import Peer
from simulation.firmware.uno import Uno
from simulation.firmware.uno_process import UnoProcess
from simulation.hardware.virtual_wire import NOISES, Errands, VirtualWire

UNTROUBLED = Patience(quiet_s=1e9)
"""The patience of a link that makes no requests of its own, so that the executed ones are exactly those of the run."""
PUSHED_RESETS = 62
"""The number of resets among the pushes of N4."""


def chain_of(requests: list[Payload]) -> int:
    """Returns the value of the device's chain after these requests of a fresh session, executed in this order, each
    once.
    """
    chain = 0
    for number, request in enumerate(requests, 1):
        for byte in bytes((request.TYPE, number % 256)) + request.pack():
            chain = (31 * chain + byte) % 2**32
    return chain


class Executed(NamedTuple):
    """N1: the outcomes of numbered requests."""

    asked: int
    answered: int
    """The number of requests that were answered with their own bytes."""
    in_order: bool
    """True if the device's own account shows exactly these requests, each once, in their order."""
    failures: int
    sessions: int
    retries: int
    """The number of frames that were sent again."""


def executed(device: Peer, noise: str, count: int, *, seed: int, step_s: float) -> Executed:
    """N1: sends numbered requests, and compares them with the device's own account of executed requests."""
    random = Random(seed)
    requests: list[Payload] = [Ping(number.to_bytes(4, "little") + random.randbytes(4)) for number in range(count)]
    errands = Errands(Kind.BOARD, [*requests, Stats()])
    wire = VirtualWire(errands, device, noise=NOISES[noise], seed=seed, step_s=step_s, patience=UNTROUBLED)
    wire.until(lambda: not errands.todo, limit_s=0.5 * count + 60)
    answered = sum(
        isinstance(request, Ping) and reply == PingReply(request.data) for request, reply, _ in errands.answers[:-1]
    )
    account = errands.answers[-1][1]
    assert isinstance(account, StatsReply)
    told = (account.executed, account.chain) == ((count + 1) % 65536, chain_of([*requests, Stats()]))
    retries = wire.link.counters.retries
    return Executed(count, answered, told, len(errands.failures), len(errands.greeted), retries)


class Told(NamedTuple):
    """N1: the outcomes of requests while the device is reset again and again."""

    answered: int
    restarts: int
    """The number of requests whose callers got the error that their execution is unknown, because the device restarted.

    """
    others: int
    """The number of requests that failed in any other way."""
    resets: int


def told_of_resets(count: int, *, seed: int) -> Told:
    """N1: sends requests to the emulated Uno at a bit error rate of 1e-4, with resets every 0 to 0.3 s."""
    random = Random(seed)
    uno = Uno("board")
    errands = Errands(Kind.BOARD, [Ping(number.to_bytes(4, "little")) for number in range(count)])
    wire = VirtualWire(errands, uno, noise=NOISES["ber-1e-4"], seed=seed)
    resets = 0
    while errands.todo:
        wire.run(random.uniform(0.0, 0.3))
        uno.reset()
        resets += 1
    restarts = sum(isinstance(why, DeviceRestarted) for _, why in errands.failures)
    return Told(len(errands.answers), restarts, len(errands.failures) - restarts, resets)


class Events(NamedTuple):
    """N2: the outcomes of a tower's events."""

    received: int
    lost: int
    """The number of events that were reported as lost."""
    made: int
    in_order: bool
    """True if each event came once and none before an earlier one."""


def falling(device: NativeDevice | Uno, wire: VirtualWire, seconds: float) -> None:
    """Lets fifty dice a second fall, each of which causes two events: it falls and comes to rest."""
    until_s = wire.now_s + seconds
    while wire.now_s < until_s:
        device.fall()
        wire.run(0.02)


def events(device: NativeDevice | Uno, noise: str, *, seed: int) -> Events:
    """N2: receives a hundred events a second, while the reader stalls three times for two seconds."""
    errands = Errands(Kind.TOWER, [TowerConfig(0, 5)])
    wire = VirtualWire(errands, device, noise=NOISES[noise], seed=seed)
    wire.ready()
    for _ in range(3):
        falling(device, wire, 1.0)
        wire.stalled = True
        falling(device, wire, 2.0)
        wire.stalled = False
    wire.run(3.0)
    account = wire.link.counters.device
    assert account is not None and errands.failures == [] and len(errands.greeted) == 1
    order = [
        (event.roll, isinstance(event, RollSettled))
        for event in errands.events
        if isinstance(event, RollStarted | RollSettled)
    ]
    return Events(len(errands.events), errands.lost, account.events_made, order == sorted(set(order)))


class Pushes(NamedTuple):
    """N4: the outcomes of pictures for an emulated board."""

    pushed: int
    right: int
    """The number of pictures that the strip, decoded from the pin, then showed exactly."""
    resets: int
    took_ms: list[float]
    """The durations of pushes without a reset in virtual milliseconds, ascending."""


def pushes(count: int, resets: int, *, seed: int) -> Pushes:
    """N4: pushes colorful pictures at a bit error rate of 1e-4, some of them with a reset in their middle."""
    random = Random(seed)
    uno = Uno("board")
    wire: VirtualWire
    board = LedBoard({}, 64, limit_ma=10_000, clock=lambda: wire.now_s)
    wire = VirtualWire(board, uno, noise=NOISES["ber-1e-4"], seed=seed)
    wire.ready()
    right = done = 0
    took_ms = []
    for number in range(count):
        wanted = tuple(
            (random.randrange(40), random.randrange(40), random.randrange(40)) if random.random() < 0.5 else (0, 20, 0)
            for _ in range(64)
        )
        board.show(wanted)
        began_s = wire.now_s
        reset = number * resets // count > (number - 1) * resets // count
        if reset:
            wire.run(random.uniform(0.0, 0.03))
            uno.reset()
            done += 1
        wire.until(lambda: board.settled, limit_s=8)
        right += uno.strip() == picture.packed(wanted)
        if not reset:
            took_ms.append(1000 * (wire.now_s - began_s))
    return Pushes(count, right, done, sorted(took_ms))


def latencies_ms(noise: str, count: int, *, seed: int) -> list[float]:
    """N5: returns the times from a request of 25 bytes to its answer on the emulated Uno, in virtual milliseconds,
    ascending.
    """
    errands = Errands(Kind.BOARD, [Ping(bytes(25))] * count)
    wire = VirtualWire(errands, Uno("board"), noise=NOISES[noise], seed=seed, step_s=0.0005, patience=UNTROUBLED)
    errands.clock(lambda: wire.now_s)
    wire.until(lambda: not errands.todo, limit_s=0.5 * count + 60)
    return sorted(1000 * one for one in errands.latencies_s)


def wait(done: Callable[[], bool], limit_s: float = 15.0, *, on: SerialLine | None = None) -> float:
    """Waits until `done` returns True, and returns the seconds by the clock; a failure shows the status of the line."""
    began_s = time.monotonic()
    while not done():
        assert time.monotonic() - began_s < limit_s, f"not within {limit_s} s: {on.status if on else None}"
        time.sleep(0.002)
    return time.monotonic() - began_s


class Pulled(NamedTuple):
    """N6: the times after which a pulled cable was noticed, and after which the device was back, in milliseconds by the
    clock.
    """

    seen_ms: list[float]
    back_ms: list[float]
    sessions: int


def pulled_cable(cycles: int, folder: Path) -> Pulled:
    """N6: removes and restores an emulated Uno on a pseudo-terminal, each time with a picture to show."""
    link = folder / "ttyACM0"
    seen_ms, back_ms = [], []
    board = LedBoard({f"c{at}": (at,) for at in range(64)})

    def find() -> str:
        if not link.exists():
            raise PortError("The LED board is not plugged in.")
        return str(link)

    line = SerialLine(board, find, SerialPort)
    line.start()
    for cycle in range(cycles):
        with UnoProcess("board") as uno:
            link.symlink_to(uno.device)
            back_ms.append(1000 * wait(lambda: line.status.state == "ready", on=line))
            board.legal([f"c{cycle}"])
            wait(lambda: board.settled, on=line)
            link.unlink()
            uno.unplug()
            seen_ms.append(1000 * wait(lambda: line.status.state == "waiting", on=line))
    line.close()
    return Pulled(seen_ms, back_ms, line.status.counters.sessions)


class HangingPort:
    """A port that receives nothing, and whose writes hang a while and fail, as pyserial's do on a peer that never
    reads.
    """

    def __init__(self, hangs_s: float) -> None:
        self._hangs_s = hangs_s

    def read(self, timeout_s: float) -> bytes:
        """Returns nothing after `timeout_s`."""
        time.sleep(timeout_s)
        return b""

    def write(self, data: bytes) -> None:
        """Fails after a while."""
        time.sleep(self._hangs_s)
        raise PortError("The port takes nothing: plug the device in again.")

    def close(self) -> None:
        """Does nothing."""


def longest_call_ms(calls: int, hangs_s: float = 0.3) -> float:
    """N9: returns the longest duration of a call to a board on a hanging port, in milliseconds by the clock."""
    board = LedBoard({f"c{at}": (at,) for at in range(64)})
    line = SerialLine(board, lambda: "/dev/ttyACM0", lambda name: HangingPort(hangs_s))
    line.start()
    longest_s = 0.0
    for number in range(calls):
        began_s = time.perf_counter()
        board.legal([f"c{number % 64}"], [number, 7])
        board.refused([f"c{number % 64}"])
        assert line.status.state in ("closed", "probing", "waiting")
        longest_s = max(longest_s, time.perf_counter() - began_s)
        time.sleep(0.001)
    line.close()
    return 1000 * longest_s


def given_up_ms() -> float:
    """N9: returns the time after which a write gives up on a pseudo-terminal whose peer never reads, in milliseconds by
    the clock.
    """
    master, slave = os.openpty()
    port = SerialPort(os.ttyname(slave))
    try:
        while True:
            began_s = time.perf_counter()
            try:
                port.write(bytes(1000))
            except PortError:
                return 1000 * (time.perf_counter() - began_s)
    finally:
        port.close()
        os.close(slave)
        os.close(master)
