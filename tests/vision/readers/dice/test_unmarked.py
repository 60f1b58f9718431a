"""Dice on a table of which nothing is known."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.unmarked import painted_over
from companion.core.foundation.errors import NoBoard
from vision.image.picture import Picture, read_picture
from vision.photograph import read_photograph
from vision.readers.dice.unmarked import read_unmarked_dice

SURE = 0.7
"""Dice above this confidence must be right. One die with pips reads at 0.6, and an older OpenCV sees half of its pips."""

DICE = Path(__file__).parents[3] / "data" / "dice"


def without_markers(name: str) -> tuple[Picture, Counter[tuple[str, str]]]:
    """A labeled picture whose markers are painted over, and its dice."""
    label = json.loads((DICE / f"{name}.json").read_text())
    there = Counter((die["kind"], str(die["face"])) for die in label["truth"]["dice"])
    return painted_over(read_picture(DICE / f"{name}.jpg"), label), there


@pytest.mark.parametrize("name", [path.stem for path in sorted(DICE.glob("*.json"))])
def test_dice_without_markers_are_read_by_their_outlines(name: str) -> None:
    picture, there = without_markers(name)
    reading = read_photograph(picture, "dice", ()).reading
    read = Counter((die["kind"], str(die["face"])) for die in reading["dice"])
    sure = Counter((die["kind"], str(die["face"])) for die in reading["dice"] if die["confidence"] > SURE)
    assert sure <= there
    assert read.total() == there.total() and (there - read).total() <= 1


def test_the_same_dice_are_read_from_twice_as_far_away() -> None:
    picture, there = without_markers("dice-0020")
    half = cv2.resize(picture, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    far = np.full_like(picture, np.median(picture, axis=(0, 1)))
    far[100 : 100 + half.shape[0], 200 : 200 + half.shape[1]] = half
    dice = read_unmarked_dice(far).truth()["dice"]
    read = Counter((die["kind"], str(die["face"])) for die in dice)
    assert (read & there).total() >= there.total() - 1


def test_an_empty_table_is_said_to_have_no_dice() -> None:
    with pytest.raises(NoBoard, match="dice"):
        read_unmarked_dice(np.full((480, 640, 3), 120, np.uint8))
