"""The line: finding a port, keeping it, losing it, and never being in the way."""

from __future__ import annotations

import threading
import time
from itertools import pairwise
from random import Random

import pytest

from companion.errors import PortError
from firmware_protocol.messages import Kind, Ping, Policy
from hardware.line import LONGEST_PAUSE_S, Line
from hardware.port import Port
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.port import SimulatedPort
from hardware.simulated.tower import SimulatedTower
from hardware.status import LinkStatus
from tests.hardware.virtual_wire import Errands


class Clock:
    """A clock that only a test moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


class Desk:
    """A line on a desk of simulated devices, stepped by hand."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.device: SimulatedBoard | SimulatedTower = SimulatedBoard()
        self.plugged: str | None = "/dev/ttyACM0"
        self.port: SimulatedPort | None = None
        self.opened: list[tuple[float, str]] = []
        self.seen: list[LinkStatus] = []
        self.errands = Errands(Kind.BOARD)
        self.line = Line(
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
    desk = Desk()
    desk.run(0.1)
    assert desk.states == ["probing", "ready"]
    assert desk.line.status.sentence == "The LED board on /dev/ttyACM0 answers."
    assert desk.line.status.firmware == "1.0.0"
    assert len(desk.opened) == 1


def test_a_device_that_is_not_there_is_looked_for_and_found_when_it_comes() -> None:
    desk = Desk()
    desk.plugged = None
    desk.run(20.0)
    assert desk.states == ["waiting"]
    assert desk.line.status.sentence == "The LED board is not plugged in: connect it."
    assert desk.opened == []
    desk.plugged = "COM7"
    desk.run(LONGEST_PAUSE_S + 0.1)
    assert desk.line.status.state == "ready"
    assert desk.line.status.port == "COM7"


def test_a_port_that_cannot_be_opened_is_tried_less_and_less_often() -> None:
    desk = Desk()
    tried_s = []

    def stubborn(name: str) -> Port:
        tried_s.append(desk.clock.now_s)
        raise PortError("The port /dev/ttyACM0 cannot be opened: another program uses it; close that program.")

    desk.line = Line(desk.errands, desk.find, stubborn, clock=desk.clock, random=Random(1))
    desk.run(30.0)
    waits_s = [round(later - sooner, 2) for sooner, later in pairwise(tried_s)]
    assert waits_s[:5] == [0.25, 0.5, 1.0, 2.0, 4.0]
    assert set(waits_s[5:]) == {5.0}
    assert "another program uses it" in desk.line.status.sentence


def test_a_pulled_cable_is_noticed_and_the_device_is_found_under_its_new_name() -> None:
    desk = Desk()
    desk.run(0.5)
    assert desk.port is not None
    desk.port.unplug()
    desk.plugged = None
    desk.run(0.1)
    assert desk.line.status.state == "waiting"
    desk.device.reset()
    desk.plugged = "/dev/ttyACM1"
    desk.run(1.0)
    assert desk.line.status.state == "ready"
    assert desk.line.status.port == "/dev/ttyACM1"
    assert [name for _, name in desk.opened] == ["/dev/ttyACM0", "/dev/ttyACM1"]
    assert desk.line.status.counters.sessions == 2


def test_a_request_on_a_pulled_cable_is_told() -> None:
    desk = Desk()
    desk.run(0.5)
    assert desk.port is not None
    desk.errands.todo.append(Ping(b"?"))
    desk.port._to_device = lambda data: b""
    desk.run(0.02)
    desk.port.unplug()
    desk.run(0.1)
    assert [request for request, _ in desk.errands.failures] == [Ping(b"?")]


def test_a_device_that_stays_silent_is_opened_again_after_a_while() -> None:
    desk = Desk()
    silent = SimulatedPort(SimulatedBoard(), clock=desk.clock, sleep=desk.clock.sleep, to_device=lambda data: b"")
    opened_s = []

    def open_silent(name: str) -> Port:
        opened_s.append(desk.clock.now_s)
        silent._gone = False
        return silent

    desk.line = Line(desk.errands, desk.find, open_silent, clock=desk.clock, random=Random(1))
    desk.run(5.0)
    assert "Nothing answered for 4 s" in desk.line.status.sentence
    assert len(opened_s) == 2


def test_the_wrong_device_is_not_opened_again_and_again() -> None:
    desk = Desk()
    desk.device = SimulatedTower()
    desk.run(14.0)
    assert desk.line.status.sentence == "The port holds a dice tower, not an LED board: choose the other port."
    assert [round(at_s - desk.opened[0][0], 1) for at_s, _ in desk.opened] == [0.0, 5.0, 10.0]


def test_a_line_that_answers_slowly_is_shown_as_retrying() -> None:
    desk = Desk()
    desk.run(0.5)
    assert desk.port is not None
    desk.port._to_device = lambda data: b""
    desk.run(1.7)
    assert desk.line.status.state == "retrying"
    assert "check the cable" in desk.line.status.sentence
    desk.port._to_device = lambda data: data
    desk.run(1.0)
    assert desk.line.status.state == "ready"


def test_closing_says_goodbye_with_a_policy() -> None:
    desk = Desk()
    desk.run(0.1)
    assert isinstance(desk.device, SimulatedBoard)
    desk.line.close(Policy.OFF)
    assert desk.device._policy is Policy.OFF
    assert desk.device._idle
    assert desk.line.status.state == "closed"


def test_closing_a_line_that_never_had_a_port_is_no_trouble() -> None:
    desk = Desk()
    desk.line.close()
    assert desk.line.status.sentence == "The LED board is not in use."


@pytest.mark.parametrize("busy", [False, True])
def test_a_thread_serves_the_line_and_ends_when_it_is_closed(busy: bool) -> None:
    device = SimulatedBoard()
    errands = Errands(Kind.BOARD, [Ping(b"1")] * (20 if busy else 0))
    ready = threading.Event()
    line = Line(
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
