"""What many threads free goes back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

FREED = """
import os, threading
import numpy as np
from web.sockets.server import bound_heaps

def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

assert bound_heaps()
gate = threading.Barrier(33)

def picture(seed):
    for _ in range(20):
        np.ones((720, 1280, 3), np.uint8)
    kept.append(bytes(100))
    gate.wait()
    gate.wait()

kept = []
before = resident_mb()
threads = [threading.Thread(target=picture, args=(seed,)) for seed in range(32)]
for thread in threads:
    thread.start()
gate.wait()
print(resident_mb() - before)
gate.wait()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives each thread a heap of its own")
def test_pictures_that_threads_let_go_leave_nothing_behind() -> None:
    done = subprocess.run([sys.executable, "-c", FREED], capture_output=True, text=True, timeout=60, check=True)
    assert float(done.stdout) < 16
