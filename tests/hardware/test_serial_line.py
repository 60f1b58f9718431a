"""The whole way on a pseudo-terminal: pyserial, a line with its thread, and the firmware in an emulated Uno.

Real time, so no limit below a tenth of a second and nothing about retries: on a busy machine the emulator starves.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from firmware_protocol.messages import Kind, LedDigest, LedDigestReply, TowerConfig
from hardware import picture
from hardware.led_board import LedBoard
from hardware.lights import LEGAL
from hardware.line import LinkStatus, SerialLine, connect
from hardware.ports import SerialPort
from hardware.tower import DiceTower, RollBegan, RollEnded, TowerEvent
from simulation.firmware.uno_process import UnoProcess
from simulation.hardware.figures import pulled_cable, wait
from simulation.hardware.virtual_wire import Errands


def shown(device: str, *spots: str) -> LinkStatus:
    """Connect a board of 64 lights, show these spots as legal and let go; the status before."""
    board = LedBoard({f"c{at}": (at,) for at in range(64)})
    line = connect(board, device)
    board.legal(spots)
    wait(lambda: board.settled)
    status = line.status
    line.close()
    return status


def test_a_board_is_found_and_shows_what_is_wanted() -> None:
    with UnoProcess("board") as uno:
        assert shown(uno.device, "c1", "c2").state == "ready"


def test_a_reset_in_the_middle_brings_the_picture_back() -> None:
    with UnoProcess("board") as uno:
        board = LedBoard({f"c{at}": (at,) for at in range(64)})
        line = connect(board, uno.device)
        board.legal(["c1"])
        wait(lambda: board.settled)
        uno.reset()
        wait(lambda: line.status.counters.restarts == 1)
        wait(lambda: board.settled and line.status.counters.sessions == 2)
        line.close()


@pytest.mark.parametrize("cycles", [5, pytest.param(20, marks=pytest.mark.sweep)])
def test_n6_a_pulled_cable_is_seen_and_the_device_is_back_when_it_is_plugged_in_again(
    tmp_path: Path, cycles: int
) -> None:
    found = pulled_cable(cycles, tmp_path)
    assert len(found.seen_ms) == len(found.back_ms) == found.sessions == cycles
    assert sorted(found.seen_ms)[cycles // 2] < 2500
    assert sorted(found.back_ms)[cycles // 2] < 4000
    print(
        f"FIGURE N6 {cycles} of {cycles}: unplug seen after {max(found.seen_ms):.1f} ms at most, "
        f"ready again after {max(found.back_ms):.0f} ms at most (the pause between two looks included)"
    )


def test_n2_a_slow_reader_gets_every_event_or_its_count() -> None:
    with UnoProcess("tower") as uno:
        errands = Errands(Kind.TOWER, [TowerConfig(0, 5)])
        resting = threading.Event()

        class Slow(SerialPort):
            def read(self, timeout_s: float) -> bytes:
                while resting.is_set():
                    time.sleep(0.01)
                return super().read(timeout_s)

        line = SerialLine(errands, lambda: uno.device, Slow)
        line.start()
        wait(lambda: bool(errands.answers))
        for rests in (False, True, False):
            resting.set() if rests else resting.clear()
            for _ in range(40):
                uno.beam(clear=False)
                time.sleep(0.01)
                uno.beam(clear=True)
                time.sleep(0.01)
        made = 0

        def accounted() -> bool:
            nonlocal made
            counts = line.status.counters
            made = counts.device.events_made if counts.device else 0
            return made > 200 and counts.events + counts.events_lost == made

        wait(accounted)
        assert len(errands.events) + errands.lost == made
        line.close()


def test_two_devices_at_once() -> None:
    told: list[TowerEvent] = []
    with UnoProcess("board") as lights, UnoProcess("tower") as gate:
        board = LedBoard({f"c{at}": (at,) for at in range(64)})
        board_line = connect(board, lights.device)
        tower_line = connect(DiceTower(told.append, quiet_ms=50), gate.device)
        wait(lambda: board_line.status.state == "ready" and tower_line.status.state == "ready")
        for number in range(3):
            board.legal([f"c{number}"])
            gate.beam(clear=False)
            gate.beam(clear=True)
            wait(lambda: len(told) == 2 * number + 2)  # noqa: B023
            wait(lambda: board.settled)
        assert told == [event for n in (1, 2, 3) for event in (RollBegan(n), RollEnded(n, "settled", ()))]
        board_line.close()
        tower_line.close()


def test_the_tower_on_the_boards_port_is_named() -> None:
    with UnoProcess("tower") as uno:
        line = connect(LedBoard({"c0": (0,)}), uno.device)
        wait(lambda: "dice tower, not an LED board" in line.status.sentence)
        line.close()


def test_what_the_board_holds_is_what_was_wanted() -> None:
    """The digest is computed by the firmware from its own memory."""
    with UnoProcess("board") as uno:
        shown(uno.device, "c5", "c60")
        errands = Errands(Kind.BOARD, [LedDigest()])
        again = SerialLine(errands, lambda: uno.device, SerialPort)
        again.start()
        wait(lambda: bool(errands.answers))
        again.close()
        reply = errands.answers[0][1]
        assert isinstance(reply, LedDigestReply)
        assert reply.digest == picture.digest(picture.lit(64, (5, 60), LEGAL))
