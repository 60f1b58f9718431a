"""Games from one journal to another: the same rows, seeds and proofs, nothing twice, and nothing on top of other rows."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.games import GAMES
from companion.referee.journal import ChainedGames, Journal
from companion.referee.journal.carrying import CopiedGame, copy_games
from companion.referee.journal.database import DatabaseJournal
from companion.referee.journal.places import Database
from companion.referee.journal.record import replay
from companion.referee.session.croupier import prove
from simulation.play import header, played
from tests.companion import dealt
from tests.companion.referee.journal.test_store import ROW, tampered


def held(journal: ChainedGames) -> list[tuple[object, ...]]:
    return [(one, journal.rows(one.id), journal.seed(one.id)) for one in journal.games()]


def copied(source: ChainedGames, target: ChainedGames) -> list[CopiedGame]:
    return list(copy_games(source, target))


@pytest.fixture
def home(tmp_path: Path) -> Journal:
    """A journal with a game that software dealt, one that was told, and one that has just begun."""
    sessions = dealt.sessions(tmp_path)
    dealt.played(dealt.begun(sessions, "cribbage", 2), most=40)
    played(sessions.journal, Random(1), rows=25)
    sessions.journal.begin(header())
    return sessions.journal


def test_a_journal_goes_to_a_database_and_back_with_its_proofs(
    home: Journal, database: Database, tmp_path: Path
) -> None:
    club, back = DatabaseJournal.open(database), Journal.open(tmp_path / "back.journal")
    there = copied(home, club)
    assert [(one.added, one.trouble) for one in there] == [(len(home.rows(one.id)), None) for one in there]
    assert held(club) == held(home)
    dealt_game = club.games()[0]
    rows, seed = club.rows(dealt_game.id), club.seed(dealt_game.id)
    assert replay(GAMES["cribbage"], dealt_game, rows).change is None
    proof = prove(GAMES["cribbage"], dealt_game, rows, seed)
    assert proof is not None and proof.fault is None and seed is not None
    copied(club, back)
    assert held(back) == held(home)
    for journal in (home, club, back):
        journal.close()


def test_copying_again_adds_what_is_new_and_nothing_twice(home: Journal, database: Database) -> None:
    club = DatabaseJournal.open(database)
    copied(home, club)
    assert [one.added for one in copied(home, club)] == [0, 0, 0]
    last = home.games()[-1].id
    home.append(last, **ROW)
    assert [one.added for one in copied(home, club)] == [0, 0, 1]
    club.append(last, **ROW)
    assert [(one.added, one.rows, one.trouble) for one in copied(home, club)][-1] == (0, 2, None), "more is left alone"
    home.close()
    club.close()


def test_other_rows_of_a_game_are_not_written_over_and_keep_no_other_game_back(
    home: Journal, database: Database
) -> None:
    club = DatabaseJournal.open(database)
    first = home.games()[0]
    club.insert(first, ())
    club.append(first.id, **ROW)
    before = club.rows(first.id)
    found = copied(home, club)
    assert found[0].trouble is not None and "different rows" in found[0].trouble
    assert club.rows(first.id) == before and [one.trouble for one in found[1:]] == [None, None]
    home.close()
    club.close()


def test_a_broken_chain_is_not_copied(home: Journal, database: Database) -> None:
    game = home.games()[1].id
    tampered(home.path, f"UPDATE row SET entry = replace(entry, 'software', 'page') WHERE game = '{game}' AND n = 5")
    club = DatabaseJournal.open(database)
    found = copied(home, club)
    assert found[1].trouble is not None and "Row 5" in found[1].trouble
    assert club.tip(game) is None and [one.trouble for one in (found[0], found[2])] == [None, None]
    home.close()
    club.close()


def test_a_database_takes_no_row_that_does_not_follow(database: Database, tmp_path: Path) -> None:
    """Whoever writes there: the tables themselves check number and hash."""
    club = DatabaseJournal.open(database)
    game = club.begin(header())
    club.append(game.id, **ROW)
    tip = club.tip(game.id)
    assert tip is not None
    for row in [(2, "{}", "0" * 64), (3, "{}", "0" * 64), (1, "{}", "0" * 64)]:
        with pytest.raises(Exception, match=r"does not follow"):
            club.extend(game.id, tip, [row])
    assert len(club.rows(game.id)) == 1
    club.close()
