"""The serial ports, and the one that may be opened.

Opening a port can reset the device behind it, a 3D printer in the middle of a print for example. So a port is opened
only if a person named it, or if it is the device that was paired before; all others are listed for a person to choose
from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from serial.tools import list_ports

from companion.core.foundation.errors import PortError
from hardware.pairing import Pairing

BOARD_VENDORS = {
    0x2341: "Arduino",
    0x2A03: "Arduino",
    0x2E8A: "Raspberry Pi Pico",
    0x303A: "Espressif",
    0x1209: "pid.codes",
}
"""USB vendors whose devices are boards that people program."""

BRIDGES = {(0x1A86, 0x7523): "CH340", (0x10C4, 0xEA60): "CP210x", (0x0403, 0x6001): "FTDI"}
"""USB to serial chips, which do not identify the device behind them."""


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
"""Names the ports; opens none."""


def known_ports() -> list[PortInfo]:
    """The ports of this machine, none opened. On macOS only the names (cu.) that do not wait for a carrier."""
    return [
        PortInfo(port.device, port.vid, port.pid, port.serial_number or None, port.description or "")
        for port in sorted(list_ports.comports())
        if not port.device.startswith("/dev/tty.")
    ]


def candidates(lister: Lister = known_ports) -> list[PortInfo]:
    """Ports that a person may want to choose from: USB boards first, then adapters."""
    usb = [port for port in lister() if port.vid is not None]
    return sorted(usb, key=lambda port: (port.vid not in BOARD_VENDORS, port.device))


def paired_port(pairing: Pairing, lister: Lister = known_ports) -> PortInfo:
    """The paired device, wherever it is plugged in now.

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
