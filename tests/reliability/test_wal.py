"""A write-ahead log that ends anywhere, as after a loss of power, leaves an exact beginning of the game."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from companion.games import GAMES
from companion.referee.journal import Header, Journal, Row
from companion.referee.table.table import Table
from simulation.play import header, random_event

ROWS = 12
_WAL_HEADER = 32
_FRAME = 24 + 4096


@pytest.fixture
def running(tmp_path: Path) -> tuple[Path, bytes, Header, tuple[Row, ...]]:
    """The main file of a game in play, its log, and what the log holds."""
    path = tmp_path / "games.journal"
    journal = Journal.open(path)
    rng = Random(3)
    table = Table(GAMES["spectrangle"], journal.begin(header()), journal, clock=lambda: 1.0)
    for _ in range(ROWS):
        table.play(random_event(table.session.state, rng), source="software")
    main = tmp_path / "main"
    shutil.copy(path, main)
    log = path.with_name(path.name + "-wal").read_bytes()
    journal.close()
    return main, log, table.session.header, table.session.rows()


def kept(main: Path, log: bytes, game: Header) -> tuple[Row, ...] | None:
    """The rows that are left with this log; None if the game itself is not."""
    path = main.with_name("copy")
    for leftover in path.parent.glob("copy*"):
        leftover.unlink()
    shutil.copy(main, path)
    path.with_name("copy-wal").write_bytes(log)
    journal = Journal.open(path)
    try:
        return journal.rows(game.id) if game in journal.games() else None
    finally:
        journal.close()


def test_every_cut_of_the_log_leaves_an_exact_beginning(running: tuple[Path, bytes, Header, tuple[Row, ...]]) -> None:
    main, log, game, rows = running
    assert (len(log) - _WAL_HEADER) % _FRAME == 0
    cuts = sorted({*range(0, len(log), 9 * 977), *range(_WAL_HEADER, len(log) + 1, _FRAME)})
    lengths = []
    for cut in cuts:
        found = kept(main, log[:cut], game)
        if found is not None:
            assert found == rows[: len(found)]
            lengths.append(len(found))
    assert lengths == sorted(lengths)
    assert set(lengths) == set(range(ROWS + 1))


def test_every_damaged_frame_leaves_an_exact_beginning(running: tuple[Path, bytes, Header, tuple[Row, ...]]) -> None:
    main, log, game, rows = running
    rng = Random(4)
    for start in range(_WAL_HEADER, len(log), _FRAME):
        damaged = bytearray(log)
        damaged[start + rng.randrange(_FRAME)] ^= 0xFF
        found = kept(main, bytes(damaged), game)
        assert found is None or found == rows[: len(found)]
        assert found != rows or start + _FRAME == len(log)
