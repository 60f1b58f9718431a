"""Linear algebra has one thread, whatever imports numpy later: small products do not wait for each other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COUNT = """
import {first}
import os, numpy as np
one = np.ones((500, 500), np.float32)
one @ one
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted where Linux lists them")
@pytest.mark.parametrize("first", ["companion", "bench"])
def test_numpy_starts_no_threads_of_its_own(first: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", COUNT.format(first=first)], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1"]
