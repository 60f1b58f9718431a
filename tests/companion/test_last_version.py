"""Journals and records that version 0.1.0 of the program wrote still open, and today's rules agree with every row.

`tests/data/last_version` holds for each of its fourteen games the first turns as JSON Lines and as a record, and
all of them together in one journal.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.spectrum.board import NAMES as NAMES_OF_SPOTS
from companion.games.spectrum.board import SPOTS
from companion.referee.journal import Journal, read_lines
from companion.referee.journal.record import judge, load_record, replay

FOLDER = Path(__file__).parent.parent / "data" / "last_version"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def test_every_game_of_that_version_is_stored_and_is_still_there() -> None:
    assert len(NAMES) == 14
    assert set(NAMES) <= set(GAMES)


@pytest.mark.parametrize("name", NAMES)
def test_lines_replay_without_a_change(name: str) -> None:
    header, rows = read_lines((FOLDER / f"{name}.jsonl").read_bytes())
    assert len(rows) >= 6
    replayed = replay(GAMES[name], header, rows)
    assert replayed.change is None, replayed.change
    assert replayed.timeline is not None
    assert replayed.timeline.n == len(rows)


@pytest.mark.parametrize("name", NAMES)
def test_records_are_judged_as_they_were(name: str) -> None:
    record = load_record(FOLDER / f"{name}.record.json")
    judged = list(judge(GAMES[name], record))
    assert len(judged) >= 4
    assert all(one.legal for one in judged), [one for one in judged if not one.legal]
    assert [one.text for one in judged] == [_today(name, str(told)) for told in record.events]


def _today(name: str, told: str) -> str:
    """A line as it is written today: places of Spectrum have the names that the board has, "R4" for "red.4"."""
    longest_first = sorted(zip(SPOTS, NAMES_OF_SPOTS, strict=True), key=lambda one: -len(one[0]))
    for spot, short in longest_first if name == "spectrum" else ():
        told = told.replace(spot, short)
    return told


def test_the_journal_opens_and_is_the_same_games(tmp_path: Path) -> None:
    path = tmp_path / "games.journal"
    shutil.copy(FOLDER / "games.journal", path)
    journal = Journal.open(path)
    try:
        headers = {header.game: header for header in journal.games()}
        assert sorted(headers) == NAMES
        for name, header in headers.items():
            assert (header, journal.rows(header.id)) == read_lines((FOLDER / f"{name}.jsonl").read_bytes())
    finally:
        journal.close()
