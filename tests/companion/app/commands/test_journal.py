"""`companion journal copy`: between files here; `tests/companion/referee/journal/test_copying.py` has databases."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.__main__ import cli
from companion.app.commands.journal import journal_command
from companion.core.foundation.errors import JournalError, WrongUsage
from companion.referee.journal import Journal
from simulation.play import played


def copied(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(journal_command, ["copy", *words], standalone_mode=False, catch_exceptions=False)
    return result.return_value, result.output


def test_every_game_is_there_afterwards_and_a_second_copy_adds_nothing(tmp_path: Path) -> None:
    home, away = tmp_path / "home.journal", tmp_path / "away.journal"
    journal = Journal.open(home)
    game = played(journal, Random(1), rows=9).session.header.id
    journal.close()
    code, said = copied(str(home), str(away))
    assert code == 0 and f"{game}: 9 rows, 9 of them new; the chain holds." in said
    assert f"1 of 1 games are in {away}, 9 rows were added." in said
    code, said = copied(str(home), str(away))
    assert code == 0 and said.endswith("0 rows were added.\n")


def test_a_game_of_which_the_other_has_other_rows_is_named(tmp_path: Path) -> None:
    for name, seed in (("home", 1), ("away", 2)):
        journal = Journal.open(tmp_path / name)
        played(journal, Random(seed), rows=9)
        journal.close()
    code, said = copied(str(tmp_path / "home"), str(tmp_path / "away"))
    assert code == 1 and "different rows of the game spectrangle-20231114-221320" in said


def test_what_cannot_be_copied_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="the same journal"):
        copied(str(tmp_path / "one"), str(tmp_path / "." / "one"))
    with pytest.raises(JournalError, match="There is no journal"):
        copied(str(tmp_path / "none"), str(tmp_path / "two"))
    assert not (tmp_path / "two").exists()
    wrong = CliRunner().invoke(cli, ["journal", "copy", "mysql://host/one", "two"])
    assert wrong.exit_code == 2 and "is not a place for a journal" in wrong.output


def test_a_database_that_does_not_answer_is_said_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"postgresql://\*\*\*@127.0.0.1:9/\*\*\* does not answer") as caught:
        copied("postgresql://ada:s3cr3t@127.0.0.1:9/club", str(tmp_path / "two"))
    assert "s3cr3t" not in str(caught.value)
    with pytest.raises(WrongUsage, match="is not the address of a database"):
        copied("postgresql://ada@host/club?colour=red", str(tmp_path / "two"))
