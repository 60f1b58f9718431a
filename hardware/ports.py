"""The serial ports of this machine, and the one that may be opened.

Opening a port can reset the device behind it, for example a 3D printer in the middle of a print. So a port is opened
only if a person named it, or if it belongs to the paired device; all others are listed for a person to choose from.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, Protocol

import msgspec
import serial
from msgspec import Struct
from serial.tools import list_ports
from serial.urlhandler import protocol_socket

from companion.core.foundation.errors import PortError
from companion.core.foundation.kept_file import decode_json, read_kept, write_whole

# An open serial port, and what a line needs from one.
#
# pyserial is wrapped here and nowhere else, because each of its quirks on a lost port has to be turned into one error:
# reading raises SerialException, `in_waiting` a bare OSError, and writing to a peer that never reads blocks for ever
# where there is no timeout.

WRITE_TIMEOUT_S = 0.3
"""The time limit of a write in seconds: a frame takes 6 ms, so a slower port is stuck."""

AT_ONCE = 4096
"""The largest number of bytes of one read. Bytes waiting in a socket cannot be counted: its `in_waiting` is at most
1.
"""

OLD_READS = 16
"""The number of reads, of up to 4 KiB each, that discard what a socket's peer sent before the port was opened."""

ADVICE = {
    errno.EACCES: "this account may not use it; add it to the group dialout (Linux) and log in again",
    errno.ENOENT: "it is not there; plug the device in",
    errno.EBUSY: "another program uses it; close that program",
    errno.EAGAIN: "another program uses it; close that program",
}
"""Reason for a port that cannot be opened to the advice."""


class Port(Protocol):
    """A stream of bytes to a device."""

    def read(self, timeout_s: float) -> bytes:
        """Returns the received bytes; waits at most `timeout_s` for the first byte.

        Raises:
            PortError: If the port is gone.
        """

    def write(self, data: bytes) -> None:
        """Raises PortError: if the port is gone or accepts no bytes."""

    def close(self) -> None:
        """Closes the port; never raises."""


class _Socket(protocol_socket.Serial):  # type: ignore[misc]
    """A device behind an address."""

    def reset_input_buffer(self) -> None:
        """Discards earlier input; pyserial would never finish with a peer that never stops."""
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


# Which device belongs to this table: USB vendor, product and serial number, kept in a small file.
#
# A port's name changes when the device is plugged in again; these three do not.

Device = Literal["tower", "board"]


class Pairing(Struct, frozen=True):
    """A device as USB identifies it."""

    device: Device
    vid: int
    pid: int
    serial_number: str | None
    """The serial number; None for adapters without one, which are identified by vendor and product alone."""

    @property
    def name(self) -> str:
        """The name for people."""
        return "dice tower" if self.device == "tower" else "LED board"

    def fits(self, vid: int | None, pid: int | None, serial_number: str | None) -> bool:
        """True if this is the device."""
        return (vid, pid) == (self.vid, self.pid) and self.serial_number in (None, serial_number)


class Pairings:
    """The pairings in a JSON file, which need not exist yet; a damaged file is set aside, and pairing starts over."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _all(self) -> dict[str, Pairing]:
        return read_kept(self._path, lambda data: decode_json(data, dict[str, Pairing])) or {}

    def get(self, device: Device) -> Pairing | None:
        """Returns the pairing of this device; None: there is none."""
        return self._all().get(device)

    def keep(self, pairing: Pairing) -> None:
        """Remembers a pairing in place of an earlier one."""
        kept = {**self._all(), pairing.device: pairing}
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(self._path, msgspec.json.format(msgspec.json.encode(kept), indent=2))


BOARD_VENDORS = {
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x2E8A: "Raspberry Pi Pico",
    0x303A: "Espressif",
    0x1209: "pid.codes",
}
"""USB vendors whose devices are boards that people program."""

BRIDGES = {(0x1A86, 0x7523): "CH340", (0x10C4, 0xEA60): "CP210x", (0x0403, 0x6001): "FTDI"}
"""USB-to-serial chips, which do not identify the device behind them."""


class PortInfo(Struct, frozen=True):
    """A port of this machine, not opened."""

    device: str
    """The name to open: "/dev/ttyACM0", "COM5"."""
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    description: str = ""

    @property
    def looks_like(self) -> str:
        """The likely device behind the port, for people."""
        if self.vid is None or self.pid is None:
            return "not a USB port"
        if self.vid in BOARD_VENDORS:
            return f"{BOARD_VENDORS[self.vid]} board"
        if (self.vid, self.pid) in BRIDGES:
            return f"{BRIDGES[self.vid, self.pid]} adapter: could be anything"
        return self.description or "unknown USB device"


Lister = Callable[[], Iterable[PortInfo]]
"""Lists the ports without opening any."""


def known_ports() -> list[PortInfo]:
    """Returns the ports of this machine, none opened. On macOS only the names (cu.) that do not wait for a carrier."""
    return [
        PortInfo(port.device, port.vid, port.pid, port.serial_number or None, port.description or "")
        for port in sorted(list_ports.comports())
        if not port.device.startswith("/dev/tty.")
    ]


def candidates(lister: Lister = known_ports) -> list[PortInfo]:
    """Returns ports that a person may want to choose from: USB boards first, then adapters."""
    usb = [port for port in lister() if port.vid is not None]
    return sorted(usb, key=lambda port: (port.vid not in BOARD_VENDORS, port.device))


def paired_port(pairing: Pairing, lister: Lister = known_ports) -> PortInfo:
    """Returns the paired device at its present port.

    Raises:
        PortError: If it is not there, or if two devices fit because they have no serial number.
    """
    fits = [port for port in lister() if pairing.fits(port.vid, port.pid, port.serial_number)]
    if len(fits) == 1:
        return fits[0]
    if not fits:
        raise PortError(f"The {pairing.name} is not plugged in: connect it, or see its port with `companion doctor`.")
    names = " and ".join(port.device for port in fits)
    raise PortError(f"{names} both fit the {pairing.name}: name the port.")
