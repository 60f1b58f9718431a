"""The protocol by which the page shows the state of a dice tower, an LED board and their connections.

The command line connects real or simulated devices; the page and the session manager know only this protocol.
`NoDevices` stands for a table without any.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import Struct


class DeviceStatus(Struct, frozen=True):
    """The state of one device at one moment."""

    name: Literal["dice tower", "LED board"]
    state: str
    """One of "ready", "waiting", "probing", "retrying" or "closed"."""
    port: str | None
    sentence: str
    """A sentence for people: what is wrong and what to do, or that all is well."""
    counters: Mapping[str, float]
    """The number of answered requests, repeated frames, lost events and so on, by name."""
    last: str = ""
    """A text for people: the last event of a tower and its effect, or the picture on a board; empty if unknown."""


class Devices(Protocol):
    """All devices on serial lines or the network that belong to this table. Safe from any thread; never waits."""

    def statuses(self) -> tuple[DeviceStatus, ...]:
        """Returns the status of each device."""


class NoDevices:
    """The devices of a table that has none."""

    def statuses(self) -> tuple[DeviceStatus, ...]:
        """Returns an empty tuple."""
        return ()
