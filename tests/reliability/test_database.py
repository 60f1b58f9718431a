"""Neither the database nor the referee loses or doubles a row by dying."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.postgresql import PostgreSQL, program
from tests.reliability.bad_network import FAR, BadNetwork
from tests.reliability.database import DELAY_S, LOST, Found, run

needs_postgresql = pytest.mark.skipif(
    program("postgres") is None and os.environ.get("CI") != "true", reason="PostgreSQL is not installed"
)


@needs_postgresql
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_hundred_kills(tmp_path: Path) -> None:
    server = PostgreSQL()
    server.start()
    found = run(tmp_path / "games.journal", 100, 1, server)
    server.stop()
    assert found.good, found
    assert found.confirmed > 100 and found.of_the_database and found.of_the_referee


@needs_postgresql
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(os.getuid() != 0 or shutil.which("ip") is None, reason="namespaces of the network are root's")
def test_a_network_that_drops_and_delays(tmp_path: Path) -> None:
    with BadNetwork(lost=LOST, delay_s=DELAY_S, seed=2) as network:
        server = PostgreSQL(FAR, network.namespace)
        server.start()
        found = run(tmp_path / "games.journal", 30, 2, server, network)
        server.stop()
        assert network.dropped > 10
    assert found.good, found
    assert found.confirmed > 100


def test_a_loss_would_be_told() -> None:
    good = Found(1, 1, 0, 0, 5, 0, 0, 0, 0)
    assert good.good
    for fault in ("lost", "foreign", "broken"):
        assert not good._replace(**{fault: 1}).good
