"""Things followed from picture to picture: what has not changed stays, what changed is read, what is covered is not gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import pytest

from companion.layout import Candidate, Sighting, Uncovered
from companion.pieces import Pyramid
from tests.vision.pyramids.conftest import FromAbove
from vision.likeness import Glance, Mask, glance_of, unchanged
from vision.picture import Picture
from vision.tracked_thing import overlap_mm
from vision.tracks import Followed, Track, Tracks

SIZE = (480, 640)
CORNERS = np.array([(20.0, 20.0), (620.0, 20.0), (620.0, 460.0), (20.0, 460.0)])
PAINT = {"red": (40, 40, 190), "blue": (190, 70, 40), "green": (60, 150, 50)}
SIDE = 48


@dataclass(frozen=True)
class Spot:
    """Where a thing stands; pixels are millimeters here."""

    x_mm: float
    y_mm: float
    sizes: tuple[str, ...]
    lies: bool = False


@dataclass(frozen=True)
class Block:
    """A thing of square levels, each smaller than the one below."""

    place: Spot
    colors: tuple[str, ...]
    confidence: float = 0.9
    tall: float = 0.0
    """How far its picture leans away from the camera, which is above the table's corner."""
    levels: tuple[Sighting, ...] = field(init=False)
    outline_px: Any = field(init=False, compare=False)

    def __post_init__(self) -> None:
        pieces = [Pyramid(color, size) for color, size in zip(self.colors, self.place.sizes, strict=True)]
        object.__setattr__(self, "levels", tuple(Sighting((Candidate(one, self.confidence),)) for one in pieces))
        object.__setattr__(self, "outline_px", np.array([self.corners(at) for at in range(len(self.colors))]))

    def corners(self, level: int) -> list[tuple[float, float]]:
        half = (SIDE - 14 * level) / 2
        x, y = self.place.x_mm, self.place.y_mm
        far = y + half + self.tall
        return [(x - half, y - half), (x + half, y - half), (x + half, far), (x - half, far)]

    @property
    def presence(self) -> float:
        return self.confidence

    @property
    def footprint_mm(self) -> Any:
        return np.array(self.corners(0)) - [(0, 0), (0, 0), (0, self.tall), (0, self.tall)]

    def seen_by(self, pose: Any) -> Block:
        return self

    def folded(self, looks: Sequence[Block], of: int) -> Block:
        kinds = [one.colors for one in looks]
        best = max(looks, key=lambda one: kinds.count(one.colors))
        alike = [one.confidence for one in looks if one.colors == best.colors]
        return Block(best.place, best.colors, sum(alike) / of, best.tall)


def block(x: float, *colors: str, y: float = 240.0, sure: float = 0.9, tall: float = 0.0) -> Block:
    return Block(Spot(x, y, ("large", "medium", "small")[: len(colors)]), colors, sure, tall)


def picture(*blocks: Block, cloth: tuple[int, int] | None = None) -> Picture:
    """The table with things on it; `cloth` is the middle of a dark cloth that lies over everything."""
    table = np.full((*SIZE, 3), 150, np.uint8) + np.random.default_rng(1).integers(0, 6, (*SIZE, 1), np.uint8)
    for one in blocks:
        for outline, color in zip(one.outline_px, one.colors, strict=True):
            cv2.fillConvexPoly(table, np.int32(outline), PAINT[color])
    if cloth is not None:
        (x, y), half = cloth, 70
        cv2.rectangle(table, (x - half, y - half), (x + half, y + half), (60, 50, 45), -1)
    return np.asarray(table, np.uint8)


class Table:
    """Tracks beside the pictures that they follow."""

    def __init__(self) -> None:
        self.tracks: Tracks[Block] = Tracks("p", sure=0.99)
        self.before: Glance | None = None
        self.same: Mask | None = None
        self.last: Followed[Block] = Followed((), (), ())

    def see(self, shown: Picture, *found: Block) -> Followed[Block]:
        """The next picture, with what a reader finds in it."""
        now = glance_of(shown, FromAbove())
        self.same = None if self.before is None else unchanged(self.before, now, CORNERS)
        self.before = now
        self.last = self.tracks.follow(found, self.same, now)
        return self.last

    def look_again(self, *found: Block) -> tuple[Track[Block], ...]:
        """What a reader finds in a further look at the last picture."""
        return self.tracks.again(found, self.same)


@pytest.fixture
def table() -> Table:
    return Table()


def colors_of(followed: Followed[Block]) -> list[tuple[str, ...]]:
    return colors_of_tracks(followed.tracks)


def colors_of_tracks(tracks: Sequence[Track[Block]]) -> list[tuple[str, ...]]:
    return sorted(track.found.colors for track in tracks)


