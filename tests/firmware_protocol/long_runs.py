"""The longer runs of the serial protocol: `python -m tests.firmware_protocol.long_runs [NAME...]`, all without a name.

Each prints its figures. They are the same tests as in a normal run, with larger numbers; TTP_SEED changes the noise.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from simulation.firmware import toolchain

ROOT = Path(__file__).parent.parent.parent
SEED = os.environ.get("TTP_SEED", "1")


def shown(*command: str | Path, **environment: str) -> int:
    """Run a command and let it print."""
    return subprocess.run([str(part) for part in command], env={**os.environ, **environment}, cwd=ROOT).returncode


def noise() -> int:
    """N3: ten million frames at a bit error rate of 1e-3."""
    return shown(toolchain.program("noise_soak", "-O2"), "10000000", "1e-3", SEED)


def decoder() -> int:
    """N8: a minute of anything for the decoder under the sanitizers."""
    return shown(toolchain.program("decoder_fuzz", *toolchain.SANITIZERS), "60", SEED)


def requests() -> int:
    """N8: a minute of any requests for each device's code under the sanitizers."""
    return sum(
        shown(toolchain.program("link_fuzz", *toolchain.SANITIZERS, device=device), "60", SEED)
        for device in ("board", "tower")
    )


def lost_nothing() -> int:
    """N1, N2, N4, N5, N7 at ten times the size of a normal run: 100,000 requests natively, 15,000 a noise on the Uno."""
    test = "tests/hardware/test_nothing_lost.py"
    return shown(sys.executable, "-m", "pytest", "-s", "--timeout=900", test, TTP_LONG="10")


def cable() -> int:
    """N6: the cable is pulled twenty times."""
    return shown(sys.executable, "-m", "pytest", "-s", "tests/hardware/test_serial_line.py", "-k", "n6")


RUNS: dict[str, Callable[[], int]] = {run.__name__: run for run in (noise, decoder, requests, lost_nothing, cable)}


def main(names: list[str]) -> int:
    """Run those named, or all; 0 if every one came out well."""
    failed = 0
    for name in names or RUNS:
        print(f"== {name}: {RUNS[name].__doc__}", flush=True)
        began_s = time.monotonic()
        failed |= RUNS[name]() != 0
        print(f"== {name}: {time.monotonic() - began_s:.0f} s by the clock", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
