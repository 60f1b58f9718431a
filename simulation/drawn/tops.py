"""Fits the weights of contours in recognizing Regenbogen's stacks: `python -m simulation.drawn.tops`.

Draws tables with random positions, each alone and beside its empty picture, finds the stacks, and fits which of the
game's own stacks is the true one at each place (`vision.readers.pyramids.board_stacks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import click
import numpy as np
from msgspec.structs import replace

from companion.core.plan import PyramidBoard
from companion.games.regenbogen.board import CELLS, NAMES
from companion.games.regenbogen.data import DATA
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.kinds import KIND, OWNER, SPIRITS, START_HEALTH, piece
from companion.games.regenbogen.manifest import MAT, plan
from companion.games.regenbogen.state import RegenbogenState
from simulation.drawn.regenbogen_mat import stands
from simulation.drawn.scene import random_scene
from simulation.drawn.standing import Upright
from vision.readers.pyramids import reader
from vision.readers.pyramids.blind_zones import CellGrid
from vision.readers.pyramids.board_stacks import FILE, BoardStacks
from vision.readers.pyramids.cells import WEIGHTS, Answers
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.sheet import Sheet, Viewer
from vision.readers.pyramids.training.contours import FitChoice, fitted, keep_fits
from vision.readers.pyramids.weighing import Weigher
from vision.registration.registered_image import find_table
from vision.setup.calibrating import calibrate

TILTS_DEG = (0.0, 0.0, 15.0, 30.0)
"""The tilts of the camera from straight above, where tops are hardest to recognize."""
AT_START = 0.3
"""The share of tables that show the initial position; the others have random health and some Spirits."""
SUMMONED = 0.12
"""The share of vacant cells that have a Spirit in those others."""
NEAR_MM = 12.0
"""The largest distance between a found place and its stack."""


@click.command()
@click.option("--tables", default=90, show_default=True, type=click.IntRange(1), help="The number of drawn tables.")
@click.option("--seed", default=1000, show_default=True, help="The seed of the first table.")
@click.option("-o", "--out", default=WEIGHTS / FILE, type=click.Path(path_type=Path), help="The file to write.")
def main(tables: int, seed: int, out: Path) -> None:
    """Draw tables and fit the weights of contours."""
    found = [choice for number in range(seed, seed + tables) for choice in choices(number)]
    keep_fits(fitted(found), out)
    click.echo(f"{len(found)} places: {out}")


def choices(seed: int) -> list[FitChoice]:
    """Returns the choices at each stack of one drawn table, first alone and then beside the empty table."""
    rng = Random(seed)
    scene = random_scene(rng, MAT, tilt_deg=rng.choice(TILTS_DEG), things=0)
    start = REGENBOGEN.start(2, REGENBOGEN.Options())
    stacks = stands(start if rng.random() < AT_START else played(start, rng), rng)
    picture, known = scene.picture(stacks), calibrate("pyramids", MAT, [scene.picture(())]).calibration
    (board,) = plan(2).zones
    assert isinstance(board, PyramidBoard)
    found: list[FitChoice] = []
    for calibration in (None, known):
        table = find_table(picture, MAT, calibration=calibration)
        asked = _Asked(CellGrid(board), board.stacks or (), stacks, [])
        empty = None if calibration is None else calibration.empty
        reader.read(table.picture, table.pose, table.light, MAT, empty=empty, boards=[asked])
        found += asked.choices
    return found


def played(state: RegenbogenState, rng: Random) -> RegenbogenState:
    """Returns the same pieces with random health and spells, and with Spirits in some of the vacant cells."""
    board = bytearray(len(CELLS))
    for cell, one in enumerate(state.board):
        if one:
            board[cell] = piece(OWNER[one], KIND[one], rng.choice((0, 1, *range(START_HEALTH[KIND[one]] + 1))))
        elif rng.random() < SUMMONED:
            kind = SPIRITS + rng.randrange(len(NAMES))
            board[cell] = piece(rng.randrange(2), kind, rng.randint(0, START_HEALTH[SPIRITS]))
    white, black = (rng.randint(0, DATA.cleric.spells_max) for _ in state.spells)
    return type(state)(bytes(board), (white, black), state.turn, state.dead, state.options, state.history)


class _Asked(BoardStacks, frozen=True):
    """A recognizer of stacks that records the choice at each place instead of making it."""

    true: Sequence[Upright]
    choices: list[FitChoice]

    def among(
        self, found: Sequence[FoundPieces], answers: Answers, sheet: Sheet, pose: Viewer, weigher: Weigher
    ) -> list[FoundPieces]:
        for one in found:
            x, y = one.place.x_mm, one.place.y_mm
            near = min(self.true, key=lambda stack: np.hypot(stack.x_mm - x, stack.y_mm - y))
            if one.place.lies or np.hypot(near.x_mm - x, near.y_mm - y) > NEAR_MM:
                continue
            seen = near.seen
            shapes = [stack.sizes for stack in self.stacks if seen[-1].color in stack.colors]
            places = [replace(one.place, sizes=sizes) for sizes in shapes]
            features = np.stack([one for _, one in weigher.around(places, pose).fitted(places)])
            true = next(k for k, sizes in enumerate(shapes) if list(sizes) == [piece.size for piece in seen])
            self.choices.append(FitChoice(features, np.zeros(len(features), bool), true))
        return list(found)


if __name__ == "__main__":
    main()
