"""Measures how fast a journal is replayed.

Each row is read, its chain checked, its event applied, and scores, count of legal moves and digest compared.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.figure import Figure
from companion.core.contract import Over, ToDraw
from companion.games.spectrangle.game import SPECTRANGLE
from companion.referee.journal import Header, Journal
from companion.referee.journal.record import replay
from companion.referee.table.table import Table

ROWS = 200
_ROUNDS = 15
_LONGEST_MS = 20.0


def _play(journal: Journal, rows: int, rng: random.Random, seats: int) -> Header:
    """Returns a random game, or as much of it as there may be rows."""
    header = journal.begin(
        Header(
            game=SPECTRANGLE.name,
            rules=SPECTRANGLE.rules,
            seats=seats,
            names=tuple("ABCD"[:seats]),
            started=0.0,
            software="bench",
        )
    )
    table = Table(SPECTRANGLE, header, journal)
    while table.session.seq < rows and not isinstance(table.session.state.expects(), Over):
        if isinstance(table.session.state.expects(), ToDraw):
            event = rng.choice([event for event, _ in table.session.game.outcomes(table.session.state)])
        else:
            event = rng.choice(table.session.legal())
        table.play(event, source="software")
    return header


def figures() -> Iterator[Figure]:
    """Yields the time for 200 rows of whole games, and how often that goes into what the design allows."""
    rng = random.Random(1)
    with TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "games.journal")
        games: list[str] = []
        left = ROWS
        while left > 0:
            header = _play(journal, left, rng, 2 + len(games) % 3)
            games.append(header.id)
            left -= len(journal.rows(header.id))
        times_ms = []
        for _ in range(_ROUNDS):
            began = time.process_time()
            for game in games:
                found = replay(SPECTRANGLE, journal.header(game), journal.rows(game))
                assert found.change is None
            times_ms.append(1000 * (time.process_time() - began))
        journal.close()
    taken_ms = median(times_ms)
    yield Figure(f"replay of {ROWS} rows ({len(games)} games)", taken_ms, "ms")
    yield Figure(f"replays within {_LONGEST_MS:.0f} ms", _LONGEST_MS / taken_ms, "", at_least=1.0)
