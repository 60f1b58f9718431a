"""Runs the firmware's C code in this process: a board simulated in memory, stepped millisecond by millisecond."""

from __future__ import annotations

import ctypes
import itertools
import shutil
from pathlib import Path

from simulation.firmware import toolchain

_copies = itertools.count()


def load(library: Path) -> ctypes.CDLL:
    """Returns a fresh instance of the library; its state is static, so each device needs its own copy of the file."""
    copy = library.with_name(f"{library.stem}-{next(_copies)}.so")
    shutil.copy(library, copy)
    return ctypes.CDLL(str(copy))


class NativeDevice:
    """A running device with the firmware's C code."""

    def __init__(self, kind: str) -> None:
        self._c = load(toolchain.native(kind))
        self._room = ctypes.create_string_buffer(8192)
        self._left_ms = 0.0
        self.reset()

    def reset(self) -> None:
        """Presses the reset button."""
        self._c.native_reset()

    def send(self, data: bytes) -> None:
        """Sends bytes from the host, which arrive immediately."""
        self._c.native_feed(data, len(data))

    def run(self, seconds: float) -> bytes:
        """Advances the time; returns the bytes that the device sends."""
        self._left_ms += seconds * 1000
        whole = int(self._left_ms + 1e-6)
        self._left_ms -= whole
        self._c.native_advance(whole)
        count = self._c.native_take(self._room, len(self._room))
        return ctypes.string_at(self._room, count)

    def strip(self) -> bytes:
        """Returns the bytes red, green, blue of each visible light."""
        count = self._c.native_strip(self._room)
        return ctypes.string_at(self._room, count)

    def fall(self) -> None:
        """Lets a die fall through the gate."""
        self._c.native_gate(1)

    def press(self, button: int, down: bool) -> None:
        """Presses or releases a button; all others are released."""
        self._c.native_buttons(int(down) << button)

    def lay(self, cup: int, color: tuple[int, int, int]) -> None:
        """Sets the counts of a cup's sensor under each lamp."""
        self._c.native_color(cup, *color)
