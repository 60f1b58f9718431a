"""Readings that a person has overruled."""

from __future__ import annotations

from companion.layout import Layout, Sighting
from companion.overruled import Overruled
from companion.pieces import TILES

RED, BLUE, GREEN = (Sighting.sure(tile) for tile in TILES[:3])
EMPTY = Sighting.sure(None)
TABLE = Layout({"c1": EMPTY, "c2": EMPTY}, {"hand": (RED,)})


def test_an_overruled_reading_is_silent_until_it_changes() -> None:
    overruled = Overruled()
    wrong = Layout({"c1": RED, "c2": EMPTY}, {"hand": (RED,)})
    overruled.add(TABLE, wrong)
    assert set(overruled.heed(wrong).cells) == {"c2"}
    changed = Layout({"c1": BLUE, "c2": EMPTY})
    assert overruled.heed(changed) == changed
    assert overruled.heed(wrong) == wrong


def test_heaps_are_overruled_as_a_whole() -> None:
    overruled = Overruled()
    wrong = Layout({}, {"hand": (GREEN, BLUE)})
    overruled.add(TABLE, wrong)
    assert overruled.heed(Layout({}, {"hand": (BLUE, GREEN)})).heaps == {}
    assert overruled.heed(Layout({}, {"hand": (BLUE,)})).heaps == {"hand": (BLUE,)}


def test_only_the_named_spots_are_overruled() -> None:
    overruled = Overruled()
    wrong = Layout({"c1": RED, "c2": BLUE})
    overruled.add(TABLE, wrong, ["c2"])
    assert set(overruled.heed(wrong).cells) == {"c1"}


def test_a_spot_that_nobody_looks_at_stays_overruled() -> None:
    overruled = Overruled()
    wrong = Layout({"c1": RED})
    overruled.add(TABLE, wrong)
    assert overruled.heed(Layout({"c2": EMPTY})) == Layout({"c2": EMPTY})
    assert overruled.heed(wrong).cells == {}
