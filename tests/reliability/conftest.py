"""What tests of the whole program share: it is started, killed and started again."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reliability.house import House, Serve


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts the house, always on the same journal and port; what still runs when the test is over is killed."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    houses: list[House] = []

    def start(*arguments: str) -> House:
        houses.append(House([*arguments, "--journal", str(tmp_path / "journal.sqlite"), "--port", str(port)]))
        return houses[-1]

    yield start
    for house in houses:
        if house.process.poll() is None:
            house.cut()
