"""A pyramid near the line between two zones: told of both, with how probably it stands in each."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from companion.core.layout import Layout
from companion.core.pieces import PYRAMID_COLORS
from companion.core.plan import PyramidZone
from tests.vision.readers.pyramids.conftest import FromAbove
from vision.memory.tracks import Followed, Track
from vision.readers.pyramids.blind_zones import REACH_MM, UNSURE, zones_of
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.joint_assignment import named_jointly
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.zones import PyramidZones

LINE = 300.0
TREES = PyramidZone("seat0.trees", ((100.0, 200.0), (500.0, 200.0), (500.0, LINE), (100.0, LINE)), "trees")
SUPPLY = PyramidZone("seat0.supply", ((100.0, LINE), (500.0, LINE), (500.0, 400.0), (100.0, 400.0)), "supply")


def standing(y: float) -> FoundPieces:
    color_logs = np.full((1, len(PYRAMID_COLORS)), -9.0)
    color_logs[0, PYRAMID_COLORS.index("red")] = 0.0
    place = StackHypothesis(250.0, y, 0.0, ("small",))
    one = FoundPieces(place, 0.98, (), (), color_logs, np.zeros((1, 5, 2)), (0, 0, 1, 1))
    return named_jointly([one], FromAbove())[0]


def told(y: float) -> Layout:
    followed = Followed((Track(("p1",), standing(y)),), (), ())
    seen = SimpleNamespace(original_px=lambda pixels: pixels, pose=FromAbove())
    read = PyramidZones()._standing_of(seen, (TREES, SUPPLY), (), followed)  # type: ignore[arg-type]
    return Layout(heaps=read.heaps, elsewhere=read.elsewhere, at_mm=read.at_mm)


def test_on_the_line_both_zones_are_as_likely() -> None:
    seen = told(LINE)
    (spot,) = [spot for spot, heap in seen.heaps.items() if heap]
    (sighting,) = seen.heaps[spot]
    other = seen.elsewhere[sighting.place]
    assert {spot, other.spot} == {"seat0.trees", "seat0.supply"}
    assert other.probability == pytest.approx(0.5)
    assert sighting.confidence > 0.95, "what it is is no less sure than elsewhere"


@pytest.mark.parametrize("beside", [0.5, 1.0, 2.0, 2.5])
def test_the_nearer_the_line_the_less_sure(beside: float) -> None:
    (first, second) = zones_of(standing(LINE + beside).place, (TREES, SUPPLY))
    assert first.zone is SUPPLY and first.share > 0.5 > second.share >= UNSURE
    assert first.share + second.share == pytest.approx(1.0)
    assert first.share > zones_of(standing(LINE + beside - 0.4).place, (TREES, SUPPLY))[0].share


@pytest.mark.parametrize("away", [5.0, 20.0, 60.0])
def test_well_inside_of_a_zone_nothing_is_said_of_another(away: float) -> None:
    seen = told(LINE - away)
    assert len(seen.heaps["seat0.trees"]) == 1
    assert seen.heaps["seat0.supply"] == () and seen.elsewhere == {}


def test_beyond_the_reach_of_all_zones_a_piece_is_nobodys() -> None:
    assert zones_of(standing(400.0 + REACH_MM + 1).place, (TREES, SUPPLY)) == []


def test_the_levels_of_a_stack_stand_in_one_place() -> None:
    place = StackHypothesis(250.0, 240.04, 0.0, ("large", "small"))
    stack = FoundPieces(place, 0.98, (), (), np.zeros((2, len(PYRAMID_COLORS))), np.zeros((2, 5, 2)), (0, 0, 1, 1))
    tracks = (Track(("p1", "p2"), named_jointly([stack], FromAbove())[0]), Track(("p3",), standing(260.0)))
    seen = SimpleNamespace(original_px=lambda pixels: pixels, pose=FromAbove())
    read = PyramidZones()._standing_of(seen, (TREES, SUPPLY), (), Followed(tracks, (), ()))  # type: ignore[arg-type]
    assert read.at_mm == {"p1": (250.0, 240.0), "p2": (250.0, 240.0), "p3": (250.0, 260.0)}
