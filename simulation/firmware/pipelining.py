"""Simulates a host that does not wait for answers: frames arrive while 64 lights are sent to the strip."""

from __future__ import annotations

from pathlib import Path

from firmware_protocol.frame import LinkFrame
from firmware_protocol.messages import LedPixels, LedShow
from simulation.firmware.peer import Talk
from simulation.firmware.uno import Uno


def pipelined(elf: Path | None, pictures: int) -> Uno:
    """Returns the Uno after a number of pictures, each with lights for the next one sent right behind its SHOW."""
    uno = Uno("board", elf)
    talk = Talk(uno)
    talk.hello()
    for number in range(pictures):
        show = LinkFrame(LedShow.TYPE, talk.SESSION, (2 * number + 1) % 256, 0, LedShow(number, 255).pack())
        lights = LedPixels(0, bytes((number % 200, 1, 2)) * 18)
        behind = LinkFrame(LedPixels.TYPE, talk.SESSION, (2 * number + 2) % 256, 0, lights.pack())
        uno.send(show.wire() + behind.wire())
        uno.run(0.014)
    return uno


def overruns(elf: Path | None, pictures: int) -> int:
    """Returns the number of bytes that a real receiver would have lost in that."""
    return pipelined(elf, pictures).overruns
