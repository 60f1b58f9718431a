"""Journals on disk: what is kept, what is refused, and that nothing is ever changed."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.errors import BrokenChain, JournalError
from companion.journal import Journal, Row, utc
from companion.journal.file import APPLICATION_ID
from companion.journal.rows import head, root
from tests.companion.play import header, played

ROW: dict[str, Any] = {
    "at": 1.5,
    "kind": "move",
    "seat": 0,
    "event": {"type": "pass"},
    "text": "pass",
    "source": "page",
    "scores": (3, -4),
    "legal": 7,
    "digest": "0123456789abcdef",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.journal"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = Journal.open(path)
    yield journal
    journal.close()


def tampered(path: Path, *statements: str) -> None:
    """Change a journal behind its back, its guards taken off."""
    connection = sqlite3.connect(path)
    for trigger in ("row_update", "row_delete", "game_update", "game_delete"):
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_rows_come_back_as_they_were_written(journal: Journal) -> None:
    game = journal.begin(header())
    first = journal.append(game.id, **ROW, more={"frame": 12})
    second = journal.append(game.id, **ROW)
    assert (first.n, second.n) == (1, 2)
    assert journal.rows(game.id) == (first, second)
    assert first.hash != second.hash
    assert first.scores == (3, -4)


def test_a_game_has_an_id_of_its_name_and_time(journal: Journal) -> None:
    assert journal.begin(header()).id == "spectrangle-20231114-221320"
    assert journal.begin(header()).id == "spectrangle-20231114-221320-2"
    assert len(journal.begin(header(game="roll-and-color-deluxe-edition")).id) <= 32


CLOCKS = (-1e12, -1.0, 0.0, 1_700_000_000.0, 4e9, 1e15, 1e300, float("nan"))


def test_games_stay_in_order_whatever_the_clock_says(path: Path) -> None:
    """Before 1970, years ahead, back again: names and order are right, also after the program was started anew."""
    begun = []
    for started in (*CLOCKS, *reversed(CLOCKS)):
        journal = Journal.open(path)
        game = journal.begin(header(started=started if started == started else -3.0))
        journal.append(game.id, **{**ROW, "at": -5e11})
        begun.append(game.id)
        assert re.fullmatch(r"[a-z0-9-]{1,32}", game.id)
        journal.close()
    assert len(set(begun)) == len(begun)
    assert [game.id for game in Journal.read(path).games()] == begun


def test_a_date_is_the_nearest_that_there_is() -> None:
    years = [utc(clock).tm_year for clock in CLOCKS]
    assert years == [1970, 1970, 1970, 2023, 2096, 9999, 9999, 1970]


def test_games_of_a_program_that_did_not_count_them_come_first(path: Path) -> None:
    journal = Journal.open(path)
    new = journal.begin(header())
    old = journal.insert(header(id="old-game", started=1_900_000_000.0), ())
    assert [game.id for game in journal.games()] == [old.id, new.id]
    assert b"order" not in head(old) and root(old) == sha256(msgspec.json.encode(old)[:-11] + b"}").hexdigest()
    journal.close()


def test_one_journal_holds_many_games(journal: Journal) -> None:
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


def test_each_row_is_on_disk_before_append_returns(journal: Journal, path: Path, tmp_path: Path) -> None:
    game = journal.begin(header())
    row = journal.append(game.id, **ROW)
    for name in (path.name, path.name + "-wal"):
        shutil.copy(path.with_name(name), tmp_path / ("copy" + name.removeprefix(path.name)))
    copy = Journal.open(tmp_path / "copy")
    assert copy.rows(game.id) == (row,)
    copy.close()


def test_a_journal_only_grows(journal: Journal, path: Path) -> None:
    game = journal.begin(header())
    journal.append(game.id, **ROW)
    connection = sqlite3.connect(path)
    for statement in ("UPDATE row SET hash = ''", "DELETE FROM row", "UPDATE game SET header = ''", "DELETE FROM game"):
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            connection.execute(statement)
    connection.close()


def test_a_changed_row_breaks_the_chain(journal: Journal, path: Path) -> None:
    game = journal.begin(header())
    for _ in range(3):
        journal.append(game.id, **ROW)
    journal.close()
    tampered(path, """UPDATE row SET entry = replace(entry, '"scores":[3,-4]', '"scores":[9,-4]') WHERE n = 2""")
    again = Journal.open(path)
    with pytest.raises(BrokenChain, match=r"Row 2 .* does not follow"):
        again.rows(game.id)
    again.close()


def test_a_removed_row_breaks_the_chain(journal: Journal, path: Path) -> None:
    game = journal.begin(header())
    for _ in range(3):
        journal.append(game.id, **ROW)
    journal.close()
    tampered(path, "DELETE FROM row WHERE n = 2")
    again = Journal.read(path)
    with pytest.raises(BrokenChain, match=r"Row 2 .* is missing"):
        again.rows(game.id)
    again.close()


def test_a_changed_header_breaks_the_chain(journal: Journal, path: Path) -> None:
    game = journal.begin(header())
    journal.append(game.id, **ROW)
    journal.close()
    tampered(path, "UPDATE game SET header = replace(header, 'Ada', 'Eve')")
    again = Journal.read(path)
    with pytest.raises(BrokenChain, match="Row 1"):
        again.rows(game.id)
    again.close()


def test_two_programs_cannot_write_one_game(journal: Journal, path: Path) -> None:
    game = journal.begin(header())
    journal.append(game.id, **ROW)
    other = Journal.open(path)
    other.append(game.id, **ROW)
    other.close()
    with pytest.raises(JournalError, match="Another program has added"):
        journal.append(game.id, **ROW)
    with pytest.raises(JournalError, match="Another program has added"):
        journal.append(game.id, **ROW, after=1)
    assert len(journal.rows(game.id)) == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"{}", "is not a journal"),
        (b"SQLite format 3\x00", "is not a journal"),
        (bytes(4096), "is not a journal"),
    ],
)
def test_what_is_no_journal_is_refused_and_left_alone(path: Path, content: bytes, sentence: str) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalError, match=sentence):
        Journal.read(path)
    if content:
        with pytest.raises(JournalError, match=sentence):
            Journal.open(path)
    assert path.read_bytes() == content
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    for opening in (Journal.open, Journal.read):
        with pytest.raises(JournalError, match="another program"):
            opening(path)
    assert path.read_bytes() == before


def test_a_journal_of_a_newer_program_is_refused(journal: Journal, path: Path) -> None:
    journal.close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    for opening in (Journal.open, Journal.read):
        with pytest.raises(JournalError, match="newer program"):
            opening(path)


def test_a_cut_journal_is_said_to_be_damaged_and_left_alone(path: Path) -> None:
    journal = Journal.open(path)
    played(journal, Random(1), rows=60)
    journal.close()
    whole = path.read_bytes()
    for size in (len(whole) // 2, len(whole) - 4096, 5000):
        path.write_bytes(whole[:size])
        for opening in (Journal.open, Journal.read):
            with pytest.raises(JournalError, match=r"damaged|left as it is"):
                opening(path)
        assert path.read_bytes() == whole[:size]


def test_a_row_that_is_no_text_is_said_to_be_damaged_in_one_line(path: Path) -> None:
    journal = Journal.open(path)
    game = played(journal, Random(1), rows=3).session.header
    journal.close()
    whole = path.read_bytes()
    spoiled = re.sub(rb'(?<="kind":")...', b"\xff\n\xfe", whole)
    assert spoiled != whole
    path.write_bytes(spoiled)
    again = Journal.open(path)
    with pytest.raises(JournalError, match="is damaged") as caught:
        again.rows(game.id)
    assert "\n" not in str(caught.value)
    again.close()


def test_there_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="There is no journal"):
        Journal.read(tmp_path / "none")
    with pytest.raises(JournalError, match="is a folder"):
        Journal.open(tmp_path)
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal.open(tmp_path / "no" / "such" / "folder")


def test_a_closed_journal_says_so(journal: Journal) -> None:
    game = journal.begin(header())
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="was closed"):
        journal.append(game.id, **ROW)


def test_a_full_disk_changes_nothing(journal: Journal) -> None:
    game = journal.begin(header())
    journal._connection.execute("PRAGMA max_page_count = 12")
    written: list[Row] = []
    with pytest.raises(JournalError, match="full"):
        for _ in range(2000):
            written.append(journal.append(game.id, **ROW))
    assert journal.rows(game.id) == tuple(written)
    with pytest.raises(JournalError, match="Nothing was changed"):
        journal.begin(header(names=("A" * 4000, "B" * 4000)))
    assert len(journal.games()) == 1


def test_a_folder_that_cannot_be_written_can_be_read(journal: Journal, path: Path, tmp_path: Path) -> None:
    game = journal.begin(header())
    row = journal.append(game.id, **ROW)
    journal.close()
    locked = tmp_path / "locked"
    locked.mkdir()
    shutil.copy(path, locked / "games.journal")
    locked.chmod(0o500)
    try:
        again = Journal.read(locked / "games.journal")
        assert again.rows(game.id) == (row,)
        with pytest.raises(JournalError, match="cannot be written"):
            again.append(game.id, **ROW)
        again.close()
    finally:
        locked.chmod(0o700)


def test_whole_games_are_entered_or_not_at_all(journal: Journal, tmp_path: Path) -> None:
    game = journal.begin(header())
    rows = (journal.append(game.id, **ROW), journal.append(game.id, **ROW))
    other = Journal.open(tmp_path / "other.journal")
    other.insert(game, rows)
    assert other.rows(game.id) == rows
    with pytest.raises(JournalError, match="already has"):
        other.insert(game, rows)
    with pytest.raises(JournalError, match="is no id"):
        other.insert(replace(game, id="../x"), rows)
    other.close()


def test_the_file_says_what_it_is(path: Path) -> None:
    Journal.open(path).close()
    assert int.from_bytes(path.read_bytes()[68:72], "big") == APPLICATION_ID


def test_a_seed_is_kept_beside_the_rows_and_never_changed(journal: Journal, path: Path) -> None:
    game = journal.begin(header())
    assert journal.seed(game.id) is None
    journal.keep_seed(game.id, bytes(range(32)))
    assert journal.seed(game.id) == bytes(range(32))
    with pytest.raises(JournalError):
        journal.keep_seed(game.id, bytes(32))
    for statement in ("UPDATE seed SET seed = '00'", "DELETE FROM seed"):
        with sqlite3.connect(path) as connection, pytest.raises(sqlite3.IntegrityError, match="only grows"):
            connection.execute(statement)
        connection.close()
    assert journal.seed(game.id) == bytes(range(32)) and journal.rows(game.id) == ()
    reading = Journal.read(path)
    assert reading.seed(game.id) == bytes(range(32))
    reading.close()


def test_a_journal_without_software_deals_has_no_seeds(journal: Journal, path: Path) -> None:
    played(journal, Random(1), rows=3)
    reading = Journal.read(path)
    assert reading.seed(reading.games()[0].id) is None
    reading.close()
