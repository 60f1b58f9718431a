"""What a link asks of the device it serves: a dice tower or an LED board.

The link pulls. When nothing is outstanding it asks the driver for the next request, so a driver holds what it wants
the device to be and not a line of commands: after a reset it is asked again, and the latest wish wins without any
queue.
"""

from __future__ import annotations

from typing import Protocol

from companion.core.foundation.errors import DeviceError
from firmware_protocol.messages import IdentifyReply, Kind, Status
from firmware_protocol.payload import Payload


class Driver(Protocol):
    """One kind of device. The link calls everything from one thread; nothing here may block."""

    kind: Kind
    """What must answer on the port."""

    def greet(self, identity: IdentifyReply) -> None:
        """A session has begun; the device may have forgotten everything."""

    def next(self, now_s: float) -> Payload | None:
        """The request to send now; None: nothing. It is outstanding until one of the next two is called."""

    def answered(self, request: Payload, reply: Payload, status: Status) -> None:
        """The device did it: status OK or OVER_POWER."""

    def failed(self, request: Payload, why: DeviceError) -> None:
        """RequestRefused: not done. LinkDown, DeviceRestarted: nobody knows; `greet` follows later."""

    def told(self, event: Payload) -> None:
        """A numbered event, each exactly once and in order."""

    def missed(self, count: int) -> None:
        """So many events happened that no host will ever get."""
