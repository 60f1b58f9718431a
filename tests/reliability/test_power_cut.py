"""From a power cut to play going on: the same command line is given again, and two phones play on without typing anything."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from companion.__main__ import main
from companion.commands import serve as serve_module
from companion.games import GAMES
from companion.journal import Journal
from companion.referee.session_manager import SessionManager

WITHIN_S = 10.0
GAME = GAMES["regenbogen"]
Serve = Callable[..., "House"]


class House:
    """`companion serve` as a process that can be killed."""

    def __init__(self, arguments: list[str]) -> None:
        command = [sys.executable, "-m", "companion", "serve", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if found := re.search(r"http://[\d.]+:\d+", line):
                self.url = found.group()
                return
        pytest.fail(f"no page: {self.said}")

    def cut(self) -> None:
        """The power goes."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Browser:
    """A browser with its cookies; a phone comes from elsewhere, which a proxy's header stands for."""

    def __init__(self, *, phone: bool) -> None:
        self.phone = phone
        self.cookies: dict[str, str] = {}

    def ask(self, url: str, body: Any = None) -> Any:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if self.phone:
            headers["Via"] = "1.1 phone"
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers |= {"Origin": url[: url.index("/", 8)], "Content-Type": "application/json"}
        with urlopen(Request(url, data, headers), timeout=10) as answer:
            for cookie in answer.headers.get_all("Set-Cookie", []):
                name, value = cookie.split(";")[0].split("=")
                self.cookies[name] = value
            text = answer.read()
        return json.loads(text) if text.startswith(b"{") else None


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts the house, always on the same journal and port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    houses: list[House] = []

    def start(*arguments: str) -> House:
        houses.append(House([*arguments, "--journal", str(tmp_path / "journal.sqlite"), "--port", str(port)]))
        return houses[-1]

    yield start
    for house in houses:
        if house.process.poll() is None:
            house.cut()


def join(house: House, host: Browser, seat: int) -> Browser:
    """A phone that comes in by a link of the host's and takes a seat."""
    link = host.ask(f"{house.url}/api/door/invite", {})["link"]
    phone = Browser(phone=True)
    phone.ask(f"{house.url}/api/door", {"ticket": link.partition("#")[2]})
    phone.ask(f"{house.url}/api/door/seat", {"seat": seat})
    return phone


def move(house: House, phone: Browser, state: Any, seq: int) -> Any:
    """A phone tells the first legal move; the position after it."""
    event = state.legal_moves()[0]
    told = phone.ask(f"{house.url}/api/table/play", {"expected": seq, "text": GAME.text(event)})
    assert told["seq"] == seq + 1
    return state.apply(event)


def test_play_goes_on_within_10_s_and_nobody_types_anything(serve: Serve, tmp_path: Path) -> None:
    command = ("--game", "regenbogen", "--players", "Ada,Ben")
    house = serve(*command)
    host = Browser(phone=False)
    host.ask(f"{house.url}/")
    phones = [join(house, host, seat) for seat in (0, 1)]
    state = GAME.start(2, GAME.Options())
    for seq in range(4):
        state = move(house, phones[state.expects().seats[0]], state, seq)
    house.cut()

    began = time.monotonic()
    house = serve(*command)
    state = move(house, phones[state.expects().seats[0]], state, 4)
    taken_s = time.monotonic() - began
    assert taken_s < WITHIN_S
    assert "The game of Regenbogen of Ada and Ben goes on after row 4." in house.said
    for seat, phone in enumerate(phones):
        assert phone.ask(f"{house.url}/api/door") == {"role": "table", "pin": False, "seat": seat}
    house.cut()

    house = serve()
    move(house, phones[state.expects().seats[0]], state, 5)
    host.ask(f"{house.url}/api/door/away", {})
    with pytest.raises(HTTPError, match="401"):
        phones[0].ask(f"{house.url}/api/table/undo", {"expected": 6, "to": 5})
    house.cut()
    journal = Journal.open(tmp_path / "journal.sqlite")
    assert [len(journal.rows(header.id)) for header in journal.games()] == [6]
    journal.close()


def test_another_game_begins_only_where_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Begun six times in this process, which shows nothing: what is killed between is the other test's."""
    ids: list[str] = []

    def show(sessions: SessionManager, *_: object, **__: object) -> None:
        assert sessions.table is not None
        ids.append(sessions.table.session.header.id)

    monkeypatch.setattr(serve_module, "show", show)
    for arguments in (
        ("--game", "regenbogen"),
        ("--game", "regenbogen"),
        ("--game", "regenbogen", "--new"),
        ("--game", "regenbogen", "--players", "Ada,Ben"),
        ("--game", "spectra"),
        (),
    ):
        with pytest.raises(SystemExit) as left:
            main(["serve", *arguments, "--journal", str(tmp_path / "journal.sqlite")])
        assert left.value.code == 0
    assert ids[0] == ids[1] and len(set(ids[1:5])) == 4 and ids[5] == ids[4]
    assert "goes on after row 0" in capsys.readouterr().out
