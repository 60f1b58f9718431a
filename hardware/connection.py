"""One call to have a tower or a board on the line: on a named port, the paired device, or a simulated one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.core.foundation.errors import PortError
from firmware_protocol.messages import Kind
from hardware.driver import Driver
from hardware.line import Find, Open, SerialLine
from hardware.pairing import Device, Pairings
from hardware.port import Port, SerialPort
from hardware.ports import Lister, known_ports, paired_port
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.device import SimulatedDevice
from hardware.simulated.port import SimulatedPort
from hardware.simulated.tower import SimulatedTower
from hardware.status import SIMULATED, LinkStatus

PAIRED = "paired"
"""In place of a port's name: the device that was paired, whatever port it is on."""


def silent(status: LinkStatus) -> None:
    """Ignores the status."""


def finder(where: str, device: Device, pairings: Pairings | None, lister: Lister) -> Find:
    """How to find the port that `where` means."""

    def find() -> str:
        if where != PAIRED:
            return where
        pairing = pairings.get(device) if pairings is not None else None
        if pairing is None:
            word = "tower" if device == "tower" else "leds"
            raise PortError(f"Nothing is paired yet: `companion doctor --pair {word}=PORT` does it, or name the port.")
        return paired_port(pairing, lister).device

    return find


def connect(
    driver: Driver,
    where: str,
    *,
    pairings: Pairings | None = None,
    baud: int = 115200,
    lister: Lister = known_ports,
    open_port: Open | None = None,
    changed: Callable[[LinkStatus], None] = silent,
    clock: Callable[[], float] = time.monotonic,
) -> SerialLine:
    """Keep `driver` connected; the line runs already. It returns at once, whether the device is there or not.

    Args:
        where: A port's name ("/dev/ttyACM0", "COM5", "socket://host:port"), PAIRED or SIMULATED.
        changed: Called from the line's thread with each new status; must return soon and not raise.
    """
    if where == SIMULATED:
        return simulate(driver, SimulatedTower() if driver.kind is Kind.TOWER else SimulatedBoard(), changed=changed)[0]

    def open_serial(name: str) -> Port:
        return SerialPort(name, baud)

    device: Device = "tower" if driver.kind is Kind.TOWER else "board"
    find = finder(where, device, pairings, lister)
    line = SerialLine(driver, find, open_port or open_serial, clock=clock, changed=changed)
    line.start()
    return line


def simulate(
    driver: Driver, device: SimulatedDevice, *, changed: Callable[[LinkStatus], None] = silent
) -> tuple[SerialLine, threading.RLock]:
    """Keeps `driver` connected to `device`; a caller that throws dice or presses buttons holds the lock meanwhile."""
    lock = threading.RLock()

    def open_simulated(name: str) -> Port:
        return SimulatedPort(device, lock=lock)

    line = SerialLine(driver, lambda: SIMULATED, open_simulated, changed=changed)
    line.start()
    return line, lock
