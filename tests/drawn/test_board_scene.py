"""Drawn boards and trays are what they say, and read as such: dice by face, pawns by space, nudged ones as before."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from companion.core.layout import Detection, Layout
from companion.core.pieces import PRIMARIES, WHEEL, Die, Pawn
from companion.core.plan import DiceTray, PawnBoard, Plan
from companion.games.shared import color_dice
from companion.games.spectrum.plan import MAT
from simulation.drawn.board_scene import BoardScene
from simulation.drawn.camera import camera_over
from simulation.drawn.dice import LyingDie
from simulation.drawn.lamp import Lamp
from simulation.drawn.pawns import StandingPawn
from simulation.drawn.sensor import Sensor
from vision.readers.pawns.wheel import SPACES, THICK_MM, Wheel
from vision.table_reader import TableReader

SENSOR = Sensor(0.1, 0.6, 1.2, 90)
WHEEL_MM = Wheel(278.0, 283.0, 240.0, 31.0)
PAWNS = {
    "red": ("yellow.1", "blue.4", "green.7", "orange-yellow.9"),
    "orange": ("green.3", "blue-purple.5", "purple.8"),
    "yellow": ("red.2", "green-blue.6", "purple-red.9"),
    "green": ("red.5", "orange.1", "blue-purple.2"),
    "blue": ("orange.4", "yellow-green.6", "red-orange.8"),
    "purple": ("yellow.3", "orange-yellow.6", "green.1"),
}


def over_tray(table: str) -> BoardScene:
    camera = camera_over(color_dice.MAT, 28, 10, 1.0, 980)
    lamp = Lamp((-400.0, 500.0, 900.0), (0.36, 0.38, 0.40), (0.26, 0.26, 0.25), (120.0, 90.0), 0.15)
    return BoardScene(color_dice.MAT, camera, lamp, SENSOR, table, 3)


def thrown(dice: list[Die], seed: int) -> list[LyingDie]:
    """Dice side by side, each turned in its own way."""
    rng = Random(seed)
    places = [(55.0 + 44 * column, 38.0 + 52 * row) for row in range(3) for column in range(4)]
    found = []
    for die, (x, y) in zip(dice, rng.sample(places, len(dice)), strict=True):
        found.append(LyingDie(die, x + rng.uniform(-5, 5), y + rng.uniform(-5, 5), rng.uniform(0, 90)))
    return found


@pytest.mark.parametrize("table", ["grey cloth", "oak"])
def test_every_face_of_the_dice_is_drawn_as_the_reader_knows_it(table: str) -> None:
    scene = over_tray(table)
    every = [Die("spectrum-d12", color) for color in WHEEL] + [Die("spectrum-d6", color) for color in PRIMARIES]
    for number in range(2):
        dice = every[number::2]
        seen = TableReader(color_dice.plan()).read(scene.picture(thrown(dice, number))).layout
        assert not Layout(heaps={"dice": tuple(map(Detection.sure, dice))}).differences(seen)


def test_an_empty_tray_is_empty() -> None:
    for table in ("grey cloth", "white laminate"):
        assert TableReader(color_dice.plan()).read(over_tray(table).picture([])).layout.heaps["dice"] == ()


def test_pawns_are_read_on_their_spaces_and_a_nudge_is_no_move() -> None:
    camera = camera_over(MAT, 20, 12, -1.0, 980)
    lamp = Lamp((600.0, -400.0, 1300.0), (0.36, 0.38, 0.40), (0.27, 0.27, 0.26), (280.0, 280.0), 0.2)
    scene = BoardScene(MAT, camera, lamp, SENSOR, "white laminate", 5, wheel=WHEEL_MM)
    middles = dict(zip([space.spot for space in SPACES], WHEEL_MM.to_table(WHEEL_MM.middles()), strict=True))
    rng = Random(4)
    there = {spot: Pawn(color) for color, spots in PAWNS.items() for spot in spots}
    truth = Layout({space.spot: Detection.sure(there.get(space.spot)) for space in SPACES})
    reader = TableReader(Plan(MAT, (PawnBoard(),)))
    for _ in range(2):
        pawns = []
        for spot, pawn in there.items():
            x, y = middles[spot] + np.array([rng.uniform(-2.5, 2.5), rng.uniform(-2.5, 2.5)])
            pawns.append(StandingPawn(pawn.color, float(x), float(y), THICK_MM))
        assert not truth.differences(reader.read(scene.picture([], pawns)).layout)


def test_a_tray_beside_the_board_is_read_in_the_same_picture() -> None:
    camera = camera_over(MAT, 24, -8, 1.5, 980)
    lamp = Lamp((-500.0, 900.0, 1300.0), (0.38, 0.40, 0.41), (0.26, 0.26, 0.25), (280.0, 280.0), 0.16)
    scene = BoardScene(MAT, camera, lamp, SENSOR, "oak", 6, wheel=WHEEL_MM)
    dice = [
        LyingDie(Die("spectrum-d6", color), 650.0, 190.0 + 60 * k, 20.0 * k) for k, color in enumerate(PRIMARIES[:4])
    ]
    zone = DiceTray("dice", ((612, 150), (800, 150), (800, 410), (612, 410)))
    seen = TableReader(Plan(MAT, (zone,))).read(scene.picture(dice)).layout
    assert not Layout(heaps={"dice": tuple(Detection.sure(one.die) for one in dice)}).differences(seen)
