"""A process that is killed at any moment loses nothing that it confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.kill import Found, run


def test_a_few_kills(tmp_path: Path) -> None:
    found = run(tmp_path / "games.journal", times=8, seed=1)
    assert found.good, found
    assert found.confirmed > 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_hundred_kills(tmp_path: Path) -> None:
    found = run(tmp_path / "games.journal", times=200, seed=2)
    assert found.good, found


def test_a_loss_would_be_told() -> None:
    assert not Found(kills=1, confirmed=5, lost=1, unconfirmed=0, broken=0).good
    assert not Found(kills=1, confirmed=5, lost=0, unconfirmed=2, broken=0).good
    assert "5 rows confirmed, 1 lost" in str(Found(1, 5, 1, 0, 0))