RED = block(200, "red")


def test_where_nothing_changed_nothing_is_read_anew(table: Table) -> None:
    first = table.see(picture(RED), RED)
    then = table.see(picture(RED), block(200, "blue"))
    assert colors_of(then) == [("red",)]
    assert [one.keys for one in then.tracks] == [one.keys for one in first.tracks]


def test_a_place_that_changed_has_a_new_key(table: Table) -> None:
    (old,) = table.see(picture(RED), RED).tracks
    (new,) = table.see(picture(block(200, "blue")), block(200, "blue")).tracks
    assert new.found.colors == ("blue",)
    assert new.keys != old.keys
    assert new.was == (Pyramid("red", "large"),)


def test_what_is_put_on_a_stack_leaves_the_lower_levels_their_keys(table: Table) -> None:
    (old,) = table.see(picture(RED), RED).tracks
    tower = block(200, "red", "green")
    (new,) = table.see(picture(tower), tower).tracks
    assert new.found.colors == ("red", "green")
    assert new.keys[0] == old.keys[0]
    assert new.keys[1] not in old.keys
    (left,) = table.see(picture(RED), RED).tracks
    assert left.keys == old.keys


def test_what_is_gone_where_the_bare_table_shows_is_gone(table: Table) -> None:
    table.see(picture(RED), RED)
    then = table.see(picture())
    assert not then.tracks and not then.covered


def test_under_a_cloth_it_is_covered_and_comes_back_with_its_key(table: Table) -> None:
    other = block(500, "blue")
    first = table.see(picture(RED, other), RED, other)
    key = next(one.keys for one in first.tracks if one.found.colors == ("red",))
    hidden = table.see(picture(RED, other, cloth=(200, 240)), other)
    assert colors_of(hidden) == [("blue",)]
    assert [one.keys for one in hidden.covered] == [key]
    still = table.see(picture(RED, other, cloth=(200, 240)), other)
    assert [one.keys for one in still.covered] == [key]
    back = table.see(picture(RED, other), RED, other)
    assert next(one.keys for one in back.tracks if one.found.colors == ("red",)) == key
    assert not back.covered and not back.uncovered


def test_what_lay_under_a_cloth_from_the_start_comes_to_light(table: Table) -> None:
    table.see(picture(RED, cloth=(200, 240)))
    then = table.see(picture(RED), RED)
    assert [(one.track.found.colors, one.how) for one in then.uncovered] == [(("red",), Uncovered("foreign", 0, 1.0))]


def test_a_place_that_was_seen_free_before_the_cloth_lay_there_says_so(table: Table) -> None:
    table.see(picture())
    table.see(picture(block(500, "blue")), block(500, "blue"))
    table.see(picture(block(500, "blue"), cloth=(200, 240)), block(500, "blue"))
    then = table.see(picture(block(500, "blue"), RED), block(500, "blue"), RED)
    assert [one.how for one in then.uncovered] == [Uncovered("foreign", 2, 1.0)]


def test_what_was_overlooked_before_a_cloth_lay_there_is_no_news_after_it(table: Table) -> None:
    table.see(picture(RED))
    table.see(picture(RED, cloth=(200, 240)))
    assert colors_of(table.see(picture(RED), RED)) == []


def test_what_a_known_thing_stood_in_front_of_comes_to_light_when_that_goes(table: Table) -> None:
    front, behind = block(200, "blue", y=200, sure=0.99, tall=60), block(200, "green", y=262)
    table.see(picture(behind, front), front)
    then = table.see(picture(behind), behind)
    assert [(one.track.found.colors, one.how.behind) for one in then.uncovered] == [(("green",), "piece")]


def test_what_comes_behind_a_thing_that_stays_in_its_place_is_new(table: Table) -> None:
    front, behind = block(200, "blue", y=262, sure=0.99), block(200, "green", y=200, tall=60)
    table.see(picture(front), front)
    then = table.see(picture(front, behind), front, behind)
    assert colors_of(then) == [("blue",), ("green",)]
    assert not then.uncovered, "it hides what stood there, so it would have been seen"


FRONT = block(200, "blue", y=200, sure=0.99, tall=60)
"""It hides what stands farther from the table's corner; see `Block.tall`."""


@pytest.mark.parametrize("x", [218, 224, 230])
def test_what_was_half_hidden_and_leaves_has_gone(table: Table, x: float) -> None:
    half = block(x, "green", y=262)
    table.see(picture(half, FRONT), FRONT, half)
    then = table.see(picture(FRONT), FRONT)
    assert colors_of(then) == [("blue",)]
    assert not then.covered


