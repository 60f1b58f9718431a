"""Which device belongs to this table: USB vendor, product and serial number, kept in a small file.

A port's name changes when the device is plugged in again; these three do not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from companion.errors import DeviceError

Device = Literal["tower", "board"]


class Pairing(Struct, frozen=True):
    """A device as USB knows it."""

    device: Device
    vid: int
    pid: int
    serial_number: str | None
    """None for adapters without one; then vendor and product alone decide."""

    @property
    def name(self) -> str:
        """For people."""
        return "dice tower" if self.device == "tower" else "LED board"

    def fits(self, vid: int | None, pid: int | None, serial_number: str | None) -> bool:
        """Whether this is the device."""
        return (vid, pid) == (self.vid, self.pid) and self.serial_number in (None, serial_number)


class Pairings:
    """The pairings in a JSON file, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _all(self) -> dict[str, Pairing]:
        if not self._path.exists():
            return {}
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, Pairing])
        except (OSError, msgspec.DecodeError) as why:
            raise DeviceError(f"{self._path} cannot be read as a list of devices: delete it and choose again.") from why

    def get(self, device: Device) -> Pairing | None:
        """The pairing of this device; :raises DeviceError: if the file is not what it should be."""
        return self._all().get(device)

    def keep(self, pairing: Pairing) -> None:
        """Remember it, in place of an earlier one."""
        kept = {**self._all(), pairing.device: pairing}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=2))
        fresh.replace(self._path)
