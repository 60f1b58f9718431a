"""A table's journal comes to the database in order and once, whatever becomes of the database meanwhile."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.app.commands.serve import serve_command
from companion.app.commands.served_table import open_table, table_values
from companion.core.foundation.errors import DatabaseAway
from companion.referee.journal import ChainedGames, Journal
from companion.referee.journal.database import DatabaseJournal
from companion.referee.journal.delivery import Delivery
from companion.referee.journal.places import Database
from simulation.play import header
from tests.companion.referee.journal.test_store import ROW
from tests.postgresql import PostgreSQL
from web.admission.access import Access
from web.app import create_app

QUICK = (0.01, 0.05)
PATIENCE_S = 30


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal.open(tmp_path / "games.journal")
    yield journal
    journal.close()


def grown(journal: Journal, count: int, game: str | None = None) -> str:
    game = game or journal.begin(header()).id
    for place in range(count):
        journal.append(game, **{**ROW, "at": float(place)})
    return game


def same(one: ChainedGames, other: ChainedGames) -> bool:
    return [(game, one.rows(game.id), one.seed(game.id)) for game in one.games()] == [
        (game, other.rows(game.id), other.seed(game.id)) for game in other.games()
    ]


def in_database(journal: Journal, database: Database) -> bool:
    club = DatabaseJournal.read(database)
    try:
        return same(journal, club)
    finally:
        club.close()


def test_what_was_there_and_what_comes_is_delivered(journal: Journal, database: Database) -> None:
    grown(journal, 250)
    with Delivery(journal, database) as delivery:
        game = grown(journal, 3)
        journal.keep_seed(game, bytes(32))
        assert delivery.wait(PATIENCE_S) and in_database(journal, database)
        grown(journal, 2, game)
        assert delivery.wait(PATIENCE_S) and in_database(journal, database)
        assert delivery.status().delivered == 255
    assert delivery.status().state == "delivered"


def test_a_table_goes_on_while_the_database_is_away(
    journal: Journal, database: Database, postgresql: PostgreSQL
) -> None:
    with Delivery(journal, database, backoff_s=QUICK) as delivery:
        game = grown(journal, 5)
        assert delivery.wait(PATIENCE_S)
        postgresql.kill()
        grown(journal, 5, game)
        grown(journal, 5)
        while delivery.status().state != "away":
            threading.Event().wait(0.01)
        status = delivery.status()
        assert status.waiting >= 1 and "does not answer" in status.text and len(journal.games()) == 2
        postgresql.start()
        assert delivery.wait(PATIENCE_S) and delivery.status().text == ""
    assert in_database(journal, database)


def test_a_database_that_was_away_at_the_start_gets_all_of_it(journal: Journal, database: Database) -> None:
    refusals = [DatabaseAway("away")] * 3

    def connect(wanted: Database) -> DatabaseJournal:
        if refusals:
            raise refusals.pop()
        return DatabaseJournal.open(wanted)

    grown(journal, 4)
    with Delivery(journal, database, connect=connect, backoff_s=QUICK) as delivery:
        assert delivery.wait(PATIENCE_S)
    assert in_database(journal, database) and not refusals


def test_the_last_rows_are_brought_when_it_is_left(journal: Journal, database: Database) -> None:
    with Delivery(journal, database) as delivery:
        delivery.wait(PATIENCE_S)
        grown(journal, 300)
    assert in_database(journal, database)


def test_many_tables_share_a_database(tmp_path: Path, database: Database) -> None:
    """Games that begin in the same second have ids of their own, and each table's rows stay its own."""
    tables = [Journal.open(tmp_path / f"{name}.journal") for name in "abc"]
    deliveries = [Delivery(table, database) for table in tables]
    for delivery in deliveries:
        delivery.__enter__()
    players = [threading.Thread(target=grown, args=(table, 40)) for table in tables for _ in range(2)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    assert all(delivery.wait(PATIENCE_S) for delivery in deliveries)
    for delivery in deliveries:
        delivery.__exit__()
    club = DatabaseJournal.read(database)
    ids = {game.id for game in club.games()}
    assert len(ids) == 6
    for table in tables:
        assert all(club.rows(game.id) == table.rows(game.id) and game.id in ids for game in table.games())
        table.close()
    club.close()


def test_a_game_of_which_the_database_has_other_rows_is_left_alone_and_said(
    journal: Journal, database: Database
) -> None:
    first = grown(journal, 2)
    club = DatabaseJournal.open(database)
    club.insert(journal.header(first), ())
    club.append(first, **{**ROW, "text": "something else"})
    with Delivery(journal, database) as delivery:
        second = grown(journal, 2)
        grown(journal, 2, first)
        assert delivery.wait(PATIENCE_S)
        status = delivery.status()
        assert status.refused == (first,) and "different rows" in status.text
    assert len(club.rows(first)) == 1 and club.rows(second) == journal.rows(second)
    club.close()


def test_serve_keeps_its_file_and_brings_it_to_the_database(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    told = table_values(Path("club.toml"), "blue", serve_command, {"journal": database.url, "game": "spectrangle"})
    with ExitStack() as stack:
        sessions = open_table(stack, told, False, "blue").runtime.sessions
        assert sessions.journal.path == tmp_path / "companion" / "table-blue.sqlite"
        assert sessions.table is not None and sessions.delivery is not None
        assert re.fullmatch(r"spectrangl-\d{8}-[a-z2-7]{12}", sessions.table.session.header.id)
        assert sessions.delivery.wait(PATIENCE_S)
        browser = create_app(sessions, access=Access()).test_client()
        assert browser.get("/healthz").json["tables"]["table"]["database"] == "delivered"
        assert 'companion_database_up{table="table"} 1.0' in browser.get("/metrics").text
        assert in_database(sessions.journal, database)
    password = Database("postgresql://ada:s3cr3t@club.local/games")
    assert "s3cr3t" not in str(password) and str(password) == "postgresql://***@club.local/***"
