"""Measures how well tops of Regenbogen's stacks are read from drawn pictures: the start, and a board with little
health left.

Drawn tables, seven surfaces and lamps at random, seen from straight above and from aside; alone, and beside a picture
of the same table without pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bench.figure import Figure
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.kinds import piece
from companion.games.regenbogen.manifest import MAT, plan
from companion.games.regenbogen.state import RegenbogenState
from simulation.drawn.regenbogen_mat import stands
from simulation.drawn.scene import random_scene
from vision.setup.calibrating import calibrate
from vision.table_reader import TableReader

_TABLES = 12
_VIEWS = {"from above": 0.0, "from 30 degrees aside": 30.0}


def worn(state: RegenbogenState, rng: Random) -> RegenbogenState:
    """Returns the same pieces with 0 or 1 health each."""
    board = bytes((one & ~7) | rng.randint(0, 1) if one >= piece(0, 0, 0) else one for one in state.board)
    return type(state)(board, state.spells, state.turn, state.dead, state.options, state.history)


def figures() -> Iterator[Figure]:
    """Share of occupied cells whose top is read right, and of vacant ones that are read as vacant."""
    start = REGENBOGEN.start(2, REGENBOGEN.Options())
    for name, state in (("start", start), ("0 or 1 health each", worn(start, Random(1)))):
        for view, tilt_deg in _VIEWS.items():
            right = {(shown, occupied): 0 for shown in (False, True) for occupied in (False, True)}
            every = {True: 0, False: 0}
            for number in range(_TABLES):
                rng = Random(number)
                scene = random_scene(rng, MAT, tilt_deg=tilt_deg, things=0)
                picture = scene.picture(stands(state, rng))
                known = calibrate("pyramids", MAT, [scene.picture(())]).calibration
                for top in state.tops.values():
                    every[top is not None] += 1
                for shown, calibration in ((False, None), (True, known)):
                    cells = TableReader(plan(2), calibration).read(picture).layout.cells
                    for spot, top in state.tops.items():
                        right[shown, top is not None] += spot in cells and cells[spot].piece == top
            for shown, how in ((False, ""), (True, ", beside the empty table")):
                yield Figure(f"{name}, {view}{how}: tops", right[shown, True] / every[True], "right")
                yield Figure(f"{name}, {view}{how}: vacant cells", right[shown, False] / every[False], "right")
