"""A PostgreSQL for all tests of journals, started once, when the first one asks for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.referee.journal import Journal
from companion.referee.journal.places import Database
from tests.postgresql import PostgreSQL, program


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    if program("postgres") is None:
        assert os.environ.get("CI") != "true", "PostgreSQL is missing; .ci/run installs it"
        pytest.skip("PostgreSQL is not installed, so journals are tested in files alone")
    server = PostgreSQL()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def database(postgresql: PostgreSQL) -> Database:
    """A new empty one."""
    return postgresql.database()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal lies."""
    return tmp_path / "games.journal"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """An empty journal."""
    journal = Journal.open(path)
    yield journal
    journal.close()
