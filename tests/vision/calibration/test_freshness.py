"""The empty table of a running game: fresh where the table is free, never with a piece in it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from companion.games import PLANS
from tests.vision.staged_table import THREE, another, empty, marble, staged, under_lamp
from vision.calibration.calibration import EmptyTable
from vision.calibration.freshness import EVERY, STRANGE, FreshTable
from vision.image.picture import Picture
from vision.readers.pyramids.reader import read_pyramids
from vision.registration.registered_image import find_table
from vision.table_reader import TableReader


@cache
def outlines() -> tuple[np.ndarray, ...]:
    found = read_pyramids(find_table(staged(*THREE), marble().mat, calibration=marble())).scene.found
    assert len(found) == 3
    return tuple(one.outline_px for one in found)


def shown(picture: Picture) -> EmptyTable:
    table = find_table(picture, marble().mat, calibration=marble())
    return EmptyTable(table.picture, table.pose, table.light, table.mat)


def apart(one: Picture, other: Picture) -> np.ndarray:
    return np.asarray(np.abs(one.astype(int) - other).max(axis=2))


def shaded(picture: Picture, share: float) -> Picture:
    """A shadow with a soft edge creeps over the right of the table."""
    ramp = np.clip((np.arange(picture.shape[1]) / picture.shape[1] - 0.5) * 6, 0, 1)
    return np.asarray(picture * (1 - share * ramp)[None, :, None], np.uint8)


def test_light_that_creeps_is_followed_where_the_table_is_free() -> None:
    fresh = FreshTable(marble().empty)
    for k in range(16):
        fresh.take(shown(shaded(staged(*THREE), 0.02 * k)), outlines())
    today = shaded(empty(), 0.28)
    assert np.median(apart(fresh.kept.picture, today)) <= 4
    assert np.percentile(apart(fresh.kept.picture, today), 99) < 25


@pytest.mark.parametrize("read", [True, False], ids=["read", "overlooked"])
def test_a_piece_never_gets_into_it(read: bool) -> None:
    fresh = FreshTable(marble().empty)
    picture = staged(*THREE)
    for _ in range(3 * EVERY):
        fresh.take(shown(picture), outlines() if read else ())
    assert apart(picture, empty()).max() > 100
    assert apart(fresh.kept.picture, empty()).max() < 30
    assert fresh.empty.free is None, "three overlooked pieces are no cloth that was moved"


def test_a_lamp_that_is_switched_changes_the_light_only() -> None:
    fresh = FreshTable(marble().empty)
    picture = under_lamp(staged(*THREE), 0.6, 0.85, 1.0)
    assert [fresh.take(shown(picture), outlines()) for _ in range(EVERY)] == [False] * (EVERY - 1) + [True]
    assert np.median(apart(fresh.kept.picture, under_lamp(empty(), 0.6, 0.85, 1.0))) <= 3


def test_a_cloth_that_was_moved_is_not_known_any_more_until_it_is_back() -> None:
    fresh = FreshTable(marble().empty)
    other = replace(marble().empty, picture=another())
    for _ in range(2 * STRANGE):
        fresh.take(other, ())
    assert fresh.empty.free is not None
    assert float(fresh.empty.free.mean()) < 0.8
    for _ in range(EVERY):
        fresh.take(shown(empty()), ())
    assert fresh.empty.free is None


def test_a_reader_keeps_its_table_fresh_and_its_pieces() -> None:
    reader = TableReader(PLANS["spectra"](2), marble())
    picture = under_lamp(staged(*THREE), 0.8, 0.95, 1.0)
    first = reader.read(picture).layout
    before = reader.empty
    for _ in range(EVERY):
        again = reader.read(picture).layout
    assert reader.empty is not before
    assert {k: [s.piece for s in heap] for k, heap in again.heaps.items()} == {
        k: [s.piece for s in heap] for k, heap in first.heaps.items()
    }
    assert [s.place for heap in again.heaps.values() for s in heap] == [
        s.place for heap in first.heaps.values() for s in heap
    ]
