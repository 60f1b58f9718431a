"""Dice that lean are told as cocked, those that lie flat are not."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench.dice import BUNDLED
from companion.core.plan import DiceTray, Plan
from simulation.dice_pictures import MAT, NINE, Drawn, camera, tray
from vision.domains import domain_reader
from vision.image.picture import read_picture
from vision.readers.dice.lean import MARGIN, leans, rotations
from vision.readers.dice.reader import SeenDie, read_dice
from vision.readers.dice.solids import turned
from vision.registration.registered_image import find_table
from vision.table_reader import TableReader

OTHERS = (Drawn("spectrum-d12", "blue", 60, 50, 20), Drawn("pips-d6", 3, 180, 60, 30))


def dice(tilted: Drawn, oblique: bool, seed: int = 0) -> tuple[SeenDie, ...]:
    return read_dice(find_table(tray((*OTHERS, tilted), camera(oblique), seed=seed), MAT))


@pytest.mark.parametrize("tilt", [18, 25])
@pytest.mark.parametrize("yaw", [0, 35])
@pytest.mark.parametrize(("kind", "face"), [("spectrum-d6", "red"), ("spectrum-d12", "orange-yellow"), ("pips-d6", 4)])
def test_a_die_that_leans_is_cocked(kind: str, face: str | int, yaw: float, tilt: float) -> None:
    seen = dice(Drawn(kind, face, 120, 120, yaw, tilt), oblique=True)
    cocked = [die for die in seen if die.cocked]
    assert len(cocked) == 1 and len(seen) == 3
    assert np.hypot(cocked[0].place.x_mm - 120, cocked[0].place.y_mm - 120) < 12


@pytest.mark.parametrize("oblique", [True, False])
def test_flat_dice_fit_better_flat(oblique: bool) -> None:
    table = find_table(tray(NINE, camera(oblique)), MAT)
    seen = read_dice(table)
    assert not any(die.cocked for die in seen)
    assert max(lean.gain for lean in leans(table, [die.candidate for die in seen])) < MARGIN / 2


def test_no_die_of_a_photograph_is_called_cocked() -> None:
    for path in sorted(BUNDLED.glob("*.json")):
        label = json.loads(path.read_text())
        hidden = len(label["mat"]["visible_ids"]) < 4
        table = find_table(read_picture(BUNDLED / label["image"]), MAT, label["mat"]["corners_px"] if hidden else None)
        assert not any(die.cocked for die in read_dice(table)), label["image"]


def test_a_cocked_die_is_no_piece_of_the_heap_before_it_lies_flat() -> None:
    picture = tray((*OTHERS, Drawn("spectrum-d6", "green", 120, 120, 20, 25)))
    reading = TableReader(Plan(MAT, (DiceTray(),))).read(picture)
    assert len(reading.layout.heaps["dice"]) == 2
    assert len(reading.layout.heaps["dice.cocked"]) == 1
    assert [mark.kind for mark in reading.marks if mark.label == "cocked"] == ["doubt"]


def test_recognize_says_which_are_cocked() -> None:
    picture = tray((*OTHERS, Drawn("spectrum-d12", "green", 120, 120, 20, 25)))
    said = domain_reader("dice")(find_table(picture, MAT)).truth()
    assert sorted(die["cocked"] for die in [*said["dice"], *said["cocked"]]) == [False, False, True]


def test_a_position_without_tilt_is_a_turn_on_the_tray() -> None:
    points = np.array([[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]])
    (turn,) = rotations(np.array([[0.0, 0.0, 33.0, 0.0, 0.0]]))
    assert np.allclose(points @ turn.T, turned(points, 33.0))
    (tilt,) = rotations(np.array([[0.0, 0.0, 0.0, 90.0, 0.0]]))
    assert np.allclose(tilt @ (0, 0, 1), (0, -1, 0)), "tilted about x, what looked up looks to the far side"
