"""`companion serve` with several tables: one whose camera reader is killed goes on, and the other notices nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.app.backup.making import back_up
from companion.app.commands.runtime import journal_path
from companion.app.commands.serve import serve_command
from companion.app.commands.served_table import wanted_tables
from companion.app.commands.services import RunningServices
from companion.app.commands.several_tables import ConfigurationWatch, RunningTables
from companion.core.foundation.logs import EventLog, LogSettings
from companion.referee.journal import Journal
from companion.referee.news.news_publisher import NewsPublisher
from tests.companion.app.commands.test_serve import FOLDER, SHOWN, eventually, get, kinds
from tests.fuzz.kept import calibration
from tests.reliability.several_tables import readers
from tests.web.conftest import Browser
from tests.web.doubles import HandClock, play
from vision.calibration.calibration import load_calibration
from web.departure import TAKEN_AWAY
from web.http.settings import WebSettings
from web.tables import create_tables_app

CONFIGURATION = """
[serve]
port = 0

[tables.blue]
game = "spectrangle"
players = "Ada,Ben"
camera = "{folder}/pictures"
journal = "{folder}/blue.sqlite"

[tables.red]
game = "casino"
players = "Cleo,Dan"
journal = "{folder}/red.sqlite"

[tables.gone]
camera = "{folder}/nowhere"
journal = "{folder}/gone.sqlite"
"""


def test_a_killed_reader_is_started_again_and_touches_no_other_table(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for n in range(7):
        name = SHOWN[0] if n < 3 else SHOWN[3] if n < 5 else SHOWN[4]
        (pictures / f"{n:02}.jpg").write_bytes((FOLDER / name).read_bytes())
    file = tmp_path / "companion.toml"
    file.write_text(CONFIGURATION.format(folder=tmp_path))
    command = [sys.executable, "-m", "companion", "--config", str(file), "serve"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = next((m for line in process.stdout if (m := re.search(r"http://[\d.]+:\d+/", line))), None)
        assert found is not None, process.stderr.read() if process.stderr else ""
        url = found.group()
        tables = {table["name"]: table for table in get(f"{url}api/tables")["tables"]}
        assert tables["blue"]["open"] and tables["red"]["open"]
        assert not tables["gone"]["open"] and "nowhere" in tables["gone"]["trouble"]
        before = get(f"{url}t/red/api/table")["seq"]
        eventually(f"{url}t/blue/api/eyes", lambda eyes: bool(eyes["markers"]))
        (reader,) = readers(process.pid)
        os.kill(reader, signal.SIGKILL)
        assert get(f"{url}t/red/api/table")["seq"] == before
        told = eventually(f"{url}t/blue/api/eyes", lambda eyes: eyes["trouble"], 60)
        assert "the game goes on" in told["trouble"]
        rows = eventually(f"{url}t/blue/api/journal/rows", lambda answer: kinds(answer["rows"]).count("move") >= 2, 60)[
            "rows"
        ]
        assert [row["text"] for row in rows] == ["YPG2 c17 YPG", "YYG5 c16 YYG"], "no row is missed or doubled"
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[tables.Blue]\ngame = "spectrangle"\n', '"Blue" cannot name a table'),
        ("[tables.blue]\nport = 80\n", "Move it to [serve]"),
        ('[tables.blue]\ngame = "spectrangle"\nplayer = "A,B"\n', 'Did you mean "players"?'),
        ("[tables]\nblue = 1\n", "Write [tables.blue]"),
        ('[tables.blue]\njournal = "a"\n[tables.red]\njournal = "./a"\n', "same journal"),
        ('[tables.blue]\ncamera = "0"\n[tables.red]\ncamera = 0\n', "same camera"),
        ('[tables.blue]\n[tables.red]\njournal = "{data}/table-blue.sqlite"\n', "blue and red, the same journal"),
        ('[tables.blue]\n[tables.red]\njournal = "{data}/../companion/table-blue.sqlite"\n', "same journal"),
        ('[tables.blue]\njournal = "{data}/link"\n[tables.red]\njournal = "{data}/real"\n', "same journal"),
        ('[tables.blue]\njournal = "{data}/hard"\n[tables.red]\njournal = "{data}/real"\n', "same journal"),
        ('[tables.blue]\njournal = "a"\n[tables.red]\njournal = "a.results"\n', "same journal"),
        ('[tables.blue]\njournal = "a"\n[tables.red]\njournal = "a-wal"\n', "same journal"),
        (
            '[tables.blue]\njournal = "postgresql://h/x"\n[tables.red]\njournal = "{data}/table-blue.sqlite"\n',
            "same jour",
        ),
        ('[tables.blue]\ncamera = "/dev/video0"\n[tables.red]\ncamera = 0\n', "same camera"),
        ('[tables.blue]\ncamera = "{data}/link"\n[tables.red]\ncamera = "{data}/real"\n', "same camera"),
        ('[serve]\ngame = "spectra"\n[tables.blue]\n', "names several tables"),
    ],
)
def test_bad_tables_get_one_clear_sentence(
    tmp_path: Path, text: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.__main__ import main

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    data = tmp_path / "companion"
    data.mkdir()
    (data / "real").touch()
    (data / "link").symlink_to(data / "real")
    (data / "hard").hardlink_to(data / "real")
    file = tmp_path / "companion.toml"
    file.write_text(text.replace("{data}", str(data)))
    with pytest.raises(SystemExit) as left:
        main(["--config", str(file), "serve"])
    said = capsys.readouterr().err
    assert left.value.code in (1, 2) and says in said and len(said.strip().splitlines()) == 1


class Served:
    """A server's tables and the file that names them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "companion.toml"
        self.news = NewsPublisher()
        self.log = EventLog(LogSettings(folder / "log"))
        self.tables = RunningTables(WebSettings(), lambda *_: None, RunningServices(self.news, self.log))
        self.tell()
        self.clock = HandClock()
        read = partial(wanted_tables, self.file, serve_command)
        self.watch = ConfigurationWatch(self.file, read, self.tables, self.clock)
        self.browser = Browser(create_tables_app(self.tables.served, WebSettings()))

    def tell(self, **tables: str) -> None:
        parts = (f'[tables.{name}]\njournal = "{self.folder}/{name}.sqlite"\n{more}\n' for name, more in tables.items())
        self.file.write_text("".join(parts))

    def look(self, seconds: int = 1) -> dict[str, dict[str, object]]:
        """What there is once the file has said for so many seconds what it says."""
        self.watch.look()
        for _ in range(seconds):
            self.clock.pass_(1)
            self.watch.look()
        return {table["name"]: table for table in self.browser.get("/api/tables").json["tables"]}

    def host(self, name: str) -> Browser:
        """The browser on the machine that runs the tables, at one of them."""
        host = Browser(create_tables_app(self.tables.served, WebSettings()), address="127.0.0.1")
        host.get(f"/t/{name}/")
        return host

    def let_go(self, name: str) -> None:
        """Somebody at a table agrees that it goes."""
        assert self.host(name).post(f"/t/{name}/api/departure", {}).status_code == 200

    def says(self, name: str) -> str | None:
        said: str | None = self.browser.get(f"/t/{name}/api/eyes").json["departure"]
        return said

    def seq(self, name: str) -> int:
        return int(self.browser.get(f"/t/{name}/api/table").json["seq"])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    with served.log:
        yield served
    served.tables.close()


