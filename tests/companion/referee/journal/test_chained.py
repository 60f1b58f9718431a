"""What every journal does, in a file and in a database: what is kept, what is refused, and that nothing is changed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import ClassVar

import msgspec
import psycopg
import pytest
from msgspec.structs import replace

from companion.core.foundation.errors import BrokenChain, JournalError
from companion.referee.journal import ChainedGames, Journal, chained, utc
from companion.referee.journal.database import DatabaseJournal
from companion.referee.journal.file import SCHEMA
from companion.referee.journal.rows import drawn, head, root
from simulation.play import header, played
from tests.companion.referee.journal.test_store import ROW
from tests.postgresql import PostgreSQL


class Guarded(Exception):
    """The place itself has refused a statement."""


class FilePlace:
    """A journal in a file, and ways around it."""

    names: ClassVar = {"games": "game", "rows": "row", "seeds": "seed"}

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> Journal:
        return Journal.open(self.path)

    def read(self) -> Journal:
        return Journal.read(self.path)

    def run(self, statement: str) -> None:
        connection = sqlite3.connect(self.path)
        try:
            with connection:
                connection.execute(statement.format(**self.names))
        except sqlite3.IntegrityError as error:
            raise Guarded(str(error)) from error
        finally:
            connection.close()

    def tamper(self, statement: str) -> None:
        for trigger in ("row_update", "row_delete", "game_update", "game_delete"):
            self.run(f"DROP TRIGGER {trigger}")
        self.run(statement)
        for guard in SCHEMA:
            self.run(guard)

    def another(self) -> Journal:
        return Journal.open(self.path.with_name("other.journal"))

    def age(self, version: int) -> None:
        self.run(f"PRAGMA user_version = {version}")
        self.run("PRAGMA journal_mode = DELETE")


class DatabasePlace:
    """A journal in a database, and ways around it."""

    names: ClassVar = {"games": "companion.games", "rows": "companion.rows", "seeds": "companion.seeds"}

    def __init__(self, server: PostgreSQL) -> None:
        self._server, self.database = server, server.database()

    def open(self) -> DatabaseJournal:
        return DatabaseJournal.open(self.database)

    def read(self) -> DatabaseJournal:
        return DatabaseJournal.read(self.database)

    def run(self, statement: str) -> None:
        try:
            with psycopg.connect(self.database.url) as connection:
                connection.execute(statement.format(**self.names))  # type: ignore[arg-type]
        except psycopg.errors.RaiseException as error:
            raise Guarded(str(error)) from error

    def tamper(self, statement: str) -> None:
        for table in ("games", "rows"):
            self.run(f"ALTER TABLE companion.{table} DISABLE TRIGGER USER")
        self.run(statement)

    def another(self) -> DatabaseJournal:
        return DatabaseJournal.open(self._server.database())

    def age(self, version: int) -> None:
        self.run(f"UPDATE companion.journal SET format = {version}")


Place = FilePlace | DatabasePlace


@pytest.fixture(params=["file", "database"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "file":
        return FilePlace(tmp_path / "games.journal")
    return DatabasePlace(request.getfixturevalue("postgresql"))


@pytest.fixture
def journal(place: Place) -> Iterator[ChainedGames]:
    journal = place.open()
    yield journal
    journal.close()


def test_rows_come_back_as_they_were_written(journal: ChainedGames) -> None:
    game = journal.begin(header())
    first = journal.append(game.id, **ROW, more={"frame": 12})
    second = journal.append(game.id, **ROW)
    assert (first.n, second.n) == (1, 2)
    assert journal.rows(game.id) == (first, second)
    assert first.hash != second.hash
    assert first.scores == (3, -4)


def test_a_game_has_an_id_of_its_name_and_time(journal: ChainedGames) -> None:
    assert journal.begin(header()).id == "spectrangle-20231114-221320"
    assert journal.begin(header()).id == "spectrangle-20231114-221320-2"
    assert len(journal.begin(header(game="roll-and-color-deluxe-edition")).id) <= 32


CLOCKS = (-1e12, -1.0, 0.0, 1_700_000_000.0, 4e9, 1e15, 1e300, float("nan"))


def test_games_stay_in_order_whatever_the_clock_says(place: Place) -> None:
    """Before 1970, years ahead, back again: names and order are right, also after the program was started anew."""
    begun = []
    for started in (*CLOCKS, *reversed(CLOCKS)):
        journal = place.open()
        game = journal.begin(header(started=started if started == started else -3.0))
        journal.append(game.id, **{**ROW, "at": -5e11})
        begun.append(game.id)
        assert re.fullmatch(r"[a-z0-9-]{1,32}", game.id)
        journal.close()
    assert len(set(begun)) == len(begun)
    reading = place.read()
    assert [game.id for game in reading.games()] == begun
    reading.close()


def test_a_date_is_the_nearest_that_there_is() -> None:
    years = [utc(clock).tm_year for clock in CLOCKS]
    assert years == [1970, 1970, 1970, 2023, 2096, 9999, 9999, 1970]


def test_games_of_a_program_that_did_not_count_them_come_first(place: Place) -> None:
    journal = place.open()
    new = journal.begin(header())
    old = journal.insert(header(id="old-game", started=1_900_000_000.0), ())
    assert [game.id for game in journal.games()] == [old.id, new.id]
    assert b"order" not in head(old) and root(old) == sha256(msgspec.json.encode(old)[:-11] + b"}").hexdigest()
    journal.close()


def test_one_journal_holds_many_games(journal: ChainedGames) -> None:
    late = journal.begin(header(started=2_000_000_000.0))
    early = journal.begin(header())
    journal.append(late.id, **ROW)
    assert journal.games() == (late, early), "as they were begun, not as the clock had it"
    assert journal.rows(early.id) == ()
    assert journal.header(late.id) == late
    with pytest.raises(JournalError, match='no game "nobody"'):
        journal.header("nobody")
    with pytest.raises(JournalError, match='no game "nobody"'):
        journal.append("nobody", **ROW)


def test_the_last_rows_of_few_games_are_remembered(journal: ChainedGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chained, "TIPS", 3)
    first = journal.begin(header())
    journal.append(first.id, **ROW)
    for _ in range(6):
        journal.append(journal.begin(header()).id, **ROW)
        journal.rows(first.id)
    assert len(journal._tips) == 3
    assert journal.append(first.id, **ROW).n == 2


def test_a_journal_only_grows(journal: ChainedGames, place: Place) -> None:
    game = journal.begin(header())
    journal.append(game.id, **ROW)
    for table, column in (("{rows}", "hash"), ("{games}", "header")):
        for statement in (f"UPDATE {table} SET {column} = ''", f"DELETE FROM {table}"):
            with pytest.raises(Guarded, match="only grows"):
                place.run(statement)


def test_a_changed_row_breaks_the_chain(journal: ChainedGames, place: Place) -> None:
    game = journal.begin(header())
    for _ in range(3):
        journal.append(game.id, **ROW)
    journal.close()
    place.tamper("""UPDATE {rows} SET entry = replace(entry, '"scores":[3,-4]', '"scores":[9,-4]') WHERE n = 2""")
    again = place.open()
    with pytest.raises(BrokenChain, match=r"Row 2 .* does not follow"):
        again.rows(game.id)
    again.close()


def test_a_removed_row_breaks_the_chain(journal: ChainedGames, place: Place) -> None:
    game = journal.begin(header())
    for _ in range(3):
        journal.append(game.id, **ROW)
    journal.close()
    place.tamper("DELETE FROM {rows} WHERE n = 2")
    again = place.read()
    with pytest.raises(BrokenChain, match=r"Row 2 .* is missing"):
        again.rows(game.id)
    again.close()


def test_a_changed_header_breaks_the_chain(journal: ChainedGames, place: Place) -> None:
    game = journal.begin(header())
    journal.append(game.id, **ROW)
    journal.close()
    place.tamper("UPDATE {games} SET header = replace(header, 'Ada', 'Eve')")
    again = place.read()
    with pytest.raises(BrokenChain, match="Row 1"):
        again.rows(game.id)
    again.close()


def test_two_programs_cannot_write_one_game(journal: ChainedGames, place: Place) -> None:
    game = journal.begin(header())
    journal.append(game.id, **ROW)
    other = place.open()
    other.append(game.id, **ROW)
    other.close()
    with pytest.raises(JournalError, match="Another program has added"):
        journal.append(game.id, **ROW)
    with pytest.raises(JournalError, match="Another program has added"):
        journal.append(game.id, **ROW, after=1)
    assert len(journal.rows(game.id)) == 2


def test_a_journal_of_a_newer_program_is_refused(journal: ChainedGames, place: Place) -> None:
    journal.close()
    place.age(99)
    for opening in (place.open, place.read):
        with pytest.raises(JournalError, match="newer program"):
            opening()


def test_a_closed_journal_says_so(journal: ChainedGames) -> None:
    game = journal.begin(header())
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="was closed"):
        journal.append(game.id, **ROW)


def test_whole_games_are_entered_or_not_at_all(journal: ChainedGames, place: Place) -> None:
    game = journal.begin(header())
    rows = (journal.append(game.id, **ROW), journal.append(game.id, **ROW))
    other = place.another()
    other.insert(game, rows)
    assert other.rows(game.id) == rows
    with pytest.raises(JournalError, match="already has"):
        other.insert(game, rows)
    with pytest.raises(JournalError, match="is not the id of a game"):
        other.insert(replace(game, id="../x"), rows)
    with pytest.raises(JournalError):
        other.insert(replace(game, id="second"), (rows[0], rows[0]))
    assert [one.id for one in other.games()] == [game.id]
    other.close()


def test_a_seed_is_kept_beside_the_rows_and_never_changed(journal: ChainedGames, place: Place) -> None:
    game = journal.begin(header())
    assert journal.seed(game.id) is None
    journal.keep_seed(game.id, bytes(range(32)))
    assert journal.seed(game.id) == bytes(range(32))
    with pytest.raises(JournalError):
        journal.keep_seed(game.id, bytes(32))
    for statement in ("UPDATE {seeds} SET seed = '00'", "DELETE FROM {seeds}"):
        with pytest.raises(Guarded, match="only grows"):
            place.run(statement)
    assert journal.seed(game.id) == bytes(range(32)) and journal.rows(game.id) == ()
    reading = place.read()
    assert reading.seed(game.id) == bytes(range(32))
    reading.close()


def test_a_journal_without_software_deals_has_no_seeds(journal: ChainedGames, place: Place) -> None:
    journal.begin(header())
    reading = place.read()
    assert reading.seed(reading.games()[0].id) is None
    reading.close()


def test_a_played_game_is_the_same_wherever_it_is_kept(journal: ChainedGames, tmp_path: Path) -> None:
    table = played(journal, Random(1))
    other = Journal.open(tmp_path / "other.journal")
    again = played(other, Random(1))
    other.close()
    rows = journal.rows(table.session.header.id)
    assert len(rows) > 20 and rows == table.session.rows()
    assert rows == again.session.rows(), "the chain does not depend on the place"


def test_ids_that_are_drawn_are_never_alike(journal: ChainedGames) -> None:
    journal.id_of = drawn
    ids = {journal.begin(header(game=name)).id for name in ("spectra", "roll-and-color", "go") for _ in range(20)}
    assert len(ids) == 60 and all(re.fullmatch(r"[a-z-]{2,10}-20231114-[a-z2-7]{12}", one) for one in ids)


def test_rows_of_another_journal_are_added_all_or_none(journal: ChainedGames, place: Place) -> None:
    game = journal.begin(header())
    written = [journal.append(game.id, **ROW) for _ in range(4)]
    stored = journal.stored(game.id)
    assert [row[0] for row in journal.stored(game.id, 1, 2)] == [2, 3]
    other = place.another()
    other.insert(game, tuple(written[:1]))
    tip = other.tip(game.id)
    assert tip == (1, written[0].hash) and other.tip("nobody") is None
    other.extend(game.id, tip, stored[1:])
    assert other.rows(game.id) == tuple(written)
    with pytest.raises(JournalError, match="has grown"):
        other.extend(game.id, tip, stored[1:])
    assert other.standings() == journal.standings() == {game.id: (4, written[3].hash, False)}
    other.close()


def test_people_are_numbered_as_they_came(journal: ChainedGames) -> None:
    journal.begin(header(names=("Ben", "Ada")))
    journal.begin(header(names=("ada", "Cleo")))
    assert journal.people(("Cleo", "BEN", "Dora")) == (2, 0, 3)