def test_what_was_half_hidden_and_gives_way_to_another_thing_is_read_anew(table: Table) -> None:
    table.see(picture(block(218, "green", y=262), FRONT), FRONT, block(218, "green", y=262))
    then = table.see(picture(block(218, "red", y=262), FRONT), FRONT, block(218, "red", y=262))
    assert colors_of(then) == [("blue",), ("red",)]


def test_what_stays_half_hidden_stays(table: Table) -> None:
    half = block(224, "green", y=262)
    table.see(picture(half, FRONT), FRONT, half)
    assert colors_of(table.see(picture(half, FRONT), FRONT)) == [("blue",), ("green",)]


@pytest.mark.parametrize("x", [218, 224, 230])
def test_what_is_set_down_half_hidden_is_there(table: Table, x: float) -> None:
    half = block(x, "green", y=262)
    table.see(picture(FRONT), FRONT)
    assert colors_of(table.see(picture(half, FRONT), FRONT, half)) == [("blue",), ("green",)]


def test_a_further_look_finds_what_was_set_down_half_hidden(table: Table) -> None:
    half = block(218, "green", y=262)
    table.see(picture(FRONT), FRONT)
    table.see(picture(half, FRONT), FRONT)
    assert colors_of_tracks(table.look_again(FRONT, half)) == [("blue",), ("green",)]


def test_a_ghost_behind_a_thing_that_came_is_none(table: Table) -> None:
    table.see(picture())
    assert colors_of(table.see(picture(FRONT), FRONT, block(212, "green", y=262))) == [("blue",)]


def test_what_is_put_on_a_half_hidden_piece_is_there(table: Table) -> None:
    half, tower = block(224, "green", y=262), block(224, "green", "red", y=262)
    table.see(picture(half, FRONT), FRONT, half)
    assert colors_of(table.see(picture(tower, FRONT), FRONT, tower)) == [("blue",), ("green", "red")]


def test_what_a_thing_that_came_stands_in_front_of_is_covered(table: Table) -> None:
    behind = block(200, "green", y=262)
    (old,) = table.see(picture(behind), behind).tracks
    hidden = table.see(picture(behind, FRONT), FRONT)
    assert [one.keys for one in hidden.covered] == [old.keys]
    (back,) = table.see(picture(behind), behind).tracks
    assert back.keys == old.keys


def test_what_was_covered_has_gone_when_its_place_is_bare(table: Table) -> None:
    behind = block(200, "green", y=262)
    table.see(picture(behind), behind)
    table.see(picture(FRONT), FRONT)
    then = table.see(picture())
    assert not then.tracks and not then.covered


@pytest.mark.parametrize("apart_mm", [12.0, 15.8, 30.0])
def test_what_is_set_down_where_another_thing_stood_is_new(table: Table, apart_mm: float) -> None:
    stood, come = block(200, "blue", sure=0.99), block(200 + apart_mm, "green")
    table.see(picture(stood), stood)
    then = table.see(picture(come), come)
    assert colors_of(then) == [("green",)]
    assert not then.uncovered


def test_a_thing_that_was_hardly_one_may_have_left_room(table: Table) -> None:
    cloth, come = block(200, "blue", sure=0.6), block(215, "green")
    table.see(picture(come, cloth=(200, 240)), cloth)
    (then,) = table.see(picture(come), come).uncovered
    assert then.how.room == pytest.approx(0.4)


def test_where_a_thing_stood_under_a_cloth_another_one_is_new(table: Table) -> None:
    stood, come = block(200, "blue", sure=0.99), block(215, "green")
    table.see(picture(stood), stood)
    table.see(picture(stood, cloth=(200, 240)))
    then = table.see(picture(come), come)
    assert colors_of(then) == [("green",)]
    assert not then.uncovered


def test_footprints_overlap_by_what_would_have_to_be_pushed() -> None:
    square = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)])
    assert overlap_mm(square, square + np.array([12.0, 0.0])) == 0
    assert overlap_mm(square, square + np.array([7.0, 2.0])) == pytest.approx(3)
    turned = np.array([(5.0, -5.0), (10.0, 0.0), (5.0, 5.0), (0.0, 0.0)])
    assert overlap_mm(square, turned + np.array([8.0, 13.0])) == pytest.approx(0)


def test_what_is_put_on_the_bare_table_does_not_come_to_light(table: Table) -> None:
    table.see(picture())
    then = table.see(picture(RED), RED)
    assert colors_of(then) == [("red",)]
    assert not then.uncovered


@pytest.mark.parametrize("ghost", [block(200, "blue"), block(215, "blue")])
def test_a_place_that_looks_as_it_did_when_it_was_free_is_free(table: Table, ghost: Block) -> None:
    table.see(picture())
    table.see(picture(RED), RED)
    assert colors_of(table.see(picture(), ghost)) == []
    assert colors_of_tracks(table.look_again(ghost)) == []


