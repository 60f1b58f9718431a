"""From a power cut to play going on: the same command line is given again, and two phones play on without typing anything."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from companion.__main__ import main
from companion.app.commands import serve as serve_module
from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from tests.reliability.house import WITHIN_S, Browser, House, Serve

GAME = GAMES["regenbogen"]


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
