"""Games as JSON Lines: out, in, and what a changed line leads to."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.core.foundation.errors import BadRecord, BrokenChain
from companion.referee.journal import Journal, read_lines, write_lines
from companion.referee.journal.lines import LARGEST_BYTES
from simulation.play import played


@pytest.fixture
def text(tmp_path: Path) -> str:
    journal = Journal.open(tmp_path / "games.journal")
    table = played(journal, Random(2), rows=20)
    journal.close()
    return "".join(write_lines(table.session.header, table.session.rows()))


def test_a_game_comes_back_from_its_lines(text: str) -> None:
    header, rows = read_lines(text.encode())
    assert len(rows) == 20
    assert "".join(write_lines(header, rows)) == text
    assert text.count("\n") == 21


def test_an_export_can_be_entered_into_another_journal(text: str, tmp_path: Path) -> None:
    header, rows = read_lines(text.encode())
    journal = Journal.open(tmp_path / "other.journal")
    journal.insert(header, rows)
    assert journal.rows(header.id) == rows
    journal.close()


@pytest.mark.parametrize(
    ("old", "new"),
    [('"source":"software"', '"source":"page"'), ('"names":["Ada"', '"names":["Eve"'), ('"n":7,', '"n":8,')],
)
def test_a_changed_line_is_named(text: str, old: str, new: str) -> None:
    assert old in text
    with pytest.raises(BrokenChain, match="does not follow"):
        read_lines(text.replace(old, new, 1).encode())


def test_a_missing_line_is_named(text: str) -> None:
    lines = text.splitlines(keepends=True)
    with pytest.raises(BrokenChain, match="Line 5"):
        read_lines("".join(lines[:4] + lines[5:]).encode())


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b"{}\n", "Line 1 is not the header"),
        (b"\xff\xfe\n", "Line 1 is not the header"),
        (b" " * (LARGEST_BYTES + 1), "at most"),
    ],
)
def test_what_is_no_game_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(BadRecord, match=sentence):
        read_lines(data)


def test_a_line_that_is_no_row_is_named(text: str) -> None:
    with pytest.raises(BadRecord, match="Line 22 is not a row"):
        read_lines(text.encode() + b'{"n": 21}\n')


def test_a_file_of_a_newer_program_is_refused(text: str) -> None:
    with pytest.raises(BadRecord, match="newer program"):
        read_lines(text.replace('"format":1', '"format":2', 1).encode())
