"""A journal that is deleted, cut or replaced while it is in use loses nothing that was confirmed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.referee.journal import Journal, Row
from simulation.play import header
from tests.companion.referee.journal.test_store import ROW


def deleted(path: Path) -> None:
    path.unlink()


def deleted_with_its_log(path: Path) -> None:
    for one in path.parent.glob(path.name + "*"):
        one.unlink()


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def log_cut(path: Path) -> None:
    os.truncate(path.with_name(path.name + "-wal"), 100)


def replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"something else\n" * 1000)
    other.replace(path)


HARM: list[Callable[[Path], None]] = [deleted, deleted_with_its_log, cut, emptied, log_cut, replaced]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal.open(tmp_path / "games.journal")
    yield journal
    journal.close()


def grown(journal: Journal, game: str, count: int) -> list[Row]:
    return [journal.append(game, **{**ROW, "at": float(place)}) for place in range(count)]


@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("before", [0, 1, 40])
def test_every_confirmed_row_is_in_the_file_that_people_find(
    journal: Journal, harm: Callable[[Path], None], before: int
) -> None:
    game = journal.begin(header()).id
    journal.keep_seed(game, bytes(range(32)))
    rows = grown(journal, game, before)
    harm(journal.path)
    rows += grown(journal, game, 3)
    assert journal.notice is not None and str(journal.path) in journal.notice
    again = Journal.read(journal.path)
    assert again.rows(game) == tuple(rows)
    assert again.seed(game) == bytes(range(32))
    again.close()
    assert journal.rows(game) == tuple(rows)


@pytest.mark.parametrize("harm", HARM[:2], ids=lambda harm: harm.__name__)
def test_games_of_other_evenings_survive_a_deleted_file(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    path = tmp_path / "games.journal"
    first = Journal.open(path)
    old = first.begin(header()).id
    rows = grown(first, old, 12)
    first.close()
    journal = Journal.open(path)
    harm(path)
    new = journal.begin(header(started=1_800_000_000.0)).id
    again = Journal.read(path)
    assert {one.id for one in again.games()} == {old, new}
    assert again.rows(old) == tuple(rows)
    again.close()
    journal.close()


@pytest.mark.parametrize("harm", [cut, replaced], ids=lambda harm: harm.__name__)
def test_what_is_found_in_its_place_is_set_aside(journal: Journal, harm: Callable[[Path], None]) -> None:
    game = journal.begin(header()).id
    grown(journal, game, 30)
    harm(journal.path)
    found = journal.path.read_bytes()
    grown(journal, game, 1)
    aside = journal.path.with_name(journal.path.name + ".aside-1")
    assert aside.exists() and len(aside.read_bytes()) >= len(found) // 2
    assert aside.name in (journal.notice or "")


def test_a_journal_that_nobody_touched_has_nothing_to_say(journal: Journal) -> None:
    game = journal.begin(header()).id
    grown(journal, game, 300)
    reader = Journal.read(journal.path)
    reader.rows(game)
    reader.close()
    grown(journal, game, 300)
    assert journal.notice is None and not list(journal.path.parent.glob("*aside*"))


def test_harm_at_any_time_any_number_of_times(tmp_path: Path) -> None:
    for seed in range(25):
        rng = Random(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        journal = Journal.open(folder / "games.journal")
        games = {journal.begin(header(started=1_700_000_000.0 + n)).id: [] for n in range(2)}
        for _ in range(30):
            game = rng.choice(list(games))
            games[game].append(journal.append(game, **ROW))
            if rng.random() < 0.15 and journal.path.with_name(journal.path.name + "-wal").exists():
                rng.choice(HARM)(journal.path)
        journal.append(next(iter(games)), **ROW)
        again = Journal.read(journal.path)
        for game, rows in games.items():
            assert again.rows(game)[: len(rows)] == tuple(rows), seed
        again.close()
        journal.close()
