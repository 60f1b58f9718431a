"""An open serial port, and what a line needs from one.

pyserial is wrapped here and nowhere else, because each of its quirks on a lost port has to be turned into one error:
reading raises SerialException, `in_waiting` a bare OSError, and writing to a peer that never reads blocks for ever
where there is no timeout.
"""

from __future__ import annotations

import errno
from typing import Protocol

import serial
from serial.urlhandler import protocol_socket

from companion.core.foundation.errors import PortError

WRITE_TIMEOUT_S = 0.3
"""A frame lasts 6 ms: a port that takes longer is stuck."""

AT_ONCE = 4096
"""Bytes that one read takes at most. What waits in a socket cannot be counted: `in_waiting` of one is 1 at most."""

OLD_READS = 16
"""So many reads, of 4 KiB at most, throw away what a socket's peer sent before anybody listened."""

ADVICE = {
    errno.EACCES: "this account may not use it; add it to the group dialout (Linux) and log in again",
    errno.ENOENT: "it is not there; plug the device in",
    errno.EBUSY: "another program uses it; close that program",
    errno.EAGAIN: "another program uses it; close that program",
}
"""The advice for the usual reasons for a port that cannot be opened."""


class Port(Protocol):
    """A stream of bytes to a device."""

    def read(self, timeout_s: float) -> bytes:
        """The received bytes; waits at most `timeout_s` for the first byte.

        Raises:
            PortError: If the port is gone.
        """

    def write(self, data: bytes) -> None:
        """Raises PortError: if the port is gone or accepts no bytes."""

    def close(self) -> None:
        """Never raises."""


class _Socket(protocol_socket.Serial):  # type: ignore[misc]
    """A device behind an address."""

    def reset_input_buffer(self) -> None:
        """Throw away what came in before; pyserial goes on for ever with a peer that never stops."""
        for _ in range(OLD_READS):
            if not self.in_waiting or not self._socket.recv(4096):
                return


class SerialPort:
    """A port of this machine, or a socket.

    Raises:
        PortError: If it cannot be opened; the sentence says why and what to do.
    """

    def __init__(self, device: str, baud: int = 115200) -> None:
        self._device = device
        scheme, is_url, _ = device.partition("://")
        if is_url and scheme.lower() != "socket":
            raise PortError(f"The port {device} cannot be opened: of addresses, only socket://host:port is a port.")
        try:
            opened = _Socket if is_url else serial.Serial
            self._serial = opened(device, baudrate=baud, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
        except (OSError, ValueError, LookupError) as why:
            number = getattr(why, "errno", None)
            if "lock" in str(why):
                number = errno.EBUSY
            advice = ADVICE.get(number or 0, "check the name with `companion doctor`")
            raise PortError(f"The port {device} cannot be opened: {advice}.") from why
        self._keep_running_on_close()

    def _keep_running_on_close(self) -> None:
        """Clears HUPCL, so that closing the port does not reset the Uno. Opening it always does."""
        try:
            import termios
        except ImportError:  # Windows
            return
        try:
            attributes = termios.tcgetattr(self._serial.fileno())
            attributes[2] &= ~termios.HUPCL
            termios.tcsetattr(self._serial.fileno(), termios.TCSANOW, attributes)
        except (OSError, termios.error, AttributeError):
            return  # sockets and other URLs have no such setting

    def _gone(self) -> PortError:
        return PortError(f"The port {self._device} is gone: check the cable, or plug the device in again.")

    def read(self, timeout_s: float) -> bytes:
        """See Port."""
        try:
            self._serial.timeout = timeout_s
            first: bytes = self._serial.read(1)
            self._serial.timeout = 0
            return first + self._serial.read(AT_ONCE) if first else b""
        except (OSError, TypeError, ValueError) as why:
            # TypeError: pyserial on a port that another thread closed; ValueError: its descriptor is beyond `select`
            raise self._gone() from why

    def write(self, data: bytes) -> None:
        """See Port."""
        try:
            self._serial.write(data)
        except serial.SerialTimeoutException as why:
            raise PortError(
                f"The port {self._device} takes nothing for {WRITE_TIMEOUT_S:g} s: plug the device in again."
            ) from why
        except (OSError, ValueError) as why:
            raise self._gone() from why

    def close(self) -> None:
        """See Port."""
        # A socket whose other end is gone cannot be shut down; pyserial then leaves it open.
        held = getattr(self._serial, "_socket", None)
        try:
            self._serial.close()
        except OSError:
            pass  # the device is gone already
        finally:
            if held is not None:
                held.close()
