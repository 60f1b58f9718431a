"""Journals on disk: what is kept, what is refused, and that nothing is ever changed."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.core.foundation.errors import JournalError
from companion.referee.journal import Journal, Row
from companion.referee.journal.file import APPLICATION_ID, SCHEMA
from companion.referee.journal.opening import open_or_set_aside
from simulation.play import ROW, header, played


def tampered(path: Path, *statements: str) -> None:
    """Change a journal behind its back, its guards taken off and put back."""
    connection = sqlite3.connect(path)
    for trigger in ("row_update", "row_delete", "game_update", "game_delete"):
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement in (*statements, *SCHEMA):
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_each_row_is_on_disk_before_append_returns(journal: Journal, path: Path, tmp_path: Path) -> None:
    game = journal.begin(header())
    row = journal.append(game.id, **ROW)
    for name in (path.name, path.name + "-wal"):
        shutil.copy(path.with_name(name), tmp_path / ("copy" + name.removeprefix(path.name)))
    copy = Journal.open(tmp_path / "copy")
    assert copy.rows(game.id) == (row,)
    copy.close()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"{}", "is not a journal"),
        (b"SQLite format 3\x00", "is not a journal"),
        (bytes(4096), "is damaged"),
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


def test_the_file_says_what_it_is(path: Path) -> None:
    Journal.open(path).close()
    assert int.from_bytes(path.read_bytes()[68:72], "big") == APPLICATION_ID


@pytest.mark.parametrize("spoil", [lambda data: data[: len(data) // 2], lambda data: bytes(len(data))])
def test_a_damaged_journal_is_set_aside_at_the_start_and_play_goes_on(
    path: Path, spoil: Callable[[bytes], bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    journal = Journal.open(path)
    played(journal, Random(1), rows=60)
    journal.close()
    path.write_bytes(spoil(path.read_bytes()))
    damaged = path.read_bytes()
    again = open_or_set_aside(path)
    assert again.games() == () and again.begin(header()).game == "spectrangle"
    assert path.with_name(f"{path.name}.aside-1").read_bytes() == damaged
    assert again.notice is not None and f"{path.name}.aside-1 now" in again.notice
    assert capsys.readouterr().err.count("\n") == 1
    again.close()


def test_what_is_no_journal_is_not_set_aside(path: Path) -> None:
    path.write_bytes(b"a letter to somebody")
    with pytest.raises(JournalError, match="is not a journal"):
        open_or_set_aside(path)
    assert path.read_bytes() == b"a letter to somebody"


def test_a_journal_is_for_its_owner_alone(path: Path) -> None:
    journal = Journal.open(path)
    journal.begin(header())
    assert {one.name: one.stat().st_mode & 0o777 for one in path.parent.iterdir()} == {
        path.name: 0o600,
        path.name + "-wal": 0o600,
        path.name + "-shm": 0o600,
    }
    journal.close()
