"""Keeps one device connected: finds the port, opens it, runs the link, and starts over when the port goes.

One thread for each device does all of it, so that calls of the tower or the board never wait for a port. The thread is
only a loop around `step`; tests call `step` themselves, with their own clock and ports.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random
from typing import Literal

from msgspec import Struct, field, structs

from companion.core.foundation.errors import PortError, WrongDevice
from firmware_protocol.messages import Bye, Kind, Policy
from hardware.link import PATIENCE, Counters, Driver, Link, Patience, Phase
from hardware.ports import Device, Lister, Pairings, Port, SerialPort, known_ports, paired_port
from hardware.simulated.device import SimulatedDevice, SimulatedPort
from hardware.simulated.devices import SimulatedBoard, SimulatedTower

SIMULATED = "simulated"
"""The name of a port that leads to a device without hardware."""
State = Literal["closed", "waiting", "probing", "ready", "retrying"]
""""closed": not in use. "waiting": no port; it is tried again automatically. "probing": a port is open, but no device
has answered yet. "ready": there is a session. "retrying": there is a session, but the last request has been sent
several times.
"""


class LinkStatus(Struct, frozen=True):
    """The state of a link at one moment."""

    device: Literal["tower", "board"]
    state: State
    port: str | None
    """The name of the open port; None without one."""
    sentence: str
    """A sentence for people: the problem and advice, or that all is well."""
    firmware: str | None = None
    """The version of the firmware, such as "1.0.0"."""
    uid: int | None = None
    """The number burnt into the device; None if it has none."""
    counters: Counters = field(default_factory=Counters)
    """A copy of the link's counters."""


def status_of(link: Link, port: str | None, state: State, trouble: str) -> LinkStatus:
    """Returns the status of `link` on `port`; `trouble` is the last reason for having no port."""
    device: Literal["tower", "board"] = "tower" if link.driver.kind is Kind.TOWER else "board"
    name = "dice tower" if device == "tower" else "LED board"
    on = f"{name} on {port}" if port != SIMULATED else f"simulated {name}"
    sentence = {
        "closed": f"The {name} is not in use.",
        "waiting": trouble or f"The {name} is not there yet.",
        "probing": str(link.trouble or "") or f"Asking for the {on}.",
        "ready": f"The {on} answers.",
        "retrying": f"The {on} answers slowly or not at all: check the cable.",
    }[state]
    who = link.identity
    return LinkStatus(
        device=device,
        state=state,
        port=port,
        sentence=sentence,
        firmware=".".join(str(part) for part in who.firmware) if who else None,
        uid=who.uid or None if who else None,
        counters=structs.replace(link.counters),
    )


def state_of(link: Link) -> State:
    """Returns the state of a link whose port is open."""
    if link.phase is Phase.READY:
        return "retrying" if link.struggling else "ready"
    return "probing"


READ_S = 0.01
"""The longest wait for a byte in seconds; requests to a board are delayed by up to this time."""
FIRST_PAUSE_S = 0.25
"""The number of seconds before a port is tried again for the first time."""
LONGEST_PAUSE_S = 5.0
"""The largest pause in seconds, up to which it doubles: an absent device costs little, and is found within this time
when it comes.
"""

JOIN_S = 2.0
"""The number of seconds for which closing a line waits for its thread; a thread that is opening a port closes it later
by itself.
"""

Find = Callable[[], str]
"""Returns the name of the port to open now. It is called before each opening, because a device that is plugged in again
may get another name. It raises `PortError` with advice if there is none.
"""

Open = Callable[[str], Port]
"""Opens a port by its name; raises `PortError` if that fails."""


