"""Regenbogen refereed from drawn pictures: `python -m bench.regenbogen_games [--games 20] [--plain] [--each]`.

Random moves and summons, one a picture, on drawn tables with cameras from straight above to 30 degrees aside; stacks
stay where they were put. Each table is shown empty first, unless `--plain`. Nobody answers: a game ends at the first
event after which record and table disagree.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from companion.app.commands.watch import RecordingReferee
from companion.core.contract import Event
from companion.core.foundation.errors import SeeError
from companion.core.recording import Recording
from companion.core.verdict import Refused, Unclear
from companion.games.regenbogen.board import CELLS
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.manifest import MAT, plan
from companion.games.regenbogen.moves import EndTurn, Go, Summon
from companion.games.regenbogen.state import RegenbogenState
from companion.referee.journal import Journal
from simulation.drawn.regenbogen_mat import put_down
from simulation.drawn.scene import random_scene
from simulation.drawn.standing import Upright
from vision.setup.calibrating import calibrate
from vision.table_reader import TableReader

TILTS_DEG = (0.0, 15.0, 30.0)
SUMMONS = 0.3
"""So many events are summons, where one is possible."""
LOOKS = 2
"""Pictures of a steady table that are read before it counts as silent."""


class DrawnGame:
    """One game on one drawn table."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"regenbogen {seed}")
        self.scene = random_scene(self.rng, MAT, tilt_deg=self.rng.choice(TILTS_DEG), things=0)
        self.state: RegenbogenState = REGENBOGEN.start(2, REGENBOGEN.Options())
        self._standing: dict[int, Upright] = {}

    def step(self) -> Event | None:
        """Returns the next move or summon, whoever's turn it is after that; None if there is none."""
        moves = self.state.legal_moves()
        goes, summons = ([move for move in moves if isinstance(move, kind)] for kind in (Go, Summon))
        some = summons if summons and (not goes or self.rng.random() < SUMMONS) else goes
        if not some:
            return None
        event = self.rng.choice(some)
        self.state = self.state.apply(event)
        return event

    def end_turn(self) -> None:
        """Ends a turn whose piece has moved and does no more; the table shows nothing of it."""
        self.state = next(
            (self.state.apply(move) for move in self.state.legal_moves() if isinstance(move, EndTurn)), self.state
        )

    def stacks(self) -> list[Upright]:
        """The pieces on the board; an untouched piece stands as it stood."""
        self._standing = {
            cell: self._kept(cell, put_down(CELLS[cell], one, self.state.spells, self.rng))
            for cell, one in enumerate(self.state.board)
            if one
        }
        return list(self._standing.values())

    def _kept(self, cell: int, new: Upright) -> Upright:
        old = self._standing.get(cell)
        return old if old is not None and old.pieces == new.pieces else new


def played(seed: int, steps: int, plain: bool) -> Iterator[tuple[str, str]]:
    """The outcome of each event, and all messages, in words."""
    game = DrawnGame(seed)
    empty = None if plain else calibrate("pyramids", MAT, [game.scene.picture(())]).calibration
    with TemporaryDirectory(prefix="companion-regenbogen-") as folder:
        journal = Journal.open(Path(folder) / "journal.sqlite")
        try:
            reader = TableReader(plan(2), empty)
            recording = Recording(("White", "Black"), {}, None, plan(2), draws="told")
            referee = RecordingReferee("regenbogen", recording, journal, reader=reader)
            number = 1
            try:
                referee.look(game.scene.picture(game.stacks()), number)
            except SeeError as error:
                yield "not begun", str(error)
                return
            for _ in range(steps):
                event = game.step()
                if event is None:
                    return
                said, stacks = [], game.stacks()
                for _ in range(LOOKS):
                    number += 1
                    said += [told.text for told in referee.look(game.scene.picture(stacks), number)]
                session = referee.table.session
                verdict = None if session.alert is None else session.alert.verdict
                right = not session.state.layout().differences(game.state.layout())
                yield _outcome(right, verdict), f"{game.scene.table}: {event}; told: {' | '.join(said) or 'nothing'}"
                if not right:
                    return
                game.end_turn()
        finally:
            journal.close()


def _outcome(right: bool, verdict: object) -> str:
    if isinstance(verdict, Refused):
        return "accused"
    if right:
        return "right" if verdict is None else "right, and something is asked"
    return "asked" if isinstance(verdict, Unclear) else "silent or wrong"


def main() -> None:
    """Play and print what became of all events."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--events", type=int, default=10, help="in each game at most")
    parser.add_argument("--plain", action="store_true", help="tables are not shown empty first")
    parser.add_argument("--each", action="store_true", help="a line for each event that is not right")
    args = parser.parse_args()
    found: Counter[str] = Counter()
    for seed in range(args.seed, args.seed + args.games):
        for outcome, words in played(seed, args.events, args.plain):
            found[outcome] += 1
            if args.each and outcome != "right":
                print(f"game {seed}, {outcome}: {words}")
    for outcome, count in found.most_common():
        print(f"{count:5d} of {found.total()} events ({count / found.total():.3f}) {outcome}")


if __name__ == "__main__":
    main()
