"""Runs a link and a device under one virtual clock, with faults between them, and without waiting for real time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from random import Random

from companion.core.foundation.errors import DeviceError
from firmware_protocol.messages import IdentifyReply, Kind, Status
from firmware_protocol.payload import Payload
from hardware.link import PATIENCE, Driver, Link, Patience, Phase
from hardware.simulated.device import Fault, clean
from simulation.firmware.peer import Peer
from simulation.hardware.wire_faults import BitFlips, ByteDrops, ByteDuplicates, Faults

NOISES: dict[str, Callable[[Random], Fault]] = {
    "clean": lambda random: clean,
    "ber-1e-4": lambda random: BitFlips(1e-4, random),
    "ber-1e-3": lambda random: BitFlips(1e-3, random),
    "drop-1e-3": lambda random: ByteDrops(1e-3, random),
    "dup-1e-3": lambda random: ByteDuplicates(1e-3, random),
    "all-1e-3": lambda random: Faults([BitFlips(1e-3, random), ByteDrops(1e-3, random), ByteDuplicates(1e-3, random)]),
}
"""The six kinds of noise; each is applied in both directions."""


class VirtualWire:
    """A wire between a link and a device, which steps both together, `step_s` at a time."""

    def __init__(
        self,
        driver: Driver,
        device: Peer,
        *,
        noise: Callable[[Random], Fault] = NOISES["clean"],
        seed: int = 1,
        step_s: float = 0.001,
        patience: Patience = PATIENCE,
    ) -> None:
        self.now_s = 0.0
        self.device = device
        self.link = Link(driver, Random(seed), patience)
        self.to_device = noise(Random(seed + 1))
        self.from_device = noise(Random(seed + 2))
        self.cut = False
        """True if the cable is cut: nothing arrives on either side."""
        self.stalled = False
        """True if the host does not run; the device's bytes wait in the port's buffer."""
        self._waiting = b""
        self._step_s = step_s
        self.link.start(0.0)

    def step(self) -> None:
        """Steps the link and the device once."""
        out = b"" if self.stalled else self.link.due(self.now_s)
        if out and not self.cut:
            self.device.send(self.to_device(out))
        data = self.device.run(self._step_s)
        self.now_s += self._step_s
        if data and not self.cut:
            self._waiting += self.from_device(data)
        if self._waiting and not self.stalled:
            self.link.receive(self._waiting, self.now_s)
            self._waiting = b""

    def run(self, seconds: float) -> None:
        """Steps for some seconds of virtual time."""
        until_s = self.now_s + seconds
        while self.now_s < until_s:
            self.step()

    def until(self, done: Callable[[], bool], limit_s: float) -> None:
        """Steps until `done` returns True; fails if that takes longer than `limit_s` of virtual time."""
        until_s = self.now_s + limit_s
        while not done():
            assert self.now_s < until_s, f"not within {limit_s} s of virtual time"
            self.step()

    def ready(self, limit_s: float = 10.0) -> None:
        """Steps until a session is established."""
        self.until(lambda: self.link.phase is Phase.READY, limit_s)


class Errands:
    """A driver that sends requests one after the other and records their outcomes."""

    def __init__(self, kind: Kind, requests: Sequence[Payload] = ()) -> None:
        self.kind = kind
        self.todo = deque(requests)
        self.answers: list[tuple[Payload, Payload, Status]] = []
        self.failures: list[tuple[Payload, DeviceError]] = []
        self.events: list[Payload] = []
        self.lost = 0
        self.greeted: list[IdentifyReply] = []
        self.latencies_s: list[float] = []
        self._begun_s = 0.0
        self._now_s: Callable[[], float] = lambda: 0.0

    def clock(self, now_s: Callable[[], float]) -> None:
        """Sets the clock by which latencies are measured."""
        self._now_s = now_s

    def greet(self, identity: IdentifyReply) -> None:
        self.greeted.append(identity)

    def next(self, now_s: float) -> Payload | None:
        self._begun_s = now_s
        return self.todo[0] if self.todo else None

    def answered(self, request: Payload, reply: Payload, status: Status) -> None:
        self.latencies_s.append(self._now_s() - self._begun_s)
        self.answers.append((self.todo.popleft(), reply, status))

    def failed(self, request: Payload, why: DeviceError) -> None:
        self.failures.append((self.todo.popleft(), why))

    def told(self, event: Payload) -> None:
        self.events.append(event)

    def missed(self, count: int) -> None:
        self.lost += count
