"""Kill the database and the referee again and again during play, and see that both journals have every confirmed row
once.

`python -m tests.reliability.database --times 100` prints what it found; exit status 1 if anything was wrong. With
`--network` the database is behind a wire that drops and delays packets and is cut now and then (Linux, root).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.core.foundation.errors import JournalError
from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.journal.database import DatabaseJournal
from companion.referee.journal.delivery import Delivery
from companion.referee.journal.places import Database
from companion.referee.journal.record import replay
from tests.postgresql import PostgreSQL
from tests.reliability.bad_network import FAR, BadNetwork
from tests.reliability.kill import ROOT, check

LONGEST_S, FAR_LONGEST_S = 0.5, 6.0
"""Between two kills, at most; behind a bad network a connection alone takes a second, and rows shall be on their way."""
LOST, DELAY_S = 0.1, (0.005, 0.06)
"""What the bad network does to a packet."""
PAUSE_S = 0.1
"""Between two rows on a bad network, still far less than at a table: what waits shall be what the cuts held up."""
DELIVERED_S = 300
"""How long the last rows may take."""


class Found(NamedTuple):
    """What many kills led to."""

    kills: int
    of_the_referee: int
    of_the_database: int
    cuts: int
    """Of the wire."""
    confirmed: int
    """Rows that the referee said were on disk."""
    lost: int
    """Of these, rows that one of the journals did not have in the end, or had otherwise."""
    foreign: int
    """Rows of the database that the referee's own journal did not have at that moment, or had otherwise."""
    broken: int
    """Times that a journal could not be read, a chain did not hold or the rules disagreed."""
    delivered_late: int
    """Rows that the database did not have when play ended, and got afterwards."""

    @property
    def good(self) -> bool:
        return not self.lost and not self.foreign and not self.broken

    def __str__(self) -> str:
        return (
            f"{self.kills} kills ({self.of_the_referee} of the referee, {self.of_the_database} of the database, {self.cuts}"
            f" cuts of the wire): {self.confirmed} rows confirmed, {self.lost} lost, {self.foreign} in the database alone,"
            f" {self.broken} times a journal did not hold; {self.delivered_late} rows were delivered after the end"
        )


class Referee:
    """A process that plays and tells what was confirmed, started as often as need be."""

    def __init__(self, path: Path, database: Database, pause_s: float) -> None:
        self._pause_s = pause_s
        self._path, self._database = path, database
        self.confirmed: dict[tuple[str, int], str] = {}
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    def start(self, seed: int) -> None:
        """Go on playing; it plays when this returns."""
        told = [str(self._path), str(seed), "1", self._database.url, str(self._pause_s)]
        command = [sys.executable, "-m", "tests.reliability.player", *told]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None and self._process.stdout.readline()
        self._reader = threading.Thread(target=self._read, args=(self._process,))
        self._reader.start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            words = line.split()
            if line.endswith("\n") and len(words) == 3:
                self.confirmed[words[0], int(words[1])] = words[2]

    def kill(self) -> None:
        """Kill it; every line that it wrote has been read afterwards."""
        if self._process is not None and self._reader is not None:
            self._process.kill()
            self._reader.join()
            self._process.wait()
            self._process = None


def run(path: Path, times: int, seed: int, server: PostgreSQL, network: BadNetwork | None = None) -> Found:
    """Play into one journal and one database while either dies; both are compared after every kill and in the end."""
    rng = Random(seed)
    database = server.database()
    inside = server.within(database)
    referee = Referee(path, database, 0.0 if network is None else PAUSE_S)
    longest_s = LONGEST_S if network is None else FAR_LONGEST_S
    killed = {"referee": 0, "database": 0, "wire": 0}
    foreign = broken = 0
    try:
        referee.start(seed)
        for kill in range(times):
            time.sleep(rng.uniform(0.0, longest_s))
            what = rng.choice(list(killed) if network is not None else ["referee", "database"])
            killed[what] += 1
            if what == "referee":
                referee.kill()
                referee.start(seed * 10_000 + kill)
            elif what == "database":
                server.kill()
                time.sleep(rng.uniform(0.0, LONGEST_S / 2))
                server.start()
            elif network is not None:
                network.cut.set()
                time.sleep(rng.uniform(0.0, 4 * LONGEST_S))
                network.cut.clear()
            try:
                foreign += _foreign(path, inside)
            except JournalError as error:
                print(f"kill {kill}: {error}", file=sys.stderr)
                broken += 1
        time.sleep(LONGEST_S)
    finally:
        referee.kill()
    before = _rows(inside)
    journal = Journal.open(path)
    with Delivery(journal, database, backoff_s=(0.02, 0.5)) as delivery:
        broken += not delivery.wait(DELIVERED_S)
    journal.close()
    here, there = check(path), _rows(inside)
    lost = sum(here.get(row) != said or there.get(row) != said for row, said in referee.confirmed.items())
    foreign += sum(here.get(row) != said for row, said in there.items())
    return Found(times, *killed.values(), len(referee.confirmed), lost, foreign, broken, len(there) - len(before))


def _rows(database: Database) -> dict[tuple[str, int], str]:
    """Every row of the database, its chain checked and its games replayed."""
    journal = DatabaseJournal.read(database)
    kept = {}
    for header in journal.games():
        rows = journal.rows(header.id)
        assert replay(GAMES[header.game], header, rows).change is None
        kept.update({(header.id, row.n): row.hash for row in rows})
    journal.close()
    return kept


def _foreign(path: Path, database: Database) -> int:
    """Rows of the database that the referee's file does not have as they are.

    :raises JournalError: one of them cannot be read, or a chain does not hold.
    """
    club = DatabaseJournal.open(database)
    try:
        there = {header.id: club.rows(header.id) for header in club.games()[-3:]}
    finally:
        club.close()
    own = Journal.read(path)
    try:
        return sum(row not in own.rows(game) for game, rows in there.items() for row in rows)
    finally:
        own.close()


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--network", action="store_true", help="behind a network that drops and delays packets")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        network = None
        if given.network:
            network = stack.enter_context(BadNetwork(lost=LOST, delay_s=DELAY_S, seed=given.seed))
        server = PostgreSQL() if network is None else PostgreSQL(FAR, network.namespace)
        stack.callback(server.stop)
        server.start()
        found = run(folder / "games.journal", given.times, given.seed, server, network)
        if network is not None:
            print(f"{network.dropped} of {network.dropped + network.carried} packets were lost")
    print(found)
    return 0 if found.good else 1


if __name__ == "__main__":
    sys.exit(main())
