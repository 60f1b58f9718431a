"""The example of docs/adding-a-reader.md, found by its entry point; the suite for readers passes it and fails its faults."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.foundation.errors import WrongUsage
from companion.testing.reader_contract import ReaderContract
from simulation.dice_pictures import MAT, camera, tray
from vision.domains import DOMAINS, domain_reader, foreign_readers
from vision.registration.registered_image import RegisteredImage, find_table

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "counter-reader"
sys.path.append(str(EXAMPLE))

from counter_reader.reader import CounterReading, read_counters  # noqa: E402 - it is not installed

PLACES = ((70.0, 20.0), (190.0, 60.0), (110.0, 150.0))


@cache
def table() -> RegisteredImage:
    """A drawn table with three counters."""
    pose = camera()
    picture = tray((), pose)
    turns = np.linspace(0, 2 * np.pi, 60)
    for x, y in PLACES:
        rim = np.column_stack([x + 15 * np.cos(turns), y + 15 * np.sin(turns), np.zeros(60)])
        cv2.fillPoly(picture, [np.round(pose.project(rim)).astype(np.int32)], (30, 30, 200))
    return find_table(picture, MAT)


class TestCounterReader(ReaderContract):
    reader = staticmethod(read_counters)

    def samples(self) -> Sequence[tuple[RegisteredImage, int]]:
        return [(table(), len(PLACES))]


def changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[RegisteredImage], Any]:
    """The reader with another answer for each counter."""

    class Changed(CounterReading):
        def truth(self) -> dict[str, Any]:
            return {"counters": [change(dict(one)) for one in super().truth()["counters"]]}

    return lambda image: Changed(image, read_counters(image).counters)


def painting(image: RegisteredImage) -> CounterReading:
    reading = read_counters(image)
    image.picture[:5, :5] = image.picture[:5, :5] + 1
    return reading


def crashing(image: RegisteredImage) -> CounterReading:
    if image.picture.min() == image.picture.max():
        raise IndexError("list index out of range")
    return read_counters(image)


def blind(image: RegisteredImage) -> CounterReading:
    return CounterReading(image, read_counters(image).counters[1:])


def imagining(image: RegisteredImage) -> CounterReading:
    return read_counters(table()) if image.picture.min() == image.picture.max() else read_counters(image)


class InOtherPixels(CounterReading):
    def marks(self) -> Any:
        return tuple(replace(mark, outline_px=((-9.0, -9.0), (-8.0, -8.0))) for mark in super().marks())


class Restless:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, image: RegisteredImage) -> Any:
        self.calls += 1
        return changed(lambda one: {**one, "x": one["x"] + self.calls / 10})(image)


SABOTAGED: dict[str, tuple[Callable[[RegisteredImage], Any], str]] = {
    "centimeters": (
        changed(lambda one: {**one, "x": one["x"] / 10}),
        "test_positions_are_millimeters_under_their_marks",
    ),
    "pixels": (changed(lambda one: {**one, "x": one["x"] * 4}), "test_positions_are_millimeters_under_their_marks"),
    "swapped axes": (
        changed(lambda one: {**one, "x": one["y"], "y": one["x"]}),
        "test_positions_are_millimeters_under_their_marks",
    ),
    "no confidence": (
        changed(lambda one: {k: v for k, v in one.items() if k != "confidence"}),
        "test_every_item_has_a_confidence",
    ),
    "percent": (changed(lambda one: {**one, "confidence": 97.0}), "test_every_item_has_a_confidence"),
    "numpy numbers": (changed(lambda one: {**one, "x": np.float32(one["x"])}), "test_the_answer_is_json"),
    "changed input": (painting, "test_the_picture_is_not_changed"),
    "crash": (crashing, "test_an_empty_picture_is_read_or_refused_in_a_sentence"),
    "imagined pieces": (imagining, "test_an_empty_picture_is_read_or_refused_in_a_sentence"),
    "a missing piece": (blind, "test_samples_are_read"),
    "marks elsewhere": (
        lambda image: InOtherPixels(image, read_counters(image).counters),
        "test_marks_are_pixels_of_the_picture",
    ),
    "another answer each time": (Restless(), "test_the_same_picture_gives_the_same_answer"),
}


@pytest.mark.parametrize("fault", SABOTAGED)
def test_the_suite_fails_a_sabotaged_reader(fault: str) -> None:
    reader, test = SABOTAGED[fault]

    class Sabotaged(ReaderContract):
        def samples(self) -> Sequence[tuple[RegisteredImage, int]]:
            return [(replace(table(), picture=table().picture.copy()), len(PLACES))]

    suite = Sabotaged()
    suite.reader = reader
    with pytest.raises((AssertionError, IndexError, TypeError)):
        getattr(suite, test)()


def test_an_entry_point_adds_a_domain() -> None:
    point = EntryPoint("counters", "counter_reader.reader:read_counters", "companion.readers")
    found, left_out = foreign_readers(DOMAINS, [point])
    assert found == {"counters": read_counters}
    assert not left_out


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("dice", "counter_reader.reader:read_counters", "this domain has a reader already"),
        ("beans", "counter_reader.reader:PX_PER_MM", "cannot be called"),
        ("beans", "counter_reader.nowhere:read", "it cannot be loaded"),
    ],
)
def test_a_reader_that_cannot_be_used_costs_a_sentence(name: str, value: str, reason: str) -> None:
    found, left_out = foreign_readers(DOMAINS, [EntryPoint(name, value, "companion.readers")])
    assert not found
    assert reason in left_out[0]


def test_an_unknown_domain_is_refused_with_the_known_ones() -> None:
    with pytest.raises(WrongUsage, match="dice, pyramids"):
        domain_reader("beans")


def test_the_document_holds_the_example() -> None:
    document = (ROOT / "docs" / "adding-a-reader.md").read_text()
    blocks = re.findall(r"```(?:toml|python)\n(.*?)```", document, re.DOTALL)
    for file in ("pyproject.toml", "counter_reader/reader.py"):
        assert (EXAMPLE / file).read_text() in blocks, file
