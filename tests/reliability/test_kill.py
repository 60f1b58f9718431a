"""A process that is killed at any moment loses nothing that it confirmed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reliability.kill import Found, run
from tests.reliability.slow_disk import SlowDisk


def test_a_few_kills(tmp_path: Path) -> None:
    found = run(tmp_path / "games.journal", times=6, seed=1)
    assert found.good, found
    assert found.confirmed > 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_hundred_kills(tmp_path: Path) -> None:
    found = run(tmp_path / "games.journal", times=200, seed=2)
    assert found.good, found


def test_a_few_power_cuts_on_a_slow_disk_while_pages_write(tmp_path: Path) -> None:
    disk = SlowDisk(tmp_path / "disk", delay_us=300)
    found = run(tmp_path / "disk" / "games.journal", times=2, seed=3, pages=3, disk=disk)
    assert found.good, found
    assert found.confirmed > 0


def test_a_power_cut_takes_what_was_not_synced(tmp_path: Path) -> None:
    disk = SlowDisk(tmp_path / "disk", delay_us=0)
    program = "import os; f = open('kept', 'wb'); f.write(b'a'); f.flush(); os.fsync(f); open('lost', 'wb').write(b'b')"
    env = {**os.environ, **disk.environment()}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path / "disk", env=env, check=True)
    assert disk.cut() == 1
    assert [one.name for one in (tmp_path / "disk").iterdir()] == ["kept"]


def test_a_loss_would_be_told() -> None:
    assert not Found(kills=1, confirmed=5, lost=1, unconfirmed=0, broken=0).good
    assert not Found(kills=1, confirmed=5, lost=0, unconfirmed=2, broken=0).good
    assert "5 rows confirmed, 1 lost" in str(Found(1, 5, 1, 0, 0))