BLUE = 'game = "spectrangle"\n'


def test_tables_come_pause_and_go_while_another_plays(served: Served) -> None:
    served.tell(blue=BLUE)
    assert served.look()["blue"]["open"]
    blue = served.tables.served.open()["blue"].sessions
    assert blue.table is not None
    play(blue.table, 12)
    served.tell(blue=BLUE, red='game = "cribbage"\ndeal = true\n')
    assert served.look()["red"]["open"] and set(served.news.session_managers()) == {"blue", "red"}
    assert served.tables.served.open()["blue"].sessions is blue, "the other one notices nothing"
    served.tell(blue=BLUE + "paused = true\n", red='game = "cribbage"\ndeal = true\n')
    served.look()
    served.let_go("blue")
    shown = served.look()["blue"]
    assert shown == {"name": "blue", "open": False, "trouble": "This table is paused."}
    assert served.browser.get("/t/blue/api/table").status_code == 404 and set(served.news.session_managers()) == {"red"}
    assert served.seq("red") > 0
    served.tell(blue=BLUE)
    assert set(served.look()) == {"blue", "red"} and served.seq("blue") == 12, "its game goes on"
    served.let_go("red")
    assert set(served.look()) == {"blue"}
    assert served.browser.get("/t/red/api/table").status_code == 404
    red = Journal.read(served.folder / "red.sqlite")
    assert len(red.games()) == 1
    red.close()


