"""What others cover is no thing of its own."""

from __future__ import annotations

import numpy as np

from tests.vision.readers.pyramids.ideal import answers, camera, standing
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.presence import SeenPart, without_ghosts, without_ghosts_of_parts
from vision.readers.pyramids.scene import FoundPieces, outlined

EYE = camera(50.0)
TOWER = standing(300.0, 200.0, *["green large"] * 2, "green medium", "green small", "green small")
ANSWERS, SHEET = answers([TOWER], EYE)


def found(place: StackHypothesis, confidence: float = 0.9) -> FoundPieces:
    return FoundPieces(place, confidence, (), (), np.zeros((len(place.sizes), 10)), *outlined(place, EYE))


GHOST = StackHypothesis(300.0, 168.0, 20.0, ("small", "small"))
"""It would stand behind the tower, all of it hidden."""


def test_a_stack_that_another_covers_is_none() -> None:
    tower, ghost = found(TOWER.place), found(GHOST, 0.8)
    assert without_ghosts([ghost, tower], [], ANSWERS, SHEET) == [tower]
    assert without_ghosts([ghost], [tower], ANSWERS, SHEET) == [], "what is known to be there covers it, too"


def test_of_two_that_cover_each_other_the_surer_one_stays() -> None:
    one, other = found(TOWER.place, 0.6), found(TOWER.place.moved(1.0, 0.0), 0.9)
    assert without_ghosts([one, other], [], ANSWERS, SHEET) == [other]


def test_what_shows_beside_its_neighbor_stays() -> None:
    behind = standing(322.0, 165.0, "green large")
    seen, sheet = answers([TOWER, behind], EYE)
    both = [found(TOWER.place), found(behind.place, 0.6)]
    assert without_ghosts(both, [], seen, sheet) == both


def test_a_stack_seen_in_another_part_covers_it_too() -> None:
    tower, ghost = found(TOWER.place), found(GHOST, 0.95)
    parts = [SeenPart([one], ANSWERS, SHEET) for one in (ghost, tower)]
    assert without_ghosts_of_parts([ghost, tower], parts, []) == [tower]
    assert without_ghosts_of_parts([ghost, tower], parts[::-1], []) == [tower]
    assert without_ghosts_of_parts([ghost], parts, [tower]) == []
    assert without_ghosts_of_parts([tower], parts, []) == [tower], "what was dropped before does not come back"


def test_nothing_was_found() -> None:
    assert without_ghosts([], [], ANSWERS, SHEET) == []
