"""A simulated device behind something like a serial port."""

from __future__ import annotations

import pytest

from companion.core.foundation.errors import PortError
from firmware_protocol.frame import Decoder, LinkFrame
from firmware_protocol.messages import Boot, Identify
from hardware.simulated.device import SimulatedPort
from hardware.simulated.devices import SimulatedBoard


class Clock:
    """Time passes only in sleep."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_it_reads_what_the_device_says_and_waits_no_longer_than_asked() -> None:
    clock = Clock()
    port = SimulatedPort(SimulatedBoard(), clock=clock, sleep=clock.sleep)
    assert [frame.type for frame in Decoder().feed(port.read(1.0))] == [Boot.TYPE]
    assert clock.now_s == 0.0
    assert port.read(0.5) == b""
    assert clock.now_s == pytest.approx(0.5, abs=0.01)
    port.write(LinkFrame(Identify.TYPE, 0, 0, 0).wire())
    assert [frame.type for frame in Decoder().feed(port.read(1.0))] == [0x81]


def test_an_unplugged_port_is_gone_for_both_directions() -> None:
    port = SimulatedPort(SimulatedBoard())
    port.unplug()
    with pytest.raises(PortError):
        port.read(0.0)
    with pytest.raises(PortError):
        port.write(b"x")
    port.close()


def test_faults_sit_in_both_directions() -> None:
    port = SimulatedPort(SimulatedBoard(), to_device=lambda data: b"", from_device=lambda data: data[:1])
    assert len(port.read(0.0)) == 1
    port.write(LinkFrame(Identify.TYPE, 0, 0, 0).wire())
    assert port.read(0.0) == b""
