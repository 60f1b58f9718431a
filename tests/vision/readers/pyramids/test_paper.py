"""Paper pyramids are known by their print, and plastic ones are never taken for paper."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from companion.core.pieces import Pyramid
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.manifest import MAT, plan
from simulation.drawn.regenbogen_mat import stands
from simulation.drawn.scene import random_scene
from simulation.printed.known_prints import known_sides
from simulation.printed.readings import stacks_on_board, stacks_read
from vision.readers.pyramids import paper
from vision.readers.pyramids.blind_zones import CellGrid
from vision.readers.pyramids.board_stacks import BoardStacks
from vision.readers.pyramids.paper import FILE, PAPER
from vision.readers.pyramids.reader import read
from vision.registration.registered_image import RegisteredImage, find_table
from vision.table_reader import TableReader


def evidence_of(table: RegisteredImage) -> float:
    boards = [BoardStacks(CellGrid(zone), zone.stacks) for zone in plan(2).zones if hasattr(zone, "stacks")]
    return read(table.picture, table.pose, table.light, table.mat, boards=boards).paper


def test_the_bundled_sides_are_those_that_are_printed() -> None:
    with np.load(FILE) as kept:
        assert np.abs(kept["sides"].astype(float) - known_sides()).mean() < 2


@pytest.mark.parametrize("seed", [50, 57])
def test_plastic_is_not_taken_for_paper(seed: int) -> None:
    rng = Random(seed)
    scene = random_scene(rng, MAT, tilt_deg=30.0 * (seed % 2), things=0)
    picture = scene.picture(stands(REGENBOGEN.start(2, REGENBOGEN.Options()), rng))
    assert evidence_of(find_table(picture, MAT)) < 0


def test_paper_is_known_by_its_print() -> None:
    picture, _ = stacks_on_board(500)
    assert evidence_of(find_table(picture, MAT)) > PAPER


def test_stacks_are_found_in_cells_where_the_nets_see_bare_board(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = stacks_read(500)
    assert not compared.wrong
    monkeypatch.setattr(paper.PaperPyramids, "_overlooked", lambda *_: [])
    without = TableReader(plan(2)).read(compared.picture).layout.cells
    assert without["f7"].piece is None
    assert without["d3"].piece is None


def test_nothing_lies_where_the_print_of_a_stack_explains_more() -> None:
    picture, tops = stacks_on_board(61010)
    assert tops["f2"] == Pyramid("white", "small")
    assert TableReader(plan(2)).read(picture).layout.cells["f2"].piece == tops["f2"]
