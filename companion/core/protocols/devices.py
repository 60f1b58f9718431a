"""The state of a dice tower and an LED board and of their links, for the page.

The command line wires real or simulated devices in; the page and the session manager know only this. `NO_DEVICES`
stands for a table without any.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import Struct


class DeviceStatus(Struct, frozen=True):
    """One device at one moment."""

    name: Literal["dice tower", "LED board"]
    state: str
    """ "ready", "waiting", "probing", "retrying" or "closed"."""
    port: str | None
    sentence: str
    """For people: what the matter is and what to do, or that all is well."""
    counters: Mapping[str, float]
    """Requests answered, frames sent again, events lost and so on, by name."""
    last: str = ""
    """The last event of a tower and its effect, or the picture of a board; for people, empty if unknown."""


class Devices(Protocol):
    """Everything on a serial line or the network that hangs on this table. Safe from any thread; never waits."""

    def statuses(self) -> tuple[DeviceStatus, ...]:
        """How each one is."""


class NoDevices:
    """A table without devices."""

    def statuses(self) -> tuple[DeviceStatus, ...]:
        """None."""
        return ()
