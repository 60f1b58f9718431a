"""Emulates an Uno in a separate process, in real time, behind a pseudo-terminal."""

from __future__ import annotations

import os
import subprocess
from types import TracebackType
from typing import Self

from simulation.firmware import toolchain


class UnoProcess:
    """A running Uno, until the end of its `with` block, which also removes the pseudo-terminal.

    The process ends when its standard input is closed.
    """

    def __init__(self, kind: str) -> None:
        elf = toolchain.elf(kind)
        self._process = subprocess.Popen(
            [toolchain.simavr(process=True), elf],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        lines = iter(self._process.stdout.readline, b"")
        self.device = next(line.split()[1].decode() for line in lines if line.startswith(b"PTY "))
        """The name of the port."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()

    def unplug(self) -> None:
        """Switches the power off immediately."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(timeout=10)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None and not stream.closed:
                stream.close()

    def _order(self, order: str) -> None:
        assert self._process.stdin is not None
        os.write(self._process.stdin.fileno(), order.encode())

    def beam(self, clear: bool) -> None:
        """Opens or interrupts the beam of the light gate."""
        self._order(f"g {int(clear)}\n")

    def reset(self) -> None:
        """Presses the reset button."""
        self._order("r 0\n")
