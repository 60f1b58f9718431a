"""A process that plays on in a journal until it is killed: `python -m tests.reliability.player JOURNAL SEED PAGES [DATABASE [PAUSE]]`.

With a database its rows go there, too; PAUSE are seconds between rows. It prints a line for each row once the journal has confirmed it, so that whoever killed it knows what must not be lost.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from random import Random

from companion.core.contract import Over
from companion.core.foundation.errors import MoveError
from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.journal.delivery import Delivery
from companion.referee.journal.places import Database
from companion.referee.table.table import Table
from simulation.play import header, random_event


def write(table: Table, seed: int, telling: threading.Lock, pause_s: float) -> None:
    """One page: it plays what it sees on the table, and looks again where another page was quicker."""
    rng = Random(seed)
    while not isinstance((state := table.session.state).expects(), Over):
        try:
            row = table.play(random_event(state, rng), source="software")
        except MoveError:
            continue
        with telling:
            sys.stdout.write(f"{table.session.header.id} {row.n} {row.hash}\n")
            sys.stdout.flush()
        time.sleep(pause_s)


def main(path: Path, seed: int, pages: int, database: Database | None, pause_s: float) -> None:
    """Continue the last game, and begin another whenever one is over; never ends by itself."""
    telling = threading.Lock()
    game = GAMES["spectrangle"]
    journal = Journal.open(path)
    if database is not None:
        Delivery(journal, database, backoff_s=(0.02, 0.5)).__enter__()
    games = journal.games()
    begun = games[-1] if games else None
    number = len(games)
    while True:
        if begun is None:
            begun = journal.begin(header(started=1_700_000_000.0 + 60 * number))
            number += 1
        table = Table(game, begun, journal)
        print("ready", flush=True)
        writers = [threading.Thread(target=write, args=(table, seed + page, telling, pause_s)) for page in range(pages)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        begun = None


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]),
        int(sys.argv[3]),
        Database(sys.argv[4]) if sys.argv[4:] else None,
        float(sys.argv[5]) if sys.argv[5:] else 0.0,
    )
