"""One call for a device, wherever it is."""

from __future__ import annotations

import threading
from pathlib import Path

from hardware import (
    PAIRED,
    SIMULATED,
    DiceTower,
    LedBoard,
    LinkStatus,
    Pairing,
    Pairings,
    SimulatedTower,
    connect,
    simulate,
)
from hardware.ports import Port, PortInfo
from hardware.simulated.device import SimulatedPort
from hardware.simulated.devices import SimulatedBoard
from hardware.tower import RollEnded, TowerEvent


class Waiter:
    """Waits for a status."""

    def __init__(self, state: str) -> None:
        self._state = state
        self.reached = threading.Event()
        self.last: LinkStatus | None = None

    def __call__(self, status: LinkStatus) -> None:
        self.last = status
        if status.state == self._state:
            self.reached.set()


def test_a_simulated_device_is_there_at_once() -> None:
    waiter = Waiter("ready")
    line = connect(LedBoard({"c0": (0,)}), SIMULATED, changed=waiter)
    assert waiter.reached.wait(5.0)
    line.close()
    assert line.status.state == "closed"


def test_the_paired_device_is_opened_wherever_it_is(tmp_path: Path) -> None:
    opened: list[str] = []

    def open_port(name: str) -> Port:
        opened.append(name)
        return SimulatedPort(SimulatedBoard())

    pairings = Pairings(tmp_path / "devices.json")
    pairings.keep(Pairing("board", 0x2341, 0x43, "1"))
    waiter = Waiter("ready")
    listed = [PortInfo("/dev/ttyACM0", 0x2341, 0x43, "2"), PortInfo("/dev/ttyACM5", 0x2341, 0x43, "1")]
    line = connect(
        LedBoard({"c0": (0,)}), PAIRED, pairings=pairings, lister=lambda: listed, open_port=open_port, changed=waiter
    )
    assert waiter.reached.wait(5.0)
    line.close()
    assert opened == ["/dev/ttyACM5"]


def test_without_a_pairing_nothing_is_opened() -> None:
    opened: list[str] = []

    def open_port(name: str) -> Port:
        opened.append(name)
        return SimulatedPort(SimulatedBoard())

    waiter = Waiter("waiting")
    line = connect(DiceTower(lambda event: None), PAIRED, open_port=open_port, changed=waiter)
    assert waiter.reached.wait(5.0)
    line.close()
    assert opened == []
    assert waiter.last is not None


def test_a_port_that_is_not_there_says_so() -> None:
    waiter = Waiter("waiting")
    line = connect(DiceTower(lambda event: None), "/dev/no-such-port", changed=waiter)
    assert waiter.reached.wait(5.0)
    sentence = line.status.sentence
    line.close()
    assert sentence == "The port /dev/no-such-port cannot be opened: it is not there; plug the device in."


def test_a_demonstration_throws_dice_into_a_simulated_tower() -> None:
    told: list[TowerEvent] = []
    settled = threading.Event()

    def tell(event: TowerEvent) -> None:
        told.append(event)
        if isinstance(event, RollEnded):
            settled.set()

    device, waiter = SimulatedTower(), Waiter("ready")
    line, lock = simulate(DiceTower(tell, sensors=2, quiet_ms=50), device, changed=waiter)
    assert waiter.reached.wait(5.0)
    with lock:
        device.throw([1, 4])
    assert settled.wait(5.0)
    line.close()
    faces = next(event.faces for event in told if isinstance(event, RollEnded))
    assert faces is not None
    assert [die.face for die in faces] == ["green", "red"]
