"""A row of known pieces is matched by its order, whatever the distances are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from companion.core.pieces import PYRAMID_COLORS, Pyramid
from vision.setup.calibrating import in_row


class Place(NamedTuple):
    x_mm: float
    sizes: tuple[str, ...]


class Seen(NamedTuple):
    """What is used of a `Found`."""

    place: Place
    color_logs: np.ndarray


def seen(x_mm: float, color: str, size: str = "large", levels: int = 1) -> Seen:
    """A thing that surely reads as this."""
    color_logs = np.full((levels, len(PYRAMID_COLORS)), -8.0)
    color_logs[:, PYRAMID_COLORS.index(color)] = 0.0
    return Seen(Place(x_mm, (size,) * levels), color_logs)


def larges(*colors: str) -> list[Pyramid]:
    return [Pyramid(color, "large") for color in colors]


def matched(found: list[Seen], row: list[Pyramid]) -> list[float | None]:
    """Where each piece of the row was found."""
    samples = in_row(found, row)  # type: ignore[arg-type]
    assert [one.piece for one in samples] == row
    return [None if one.found is None else one.found.place.x_mm for one in samples]


ROW = [seen(300, "blue"), seen(50, "red"), seen(410, "black"), seen(90, "green")]


def test_the_order_counts_and_not_the_distances() -> None:
    assert matched(ROW, larges("red", "green", "blue", "black")) == [50, 90, 300, 410]


@pytest.mark.parametrize("gone", range(4))
def test_a_piece_that_is_missing_is_the_one(gone: int) -> None:
    row = larges("red", "green", "blue", "black")
    found = [one for one in ROW if one.place.x_mm != (50, 90, 300, 410)[gone]]
    assert matched(found, row) == [x if k != gone else None for k, x in enumerate((50, 90, 300, 410))]


def test_what_does_not_belong_to_the_row_is_left_over() -> None:
    found = [*ROW, seen(200, "white", "small"), seen(500, "red", levels=3)]
    assert matched(found, larges("red", "green", "blue", "black")) == [50, 90, 300, 410]


def test_a_color_that_a_lamp_has_shifted_is_known_by_its_place() -> None:
    found = [seen(10, "red"), seen(60, "red"), seen(110, "yellow")]
    assert matched(found, larges("red", "orange", "yellow")) == [10, 60, 110]


def test_nothing_seen_is_nothing_found() -> None:
    assert matched([], larges("red", "blue")) == [None, None]
