"""The last rows of every game, kept beside the journal, and open games, kept in memory: no loss is overlooked."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.referee.journal import Journal, file
from companion.referee.journal.file import END, TIDY_BYTES, Heads, KeptGames, KeptOpen, Stored
from simulation.play import ROW, header, played
from tests.companion.app.commands.running import run
from tests.companion.referee.journal.test_store import tampered


@pytest.fixture
def game(path: Path) -> str:
    """A game of 60 rows in a closed journal, after one of three."""
    journal = Journal.open(path)
    played(journal, Random(2), rows=3, started=1.0)
    found = played(journal, Random(1), rows=60).session.header.id
    journal.close()
    return found


def notice(path: Path) -> str | None:
    journal = Journal.read(path)
    try:
        return journal.notice
    finally:
        journal.close()


def cut_rows(path: Path, game: str) -> None:
    tampered(path, f"DELETE FROM row WHERE game = '{game}' AND n > 58")


def cut_game(path: Path, game: str) -> None:
    tampered(path, f"DELETE FROM row WHERE game = '{game}'", f"DELETE FROM game WHERE id = '{game}'")


def rewritten(path: Path, game: str) -> None:
    """The last row is another one, and its chain holds."""
    cut_rows(path, game)
    heads = path.with_name(path.name + END).read_bytes()
    journal = Journal.open(path)
    for _ in range(5):
        journal.append(game, **ROW)
    journal.close()
    path.with_name(path.name + END).write_bytes(heads)


@pytest.mark.parametrize(
    ("harm", "says"),
    [(cut_rows, "has 58 rows and had 60"), (cut_game, "has 0 rows and had 60"), (rewritten, "has another row 60")],
)
def test_rows_that_were_cut_off_a_closed_journal_are_noticed_once(
    path: Path, game: str, harm: Callable[[Path, str], None], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert notice(path) is None
    harm(path, game)
    said = notice(path)
    assert said is not None and game in said and says in said, "the chain holds, and says nothing"
    assert "has lost rows" in run(capsys, "replay", str(path))[2]
    again = Journal.open(path)
    assert again.notice == said
    again.close()
    assert path.with_name(f"{path.name}{END}.aside-1").exists()
    journal = Journal.open(path)
    assert journal.notice is None, "it was said"
    journal.close()


def test_an_older_copy_is_noticed(path: Path, game: str, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "copy")
    journal = Journal.open(path)
    journal.append(game, **ROW)
    journal.close()
    shutil.copy(tmp_path / "copy", path)
    assert "has 60 rows and had 61" in (notice(path) or "")


@pytest.mark.parametrize(
    "kept",
    [b"", b"\0" * 99, b"game 7\n", b"no-game 0 " + b"0" * 64, b"\xff\n\xff", b"x" * 2**20, b"../x 3 " + b"a" * 64],
)
def test_what_is_no_line_of_heads_alarms_nobody(path: Path, game: str, kept: bytes) -> None:
    heads = path.with_name(path.name + END)
    heads.write_bytes(heads.read_bytes()[:-30] + b"\n" + kept)
    assert notice(path) is None
    heads.unlink()
    assert notice(path) is None


def test_a_journal_that_another_program_goes_on_with_has_everything(path: Path, game: str) -> None:
    first, second = Journal.open(path), Journal.open(path)
    for _ in range(3):
        first.append(game, **ROW)
        other = second.begin(header()).id
        second.append(other, **ROW)
    first.close()
    second.close()
    assert notice(path) is None


def test_a_killed_program_leaves_no_alarm(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from companion.referee.journal import Journal; from simulation.play import ROW, header\n"
        "journal = Journal.open(Path(sys.argv[1])); game = journal.begin(header()).id\n"
        "while True: journal.append(game, **ROW); print('row', flush=True)"
    )
    path = tmp_path / "games.journal"
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as player:
            assert player.stdout is not None
            for _ in range(7):
                player.stdout.readline()
            player.kill()
        assert notice(path) is None


def test_the_file_stays_small(path: Path, game: str) -> None:
    heads = Heads(path)
    before = heads._read()
    for n in range(61, 61 + 2 * TIDY_BYTES // 90):
        heads.note(game, n, f"{n:064x}")
    assert heads.path.stat().st_size <= TIDY_BYTES + 200 and heads.path.stat().st_mode & 0o077 == 0
    heads.tidy()
    assert heads.path.read_bytes().count(b"\n") == 2 and heads._read().keys() == before.keys()


def rows(count: int, start: int = 1) -> list[Stored]:
    return [(n, f'{{"n":{n},"text":"player 1 plays R{n}"}}', f"{n:064x}") for n in range(start, start + count)]


def held(games: KeptGames) -> dict[str, KeptOpen]:
    return dict(games.items())


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 200])
def test_every_row_comes_back_in_its_order(count: int) -> None:
    games = KeptGames()
    games.begin("one", "header")
    games.keep_seed("one", b"seed")
    for row in rows(count):
        games.add("one", row)
    games.add("unknown", rows(1)[0])
    assert held(games) == {"one": KeptOpen("header", rows(count), b"seed")}
    games.begin("two", "other")
    assert held(games) == {"one": KeptOpen("header", rows(count), b"seed"), "two": KeptOpen("other", [])}


def test_a_game_that_is_read_with_more_rows_takes_the_place_of_what_was_held() -> None:
    games = KeptGames()
    games.keep("one", "header", rows(3))
    games.keep_seed("one", b"seed")
    games.keep("one", "header", rows(2))
    assert held(games)["one"].rows == rows(3)
    games.keep("one", "header", rows(70))
    assert held(games)["one"] == KeptOpen("header", rows(70), b"seed")


def test_beyond_the_bound_the_first_games_go_and_never_the_one_in_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "MOST_BYTES", 20_000)
    games = KeptGames()
    for name in map(str, range(40)):
        games.begin(name, "header")
        for row in rows(64):
            games.add(name, row)
    names = list(held(games))
    assert games.dropped and names == list(map(str, range(40)))[-len(names) :] and 1 < len(names) < 40
    for row in rows(6400, start=65):
        games.add("39", row)
    assert held(games) == {"39": KeptOpen("header", rows(6464))}
