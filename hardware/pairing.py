"""Which device belongs to this table: USB vendor, product and serial number, kept in a small file.

A port's name changes when the device is plugged in again; these three do not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from companion.core.foundation.kept_file import decode_json, read_kept
from companion.core.foundation.whole_file import write_whole

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
        """True if this is the device."""
        return (vid, pid) == (self.vid, self.pid) and self.serial_number in (None, serial_number)


class Pairings:
    """The pairings in a JSON file, which need not exist yet; a damaged one is set aside, and pairing begins anew."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _all(self) -> dict[str, Pairing]:
        return read_kept(self._path, lambda data: decode_json(data, dict[str, Pairing])) or {}

    def get(self, device: Device) -> Pairing | None:
        """The pairing of this device; None: there is none."""
        return self._all().get(device)

    def keep(self, pairing: Pairing) -> None:
        """Remember it, in place of an earlier one."""
        kept = {**self._all(), pairing.device: pairing}
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(self._path, msgspec.json.format(msgspec.json.encode(kept), indent=2))
