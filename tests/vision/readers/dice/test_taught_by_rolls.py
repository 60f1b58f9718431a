"""Confirmed and corrected rolls teach how these dice look."""

from __future__ import annotations

import numpy as np

from companion.core.layout import Detection, Layout
from companion.core.pieces import WHEEL, Die
from companion.core.plan import DiceTray, Plan
from simulation.dice_pictures import MAT, Drawn, Shares, tray
from vision.calibration.taught import TaughtDice
from vision.readers.dice.palette import learned
from vision.readers.dice.zones import DiceTrayEyes
from vision.table_reader import TableReader

PLAN = Plan(MAT, (DiceTray(),))
ROLL = ("red", "orange", "yellow", "green")


def of_another_make() -> Shares:
    """Dice whose orange is nearly as red as the usual red-orange."""
    shares = list(learned().palette.shares)
    orange, red_orange = WHEEL.index("orange"), WHEEL.index("red-orange")
    mixed = 0.1 * np.array(shares[orange]) + 0.9 * np.array(shares[red_orange])
    shares[orange] = (float(mixed[0]), float(mixed[1]), float(mixed[2]))
    return shares


def roll(turn_deg: float, faces: tuple[str, ...] = ROLL) -> tuple[Drawn, ...]:
    places = ((60, 60), (120, 55), (180, 70), (90, 120))
    return tuple(Drawn("spectrum-d12", face, x, y, turn_deg) for face, (x, y) in zip(faces, places, strict=True))


def shown(dice: tuple[Drawn, ...]) -> Layout:
    return Layout(heaps={"dice": tuple(Detection.sure(Die(die.kind, die.face)) for die in dice)})


def faces_read(reader: TableReader, dice: tuple[Drawn, ...], seed: int) -> list[str | int]:
    heap = reader.read(tray(dice, seed=seed, shares=of_another_make())).layout.heaps["dice"]
    return sorted((one.piece.face for one in heap if isinstance(one.piece, Die)), key=str)


def test_corrected_rolls_teach_colors_for_the_rest_of_the_evening() -> None:
    reader = TableReader(PLAN)
    assert faces_read(reader, roll(0), 0) != sorted(ROLL)
    for k in range(4):
        reader.read(tray(roll(7.0 + 9 * k), seed=k, shares=of_another_make()))
        reader.confirm_position(shown(roll(0)))
    assert faces_read(reader, roll(3), 9) == sorted(ROLL)


def test_a_position_with_other_dice_than_were_read_teaches_nothing() -> None:
    reader = TableReader(PLAN)
    reader.read(tray(roll(0)))
    reader.confirm_position(shown(roll(0)[:3]))
    assert not reader.taught.dice


def test_dice_that_lie_as_they_lay_teach_once() -> None:
    reader = TableReader(PLAN)
    reader.read(tray(roll(0)))
    reader.confirm_position(shown(roll(0)))
    known = reader.taught.dice
    assert set(known.colors) == set(ROLL)
    reader.read(tray(roll(0), seed=3))
    reader.confirm_position(shown(roll(0)))
    assert reader.taught.dice == known


def test_the_knowledge_of_an_earlier_evening_is_where_it_begins() -> None:
    known = TaughtDice().with_color("red", (0.1, 0.1, 0.9))
    assert DiceTrayEyes(known).taught == known
    assert known.with_color("red", (0.1, 0.1, 0.6)).colors["red"] == (0.1, 0.1, 0.8)