class SerialLine:
    """Keeps `driver` connected to its device. It is idle before `start` (a thread) or `step` (by hand)."""

    def __init__(
        self,
        driver: Driver,
        find: Find,
        open_port: Open,
        *,
        clock: Callable[[], float] = time.monotonic,
        random: Random | None = None,
        patience: Patience = PATIENCE,
        changed: Callable[[LinkStatus], None] = lambda status: None,
    ) -> None:
        self._link = Link(driver, random or Random(), patience)
        self._find = find
        self._open = open_port
        self._clock = clock
        self._changed = changed
        self._port: Port | None = None
        self._name: str | None = None
        self._trouble = ""
        self._pause_s = FIRST_PAUSE_S
        self._again_s = 0.0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._status = status_of(self._link, None, "closed", "")

    @property
    def status(self) -> LinkStatus:
        """The latest status; any thread may read it without waiting."""
        return self._status

    def start(self) -> None:
        """Starts a thread that runs until `close`."""
        name = f"line-{self._link.driver.kind.name.lower()}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def close(self, policy: Policy = Policy.OFF) -> None:
        """Says goodbye, closes the port and ends the thread. `policy` sets the lights' behavior from now on."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=JOIN_S)
            self._thread = None
        if self._port is not None:
            self._say_bye(self._port, policy)
            self._port.close()
            self._port = None
        self._link.stop(PortError("The line was closed."))
        self._show("closed")

    def step(self) -> float:
        """Does the pending work. Returns the number of seconds before the next step; an open port waits by itself."""
        if self._port is None:
            self._connect()
            if self._port is None:
                self._show("waiting")
                return max(0.0, self._again_s - self._clock())
        try:
            self._serve(self._port)
        except PortError as why:
            self._disconnect(str(why))
            return 0.0
        if self._link.phase in (Phase.SILENT, Phase.WRONG):
            self._disconnect(str(self._link.trouble), wrong=isinstance(self._link.trouble, WrongDevice))
            return 0.0
        if self._link.phase is Phase.READY:
            self._pause_s = FIRST_PAUSE_S
        self._show(state_of(self._link))
        return 0.0

    def _run(self) -> None:
        while not self._stop.is_set():
            self._stop.wait(self.step())

    def _connect(self) -> None:
        now_s = self._clock()
        if now_s < self._again_s:
            return
        try:
            self._name = self._find()
            self._port = self._open(self._name)
        except PortError as why:
            self._name = None
            self._wait_for_port(str(why))
        else:
            # The line may have been closed while the port was opened, which takes seconds without an answer.
            if self._stop.is_set():
                self._port.close()
                self._port = self._name = None
            else:
                self._link.start(now_s)

    def _serve(self, port: Port) -> None:
        out = self._link.due(self._clock())
        if out:
            port.write(out)
        wait_s = min(READ_S, max(0.0, self._link.deadline_s() - self._clock()))
        data = port.read(wait_s)
        if data:
            self._link.receive(data, self._clock())

    def _disconnect(self, why: str, *, wrong: bool = False) -> None:
        if self._port is not None:
            self._port.close()
        self._port = None
        self._name = None
        self._link.stop(PortError(why))
        if wrong:
            # Opening a port resets the device behind it, so it must not be repeated quickly.
            self._pause_s = LONGEST_PAUSE_S
        self._wait_for_port(why)
        self._show("waiting")

    def _wait_for_port(self, why: str) -> None:
        self._trouble = why
        self._again_s = self._clock() + self._pause_s
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    def _say_bye(self, port: Port, policy: Policy) -> None:
        if self._link.phase is not Phase.READY:
            return
        try:
            port.write(self._link.farewell(Bye(policy)))
        except PortError:
            return  # it is gone; the device falls back to its idle policy by itself

    def _show(self, state: State) -> None:
        if self._stop.is_set():
            state = "closed"
        status = status_of(self._link, self._name, state, self._trouble)
        before, self._status = self._status, status
        if (before.state, before.port, before.sentence) != (status.state, status.port, status.sentence):
            self._changed(status)


PAIRED = "paired"
"""Stands for the paired device, whatever its port, in place of a port's name."""


def silent(status: LinkStatus) -> None:
    """Ignores the status."""


def finder(where: str, device: Device, pairings: Pairings | None, lister: Lister) -> Find:
    """Returns the function that finds the port which `where` names."""

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
    """Keeps `driver` connected by a line that already runs. It returns immediately, whether or not the device is there.

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
