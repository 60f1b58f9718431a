"""The file of results: kept beside the journal, copied, made anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.foundation.errors import JournalError
from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.results.store import COPIES, Keeper, Results
from companion.referee.session_manager import SessionManager
from tests.browser.situations import play


def sessions_in(folder: Path) -> SessionManager:
    return SessionManager(Journal.open(folder / "journal.sqlite"), GAMES, PLANS["spectrangle"](2))


def test_a_game_is_remembered_and_backed_up_when_it_is_over(tmp_path: Path) -> None:
    sessions, results, ended = sessions_in(tmp_path), Results(tmp_path / "results"), list[int]()
    keeper = Keeper(sessions, results, after_game=lambda: ended.append(len(results.all())))
    table = sessions.start("casino", ("Ada", "Ben"), {}, draws="dealt")
    play(table, 3)
    keeper.follow()
    assert [(found.finished, found.names) for found in results.all()] == [(False, ("Ada", "Ben"))]
    assert not (tmp_path / "results.1").exists() and ended == []
    play(table, 700)
    keeper.follow()
    keeper.follow()
    assert ended == [1]
    (found,) = results.all()
    outcome = table.session.state.outcome()
    assert outcome is not None and found.places == outcome.places and found.winners == outcome.places[0]
    assert found.scores == tuple(score.total for score in table.session.state.scores())
    assert Results(tmp_path / "results.1").all() == (found,)
    sessions.journal.close()


def test_the_file_is_made_anew_from_the_journal(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    play(sessions.start("casino", ("Ada", "Ben"), {}, draws="dealt"), 700)
    (tmp_path / "results").write_bytes(b"no database at all" * 300)
    results = Results(tmp_path / "results")
    assert (tmp_path / "results.aside-1").exists() and results.all() == ()
    Keeper(sessions, results).catch_up()
    assert [found.finished for found in results.all()] == [True]
    sessions.journal.close()


def test_a_bounded_number_of_copies_is_kept(tmp_path: Path) -> None:
    results = Results(tmp_path / "results")
    for _ in range(COPIES + 3):
        results.back_up()
    copies = sorted(path.name for path in tmp_path.iterdir())
    assert copies == ["results", *(f"results.{number}" for number in range(1, COPIES + 1))]


def test_a_file_that_cannot_be_made_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"cannot be opened .* Check that its folder is there"):
        Results(tmp_path / "nowhere" / "results")
