"""Results come from the tables' journals: the next finished game of two players decides, and nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from companion.games import GAMES, PLANS
from companion.referee.evening import KeptEvening, begin, pair
from companion.referee.evening.director import ratings
from companion.referee.evening.evening import Evening
from companion.referee.evening.journals import TableJournals, take_results
from companion.referee.journal import Journal
from companion.referee.journal.database import DatabaseJournal
from companion.referee.journal.places import Database
from companion.referee.session_manager import SessionManager
from simulation.play import played
from tests.browser.situations import play as go_on
from tests.companion import dealt
from tests.companion.referee.journal.test_store import tampered
from tests.postgresql import PostgreSQL


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.sqlite"
    Journal.open(path).close()
    return path


def journals(*paths: Path) -> TableJournals:
    found = TableJournals({str(path): lambda path=path: Journal.read(path) for path in paths}, GAMES)
    found.look()
    return found


def play(path: Path, names: tuple[str, ...], seed: int, rows: int | None = None) -> str:
    journal = Journal.open(path)
    game = played(journal, Random(seed), rows=rows, names=names).session.header.id
    journal.close()
    return game


def paired(tables: TableJournals, names: str = "Ann,Ben") -> Evening:
    return pair(begin("", "swiss", names.split(","), game="spectrangle", planned=1), known=tables.known)


def test_the_next_finished_game_of_the_two_decides(path: Path) -> None:
    earlier = play(path, ("Ben", "Ann"), 1)
    tables = journals(path)
    evening = paired(tables)
    assert evening.rounds[0].pairings[0].before == (earlier,)
    assert take_results(evening, tables) == evening, "an earlier game decides nothing"
    play(path, ("Ann", "Cem"), 2)
    play(path, ("ANN", "ben"), 3, rows=9)
    tables.look()
    assert take_results(evening, tables) == evening, "another's, and one that goes on"
    decisive = play(path, ("ben", "ANN"), 4)
    tables.look()
    (done,) = take_results(evening, tables).rounds[0].pairings
    assert done.result is not None and done.result.game == decisive
    result = tables.finished(decisive)
    assert result is not None
    scores = dict(zip((name.casefold() for name in result.names), result.scores, strict=True))
    assert done.result.scores == tuple(scores[name.casefold()] for name in done.players)
    assert done.result.points == (1.0, 0.0) if done.result.scores[0] > done.result.scores[1] else (0.0, 1.0)
    assert take_results(take_results(evening, tables), tables) == take_results(evening, tables)
    tables.close()


def test_poker_is_counted_by_the_hands_won_until_the_next_round(path: Path) -> None:
    tables = journals(path)
    evening = pair(begin("", "tables", ["Ann", "Ben", "Cem"], game="poker", planned=1), known=tables.known)
    names, won = ("Cem", "Ann", "Ben"), Counter[str]()
    journal = Journal.open(path)
    for _ in range(4):
        table = SessionManager(journal, GAMES, PLANS["spectrangle"](2)).start("poker", names, {}, draws="dealt")
        go_on(table, 50)
        outcome = table.session.state.outcome()
        assert outcome is not None
        won.update(names[seat] for seat in outcome.places[0])
        tables.look()
        evening = take_results(evening, tables)
        (done,) = evening.rounds[0].pairings
        assert done.result is not None and done.result.scores == tuple(won[name] for name in done.players)
        ranks = sorted(done.result.points, reverse=True)
        assert [done.result.points[done.players.index(name)] for name, _ in won.most_common(1)] == [ranks[0]]
    journal.close()
    tables.close()


def test_a_game_of_another_kind_or_with_a_broken_chain_decides_nothing(path: Path) -> None:
    tables = journals(path)
    evening = pair(begin("", "swiss", ["Ann", "Ben"], game="spectra", planned=1), known=tables.known)
    game = play(path, ("Ann", "Ben"), 1)
    tables.look()
    assert take_results(evening, tables) == evening
    tables.close()
    tampered(path, """UPDATE row SET entry = replace(entry, '"source":"software"', '"source":"page"') WHERE n = 2""")
    changed = journals(path)
    assert changed.known(("Ann", "Ben")) == (game,) and changed.finished(game) is None
    changed.close()


def test_a_match_decides_when_it_is_over_not_its_first_hand(tmp_path: Path) -> None:
    sessions = dealt.sessions(tmp_path)
    dealt.played(dealt.begun(sessions, "casino", 2))
    path = sessions.journal.path
    header = sessions.journal.games()[0]
    table = sessions.table
    assert table is not None and table.session.state.outcome() is not None
    following = GAMES["casino"].next_position
    goes_on = following is not None and following(table.session.state) is not None
    sessions.journal.close()
    tables = journals(path)
    assert (tables.finished(header.id) is None) is goes_on
    tables.close()


def test_a_journal_that_does_not_answer_is_named_and_asked_again(path: Path, tmp_path: Path) -> None:
    game = play(path, ("Ann", "Ben"), 1)
    late = tmp_path / "late.sqlite"
    tables = journals(late, path)
    assert tables.trouble is not None and "late.sqlite" in tables.trouble and tables.known(("Ben", "Ann")) == (game,)
    other = play(late, ("Ann", "Ben"), 2)
    tables.look()
    assert (tables.trouble is None and other in tables.known(("Ann", "Ben"))) or game == other
    tables.close()


def test_an_evening_is_kept(tmp_path: Path) -> None:
    kept = KeptEvening(tmp_path / "evening.json")
    assert kept.load() is None
    evening = pair(begin("Club night", "round-robin", ["Ann", "Ben", "Cem"]), known=lambda _: ())
    kept.save(evening)
    assert KeptEvening(kept.path).load() == evening
    kept.set_aside(0.0)
    assert kept.load() is None and (tmp_path / "evening-19700101-000000.json").exists()
    twice = replace(evening, players=("Ann", "Ann", "Cem"))
    for number, damaged in enumerate((b'{"title": 3}', msgspec.json.encode(twice)), 1):
        kept.path.write_bytes(damaged)
        assert kept.load() is None
        assert (tmp_path / f"evening.json.aside-{number}").read_bytes() == damaged


def test_who_wins_again_and_again_is_rated_higher(path: Path) -> None:
    from companion.referee.results.result import Result

    def game(names: tuple[str, ...], *places: tuple[int, ...]) -> Result:
        return Result(
            id="g",
            game="spectrangle",
            names=names,
            started=0,
            length_s=1,
            rows=1,
            moves=1,
            scores=(0,) * len(names),
            places=places,
        )

    won = [game(("Ann", "Ben", "Cem"), (0,), (1, 2)), game(("ben", "ann"), (1,), (0,)), game(("Ann",), (0,))]
    found = ratings(won)
    assert [one.name for one in found] == ["ann", "Cem", "ben"] and [one.games for one in found] == [2, 1, 2]
    assert found[0].ordinal > found[2].ordinal and found[0].deviation < found[1].deviation


def test_results_come_from_a_database_too_also_after_it_was_away(postgresql: PostgreSQL, database: Database) -> None:
    club = DatabaseJournal.open(database)
    game = played(club, Random(1), names=("Ann", "Ben")).session.header.id
    tables = TableJournals({"club": lambda: DatabaseJournal.read(database)}, GAMES)
    tables.look()
    result = tables.finished(game)
    assert result is not None and tables.known(("ben", "ann")) == (game,)
    postgresql.kill()
    tables.look()
    assert tables.trouble is not None and "does not answer" in tables.trouble
    assert tables.finished(game) == result, "what was decided stands"
    postgresql.start()
    club.close()
    club = DatabaseJournal.open(database)
    other = played(club, Random(2), names=("Ann", "Ben")).session.header.id
    tables.look()
    assert tables.trouble is None and tables.finished(other) is not None
    tables.close()
    club.close()
