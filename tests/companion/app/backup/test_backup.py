"""Backups: made while rows are written, checked whole, put back without a loss, refused when anything is wrong.

`python -m tests.companion.app.backup.test_backup 50` makes fifty under load and checks each.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import click
import msgspec
import pytest

from companion.__main__ import cli
from companion.app.backup.making import AutomaticBackups, back_up
from companion.app.backup.members import BESIDE, CONFIGURATION, LONE, MOST_BYTES, path_of
from companion.app.backup.restoring import Restored, restore, unpack
from companion.app.commands.config import printable
from companion.app.commands.configuration import FILE
from companion.core.foundation.errors import BackupError, BadCalibration, JournalError
from companion.referee.journal import Journal
from companion.referee.results.store import Results
from simulation.play import ROW, header


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of one game with three rows, a calibration and keys beside it; nobody has it open."""
    path = tmp_path / "house" / "journal.sqlite"
    path.parent.mkdir()
    opened = Journal.open(path)
    game = opened.begin(header("spectrangle")).id
    for _ in range(3):
        opened.append(game, **ROW)
    opened.close()
    path.with_name("journal.sqlite.calibration").write_bytes(LEARNED)
    path.with_name("journal.sqlite.keys").write_text("key of a phone")
    return path


LEARNED = b"learned"
"""Stands for a calibration, which rooms above this one can read."""


def check_calibration(path: Path) -> None:
    if path.read_bytes() != LEARNED:
        raise BadCalibration(f"{path} is not a calibration, or it is damaged.")


def put_back(backup: Path, journals: Mapping[str, Path], table: str | None = None) -> Restored:
    return restore(backup, journals, table, check_calibration=check_calibration)


def rows_in(path: Path) -> int:
    journal = Journal.read(path)
    try:
        return sum(len(journal.rows(header.id)) for header in journal.games())
    finally:
        journal.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@contextmanager
def load(journal: Journal, threads: int) -> Iterator[Callable[[], int]]:
    """Rows are written by so many threads, each in a game of its own; how many are confirmed can be asked."""
    over, confirmed = threading.Event(), [0] * threads

    def write(place: int, game: str) -> None:
        while not over.is_set():
            journal.append(game, **ROW)
            confirmed[place] += 1

    games = [journal.begin(header("spectrangle")).id for _ in range(threads)]
    writers = [threading.Thread(target=write, args=one) for one in enumerate(games)]
    for writer in writers:
        writer.start()
    try:
        yield lambda: sum(confirmed)
    finally:
        over.set()
        for writer in writers:
            writer.join()


def whole_under_load(folder: Path, count: int) -> int:
    """How many of `count` backups, made while four threads write, open whole with all that was confirmed before."""
    journal, whole = Journal.open(folder / "journal.sqlite"), 0
    with load(journal, 4) as confirmed:
        for number in range(count):
            before = confirmed()
            back_up({LONE: journal.path}, folder / f"{number}.zip")
            unpacked = folder / f"unpacked-{number}"
            unpacked.mkdir()
            whole += rows_in(unpack(folder / f"{number}.zip", unpacked, check_calibration).files["journal"]) >= before
        patience_s = time.monotonic() + 10  # a disk that is busy for others, too, may confirm nothing during one backup
        while confirmed() == before and time.monotonic() < patience_s:
            time.sleep(0.01)
        assert confirmed() > before
    journal.close()
    return whole


def test_every_backup_under_load_opens_and_its_chain_holds(tmp_path: Path) -> None:
    assert whole_under_load(tmp_path, 10) == 10


