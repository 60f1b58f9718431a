"""A process that plays on in a journal until it is killed: `python -m tests.reliability.player JOURNAL SEED`.

It prints a line for each row once the journal has confirmed it, so that whoever killed it knows what must not be lost.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from companion.contract import Over
from companion.games import GAMES
from companion.journal import Journal
from companion.table import Table
from tests.companion.play import header, random_event


def main(path: Path, seed: int) -> None:
    """Continue the last game, and begin another whenever one is over; never ends by itself."""
    rng = Random(seed)
    game = GAMES["spectrangle"]
    journal = Journal.open(path)
    games = journal.games()
    begun = max(games, key=lambda one: one.id) if games else None
    number = len(games)
    while True:
        if begun is None:
            begun = journal.begin(header(started=1_700_000_000.0 + 60 * number))
            number += 1
        table = Table(game, begun, journal)
        print("ready", flush=True)
        while not isinstance(table.session.state.expects(), Over):
            row = table.play(random_event(table.session.state, rng), source="software")
            print(begun.id, row.n, row.hash, flush=True)
        begun = None


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
