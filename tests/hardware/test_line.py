"""The line: finding a port, keeping it, losing it, and never being in the way."""

from __future__ import annotations

import threading
import time
from itertools import pairwise
from random import Random

import pytest

from companion.core.foundation.errors import PortError
from firmware_protocol.messages import Kind, Ping, Policy
from hardware import line as line_module
from hardware.line import LONGEST_PAUSE_S, LinkStatus, SerialLine
from hardware.ports import Port
from hardware.simulated.device import SimulatedPort
from hardware.simulated.devices import SimulatedBoard, SimulatedTower
from simulation.hardware.virtual_wire import Errands


class Clock:
    """A clock that only a test moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


class Owner:
    """A line on a owner of simulated devices, stepped by hand."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.device: SimulatedBoard | SimulatedTower = SimulatedBoard()
        self.plugged: str | None = "/dev/ttyACM0"
        self.port: SimulatedPort | None = None
        self.opened: list[tuple[float, str]] = []
        self.seen: list[LinkStatus] = []
        self.errands = Errands(Kind.BOARD)
        self.line = SerialLine(
            self.errands, self.find, self.open, clock=self.clock, random=Random(1), changed=self.seen.append
        )

    def find(self) -> str:
        if self.plugged is None:
            raise PortError("The LED board is not plugged in: connect it.")
        return self.plugged

    def open(self, name: str) -> Port:
        self.opened.append((self.clock.now_s, name))
        self.port = SimulatedPort(self.device, clock=self.clock, sleep=self.clock.sleep)
        return self.port

    def run(self, seconds: float) -> None:
        until_s = self.clock.now_s + seconds
        while self.clock.now_s < until_s:
            wait_s = self.line.step()
            self.clock.sleep(min(wait_s, until_s - self.clock.now_s) if wait_s else 0.0005)

    @property
    def states(self) -> list[str]:
        return [status.state for status in self.seen]


def test_a_device_that_is_there_is_ready_at_once() -> None:
    owner = Owner()
    owner.run(0.1)
    assert owner.states == ["probing", "ready"]
    assert owner.line.status.sentence == "The LED board on /dev/ttyACM0 answers."
    assert owner.line.status.firmware == "1.0.0"
    assert len(owner.opened) == 1


def test_a_device_that_is_not_there_is_looked_for_and_found_when_it_comes() -> None:
    owner = Owner()
    owner.plugged = None
    owner.run(20.0)
    assert owner.states == ["waiting"]
    assert owner.line.status.sentence == "The LED board is not plugged in: connect it."
    assert owner.opened == []
    owner.plugged = "COM7"
    owner.run(LONGEST_PAUSE_S + 0.1)
    assert owner.line.status.state == "ready"
    assert owner.line.status.port == "COM7"


def test_a_port_that_cannot_be_opened_is_tried_less_and_less_often() -> None:
    owner = Owner()
    tried_s = []

    def stubborn(name: str) -> Port:
        tried_s.append(owner.clock.now_s)
        raise PortError("The port /dev/ttyACM0 cannot be opened: another program uses it; close that program.")

    owner.line = SerialLine(owner.errands, owner.find, stubborn, clock=owner.clock, random=Random(1))
    owner.run(30.0)
    waits_s = [round(later - sooner, 2) for sooner, later in pairwise(tried_s)]
    assert waits_s[:5] == [0.25, 0.5, 1.0, 2.0, 4.0]
    assert set(waits_s[5:]) == {5.0}
    assert "another program uses it" in owner.line.status.sentence


def test_a_pulled_cable_is_noticed_and_the_device_is_found_under_its_new_name() -> None:
    owner = Owner()
    owner.run(0.5)
    assert owner.port is not None
    owner.port.unplug()
    owner.plugged = None
    owner.run(0.1)
    assert owner.line.status.state == "waiting"
    owner.device.reset()
    owner.plugged = "/dev/ttyACM1"
    owner.run(1.0)
    assert owner.line.status.state == "ready"
    assert owner.line.status.port == "/dev/ttyACM1"
    assert [name for _, name in owner.opened] == ["/dev/ttyACM0", "/dev/ttyACM1"]
    assert owner.line.status.counters.sessions == 2