def test_what_is_restored_is_what_was_there_and_what_it_replaces_is_set_aside(journal: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.zip"
    back_up({LONE: journal}, backup)
    opened = Journal.open(journal)
    opened.append(opened.games()[0].id, **ROW)
    opened.close()
    aside = put_back(backup, {LONE: journal}).aside
    assert rows_in(journal) == 3
    assert journal.with_name("journal.sqlite.calibration").read_bytes() == LEARNED
    assert journal.with_name("journal.sqlite.keys").read_text() == "key of a phone"
    assert len(aside) == 3 and all(path.exists() for path in aside), "journal, calibration, and what was known of rows"
    assert rows_in(aside[0]) == 4
    again = Journal.open(journal)
    assert again.notice is None, "that it has fewer rows than the one before is what was asked for"
    again.append(again.games()[0].id, **ROW)
    again.close()


def test_a_backup_goes_into_an_empty_house(journal: Path, tmp_path: Path) -> None:
    back_up({LONE: journal}, tmp_path / "backup.zip")
    assert put_back(tmp_path / "backup.zip", {LONE: tmp_path / "other" / "games.journal"}).aside == ()
    assert rows_in(tmp_path / "other" / "games.journal") == 3


def test_nothing_secret_is_in_it_and_only_its_owner_reads_it(journal: Path, tmp_path: Path) -> None:
    configuration = tmp_path / "companion.toml"
    configuration.write_text('[serve]\ncamera = "rtsp://ada:hush@cam/live?token=quiet"  # of Hush\n')
    root = click.Context(cli)
    root.meta[FILE] = configuration
    back_up({LONE: journal}, tmp_path / "backup.zip", printable(root))
    with ZipFile(tmp_path / "backup.zip") as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
        assert b"rtsp://***@cam/***" in archive.read("configuration.toml")
    for secret in (b"ada", b"hush", b"quiet", b"key of a phone"):
        assert secret not in everything
    assert "keys" not in archive.namelist()
    if os.name == "posix":
        assert (tmp_path / "backup.zip").stat().st_mode & 0o077 == 0


def test_a_file_that_is_there_is_not_overwritten(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "backup.zip").write_bytes(b"mine")
    with pytest.raises(BackupError, match="nothing was overwritten"):
        back_up({LONE: journal}, tmp_path / "backup.zip")
    assert (tmp_path / "backup.zip").read_bytes() == b"mine"


def test_without_a_journal_there_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="There is no journal"):
        back_up({LONE: tmp_path / "none"}, tmp_path / "backup.zip")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_restored_while_another_process_has_the_journal_open(journal: Path, tmp_path: Path) -> None:
    back_up({LONE: journal}, tmp_path / "backup.zip")
    code = (
        "import sys; from pathlib import Path; from companion.referee.journal import Journal\n"
        "journal = Journal.open(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(journal)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdout is not None and server.stdout.readline() == b"open\n"
        with pytest.raises(BackupError, match="A server runs on"):
            put_back(tmp_path / "backup.zip", {LONE: journal})
        server.communicate(b"", timeout=20)
    assert rows_in(journal) == 3
    put_back(tmp_path / "backup.zip", {LONE: journal})


@pytest.fixture
def two_journals(journal: Path) -> dict[str, Path]:
    """The journals of two tables by name, the second with one more row and no calibration."""
    other = journal.with_name("other.sqlite")
    other.write_bytes(journal.read_bytes())
    opened = Journal.open(other)
    opened.append(opened.games()[0].id, **ROW)
    opened.close()
    return {"one": journal, "two": other}


def test_all_tables_go_into_one_file_and_back(two_journals: dict[str, Path], tmp_path: Path) -> None:
    backup = tmp_path / "backup.zip"
    made = back_up({**two_journals, "new": tmp_path / "never-opened"}, backup)
    assert made.tables == ("one", "two")
    assert {"tables/one/journal", "tables/one/calibration", "tables/two/journal"} <= set(made.files)
    for path in two_journals.values():
        path.write_bytes(b"damaged")
    restored = put_back(backup, two_journals)
    assert restored.journals == tuple(two_journals.values())
    assert [rows_in(path) for path in two_journals.values()] == [3, 4]
    assert sum(path.read_bytes() == b"damaged" for path in restored.aside) == 2


def test_one_of_several_tables_is_put_back(two_journals: dict[str, Path], tmp_path: Path) -> None:
    backup = tmp_path / "backup.zip"
    back_up(two_journals, backup)
    for path in two_journals.values():
        path.write_bytes(b"damaged")
    put_back(backup, two_journals, "two")
    assert two_journals["one"].read_bytes() == b"damaged" and rows_in(two_journals["two"]) == 4
    back_up({LONE: two_journals["two"]}, tmp_path / "lone.zip")
    put_back(tmp_path / "lone.zip", two_journals, "one")
    assert rows_in(two_journals["one"]) == 4


@pytest.mark.parametrize(
    ("packed", "places", "table", "says"),
    [
        (("one", "two"), ("one",), None, r"has the table two.*Write \[tables.two\]"),
        (("one",), ("one", "two"), "two", "has no table two. It has: one"),
        (("one",), ("one",), "three", "names no table three. It names: one"),
        ((LONE,), ("one", "two"), None, "Say which with --table"),
    ],
)
def test_a_table_without_a_place_changes_nothing(
    packed: tuple[str, ...], places: tuple[str, ...], table: str | None, says: str, journal: Path, tmp_path: Path
) -> None:
    back_up(dict.fromkeys(packed, journal), tmp_path / "backup.zip")
    before = contents(journal.parent)
    with pytest.raises(BackupError, match=says):
        put_back(tmp_path / "backup.zip", dict.fromkeys(places, journal), table)
    assert contents(journal.parent) == before


def test_a_server_at_one_of_the_tables_keeps_all_as_they_are(two_journals: dict[str, Path], tmp_path: Path) -> None:
    back_up(two_journals, tmp_path / "backup.zip")
    opened = Journal.open(two_journals["two"])
    with pytest.raises(BackupError, match="A server runs on"):
        put_back(tmp_path / "backup.zip", two_journals)
    opened.append(opened.games()[0].id, **ROW)
    opened.close()
    assert [rows_in(path) for path in two_journals.values()] == [3, 5]


def _cut(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[:-100])


def _no_zip(backup: Path) -> None:
    backup.write_bytes(b"no zip")


def _repacked(backup: Path, change: Callable[[str, bytes], bytes]) -> None:
    with ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(backup, "w", ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, change(name, data))


def _forged(backup: Path, name: str, data: bytes) -> None:
    """Put other bytes in the place of a file and make the sums fit."""
    with ZipFile(backup) as archive:
        members = {one: archive.read(one) for one in archive.namelist()}
    members[name] = data
    manifest = msgspec.json.decode(members["manifest.json"])
    manifest["files"][name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    members["manifest.json"] = msgspec.json.encode(manifest)
    with ZipFile(backup, "w", ZIP_DEFLATED) as archive:
        for one, held in members.items():
            archive.writestr(one, held)


def _with_statements(backup: Path, *statements: str) -> None:
    """A journal on which somebody has run these, with sums that fit."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        with ZipFile(backup) as archive:
            path.write_bytes(archive.read("journal"))
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        _forged(backup, "journal", path.read_bytes())


def _deletes_rows(backup: Path) -> None:
    _with_statements(
        backup,
        "DROP TRIGGER row_delete",
        "CREATE TRIGGER eats AFTER INSERT ON row BEGIN DELETE FROM row WHERE n = NEW.n; END",
        "CREATE TRIGGER row_delete BEFORE DELETE ON row WHEN 0 BEGIN SELECT 1; END",
    )


def _one_more_trigger(backup: Path) -> None:
    _with_statements(backup, "CREATE TRIGGER eats AFTER INSERT ON row BEGIN SELECT 1; END")


def _view_for_a_table(backup: Path) -> None:
    _with_statements(backup, "ALTER TABLE game RENAME TO hidden", "CREATE VIEW game AS SELECT id, header FROM hidden")


def _endless_view(backup: Path) -> None:
    _with_statements(
        backup,
        "ALTER TABLE game RENAME TO hidden",
        "CREATE VIEW game AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x id, x header FROM n",
    )


def _one_more_index(backup: Path) -> None:
    _with_statements(backup, "CREATE INDEX one_more ON row (hash)")


def _unguarded(backup: Path) -> None:
    _with_statements(backup, "DROP TRIGGER row_update")


def _too_large(backup: Path) -> None:
    _forged(backup, "table", b"spectrangle-20231114-221320" * 100)


def _bomb(backup: Path) -> None:
    """It says that it holds little and unpacks to much."""
    _repacked(backup, lambda name, data: bytes(50_000_000) if name == "journal" else data)


def _other_bytes(backup: Path) -> None:
    _repacked(backup, lambda name, data: data[:-1] + b"?" if name == "calibration" else data)


def _newer(backup: Path) -> None:
    _repacked(backup, lambda name, data: data.replace(b'"format": 2', b'"format": 9') if "manifest" in name else data)


def _elsewhere(backup: Path) -> None:
    _repacked(
        backup, lambda name, data: data.replace(b'"calibration"', b'"../../evil"') if "manifest" in name else data
    )


def _changed_row(backup: Path) -> None:
    """A row was changed and the sums made to fit; only the chain tells."""
    with ZipFile(backup) as archive:
        _forged(backup, "journal", archive.read("journal").replace(b'"legal":7', b'"legal":8'))


HARM = [
    _cut,
    _no_zip,
    _other_bytes,
    _newer,
    _elsewhere,
    _changed_row,
    _deletes_rows,
    _one_more_trigger,
    _view_for_a_table,
    _endless_view,
    _one_more_index,
    _unguarded,
    _too_large,
    _bomb,
]


@pytest.mark.parametrize("spoil", HARM, ids=lambda spoil: spoil.__name__)
def test_a_backup_that_does_not_hold_changes_nothing(
    spoil: Callable[[Path], None], journal: Path, tmp_path: Path
) -> None:
    back_up({LONE: journal}, tmp_path / "backup.zip")
    spoil(tmp_path / "backup.zip")
    before = contents(journal.parent)
    with pytest.raises(BackupError):
        put_back(tmp_path / "backup.zip", {LONE: journal})
    assert contents(journal.parent) == before


@pytest.mark.parametrize("name", ["calibration", "results", "table"])
def test_what_the_program_could_not_open_is_left_out_with_a_sentence(name: str, journal: Path, tmp_path: Path) -> None:
    Results(path_of(journal, "results")).close()
    path_of(journal, "table").write_text("spectrangle-20231114-221320")
    back_up({LONE: journal}, tmp_path / "backup.zip")
    assert put_back(tmp_path / "backup.zip", {LONE: journal}).left_out == ()
    _forged(tmp_path / "backup.zip", name, b"\x00 none of it")
    (sentence,) = put_back(tmp_path / "backup.zip", {LONE: journal}).left_out
    assert sentence.startswith(f'"{name}" in ') and "cannot be used" in sentence and str(journal.parent) not in sentence
    assert not path_of(journal, name).exists() and rows_in(journal) == 3


def test_every_kind_of_file_has_a_bound() -> None:
    assert set(MOST_BYTES) == {*BESIDE, CONFIGURATION}


def test_a_damaged_journal_is_set_aside(journal: Path, tmp_path: Path) -> None:
    back_up({LONE: journal}, tmp_path / "backup.zip")
    journal.write_bytes(b"damaged" * 1000)
    aside = put_back(tmp_path / "backup.zip", {LONE: journal}).aside
    assert aside[0].read_bytes() == b"damaged" * 1000
    assert rows_in(journal) == 3


def test_old_backups_go_by_number_and_age_and_the_newest_and_other_files_stay(journal: Path, tmp_path: Path) -> None:
    folder, said = tmp_path / "backups", list[str]()
    backups = AutomaticBackups(journal, folder, kept=2, say=said.append)
    made = [backups.make() for _ in range(4)]
    (folder / "mine.zip").write_bytes(b"")
    assert set(backups.all()) == set(made[2:])
    long_ago = time.time() - 10 * 86400
    for path in backups.all():
        os.utime(path, (long_ago, long_ago))
    newest = AutomaticBackups(journal, folder, kept=5, days=7, say=said.append).make()
    assert backups.all() == (newest,)
    assert (folder / "mine.zip").exists()
    assert said == []


def test_a_backup_that_cannot_be_made_is_said_and_stops_nothing(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said: list[str] = []
    assert AutomaticBackups(journal, tmp_path / "file" / "backups", say=said.append).make() is None
    assert AutomaticBackups(tmp_path / "none", tmp_path / "backups", say=said.append).make() is None
    assert len(said) == 2 and all(text.startswith("No backup after this game: ") for text in said)


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        asked = int(sys.argv[1])
        print(f"{whole_under_load(Path(place), asked)} of {asked} backups under load are whole")
