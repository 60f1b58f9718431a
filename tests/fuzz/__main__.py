"""`make fuzz ARGS=MINUTES`: cases of every kind, a process for each, as long as it is told; the failures at the end.

`python -m tests.fuzz MINUTES KIND` makes cases of one kind alone. A case is made from its number alone:
`python -m tests.fuzz 0 requests 417` makes that one again.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from random import Random

from tests.fuzz import (
    addresses,
    cards,
    described,
    diagnoses,
    firmware,
    journals,
    kept,
    notations,
    pictures,
    records,
    requests,
    serial,
    streams,
)
from tests.fuzz.worker import Kind, Worker

KINDS = {
    "requests": Kind(requests.one, 100_000, lambda: requests.count, "requests", many=True),
    "described": Kind(described.one, 10_000, lambda: described.count, "requests", many=True),
    "records": Kind(records.one, 20_000),
    "positions": Kind(records.setting_up, 20_000),
    "notations": Kind(notations.one, 20_000),
    "journals": Kind(journals.one, 2_000),
    "lines": Kind(journals.lines, 20_000),
    "kept": Kind(kept.one, 2_000),
    "addresses": Kind(addresses.one, 600),
    "pictures": Kind(pictures.one, 5_000),
    "cards": Kind(cards.one, 2_000),
    "diagnoses": Kind(diagnoses.one, 1_000),
    "streams": Kind(streams.one, 200),
    "serial": Kind(serial.one, 10_000),
    "firmware": Kind(firmware.one, 50_000_000, lambda: firmware.fed, "bytes", many=True),
}
"""Every kind, and what half an hour has to reach."""
MEMORY = Path("/dev/shm")
"""A folder in memory, where there is one: journals wait for the disk at every row, and no case is about the disk."""


def main(minutes: float, chosen: Collection[str] = KINDS) -> int:
    """Returns the number of kinds of failure.

    :param chosen: the kinds to make cases of.
    """
    kinds = {name: kind for name, kind in KINDS.items() if name in chosen}
    if "firmware" in kinds and firmware.clang() is None:
        print("firmware: left out, since clang is missing (Debian: apt install clang libclang-rt-dev llvm)")
        del kinds["firmware"]
    if MEMORY.is_dir():
        tempfile.tempdir = str(MEMORY)
    start = int(time.time()) << 20
    failures: list[str] = []
    workers = [Worker(name, kind, start, minutes) for name, kind in kinds.items()]
    print(f"{'kind':<12}{'cases':>12}{'counted':>24}{'slowest':>12}{'memory':>11}", flush=True)
    for worker in workers:
        found = worker.waited()
        counted = f"{found.counted:,} {worker.kind.unit}"
        print(f"{worker.name:<12}{found.cases:>12,}{counted:>24}{found.slowest_s:>10.1f} s{found.memory_mb:>8,.0f} MB")
        failures += found.failures.values()
    for failure in failures:
        print(failure)
    print(f"{len(failures)} kinds of failure")
    return len(failures)


def silence_decoders() -> None:
    """OpenCV's decoders write a line of their own about each damaged picture; keep those out of the table."""
    told = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stderr = os.fdopen(told, "w", buffering=1)


if __name__ == "__main__":
    silence_decoders()
    words = sys.argv[1:] or ["1"]
    if unknown := [word for word in words[1:2] if word not in KINDS]:
        sys.exit(f"There is no kind {unknown[0]}. There are: {', '.join(KINDS)}.")
    if len(words) > 2:
        KINDS[words[1]].one(Random(int(words[2])))
        print(f"{words[1]} {words[2]}: nothing fell over")
        sys.exit(0)
    sys.exit(1 if main(float(words[0]), words[1:] or KINDS) else 0)
