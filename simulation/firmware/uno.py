"""Emulates an Arduino Uno with the real firmware by simavr, in virtual time."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path

from simulation.firmware import toolchain

HZ = 16_000_000


@functools.cache
def library() -> ctypes.CDLL:
    """Returns the library of the emulator with the types of its functions."""
    c = ctypes.CDLL(str(toolchain.simavr()))
    handle, number, text = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_char_p
    c.sim_new.restype, c.sim_new.argtypes = handle, [text]
    c.sim_run.argtypes = [handle, ctypes.c_uint64]
    c.sim_send.argtypes = [handle, text, number]
    c.sim_take.argtypes = [handle, text, number]
    c.sim_strip.argtypes = [handle, text]
    c.sim_longest_gap.restype, c.sim_longest_gap.argtypes = ctypes.c_uint64, [handle]
    for name in ("sim_free", "sim_reset", "sim_latches", "sim_overruns"):
        getattr(c, name).argtypes = [handle]
    c.sim_gate.argtypes = [handle, number]
    c.sim_button.argtypes = [handle, number, number]
    c.sim_cup.argtypes = [handle, number, ctypes.c_uint16, ctypes.c_uint16, ctypes.c_uint16]
    return c


class Uno:
    """A running Uno."""

    def __init__(self, kind: str, elf: Path | None = None) -> None:
        elf = elf or toolchain.elf(kind)
        self._c = library()
        self._sim = self._c.sim_new(str(elf).encode())
        assert self._sim, "simavr could not load the firmware"
        self._room = ctypes.create_string_buffer(65536)

    def close(self) -> None:
        """Switches the power off."""
        self._c.sim_free(self._sim)

    def reset(self) -> None:
        """Presses the reset button: RAM keeps its content, registers do not."""
        self._c.sim_reset(self._sim)

    def send(self, data: bytes) -> None:
        """Sends bytes from the host one after the other at the line's speed."""
        self._c.sim_send(self._sim, data, len(data))

    def run(self, seconds: float) -> bytes:
        """Advances the time; returns the bytes that the device sends."""
        assert self._c.sim_run(self._sim, round(seconds * HZ)) == 0, "the firmware crashed"
        count = self._c.sim_take(self._sim, self._room, len(self._room))
        return ctypes.string_at(self._room, count)

    def strip(self) -> bytes:
        """Returns the bytes red, green, blue of each light, decoded from the pin (which sends green first)."""
        count = self._c.sim_strip(self._sim, self._room)
        wire = ctypes.string_at(self._room, count)
        return b"".join(bytes((wire[at + 1], wire[at], wire[at + 2])) for at in range(0, len(wire), 3))

    @property
    def latches(self) -> int:
        """The number of times that the strip took over its colors."""
        return int(self._c.sim_latches(self._sim))

    @property
    def overruns(self) -> int:
        """The number of bytes that a real receiver would have lost."""
        return int(self._c.sim_overruns(self._sim))

    @property
    def longest_gap_us(self) -> float:
        """The longest low time in microseconds inside a frame of the strip."""
        return float(self._c.sim_longest_gap(self._sim)) * 1e6 / HZ

    def fall(self) -> None:
        """Lets a die fall through the gate in 2 ms; bytes that the firmware sends meanwhile are kept."""
        self._c.sim_gate(self._sim, 0)
        assert self._c.sim_run(self._sim, HZ // 500) == 0, "the firmware crashed"
        self._c.sim_gate(self._sim, 1)

    def press(self, button: int, down: bool) -> None:
        """Connects a button to ground, or releases it."""
        self._c.sim_button(self._sim, button, int(down))

    def lay(self, cup: int, color: tuple[int, int, int]) -> None:
        """Sets the counts of a cup's sensor under each lamp, above the light of the room."""
        self._c.sim_cup(self._sim, cup, *color)