def test_what_is_put_back_where_it_stood_is_there(table: Table) -> None:
    table.see(picture(RED), RED)
    table.see(picture())
    assert colors_of(table.see(picture(RED), RED)) == [("red",)]


def test_a_ghost_in_an_unchanged_place_is_no_news_unless_it_is_sure(table: Table) -> None:
    table.see(picture(RED), RED)
    assert colors_of(table.see(picture(RED), RED, block(400, "green", sure=0.9))) == [("red",)]
    assert colors_of(table.see(picture(RED), RED, block(400, "green", sure=0.995))) == [("green",), ("red",)]


def test_a_nudge_that_reads_the_same_keeps_the_key(table: Table) -> None:
    (old,) = table.see(picture(RED), RED).tracks
    nudged = block(205, "red")
    (new,) = table.see(picture(nudged), nudged).tracks
    assert new.keys == old.keys


def test_from_another_view_what_reads_the_same_keeps_its_key(table: Table) -> None:
    (old,) = table.see(picture(RED), RED).tracks
    table.before = None
    (new,) = table.see(picture(RED), RED).tracks
    assert new.keys == old.keys
    table.before = None
    assert not table.see(picture(RED)).tracks, "what is not found from there is not known to be there"


def test_a_stack_of_which_a_piece_was_known_stays_though_further_looks_miss_it(table: Table) -> None:
    (old,) = table.see(picture(RED), RED).tracks
    tower = block(200, "red", "green")
    table.see(picture(tower), tower)
    assert not table.look_again() and not table.look_again()
    (then,) = table.see(picture(tower), tower).tracks
    assert then.keys[:1] == old.keys
    assert then.found.confidence == pytest.approx(0.9)


@pytest.fixture
def come(table: Table) -> Table:
    """A table on which a green block has come beside a red one, with a blue one that the first look overlooked."""
    table.see(picture(RED), RED)
    table.see(picture(RED, block(400, "green"), block(500, "blue")), RED, block(400, "green"))
    return table


def test_a_further_look_reads_only_what_came(come: Table) -> None:
    again = come.look_again(block(200, "blue"), block(400, "blue"))
    assert sorted(one.found.colors for one in again) == [("blue",), ("red",)]
    assert colors_of_tracks(come.look_again(block(200, "blue"))) == [("red",)], "not found: left out"


def test_a_further_look_at_a_taller_stack_keeps_the_keys_of_its_levels(come: Table) -> None:
    tower = block(400, "green", "red")
    (first,) = (one for one in come.last.tracks if one.found.colors == ("green",))
    (second,) = (one for one in come.look_again(RED, tower) if one.found == tower)
    (third,) = (one for one in come.look_again(RED, tower) if one.found == tower)
    assert second.keys[:1] == first.keys and len(second.keys) == 2
    assert third.keys == second.keys
    assert first.place == second.place == third.place, "as one stack it is the same, however tall it reads"


def test_what_most_looks_saw_stays(come: Table) -> None:
    tower = block(400, "green", "red")
    come.look_again(RED, tower)
    come.look_again(RED, tower)
    assert colors_of(come.see(picture(RED, block(400, "green"), block(500, "blue")), RED)) == [
        ("green", "red"),
        ("red",),
    ]


def test_what_only_further_looks_find_is_told_and_stays_if_half_of_them_found_it(come: Table) -> None:
    late, ghost = block(500, "blue"), block(100, "blue")
    assert colors_of_tracks(come.look_again(RED, block(400, "green"), late, ghost)) == [("blue",), ("green",), ("red",)]
    (one,) = (one for one in come.look_again(RED, block(400, "green"), late) if one.found == late)
    then = come.see(picture(RED, block(400, "green"), late))
    assert next(track.keys for track in then.tracks if track.found.colors == ("blue",)) == one.keys
    assert next(track.found.confidence for track in then.tracks if track.keys == one.keys) == pytest.approx(0.6)


def test_what_one_look_in_three_found_is_none(come: Table) -> None:
    come.look_again(RED)
    come.look_again(RED)
    assert colors_of(come.see(picture(RED, block(400, "green"), block(500, "blue")))) == [("red",)]


def test_keys_of_two_kinds_are_never_the_same() -> None:
    one, other = Tracks[Block]("p", 0.99), Tracks[Block]("t", 0.99)
    glance = glance_of(picture(RED), FromAbove())
    keys = {track.keys for tracks in (one, other) for track in tracks.follow([RED], None, glance).tracks}
    assert len(keys) == 2