def test_a_request_on_a_pulled_cable_is_told() -> None:
    owner = Owner()
    owner.run(0.5)
    assert owner.port is not None
    owner.errands.todo.append(Ping(b"?"))
    owner.port._to_device = lambda data: b""
    owner.run(0.02)
    owner.port.unplug()
    owner.run(0.1)
    assert [request for request, _ in owner.errands.failures] == [Ping(b"?")]


def test_a_device_that_stays_silent_is_opened_again_after_a_while() -> None:
    owner = Owner()
    silent = SimulatedPort(SimulatedBoard(), clock=owner.clock, sleep=owner.clock.sleep, to_device=lambda data: b"")
    opened_s = []

    def open_silent(name: str) -> Port:
        opened_s.append(owner.clock.now_s)
        silent._gone = False
        return silent

    owner.line = SerialLine(owner.errands, owner.find, open_silent, clock=owner.clock, random=Random(1))
    owner.run(5.0)
    assert "Nothing answered for 4 s" in owner.line.status.sentence
    assert len(opened_s) == 2


def test_the_wrong_device_is_not_opened_again_and_again() -> None:
    owner = Owner()
    owner.device = SimulatedTower()
    owner.run(14.0)
    assert owner.line.status.sentence == "The port holds a dice tower, not an LED board: choose the other port."
    assert [round(at_s - owner.opened[0][0], 1) for at_s, _ in owner.opened] == [0.0, 5.0, 10.0]


def test_a_line_that_answers_slowly_is_shown_as_retrying() -> None:
    owner = Owner()
    owner.run(0.5)
    assert owner.port is not None
    owner.port._to_device = lambda data: b""
    owner.run(1.7)
    assert owner.line.status.state == "retrying"
    assert "check the cable" in owner.line.status.sentence
    owner.port._to_device = lambda data: data
    owner.run(1.0)
    assert owner.line.status.state == "ready"


def test_closing_says_goodbye_with_a_policy() -> None:
    owner = Owner()
    owner.run(0.1)
    assert isinstance(owner.device, SimulatedBoard)
    owner.line.close(Policy.OFF)
    assert owner.device._policy is Policy.OFF
    assert owner.device._idle
    assert owner.line.status.state == "closed"


def test_closing_a_line_that_never_had_a_port_is_no_trouble() -> None:
    owner = Owner()
    owner.line.close()
    assert owner.line.status.sentence == "The LED board is not in use."


def test_a_port_that_opens_only_after_the_line_was_closed_is_closed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    opening, opened, closed = threading.Event(), threading.Event(), threading.Event()

    class Late(SimulatedPort):
        def close(self) -> None:
            closed.set()

    def open_late(name: str) -> Port:
        opening.set()
        assert opened.wait(10.0)
        return Late(SimulatedBoard())

    line = SerialLine(Errands(Kind.BOARD), lambda: "far", open_late)
    line.start()
    assert opening.wait(5.0)
    monkeypatch.setattr(line_module, "JOIN_S", 0.05)
    line.close()
    opened.set()
    assert closed.wait(5.0)
    assert line.status.state == "closed"


@pytest.mark.parametrize("busy", [False, True])
def test_a_thread_serves_the_line_and_ends_when_it_is_closed(busy: bool) -> None:
    device = SimulatedBoard()
    errands = Errands(Kind.BOARD, [Ping(b"1")] * (20 if busy else 0))
    ready = threading.Event()
    line = SerialLine(
        errands,
        lambda: "simulated",
        lambda name: SimulatedPort(device),
        changed=lambda status: ready.set() if status.state == "ready" else None,
    )
    line.start()
    assert ready.wait(5.0)
    until_s = time.monotonic() + 5.0
    while errands.todo and time.monotonic() < until_s:
        time.sleep(0.01)
    line.close()
    assert not errands.todo
    assert not any(thread.name == "line-board" for thread in threading.enumerate())
