"""The game that lay on the table last is found again, unless it is over."""

from __future__ import annotations

from pathlib import Path

from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.last_game import LastGame
from companion.referee.session_manager import SessionManager
from tests.browser.situations import LONGEST, play


def sessions(folder: Path) -> SessionManager:
    return SessionManager(Journal.open(folder / "journal.sqlite"), GAMES, PLANS["spectrangle"](2))


def test_it_is_the_one_that_was_taken_up_again_not_the_one_that_was_begun_last(tmp_path: Path) -> None:
    house = sessions(tmp_path)
    first = house.start("spectra", ["Ada", "Ben"], {}).session.header
    second = house.start("regenbogen", ["Ada", "Ben"], {}).session.header
    assert LastGame(house.journal).unfinished() == second
    house.resume(first.id)
    assert LastGame(house.journal).unfinished() == first
    house.journal.close()


def test_without_a_note_that_can_be_read_it_is_the_one_that_was_begun_last(tmp_path: Path) -> None:
    house = sessions(tmp_path)
    house.start("spectra", ["Ada", "Ben"], {})
    last = house.start("regenbogen", ["Ada", "Ben"], {}).session.header
    note = tmp_path / "journal.sqlite.table"
    for text in (b"../../etc/passwd", b"\xff\x00", b"no-such-game", b""):
        note.write_bytes(text)
        assert LastGame(house.journal).unfinished() == last
    note.unlink(missing_ok=True)
    assert LastGame(house.journal).unfinished() == last
    house.journal.close()


def test_a_game_that_is_over_does_not_go_on(tmp_path: Path) -> None:
    house = sessions(tmp_path)
    assert house.last_game.unfinished() is None
    table = house.start("spectrangle", ["Ada", "Ben"], {})
    play(table, LONGEST)
    assert table.session.state.outcome() is not None
    assert house.last_game.unfinished() is None
    house.journal.close()


def test_a_hand_that_is_over_goes_on_as_long_as_the_match_does(tmp_path: Path) -> None:
    house = sessions(tmp_path)
    table = house.start("cribbage", ["Ada", "Ben"], {"target": 500}, draws="dealt")
    play(table, LONGEST)
    assert house.last_game.unfinished() is not None
    house.journal.close()
