"""What "loses nothing" means, as figures (N1 to N9): under noise, resets and stalls, on the C core and on an emulated Uno.

The sizes here fit into a normal run; TTP_LONG multiplies them, see docs/hardware.md.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from companion.errors import DeviceRestarted, LinkDown
from firmware_protocol.messages import (
    Kind,
    Ping,
    PingReply,
    RollSettled,
    RollStarted,
    Stats,
    StatsReply,
    TowerConfig,
)
from firmware_protocol.payload import Payload
from hardware import picture
from hardware.led_board import LedBoard
from hardware.patience import Patience
from tests.firmware_protocol.native_device import NativeDevice
from tests.firmware_protocol.peer import Peer
from tests.firmware_protocol.pipelining import pipelined
from tests.firmware_protocol.uno import Uno
from tests.hardware.virtual_wire import NOISES, Errands, VirtualWire

LONG = int(os.environ.get("TTP_LONG", "1"))
"""How many times more than in a normal run."""
SEED = int(os.environ.get("TTP_SEED", "7"))
"""Where the noise begins."""
UNTROUBLED = Patience(quiet_s=1e9)
"""Without the link's own requests, so that the executed ones are exactly those of the test."""


def chain_of(requests: list[Payload]) -> int:
    """What the device's chain must be after these requests of a fresh session, in this order, each once."""
    chain = 0
    for number, request in enumerate(requests, 1):
        for byte in bytes((request.TYPE, number % 256)) + request.pack():
            chain = (31 * chain + byte) % 2**32
    return chain


def report(text: str) -> None:
    """A figure, seen with `pytest -s`."""
    print(f"FIGURE {text}")


def n1(device: Peer, noise: str, count: int, step_s: float) -> None:
    """Numbered requests, then the device's own account of what it executed."""
    random = Random(SEED)
    requests: list[Payload] = [Ping(number.to_bytes(4, "little") + random.randbytes(4)) for number in range(count)]
    errands = Errands(Kind.BOARD, [*requests, Stats()])
    wire = VirtualWire(errands, device, noise=NOISES[noise], seed=SEED, step_s=step_s, patience=UNTROUBLED)
    wire.until(lambda: not errands.todo, limit_s=0.5 * count + 60)
    assert errands.failures == []
    assert len(errands.greeted) == 1
    assert [reply for _, reply, _ in errands.answers[:-1]] == [PingReply(one.data) for one in requests]  # type: ignore[attr-defined]
    account = errands.answers[-1][1]
    assert isinstance(account, StatsReply)
    assert account.executed == (count + 1) % 65536
    assert account.chain == chain_of([*requests, Stats()])
    counts = wire.link.counters
    report(f"N1 {type(device).__name__} {noise}: {count} of {count} exactly once, {counts.retries} sent again")


@pytest.mark.parametrize("noise", NOISES)
def test_n1_every_request_is_executed_exactly_once_and_in_order_on_the_uno(noise: str) -> None:
    uno = Uno("board")
    n1(uno, noise, 1500 * LONG, step_s=0.001)
    assert uno.overruns == 0


def test_n1_every_request_is_executed_exactly_once_and_in_order_in_the_c_core() -> None:
    """10,000 requests under all noises at once; a hundred thousand with TTP_LONG=10."""
    n1(NativeDevice("board"), "all-1e-3", 10_000 * LONG, step_s=0.005)


def test_n1_whoever_asks_while_the_device_is_reset_is_told() -> None:
    random = Random(SEED)
    uno = Uno("board")
    errands = Errands(Kind.BOARD, [Ping(number.to_bytes(4, "little")) for number in range(300)])
    wire = VirtualWire(errands, uno, noise=NOISES["ber-1e-4"], seed=SEED)
    resets = 0
    while errands.todo:
        wire.run(random.uniform(0.0, 0.3))
        uno.reset()
        resets += 1
    told = [why for _, why in errands.failures]
    assert len(errands.answers) + len(told) == 300
    assert told
    assert all(isinstance(why, DeviceRestarted) for why in told)
    report(f"N1 resets: {resets} resets, {len(errands.answers)} answered, {len(told)} told that nobody knows")


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


