"""The conformance suite of a reader of one kind of piece; readers of other packages run it, too.

Each test reads the samples of a subclass. A sample is a table that was found in a picture
(`companion.api.reader.find_table`) and the number of items on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from msgspec.structs import replace

from companion.core.foundation.errors import CompanionError
from companion.core.foundation.kept_file import decode_json

OUTSIDE_MM = 80.0
"""The distance in millimeters that pieces may have from the mat's corners outwards."""


class _Read(NamedTuple):
    """A sample and its reading."""

    table: Any
    items: int
    """The number of items on its table."""
    reading: Any
    was_changed: bool
    """True if the picture is another one since it was read."""


class ReaderContract:
    """The conformance tests of a reader; a subclass names the reader and its samples, and pytest runs it."""

    reader: Callable[[Any], Any]
    """The function that the entry point names, as a `staticmethod`."""

    _kept: ClassVar[list[_Read]]

    def samples(self) -> Sequence[tuple[Any, int]]:
        """Returns registered images, each with the number of items on its table."""
        raise NotImplementedError

    def _read(self) -> Sequence[_Read]:
        """Returns the samples with their readings, which all tests of a subclass share."""
        kind = type(self)
        if "_kept" not in vars(kind):
            kind._kept = []
            for table, count in self.samples():
                before = table.picture.copy()
                kind._kept.append(_Read(table, count, self.reader(table), not np.array_equal(before, table.picture)))
        return kind._kept

    def test_samples_are_read(self) -> None:
        for sample in self._read():
            assert len(list(_items(sample.reading.truth()))) == sample.items

    def test_the_answer_is_json(self) -> None:
        for sample in self._read():
            answer = sample.reading.truth()
            assert decode_json(json.dumps(answer, allow_nan=False), dict[str, Any]) == answer

    def test_every_item_has_a_confidence(self) -> None:
        for sample in self._read():
            for item in _items(sample.reading.truth()):
                assert isinstance(item.get("confidence"), float), f"{item} has no confidence"
                assert 0 <= item["confidence"] <= 1, item

    def test_positions_are_millimeters_under_their_marks(self) -> None:
        for table, _, reading, _ in self._read():
            boxes = [_box(mark.outline_px) for mark in reading.marks()]
            for item in _items(reading.truth()):
                if not {"x", "y"} <= item.keys():
                    continue
                x, y = item["x"], item["y"]
                assert -OUTSIDE_MM <= x <= table.mat.width_mm + OUTSIDE_MM, f"x = {x} is no place in millimeters"
                assert -OUTSIDE_MM <= y <= table.mat.height_mm + OUTSIDE_MM, f"y = {y} is no place in millimeters"
                ((u, v),) = table.original_px(table.pose.project(np.array([[x, y, 0.0]])))
                assert any(left <= u <= right and top <= v <= bottom for left, top, right, bottom in boxes), (
                    f"no mark lies where {item} is"
                )

    def test_marks_are_pixels_of_the_picture(self) -> None:
        for table, count, reading, _ in self._read():
            height, width = (side / table.factor for side in table.picture.shape[:2])
            marks = reading.marks()
            assert marks or not count, "the items are not marked"
            for mark in marks:
                left, top, right, bottom = _box(mark.outline_px, wider=0)
                assert right >= 0 and bottom >= 0 and left <= width and top <= height, mark
                assert 0 <= mark.confidence <= 1, mark

    def test_the_picture_is_not_changed(self) -> None:
        for sample in self._read():
            assert not sample.was_changed, "the reader draws into its input"

    def test_the_same_picture_gives_the_same_answer(self) -> None:
        for sample in self._read():
            first = sample.reading.truth()
            assert self.reader(sample.table).truth() == first

    def test_an_empty_picture_is_read_or_refused_in_a_sentence(self) -> None:
        for table, _ in self.samples():
            for shade in (0, 128, 255):
                try:
                    answer = self.reader(replace(table, picture=np.full_like(table.picture, shade))).truth()
                except CompanionError as error:
                    assert str(error).strip(), "the refusal has no sentence"
                else:
                    assert all(item["confidence"] < 0.9 for item in _items(answer)), "pieces are seen where none are"


def _items(answer: Any) -> Iterator[dict[str, Any]]:
    """Yields the items of an answer: every object in one of its lists."""
    assert isinstance(answer, dict), "the answer is no object"
    for value in answer.values():
        if isinstance(value, list):
            yield from (item for item in value if isinstance(item, dict))


def _box(outline_px: Sequence[tuple[float, float]], wider: float = 0.5) -> tuple[float, float, float, float]:
    """Returns left, top, right and bottom of an outline, enlarged by a share of its size."""
    points = np.array(outline_px)
    (left, top), (right, bottom) = points.min(0), points.max(0)
    dx, dy = (right - left) * wider, (bottom - top) * wider
    return float(left - dx), float(top - dy), float(right + dx), float(bottom + dy)
