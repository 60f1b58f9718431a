"""Journals as bad disks, cut copies and other programs leave them: a sentence, or the games that are in them."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from random import Random

from companion.app.commands.replay import _games, _proof, _replayed
from companion.core.foundation.errors import CompanionError
from companion.games import GAMES
from companion.referee.journal import Journal, read_lines, write_lines
from companion.referee.journal.sheet import score_sheet
from simulation.play import played
from tests.companion import dealt
from tests.fuzz.spoiling import spoiled_bytes


@cache
def whole() -> tuple[bytes, bytes]:
    """A journal with three games, one of them dealt by software, and one game as lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.journal"
        sessions = dealt.sessions(Path(folder))
        dealt.played(dealt.begun(sessions, "casino", 2), most=20)
        journal = Journal.open(path)
        played(journal, Random(1), rows=30)
        played(journal, Random(2), rows=5, started=1_800_000_000.0)
        for header in sessions.journal.games():
            journal.insert(header, sessions.journal.rows(header.id))
            seed = sessions.journal.seed(header.id)
            if seed is not None:
                journal.keep_seed(header.id, seed)
        first = journal.games()[0]
        lines = "".join(write_lines(first, journal.rows(first.id))).encode()
        journal.close()
        sessions.journal.close()
        return path.read_bytes(), lines


def one(rng: Random) -> None:
    """One spoiled journal, or one spoiled file of lines: read, replayed, printed, opened to go on."""
    database, lines = whole()
    data = database if rng.random() < 0.7 else lines
    for _ in range(rng.choice((1, 1, 2, 3))):
        data = spoiled_bytes(rng, data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spoiled.journal"
        path.write_bytes(data)
        try:
            for game in _games(path):
                found = _replayed(game)
                _proof(game, found)
                title = GAMES[game.header.game].title if game.header.game in GAMES else game.header.game
                line = found.timeline if found is not None and found.change is None else None
                score_sheet(title, game.header, game.rows, line)
        except CompanionError as error:
            assert str(error) and "\n" not in str(error)
        try:
            journal = Journal.open(path)
        except CompanionError as error:
            assert str(error) and "\n" not in str(error)
            return
        try:
            for header in journal.games():
                journal.rows(header.id)
        except CompanionError as error:
            assert str(error) and "\n" not in str(error)
        finally:
            journal.close()


def lines(rng: Random) -> None:
    """Lines that were changed by hand are refused, or say the same."""
    _, whole_lines = whole()
    try:
        header, rows = read_lines(spoiled_bytes(rng, whole_lines))
    except CompanionError as error:
        assert str(error)
        return
    assert "".join(write_lines(header, rows))