def test_a_file_that_cannot_be_used_changes_nothing(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    served.tell(blue=BLUE)
    served.look()
    blue = served.tables.served.open()["blue"]
    for wrong in ("gme = 3", "paused = 3", "game ="):
        served.tell(blue=BLUE, red=wrong)
        assert set(served.look()) == {"blue"} and served.tables.served.open()["blue"] is blue
        assert "The tables stay as they are" in capsys.readouterr().err
    served.file.unlink()
    served.look()
    assert served.tables.served.open()["blue"] is blue


def test_a_table_that_is_told_otherwise_is_opened_again(served: Served) -> None:
    served.tell(blue=BLUE)
    served.look()
    before = served.tables.served.open()["blue"].sessions
    served.tell(blue=BLUE + "marker = 35\n")
    assert served.look()["blue"]["open"]
    after = served.tables.served.open()["blue"].sessions
    assert after is not before and after.table is not None and before.table is not None
    assert after.table.session.header == before.table.session.header, "the same game"


@pytest.mark.parametrize(
    "written", [b"", b"\n \n", b"[serve]\nport = 0\n", b"[tables.blue]\npaused = true\n", b"[tables.blue]\njourn"]
)
def test_what_an_editor_writes_for_a_moment_changes_nothing(served: Served, written: bytes) -> None:
    served.tell(blue=BLUE, red="")
    served.look()
    tables = served.tables.served.open()
    whole = served.file.read_bytes()
    for _ in range(3):
        served.file.write_bytes(written)
        served.watch.look()
        served.clock.pass_(0.4)
        served.file.write_bytes(whole)
        served.look()
        assert served.tables.served.open() == tables and served.says("blue") is None


@pytest.mark.parametrize("written", [b"", b"[serve]\nport = 0\n"])
def test_a_file_that_takes_away_every_table_ends_no_game(served: Served, written: bytes) -> None:
    served.tell(blue=BLUE)
    served.look()
    blue = served.tables.served.open()["blue"].sessions
    assert blue.table is not None
    play(blue.table, 5)
    served.file.write_bytes(written)
    served.look(600)
    assert served.tables.served.open()["blue"].sessions is blue and served.seq("blue") == 5
    assert served.says("blue") == TAKEN_AWAY
    play(blue.table, 700)
    assert blue.table.session.state.outcome() is not None
    assert served.look() == {}, "the game is over, and the file has said so for a minute"


def test_a_game_that_ends_at_once_leaves_its_table_a_minute(served: Served) -> None:
    served.tell(blue=BLUE, red=BLUE)
    served.look()
    for name in ("blue", "red"):
        table = served.tables.served.open()[name].sessions.table
        assert table is not None
        play(table, 5 if name == "blue" else 700)
    served.tell()
    served.file.write_text("[serve]\nport = 0\n")
    assert set(served.look()) == {"blue"}, "no game is in play at the other one"
    table = served.tables.served.open()["blue"].sessions.table
    assert table is not None
    play(table, 700)
    assert set(served.look(30)) == {"blue"}
    assert set(served.look(40)) == set()


def test_who_sits_there_may_let_the_table_go_and_the_file_may_change_its_mind(served: Served) -> None:
    served.tell(blue=BLUE)
    served.look()
    host = served.host("blue")
    assert host.post("/t/blue/api/departure", {}).status_code == 409
    served.tell(red="")
    assert set(served.look(90)) == {"blue", "red"} and served.says("blue") == TAKEN_AWAY
    assert served.browser.post("/t/blue/api/departure", {}).status_code in (401, 403)
    served.tell(blue=BLUE, red="")
    served.look()
    assert served.says("blue") is None and host.post("/t/blue/api/departure", {}).status_code == 409
    served.tell(red="")
    served.look()
    assert host.post("/t/blue/api/departure", {}).json["departure"] is None
    assert set(served.look()) == {"red"}


@pytest.mark.parametrize("other", ['game = "casino"\n', BLUE + 'players = "Eve,Dan"\n'])
def test_another_game_or_other_players_wait_until_the_game_is_over(served: Served, other: str) -> None:
    served.tell(blue=BLUE)
    served.look()
    blue = served.tables.served.open()["blue"].sessions
    served.tell(blue=other)
    served.look(90)
    assert served.tables.served.open()["blue"].sessions is blue
    served.let_go("blue")
    served.look()
    after = served.tables.served.open()["blue"].sessions.table
    assert after is not None and blue.table is not None and after.session.header != blue.table.session.header


def test_a_change_by_which_a_table_could_not_be_opened_leaves_its_game_as_it_was(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    served.tell(blue=BLUE)
    served.look()
    before = served.tables.served.open()["blue"].sessions.table
    served.tell(blue=BLUE + 'camera = "/no/such/film.avi"\n')
    served.look()
    after = served.tables.served.open()["blue"].sessions.table
    assert before is not None and after is not None and after.session.header == before.session.header
    assert "film.avi" in (said := capsys.readouterr().err) and "blue goes on as before" in said


def test_a_pin_that_is_changed_on_a_page_is_told_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which of several tables phones reach is said by the command line; each has a PIN of its own to change."""
    file = tmp_path / "companion.toml"
    parts = (f'[tables.{name}]\njournal = "{tmp_path}/{name}.sqlite"\n{BLUE}' for name in ("blue", "red"))
    file.write_text("\n".join(parts))
    log = EventLog(LogSettings(tmp_path / "log"))
    settings = WebSettings(lan=True)
    tables = RunningTables(settings, lambda *_: None, RunningServices(NewsPublisher(), log))
    with log:
        tables.become(wanted_tables(file, serve_command))
        host = Browser(create_tables_app(tables.served, settings), address="127.0.0.1")
        host.get("/t/blue/")
        now = host.get("/t/blue/api/phones").json
        assert (now["by"], now["may_open"], now["pin"]) == ("command", False, tables.pins["blue"])
        assert host.post("/t/blue/api/phones/open", {}).status_code == 409
        red = tables.pins["red"]
        assert host.post("/t/blue/api/phones/pin", {"pin": "246810"}).json["pin"] == "246810"
        assert tables.pins == {"blue": "246810", "red": red}
        assert "Table blue has another PIN: 246810" in capsys.readouterr().out
    tables.close()


def test_a_table_that_takes_over_anothers_journal_waits_until_that_one_is_gone(served: Served) -> None:
    served.tell(blue=BLUE)
    served.look()
    served.file.write_text(f'[tables.azure]\njournal = "{served.folder}/blue.sqlite"\n{BLUE}')
    found = served.look(5)
    assert found["blue"]["open"] and not found["azure"]["open"] and "same journal" in str(found["azure"]["trouble"])
    served.let_go("blue")
    served.look()
    served.tables.try_again()
    assert served.look()["azure"]["open"] and served.seq("azure") == 0


def test_every_file_that_a_server_keeps_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands, seeds, keys and pictures of a room lie in them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    before = os.umask(0)
    try:
        file = tmp_path / "companion.toml"
        file.write_text('[tables.blue]\ngame = "casino"\ndeal = true\n')
        log = EventLog(LogSettings(journal_path("blue").with_name("log")))
        with log:
            tables = RunningTables(WebSettings(), lambda *_: None, RunningServices(NewsPublisher(), log))
            tables.become(wanted_tables(file, serve_command))
            host = Browser(create_tables_app(tables.served, WebSettings()), address="127.0.0.1")
            host.get("/t/blue/")
            assert host.post("/t/blue/api/door/seat", {"seat": 0}).status_code == 200
            sign = {"name": "Player 1", "shape": "star", "color": 3}
            assert host.post("/t/blue/api/people/signs", sign).status_code == 200
            kept = tmp_path / "data" / "companion" / "table-blue.sqlite.calibration"
            kept.with_name(f"{kept.name}.new").write_bytes(calibration())
            load_calibration(kept.with_name(f"{kept.name}.new")).save(kept)
            kept.with_name(f"{kept.name}.new").unlink()
            table = tables.served.open()["blue"].sessions.table
            assert table is not None
            play(table, 700)
            back_up({"blue": kept.with_name("table-blue.sqlite")}, kept.with_name("backup.zip"))
            results = kept.with_name("table-blue.sqlite.results.1")
            until = time.monotonic() + 20
            while not results.exists():
                assert time.monotonic() < until
                time.sleep(0.05)
            found = {path.name.removeprefix("table-blue.sqlite"): path for path in kept.parent.iterdir()}
            tables.close()
    finally:
        os.umask(before)
    ends = (
        "",
        ".results",
        ".results.1",
        ".calibration",
        ".table",
        ".keys",
        ".seats",
        ".signs",
        ".heads",
        "-wal",
        "-shm",
    )
    assert {*ends, "log", "backup.zip"} <= set(found)
    assert {name: oct(path.stat().st_mode & 0o777) for name, path in found.items() if path.exists()} == {
        name: "0o600" for name, path in found.items() if path.exists()
    }
    assert kept.parent.stat().st_mode & 0o777 == 0o700
