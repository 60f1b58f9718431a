"""Things followed from picture to picture: what has not changed stays, what changed is read, what is covered is not gone."""

from __future__ import annotations

import pytest

from companion.core.pieces import Pyramid
from tests.vision.followed_blocks import GREEN, RED, Block, Table, block, colors_of, colors_of_tracks, picture
from tests.vision.readers.pyramids.conftest import FromAbove
from vision.image.likeness import glance_of
from vision.memory.tracks import Followed, Track, Tracks


@pytest.fixture
def table() -> Table:
    return Table()


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


@pytest.fixture
def glimpsed(come: Table) -> Table:
    """Two looks in three have shown the green block that came; the first was one of them."""
    come.look_again(RED, GREEN)
    come.look_again(RED)
    return come


def green_one(followed: Followed[Block]) -> Track[Block]:
    return next(one for one in followed.tracks if one.found.colors[0] == "green")


def test_what_two_looks_in_three_showed_is_glimpsed_and_gets_no_surer_while_nothing_changes(glimpsed: Table) -> None:
    for _ in range(3):
        then = green_one(glimpsed.see(picture(RED, GREEN, block(500, "blue")), RED, block(400, "green", sure=0.98)))
        assert then.glimpsed == set(then.keys)
        assert then.found.confidence == pytest.approx(0.6)
        (again,) = (one for one in glimpsed.look_again(RED, GREEN) if one.keys == then.keys)
        assert again == then


def test_what_was_glimpsed_is_read_anew_when_its_place_changes(glimpsed: Table) -> None:
    shown = picture(RED, GREEN, block(500, "blue"))
    shown[200:280, 370:430] //= 2  # a shadow falls on it
    assert not green_one(glimpsed.see(shown, RED, GREEN)).glimpsed
    glimpsed.look_again(RED, GREEN)
    glimpsed.look_again(RED, GREEN)
    assert not green_one(glimpsed.see(shown, RED, GREEN)).glimpsed


def test_what_was_glimpsed_once_more_stays_so(glimpsed: Table) -> None:
    shown = picture(RED, GREEN, block(500, "blue"))
    shown[200:280, 370:430] //= 2  # a shadow falls on it
    glimpsed.see(shown, RED, GREEN)
    glimpsed.look_again(RED, GREEN)
    glimpsed.look_again(RED)
    then = green_one(glimpsed.see(shown, RED, GREEN))
    assert then.glimpsed == set(then.keys)


def test_what_all_looks_showed_is_not_glimpsed(come: Table) -> None:
    come.look_again(RED, GREEN)
    come.look_again(RED, GREEN)
    assert not green_one(come.see(picture(RED, GREEN, block(500, "blue")), RED, GREEN)).glimpsed


def test_what_three_looks_in_four_showed_is_not_glimpsed(glimpsed: Table) -> None:
    glimpsed.look_again(RED, GREEN)
    then = green_one(glimpsed.see(picture(RED, GREEN, block(500, "blue")), RED, GREEN))
    assert not then.glimpsed


def test_of_a_known_stack_only_the_piece_that_some_looks_missed_is_glimpsed(table: Table) -> None:
    tower = block(200, "red", "green")
    table.see(picture(RED), RED)
    table.see(picture(tower), tower)
    table.look_again(RED)
    table.look_again(tower)
    (then,) = table.see(picture(tower), tower).tracks
    assert then.found.colors == ("red", "green")
    assert then.glimpsed == {then.keys[1]}


def test_keys_of_two_kinds_are_never_the_same() -> None:
    one, other = Tracks[Block]("p", 0.99), Tracks[Block]("t", 0.99)
    glance = glance_of(picture(RED), FromAbove())
    keys = {track.keys for tracks in (one, other) for track in tracks.follow([RED], None, glance).tracks}
    assert len(keys) == 2
