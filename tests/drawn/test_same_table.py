"""A table is known again by its grain, whatever stands on it; another plank of the same wood is not it."""

from __future__ import annotations

from random import Random

import pytest

from companion.errors import WrongTable
from companion.games.regenbogen import REGENBOGEN
from companion.games.regenbogen.plan import MAT
from simulation.drawn.regenbogen_mat import stands
from simulation.drawn.scene import random_scene
from vision.calibrating import calibrate
from vision.calibration.calibration import Calibration
from vision.picture import Picture
from vision.registered_image import find_table


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
