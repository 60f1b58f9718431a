"""A simulated device behind something that looks like an open serial port."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.core.foundation.errors import PortError
from hardware.simulated.device import SimulatedDevice

Fault = Callable[[bytes], bytes]
"""A fault of a wire: bytes written to bytes that arrive."""

STEP_S = 0.002
"""The interval at which a waiting reader looks at the device."""


def clean(data: bytes) -> bytes:
    """A wire without faults."""
    return data


class SimulatedPort:
    """See hardware.ports.Port. Any thread may call `unplug`, and turn the device while it holds `lock`."""

    def __init__(
        self,
        device: SimulatedDevice,
        *,
        lock: threading.RLock | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        to_device: Fault = clean,
        from_device: Fault = clean,
    ) -> None:
        self.device = device
        self.lock = lock or threading.RLock()
        self._clock = clock
        self._sleep = sleep
        self._to_device = to_device
        self._from_device = from_device
        self._gone = False

    def unplug(self) -> None:
        """The cable is pulled."""
        self._gone = True

    def read(self, timeout_s: float) -> bytes:
        """See Port."""
        until_s = self._clock() + timeout_s
        while True:
            self._check()
            with self.lock:
                self.device.run(self._clock())
                data = self._from_device(self.device.take())
            if data or self._clock() >= until_s:
                return data
            self._sleep(STEP_S)

    def write(self, data: bytes) -> None:
        """See Port."""
        self._check()
        with self.lock:
            self.device.run(self._clock())
            self.device.feed(self._to_device(data))

    def close(self) -> None:
        """See Port."""
        self._gone = True

    def _check(self) -> None:
        if self._gone:
            raise PortError("The simulated port is gone: the test or the demonstration pulled its cable.")
