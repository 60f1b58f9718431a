"""Dice of any color and size: drawn trays of one box each, of every plastic that shops sell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from companion.core.plan import Mat
from simulation.drawn.pip_plastic import FAMILIES
from simulation.drawn.pip_trays import drawn_tray
from vision.calibration.taught import LOOK_PX, TaughtDice
from vision.image.picture import Picture
from vision.readers.dice.marked_faces import face_odds
from vision.readers.dice.reader import SeenDie, read_dice
from vision.registration.registered_image import RegisteredImage, find_table

NEAR_MM = 8.0
SURE = 0.9


def table_of(picture: Picture, label: dict[str, Any]) -> RegisteredImage:
    mat = label["mat"]
    return find_table(picture, Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"]))


def nearest(dice: tuple[SeenDie, ...], die: dict[str, Any]) -> SeenDie | None:
    near = [one for one in dice if math.hypot(one.place.x_mm - die["x"], one.place.y_mm - die["y"]) < NEAR_MM]
    return max(near, key=lambda one: one.sighting.confidence, default=None)


def drawn_look(seed: int) -> np.ndarray:
    look = np.zeros((LOOK_PX, LOOK_PX), np.float32)
    for row, column in np.random.default_rng(seed).integers(5, LOOK_PX - 8, (5, 2)):
        look[row : row + 3, column : column + 5] = 1
    return look


def test_dice_of_any_plastic_are_found_and_none_is_surely_wrong() -> None:
    answers = []
    for family in FAMILIES:
        picture, label = drawn_tray(700, family)
        dice = read_dice(table_of(picture, label))
        for die in (die for die in label["truth"]["dice"] if not die["logo"]):
            seen = nearest(dice, die)
            good = seen is not None and seen.die.face == die["face"]
            answers.append(good)
            assert good or seen is None or seen.sighting.confidence < SURE, (family, die)
    assert sum(answers) >= 0.75 * len(answers)


def test_a_taught_drawing_names_its_face_and_another_one_does_not() -> None:
    taught = TaughtDice().with_look(3, drawn_look(1))
    assert int(np.argmax(face_odds(drawn_look(1), (), taught))) + 1 == 3
    assert face_odds(drawn_look(1), (), taught)[2] > 0.9
    assert int(np.argmax(face_odds(drawn_look(2), (), taught))) + 1 != 3


def test_a_drawing_that_nobody_taught_is_never_surely_read() -> None:
    for shown in ((), (6,), (1, 2, 3, 4, 5)):
        assert max(face_odds(drawn_look(1), shown, TaughtDice())) < SURE


def test_a_face_that_other_dice_show_with_pips_is_hardly_the_drawn_one() -> None:
    odds = face_odds(drawn_look(1), (6, 2), TaughtDice())
    assert odds[0] == max(odds) and odds[5] < 0.1
