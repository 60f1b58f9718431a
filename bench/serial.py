"""Measures the losses and the delay of the serial line: N1 to N9 of docs/hardware.md, against the marks of the tests.

N1, N2, N4, N5 and N7 run the firmware on an emulated Uno in virtual time, so load does not change them; N6 and N9 are
by the clock. gcc, gcc-avr, avr-libc and libsimavr-dev are needed. Where the noise begins: TTP_SEED.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bench.figure import Figure
from simulation.firmware import toolchain
from simulation.firmware.native_device import NativeDevice
from simulation.firmware.pipelining import pipelined
from simulation.firmware.uno import Uno
from simulation.hardware import figures as measured
from simulation.hardware.virtual_wire import NOISES

SEED = int(os.environ.get("TTP_SEED", "7"))
FRAMES = 10_000_000
"""Frames of N3."""
FUZZ_S = 10
"""Seconds of anything for the decoder, and for each device."""
CYCLES = 20
"""Times that the cable of N6 is pulled."""
CALLS = 500
"""Calls of N9 on a port that hangs."""


def figures() -> Iterator[Figure]:
    """Yields all of them; none, with the reason, where a compiler or simavr is missing."""
    try:
        for device in ("board", "tower"):
            toolchain.elf(device)
        toolchain.simavr(process=True)
    except pytest.skip.Exception as why:
        print(f"  not measured: {why}", file=sys.stderr)
        return
    yield from _requests()
    yield from _events()
    yield _frames()
    yield from _pushes()
    yield from _latencies()
    yield from _cable()
    yield from _overruns()
    yield from _fuzz()
    yield from _dead_ports()


def _requests() -> Iterator[Figure]:
    for noise in NOISES:
        found = measured.executed(Uno("board"), noise, 1500, seed=SEED, step_s=0.001)
        right = found.answered if found.in_order else 0
        yield Figure(f"N1 executed once, in order, of 1,500: Uno, {noise}", right, "", at_least=1500)
    found = measured.executed(NativeDevice("board"), "all-1e-3", 100_000, seed=SEED, step_s=0.005)
    right = found.answered if found.in_order else 0
    yield Figure("N1 the same of 100,000: C core, all-1e-3", right, "", at_least=100_000)
    told = measured.told_of_resets(300, seed=SEED)
    yield Figure(f"N1 answered or told, of 300, {told.resets} resets", told.answered + told.restarts, "", at_least=300)


def _events() -> Iterator[Figure]:
    for noise in ("clean", "all-1e-3"):
        found = measured.events(Uno("tower"), noise, seed=SEED)
        missing = found.made - found.received - found.lost
        yield Figure(f"N2 made {found.made}, received {found.received}, neither: {noise}", missing, "", at_most=0)


def _frames() -> Figure:
    soak = toolchain.program("noise_soak", "-O2")
    done = subprocess.run([soak, str(FRAMES), "1e-3", str(SEED)], capture_output=True, text=True)
    wrong = re.search(r"(\d+) wrong", done.stdout)
    assert wrong is not None, done.stdout + done.stderr
    return Figure(f"N3 wrong frames accepted of {FRAMES:,} at 1e-3", int(wrong[1]), "", at_most=0)


def _pushes() -> Iterator[Figure]:
    found = measured.pushes(300, measured.PUSHED_RESETS, seed=SEED)
    yield Figure(f"N4 strip right after a push, of 300, {found.resets} resets", found.right, "", at_least=300)
    yield Figure("   picture of 64 colors, median", found.took_ms[len(found.took_ms) // 2], "ms", at_most=60)
    yield Figure("   longest without a reset", found.took_ms[-1], "ms")


def _latencies() -> Iterator[Figure]:
    for noise, most_ms in (("clean", 8), ("ber-1e-4", 80), ("ber-1e-3", 700)):
        times_ms = measured.latencies_ms(noise, 4000, seed=SEED)
        yield Figure(f"N5 25 bytes there and back, {noise}: median", times_ms[len(times_ms) // 2], "ms", at_most=8)
        yield Figure("   99th percentile", times_ms[int(0.99 * len(times_ms))], "ms", at_most=most_ms)
        yield Figure("   longest", times_ms[-1], "ms")


def _cable() -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        found = measured.pulled_cable(CYCLES, Path(folder))
    yield Figure(f"N6 cable pulled and back, of {CYCLES}", len(found.back_ms), "", at_least=CYCLES)
    yield Figure("   pulled cable seen after at most", max(found.seen_ms), "ms", at_most=2500)
    yield Figure("   ready again after at most", max(found.back_ms), "ms", at_most=4000)


def _overruns() -> Iterator[Figure]:
    uno = pipelined(None, pictures=100)
    yield Figure("N7 bytes lost while 100 pictures were written", uno.overruns, "", at_most=0)
    yield Figure("   longest gap between two lights", uno.longest_gap_us, "us", at_most=50)


def _fuzz() -> Iterator[Figure]:
    for name, device in (("decoder_fuzz", None), ("link_fuzz", "board"), ("link_fuzz", "tower")):
        program = toolchain.program(name, *toolchain.SANITIZERS, device=device)
        done = subprocess.run([program, str(FUZZ_S), str(SEED)], capture_output=True, text=True)
        count = re.search(r"(\d+)", done.stdout)
        inputs = f"{int(count[1]):,} inputs" if count is not None else "no input"
        findings = int(done.returncode != 0)
        yield Figure(f"N8 findings of the sanitizers, {device or 'decoder'}, {inputs}", findings, "", at_most=0)


def _dead_ports() -> Iterator[Figure]:
    longest_ms = measured.longest_call_ms(CALLS)
    yield Figure(f"N9 longest of {CALLS} LED calls on a port that hangs", longest_ms, "ms", at_most=100)
    yield Figure("   a peer that never reads is given up after", measured.given_up_ms(), "ms", at_most=1000)
