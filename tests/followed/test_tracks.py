"""Things followed by where they stand: keys, what is hidden, and what comes to light with which evidence."""

from __future__ import annotations

import pytest

from companion.core.layout import Candidate, Detection
from companion.core.pieces import Pyramid
from companion.core.plan import Mat
from simulation.drawn.camera import camera_over
from simulation.drawn.standing import Upright
from simulation.followed.tracks import FollowedThings, Found, Tracks
from simulation.followed.view import Cover, Thing, View

LARGE, MEDIUM, SMALL = (Pyramid("red", size) for size in ("large", "medium", "small"))
TILT_DEG = 45.0
"""The camera stands beyond the lower edge of the mat, so what has a larger y is nearer to it."""


class Table:
    """A table of which everything in view is read right."""

    def __init__(self) -> None:
        self.view = View(camera_over(Mat(600.0, 400.0, 40.0), TILT_DEG))
        self.tracks = Tracks(self.view, "p")

    def show(self, *stands: Upright, covers: tuple[Cover, ...] = (), sure: float = 0.999) -> FollowedThings:
        """The next picture."""
        labels = self.view.labels([Thing("pool", stand) for stand in stands], covers)
        found = [
            Found("pool", stand, tuple(Detection((Candidate(piece, sure),)) for piece in stand.seen))
            for stand in stands
            if self.view.visible_share(stand, labels) >= 0.3
        ]
        return self.tracks.follow(found, labels)


def keys(followed: FollowedThings) -> dict[tuple[float, float], tuple[str, ...]]:
    return {track.found.stand.place_mm: track.keys for track in followed.tracks}


def test_what_nobody_touched_keeps_its_key_and_what_was_set_down_elsewhere_has_a_new_one() -> None:
    table = Table()
    stays, goes = Upright((LARGE,), 200, 200), Upright((SMALL,), 300, 200)
    before = keys(table.show(stays, goes))
    after = keys(table.show(stays, goes.moved(360, 220, 10)))
    assert after[200, 200] == before[200, 200]
    assert after[360, 220] not in before.values()


def test_a_stack_that_grows_keeps_the_keys_of_its_lower_levels() -> None:
    table = Table()
    ((low,),) = keys(table.show(Upright((LARGE,), 200, 200))).values()
    ((same, new),) = keys(table.show(Upright((LARGE, MEDIUM), 200, 200))).values()
    assert (same, new != low) == (low, True)


def test_a_thing_under_a_cloth_is_hidden_and_known_again_when_the_cloth_goes() -> None:
    table = Table()
    stand = Upright((SMALL,), 200, 200)
    ((key,),) = keys(table.show(stand)).values()
    covered = table.show(stand, covers=(Cover(200, 200, 40, 50),))
    assert not covered.tracks and [track.keys for track in covered.covered] == [(key,)]
    again = table.show(stand)
    assert keys(again) == {(200, 200): (key,)} and not again.uncovered


def test_a_thing_behind_a_taller_one_that_was_put_before_it_is_hidden() -> None:
    table = Table()
    small, large = Upright((SMALL,), 200, 200), Upright((LARGE,), 200, 222)
    ((key,),) = keys(table.show(small)).values()
    followed = table.show(small, large)
    assert [track.keys for track in followed.covered] == [(key,)]


def test_what_was_under_a_cloth_from_the_start_was_never_seen_free() -> None:
    table = Table()
    stand = Upright((SMALL,), 200, 200)
    for _ in range(3):
        table.show(stand, covers=(Cover(200, 200, 40, 50),))
    (why,) = table.show(stand).uncovered.values()
    assert (why.behind, why.seen_free, why.room) == ("foreign", 0, 1.0)


def test_what_is_set_down_where_a_cloth_lay_was_seen_free_before_the_cloth() -> None:
    table = Table()
    other = Upright((LARGE,), 400, 200)
    table.show(other)
    table.show(other.moved(400, 240, 0))
    table.show(other.moved(400, 240, 0), covers=(Cover(200, 200, 40, 50),))
    (why,) = table.show(other.moved(400, 240, 0), Upright((SMALL,), 200, 200)).uncovered.values()
    assert (why.behind, why.seen_free) == ("foreign", 2)


@pytest.mark.parametrize("far_mm", [5, 10, 15])
def test_what_is_set_down_where_another_one_stood_left_no_room_for_it_before(far_mm: float) -> None:
    table = Table()
    table.show(Upright((LARGE,), 200, 200))
    followed = table.show(Upright((SMALL,), 200, 200 - far_mm))
    assert len(followed.tracks) == 1 and not followed.uncovered


def test_what_appears_right_behind_a_piece_that_has_left_may_have_been_there() -> None:
    table = Table()
    table.show(Upright((LARGE,), 200, 222))
    (why,) = table.show(Upright((SMALL,), 200, 200)).uncovered.values()
    assert (why.behind, why.seen_free) == ("piece", 0)


def test_a_piece_that_was_half_hidden_leaves_no_ghost_where_it_stood() -> None:
    table = Table()
    front, behind = Upright((LARGE,), 200, 226), Upright((LARGE,), 200, 200)
    labels = table.view.labels([Thing("pool", front), Thing("pool", behind)])
    assert 0.3 < table.view.visible_share(behind, labels) < 0.6
    table.show(front, behind)
    assert [track.found.stand for track in table.show(front).tracks] == [front]
