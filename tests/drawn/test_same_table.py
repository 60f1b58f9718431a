"""A table is known again by its grain, whatever stands on it and throws shadows; another plank of the wood is not it."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.foundation.errors import WrongTable
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.manifest import MAT, plan
from simulation.drawn.regenbogen_mat import stands
from simulation.drawn.scene import random_scene
from vision.calibration.calibration import Calibration
from vision.calibration.drift import drift
from vision.image.picture import Picture
from vision.registration.registered_image import find_table
from vision.setup.calibrating import calibrate
from vision.setup.known_table import MOVED
from vision.table_reader import TableReader, outlines_px


def pine(seed: int) -> tuple[Calibration, Picture]:
    """A drawn table that was shown empty, and the same one with 16 stacks on it, dark shadows around them."""
    rng = Random(seed)
    scene = random_scene(rng, MAT, tilt_deg=0.0, things=0)
    assert scene.table == "pine"
    stacks = stands(REGENBOGEN.start(2, REGENBOGEN.Options()), rng)
    return calibrate("pyramids", MAT, [scene.picture(())]).calibration, scene.picture(stacks)


def test_pieces_and_their_shadows_make_no_other_table_of_it() -> None:
    known, game = pine(29)
    other, other_game = pine(37)
    for calibration, picture in ((known, game), (other, other_game)):
        assert find_table(picture, MAT, calibration=calibration).calibration is calibration
    for calibration, picture in ((known, other_game), (other, game)):
        with pytest.raises(WrongTable):
            find_table(picture, MAT, calibration=calibration)


def test_long_shadows_of_tall_stacks_are_no_moved_cloth() -> None:
    known, game = pine(37)
    table = find_table(game, MAT, calibration=known)
    marks = TableReader(plan(2), known).read(game).marks
    found = drift(table.picture, table.pose, table.light, known.empty, outlines_px(marks, table))
    assert found is not None
    assert found.moved < MOVED / 2
