"""`make fuzz ARGS=MINUTES`: cases of every kind, one after the other, as long as it is told; the failures at the end.

A case is made from its number alone: `python -m tests.fuzz 0 requests 417` makes that one again.
"""

from __future__ import annotations

import os
import resource
import sys
import time
import traceback
from collections.abc import Callable
from random import Random

from tests.fuzz import firmware, journals, notations, pictures, records, requests, serial, streams

KINDS: dict[str, Callable[[Random], None]] = {
    "notations": notations.one,
    "records": records.one,
    "positions": records.setting_up,
    "journals": journals.one,
    "lines": journals.lines,
    "requests": requests.one,
    "pictures": pictures.one,
    "streams": streams.one,
    "serial": serial.one,
    "firmware": firmware.one,
}
SLICE_S = 5.0
"""Each kind in turn has so long."""


def main(minutes: float, only: str | None, number: int | None) -> int:
    """The number of kinds of failure."""
    if only is not None and number is not None:
        KINDS[only](Random(number))
        print(f"{only} {number}: nothing fell over")
        return 0
    if firmware.clang() is None:
        print("firmware: left out, since clang is missing (Debian: apt install clang libclang-rt-dev llvm)")
        del KINDS["firmware"]
    start = int(time.time()) << 20
    made, slowest = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0.0)
    failures: dict[tuple[str, str], str] = {}
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end:
        for kind, one in KINDS.items():
            until = min(time.monotonic() + SLICE_S, end)
            while time.monotonic() < until:
                number = start + made[kind]
                begun = time.monotonic()
                try:
                    one(Random(number))
                except Exception as error:  # whatever it is, it is a finding
                    where = traceback.extract_tb(error.__traceback__)[-1]
                    known = f"{type(error).__name__} in {where.filename}:{where.lineno}"
                    failures.setdefault((kind, known), f"{kind} {number}: {known}: {str(error)[:200]}")
                made[kind] += 1
                slowest[kind] = max(slowest[kind], time.monotonic() - begun)
    print(f"{'kind':<12}{'cases':>10}{'slowest':>10}")
    for kind in KINDS:
        print(f"{kind:<12}{made[kind]:>10,}{slowest[kind]:>8.1f} s")
    print(f"{'requests':<12}{requests.count:>10,} to the page")
    print(f"{'bytes':<12}{serial.fed:>10,} from serial lines")
    print(f"{'bytes':<12}{firmware.fed:>10,} to the firmware's C core")
    print(f"{'memory':<12}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:>10,.0f} MB at most")
    for failure in failures.values():
        print(failure)
    print(f"{len(failures)} kinds of failure")
    return len(failures)


def hush_decoders() -> None:
    """OpenCV's decoders write a line of their own about each damaged picture; keep those out of the table."""
    told = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stderr = os.fdopen(told, "w", buffering=1)


if __name__ == "__main__":
    hush_decoders()
    words = sys.argv[1:] or ["1"]
    failed = main(float(words[0]), words[1] if len(words) > 2 else None, int(words[2]) if len(words) > 2 else None)
    sys.exit(1 if failed else 0)
