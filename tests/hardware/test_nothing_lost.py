"""What "loses nothing" means (N1 to N7): under noise, resets and stalls, on the C core and on an emulated Uno.

The sizes here fit into a normal run; TTP_LONG multiplies them, see docs/hardware.md. N3 and N8 are held in
tests/firmware_protocol/core, N6 in test_serial_line, N9 in test_led_board, test_port and the game's test_devices.
"""

from __future__ import annotations

import os

import pytest

from companion.core.foundation.errors import LinkDown
from firmware_protocol.messages import Kind, Ping, RollStarted, TowerConfig
from simulation.firmware.native_device import NativeDevice
from simulation.firmware.peer import Peer
from simulation.firmware.pipelining import pipelined
from simulation.firmware.uno import Uno
from simulation.hardware import figures
from simulation.hardware.virtual_wire import NOISES, Errands, VirtualWire

LONG = int(os.environ.get("TTP_LONG", "1"))
"""How many times more than in a normal run."""
SEED = int(os.environ.get("TTP_SEED", "7"))
"""Where the noise begins."""


def report(text: str) -> None:
    """A figure, seen with `pytest -s`."""
    print(f"FIGURE {text}")


def n1(device: Peer, noise: str, count: int, step_s: float) -> None:
    """Each request once and in order, by the device's own account."""
    found = figures.executed(device, noise, count, seed=SEED, step_s=step_s)
    assert (found.answered, found.failures, found.sessions) == (count, 0, 1)
    assert found.in_order
    report(f"N1 {type(device).__name__} {noise}: {count} of {count} exactly once, {found.retries} sent again")


@pytest.mark.parametrize("noise", NOISES)
def test_n1_every_request_is_executed_exactly_once_and_in_order_on_the_uno(noise: str) -> None:
    uno = Uno("board")
    n1(uno, noise, 1500 * LONG, step_s=0.001)
    assert uno.overruns == 0


def test_n1_every_request_is_executed_exactly_once_and_in_order_in_the_c_core() -> None:
    """10,000 requests under all noises at once; a hundred thousand with TTP_LONG=10."""
    n1(NativeDevice("board"), "all-1e-3", 10_000 * LONG, step_s=0.005)


def test_n1_whoever_asks_while_the_device_is_reset_is_told() -> None:
    told = figures.told_of_resets(300, seed=SEED)
    assert told.answered + told.restarts == 300
    assert told.restarts > 0
    assert told.others == 0
    report(f"N1 resets: {told.resets} resets, {told.answered} answered, {told.restarts} told that nobody knows")


def test_n1_a_request_on_a_cut_cable_is_told_after_five_seconds() -> None:
    errands = Errands(Kind.BOARD)
    wire = VirtualWire(errands, NativeDevice("board"))
    wire.ready()
    wire.cut = True
    errands.todo.append(Ping(b"?"))
    began_s = wire.now_s
    wire.until(lambda: bool(errands.failures), limit_s=10)
    assert isinstance(errands.failures[0][1], LinkDown)
    assert 4.0 <= wire.now_s - began_s <= 6.0
    wire.cut = False
    wire.ready(limit_s=6)


@pytest.mark.parametrize("kind", [NativeDevice, Uno])
@pytest.mark.parametrize("noise", ["clean", "all-1e-3"])
def test_n2_events_are_delivered_once_in_order_or_counted(kind: type[NativeDevice] | type[Uno], noise: str) -> None:
    found = figures.events(kind("tower"), noise, seed=SEED)
    assert found.received + found.lost == found.made
    assert found.received > 60
    assert found.lost > 250
    assert found.in_order
    report(f"N2 {kind.__name__} {noise}: {found.received} received + {found.lost} lost = {found.made} made")


@pytest.mark.parametrize("noise", NOISES)
def test_n2_noise_alone_loses_no_event(noise: str) -> None:
    device = NativeDevice("tower")
    errands = Errands(Kind.TOWER, [TowerConfig(0, 5)])
    wire = VirtualWire(errands, device, noise=NOISES[noise], seed=SEED)
    wire.until(lambda: bool(errands.answers), limit_s=5)
    for _ in range(60):
        device.fall()
        wire.run(0.25)
    wire.run(3.0)
    assert [event.roll for event in errands.events if isinstance(event, RollStarted)] == list(range(1, 61))
    assert (len(errands.events), errands.lost) == (120, 0)


def test_n4_the_strip_shows_the_wanted_picture_after_every_push_whatever_was_reset() -> None:
    found = figures.pushes(300 * LONG, figures.PUSHED_RESETS * LONG, seed=SEED)
    assert (found.right, found.resets) == (300 * LONG, figures.PUSHED_RESETS * LONG)
    median, longest = found.took_ms[len(found.took_ms) // 2], found.took_ms[-1]
    assert median < 60
    report(
        f"N4 {found.right} of {found.pushed} pushes right, {found.resets} resets; without reset median {median:.0f} ms, "
        f"max {longest:.0f} ms"
    )


@pytest.mark.parametrize(("noise", "p99_ms"), [("clean", 8), ("ber-1e-4", 80), ("ber-1e-3", 700)])
def test_n5_latency(noise: str, p99_ms: float) -> None:
    times_ms = figures.latencies_ms(noise, 400 * LONG, seed=SEED)
    median, p99 = times_ms[len(times_ms) // 2], times_ms[int(0.99 * len(times_ms))]
    report(f"N5 {noise}: median {median:.1f}, p99 {p99:.1f}, max {times_ms[-1]:.1f} ms")
    assert median <= 8
    assert p99 <= p99_ms


def test_n7_no_byte_is_lost_while_the_strip_is_written() -> None:
    """The host pipelines, against its own rules. That this test can fail is shown in test_makefile."""
    uno = pipelined(None, pictures=100)
    assert uno.latches == 101
    assert uno.strip()[:6] == bytes((98, 1, 2)) * 2
    assert uno.overruns == 0
    assert uno.longest_gap_us < 50
    report(f"N7 100 pictures with pipelined frames: {uno.overruns} bytes lost, longest gap {uno.longest_gap_us:.1f} us")
