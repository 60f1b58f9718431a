"""The driver of a device on a link: of a dice tower or an LED board.

The link pulls. When no request is outstanding it asks the driver for the next one, so a driver holds the wanted state
of the device and no queue of commands: after a reset it is asked again, and the latest state wins.
"""

from __future__ import annotations

from typing import Protocol

from companion.core.foundation.errors import DeviceError
from firmware_protocol.messages import IdentifyReply, Kind, Status
from firmware_protocol.payload import Payload


class Driver(Protocol):
    """One kind of device. The link makes all calls from one thread; they must not block."""

    kind: Kind
    """The kind of device that must answer on the port."""

    def greet(self, identity: IdentifyReply) -> None:
        """A session has begun; the device may have forgotten everything."""

    def next(self, now_s: float) -> Payload | None:
        """The next request, or None. It is outstanding until one of the next two methods is called."""

    def answered(self, request: Payload, reply: Payload, status: Status) -> None:
        """The device did it: status OK or OVER_POWER."""

    def failed(self, request: Payload, why: DeviceError) -> None:
        """RequestRefused: not done. LinkDown, DeviceRestarted: the outcome is unknown; `greet` follows later."""

    def told(self, event: Payload) -> None:
        """A numbered event, each exactly once and in order."""

    def missed(self, count: int) -> None:
        """So many events happened that no host will ever get."""