def falling(device: NativeDevice | Uno, wire: VirtualWire, seconds: float) -> None:
    """A hundred events a second: fifty dice, each of which falls and comes to rest."""
    until_s = wire.now_s + seconds
    while wire.now_s < until_s:
        device.fall()
        wire.run(0.02)


@pytest.mark.parametrize("kind", [NativeDevice, Uno])
@pytest.mark.parametrize("noise", ["clean", "all-1e-3"])
def test_n2_events_are_delivered_once_in_order_or_counted(kind: type[NativeDevice] | type[Uno], noise: str) -> None:
    device = kind("tower")
    errands = Errands(Kind.TOWER, [TowerConfig(0, 5)])
    wire = VirtualWire(errands, device, noise=NOISES[noise], seed=SEED)
    wire.ready()
    for _ in range(3):
        falling(device, wire, 1.0)
        wire.stalled = True
        falling(device, wire, 2.0)
        wire.stalled = False
    wire.run(3.0)
    account = wire.link.counters.device
    assert account is not None
    assert errands.failures == []
    assert len(errands.greeted) == 1
    assert len(errands.events) + errands.lost == account.events_made
    assert len(errands.events) > 60
    assert errands.lost > 250
    order = [
        (event.roll, isinstance(event, RollSettled))
        for event in errands.events
        if isinstance(event, RollStarted | RollSettled)
    ]
    assert order == sorted(set(order))
    report(
        f"N2 {kind.__name__} {noise}: {len(errands.events)} received + {errands.lost} lost = {account.events_made} made"
    )


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
    random = Random(SEED)
    uno = Uno("board")
    wire: VirtualWire
    board = LedBoard({}, 64, limit_ma=10_000, clock=lambda: wire.now_s)
    wire = VirtualWire(board, uno, noise=NOISES["ber-1e-4"], seed=SEED)
    wire.ready()
    pushes, resets = 300 * LONG, 0
    took_s = []
    for number in range(pushes):
        wanted = tuple(
            (random.randrange(40), random.randrange(40), random.randrange(40)) if random.random() < 0.5 else (0, 20, 0)
            for _ in range(64)
        )
        board.show(wanted)
        began_s = wire.now_s
        reset = number * 62 // pushes > (number - 1) * 62 // pushes or number == 0
        if reset and resets < 62 * LONG:
            wire.run(random.uniform(0.0, 0.03))
            uno.reset()
            resets += 1
        wire.until(lambda: board.settled, limit_s=8)
        assert uno.strip() == picture.packed(wanted), f"push {number}"
        if not reset:
            took_s.append(wire.now_s - began_s)
    took_s.sort()
    report(
        f"N4 {pushes} of {pushes} pushes right, {resets} resets; without reset median {took_s[len(took_s) // 2] * 1000:.0f} ms, "
        f"max {took_s[-1] * 1000:.0f} ms"
    )


@pytest.mark.parametrize(("noise", "p99_ms"), [("clean", 10), ("ber-1e-4", 80), ("ber-1e-3", 700)])
def test_n5_latency(noise: str, p99_ms: float) -> None:
    count = 400 * LONG
    errands = Errands(Kind.BOARD, [Ping(bytes(25))] * count)
    wire = VirtualWire(errands, Uno("board"), noise=NOISES[noise], seed=SEED, step_s=0.0005, patience=UNTROUBLED)
    errands.clock(lambda: wire.now_s)
    wire.until(lambda: not errands.todo, limit_s=200 * LONG)
    times_ms = sorted(1000 * one for one in errands.latencies_s)
    p99 = times_ms[int(0.99 * count)]
    report(f"N5 {noise}: median {times_ms[count // 2]:.1f}, p99 {p99:.1f}, max {times_ms[-1]:.1f} ms")
    assert p99 <= p99_ms


def test_n7_no_byte_is_lost_while_the_strip_is_written() -> None:
    """The host pipelines, against its own rules. That this test can fail is shown in test_makefile."""
    uno = pipelined(None, pictures=100)
    assert uno.latches == 101
    assert uno.strip()[:6] == bytes((98, 1, 2)) * 2
    assert uno.overruns == 0
    assert uno.longest_gap_us < 50
    report(f"N7 100 pictures with pipelined frames: {uno.overruns} bytes lost, longest gap {uno.longest_gap_us:.1f} us")
