"""A broker that is started anew makes nothing wrong and tells nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.broker import Found, run


def test_a_few_restarts(tmp_path: Path) -> None:
    found = run(tmp_path, times=4, seed=3)
    assert found.good, found
    assert found.heard > 10


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_hundred_restarts(tmp_path: Path) -> None:
    found = run(tmp_path, times=100, seed=4)
    assert found.good, found


def test_a_fault_would_be_told() -> None:
    assert not Found(1, 10, 10, 1, 0, 0).good and not Found(1, 10, 10, 0, 1, 0).good
    assert not Found(1, 10, 10, 0, 0, 1).good
