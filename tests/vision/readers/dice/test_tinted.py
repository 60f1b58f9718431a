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
from vision.readers.dice.box import box_of
from vision.readers.dice.candidates import LEVEL_MM
from vision.readers.dice.marked_faces import face_odds, look_of
from vision.readers.dice.outline import DiePlace, refined, seeds
from vision.readers.dice.palette import learned
from vision.readers.dice.pips import top_patch
from vision.readers.dice.plane import tray_plane
from vision.readers.dice.reader import SeenDie, read_dice
from vision.readers.dice.solids import cube
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


def test_a_taught_drawing_is_found_on_ground_of_the_dice_s_own_color() -> None:
    picture, label = drawn_tray(807, "speckled")
    table = table_of(picture, label)
    one, other = (die for die in label["truth"]["dice"] if die["logo"])
    untaught = read_dice(table)
    assert nearest(untaught, one) is None and nearest(untaught, other) is None
    taught = TaughtDice().with_look(one["face"], look_at(table, untaught, one))
    again = nearest(read_dice(table, taught=taught), other)
    assert again is not None and again.die.face == other["face"]


def look_at(table: RegisteredImage, dice: tuple[SeenDie, ...], die: dict[str, Any]) -> np.ndarray:
    """Returns the look of the top face that lies where a die was drawn."""
    box = box_of([one.candidate for one in dice if one.candidate.pips is not None], learned())
    assert box is not None
    solid, plane = cube(box.side_mm), tray_plane(table, LEVEL_MM, None)
    (starts,) = seeds(plane, (solid,), 0.4, 60)
    for start in refined(plane, solid, starts):
        on_plane = table.pose.project(np.array([[start.x_mm, start.y_mm, plane.z_mm]]))
        x, y = (float(value) for value in table.pose.unproject(on_plane, box.side_mm)[0])
        if math.hypot(x - die["x"], y - die["y"]) < NEAR_MM / 2:
            return look_of(top_patch(table, DiePlace(x, y, start.yaw_deg, start.score), box.side_mm), box)[0]
    raise AssertionError("there is no outline where the die was drawn")
