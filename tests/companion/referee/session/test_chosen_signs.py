"""A person's own sign is kept for every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session.chosen_signs import ChosenSign, ChosenSigns, SignNotKept, SignTaken
from companion.referee.session_manager import SessionManager

STAR = ChosenSign("star", 3)


def test_a_sign_is_kept_however_the_name_is_written(tmp_path: Path) -> None:
    ChosenSigns(tmp_path / "signs").choose("Ada", STAR)
    again = ChosenSigns(tmp_path / "signs")
    assert again.of("ADA") == STAR and again.of("Ben") is None


def test_nobody_takes_the_sign_of_another_person(tmp_path: Path) -> None:
    signs = ChosenSigns(tmp_path / "signs")
    signs.choose("Ada", STAR)
    with pytest.raises(SignTaken):
        signs.choose("Ben", STAR)
    signs.choose("Ben", ChosenSign("star", 4))
    signs.choose("ada", STAR)
    assert signs.of("Ada") == STAR and signs.of("Ben") == ChosenSign("star", 4)


def test_what_cannot_be_written_down_does_not_hold(tmp_path: Path) -> None:
    signs = ChosenSigns(tmp_path / "gone" / "signs")
    with pytest.raises(SignNotKept):
        signs.choose("Ada", STAR)
    assert signs.of("Ada") is None


def test_a_damaged_file_is_as_none(tmp_path: Path) -> None:
    path = tmp_path / "signs"
    path.write_bytes(b'{"ada": {"shape":')
    assert ChosenSigns(path).of("Ada") is None
    ChosenSigns(path).choose("Ada", STAR)
    assert ChosenSigns(path).of("Ada") == STAR


def test_the_game_on_the_table_and_the_next_one_show_it(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite")
    sessions = SessionManager(journal, GAMES, PLANS["spectrangle"](2))
    table = sessions.start("spectrangle", ["Ada", "Ben"], {})
    version = table.session.version
    sessions.choose_sign("Ada", STAR)
    assert table.session.chosen_signs == (STAR, None)
    assert table.session.version > version, "every screen looks again"
    assert sessions.start("cribbage", ["Ben", "Ada"], {}).session.chosen_signs == (None, STAR)
    journal.close()
