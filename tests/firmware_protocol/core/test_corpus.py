"""The corpus that libFuzzer grew plays through the C core without a finding, built with any compiler and the sanitizers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from simulation.firmware import toolchain
from tests.fuzz.firmware import DEVICES, unpack


@pytest.mark.parametrize("device", DEVICES)
def test_what_reached_new_code_once_is_survived(device: str, tmp_path: Path) -> None:
    files = sorted(unpack(device, tmp_path).iterdir())
    assert len(files) > 20
    program = toolchain.program("fuzz_target", *toolchain.SANITIZERS, "-DREPLAY", device=device)
    done = subprocess.run([program, *files], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]
    fed = re.fullmatch(r"FED (\d+)\n", done.stdout)
    assert fed is not None and int(fed[1]) > 1000
