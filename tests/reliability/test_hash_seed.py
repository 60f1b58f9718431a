"""Games are the same in every process, whatever its hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

from companion.referee.journal import Journal, write_lines
from simulation.play import played

ROOT = Path(__file__).parents[2]

REPLAY = """
import sys
from pathlib import Path
from companion.games import GAMES
from companion.referee.journal import Journal, digest
from companion.referee.journal.timeline import begin
journal = Journal.read(Path(sys.argv[1]))
for header in journal.games():
    line = begin(GAMES[header.game], header)
    for row in journal.rows(header.id):
        line = line.read(row)
        print(row.n, digest(line.state))
"""

PLAY = """
import sys
from pathlib import Path
from random import Random
from companion.referee.journal import Journal, write_lines
from simulation.play import played
journal = Journal.open(Path(sys.argv[1]))
table = played(journal, Random(5), rows=40)
sys.stdout.writelines(write_lines(table.session.header, table.session.rows()))
"""


def run(program: str, path: Path, seed: int) -> str:
    """What a program prints in a process with this hash seed."""
    return subprocess.run(
        [sys.executable, "-c", program, str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_replay_gives_the_same_digests_in_every_process(tmp_path: Path) -> None:
    path = tmp_path / "games.journal"
    journal = Journal.open(path)
    table = played(journal, Random(6))
    journal.close()
    expected = "".join(f"{row.n} {row.digest}\n" for row in table.session.rows())
    assert [run(REPLAY, path, seed) for seed in (1, 2)] == [expected, expected]


def test_a_game_played_alike_is_written_alike_in_every_process(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "here.journal")
    table = played(journal, Random(5), rows=40)
    journal.close()
    here = "".join(write_lines(table.session.header, table.session.rows()))
    assert [run(PLAY, tmp_path / f"{seed}.journal", seed) for seed in (3, 4)] == [here, here]
