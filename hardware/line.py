"""A line keeps one device connected: it finds the port, opens it, runs the link, and begins again when the port goes.

One thread a device does all of it, so that calls of the tower or the board never wait for a port. The thread
is only a loop around `step`; tests call `step` themselves, with their own clock and ports.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random

from companion.core.foundation.errors import PortError, WrongDevice
from firmware_protocol.messages import Bye, Policy
from hardware.driver import Driver
from hardware.link import Link, Phase
from hardware.patience import PATIENCE, Patience
from hardware.port import Port
from hardware.status import LinkStatus, State, state_of, status_of

READ_S = 0.01
"""The longest wait for a byte; requests to a board are sent this much later."""
FIRST_PAUSE_S = 0.25
"""Before a port is tried again."""
LONGEST_PAUSE_S = 5.0
"""The pause doubles up to this: an absent device costs little, and is found within this time when it comes."""

JOIN_S = 2.0
"""The time for which closing a line waits for its thread; a thread that is opening a port closes it later by itself."""

Find = Callable[[], str]
"""Name of the port to open now. Asked again before each opening, because a device that is plugged in again may get
another name. It raises `PortError` with advice if there is none."""

Open = Callable[[str], Port]
"""Open a port by its name; raises `PortError` if that fails."""


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
        """The latest status; safe to read from any thread, never waits."""
        return self._status

    def start(self) -> None:
        """Run in a thread of its own until `close`."""
        name = f"line-{self._link.driver.kind.name.lower()}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def close(self, policy: Policy = Policy.OFF) -> None:
        """Say goodbye, close the port, end the thread. `policy`: what lights do from now on."""
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
        """Does the due work. Returns the seconds that may pass before the next step; an open port waits by itself."""
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
            if self._stop.is_set():  # closed while the port was opened, which takes seconds where nobody answers
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
            self._pause_s = LONGEST_PAUSE_S  # opening a port resets what is behind it: not again and again
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
