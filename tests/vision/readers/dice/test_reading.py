"""Pictures of trays: every die with its kind, its face and its place, and nothing where nothing lies."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench.dice import BUNDLED, read_all, right
from companion.core.layout import Layout
from companion.core.plan import DiceTray, Plan
from simulation.dice_pictures import MAT, NINE, camera, glaring, tray
from vision.domains import domain_reader
from vision.image.picture import read_picture
from vision.readers.dice.reader import SeenDie, read_dice
from vision.registration.registered_image import find_table
from vision.table_reader import TableReader

NAMES = sorted(path.stem for path in BUNDLED.glob("*.json"))


@pytest.mark.parametrize("oblique", [True, False])
def test_a_drawn_tray_of_nine_is_read(oblique: bool) -> None:
    dice = read_dice(find_table(tray(NINE, camera(oblique)), MAT))
    assert len(dice) == len(NINE)
    for one in NINE:
        seen = nearest(dice, one.x_mm, one.y_mm)
        assert (seen.die.kind, seen.die.face, seen.cocked) == (one.kind, one.face, False)
        assert np.hypot(seen.place.x_mm - one.x_mm, seen.place.y_mm - one.y_mm) < 1.5


@pytest.mark.parametrize("toward", [(1.0, 0.0), (-1.0, 0.0), (0.6, 0.8)])
def test_colored_faces_half_white_with_glare_are_read(toward: tuple[float, float]) -> None:
    colored = [die for die in NINE if die.kind != "pips-d6"]
    dice = read_dice(find_table(glaring(tray(colored), camera(), colored, toward, 0.7), MAT))
    named = [(nearest(dice, one.x_mm, one.y_mm).die, one) for one in colored]
    assert len(dice) == len(colored)
    assert all((die.kind, die.face) == (one.kind, one.face) for die, one in named)


def test_photographs_are_read() -> None:
    shots = list(read_all(BUNDLED))
    assert len(shots) == len(NAMES) >= 4
    for shot in shots:
        assert all(right(die, seen) for die, seen in shot.pairs), shot.label["image"]
        assert not shot.invented


def test_a_tray_without_dice_is_empty() -> None:
    assert read_dice(find_table(tray(()), MAT)) == ()


def test_the_answer_is_in_the_words_of_the_picture_set() -> None:
    label = json.loads((BUNDLED / f"{NAMES[0]}.json").read_text())
    table = find_table(read_picture(BUNDLED / label["image"]), MAT, corners(label))
    said = domain_reader("dice")(table).truth()
    assert sorted((d["kind"], str(d["face"])) for d in said["dice"]) == sorted(
        (d["kind"], str(d["face"])) for d in label["truth"]["dice"]
    )
    assert all(0 < die["confidence"] <= 1 and not die["cocked"] for die in said["dice"])
    assert said["cocked"] == []


def test_a_plan_tells_which_part_of_a_table_is_the_tray() -> None:
    left = ((0.0, 0.0), (120.0, 0.0), (120.0, 180.0), (0.0, 180.0))
    picture = tray(NINE)
    reader = TableReader(Plan(MAT, (DiceTray("left", left),)))
    faces = {str(sighting.piece.face) for sighting in reader.read(picture).layout.heaps["left"]}  # type: ignore[union-attr]
    assert faces == {str(one.face) for one in NINE if one.x_mm < 120}


def test_a_reader_tells_which_dice_were_rolled_once_game_and_table_have_agreed() -> None:
    reader = TableReader(Plan(MAT, (DiceTray(),)))
    assert "dice.moved" not in reader.read(tray(NINE)).layout.heaps
    reader.confirm_position(Layout())
    assert reader.read(tray(NINE, seed=1)).layout.heaps["dice.moved"] == ()
    moved = [*NINE[2:], type(NINE[0])("spectrum-d12", "red", 40, 130, 15), type(NINE[0])("spectrum-d6", "red", 190, 60)]
    told = reader.read(tray(moved, seed=2)).layout.heaps
    assert {str(one.piece.face) for one in told["dice.moved"]} == {"red"}  # type: ignore[union-attr]
    assert len(told["dice.moved"]) == 2 and len(told["dice"]) == 9 and told["dice.cocked"] == ()


def corners(label: dict) -> list | None:  # type: ignore[type-arg]
    return label["mat"]["corners_px"] if len(label["mat"]["visible_ids"]) < 4 else None


def nearest(dice: tuple[SeenDie, ...], x: float, y: float) -> SeenDie:
    return min(dice, key=lambda die: np.hypot(die.place.x_mm - x, die.place.y_mm - y))


def test_bundled_pictures_show_hidden_markers_and_both_views() -> None:
    labels = [json.loads(path.read_text()) for path in Path(BUNDLED).glob("*.json")]
    assert {label["view"] for label in labels} == {"overhead", "oblique"}
