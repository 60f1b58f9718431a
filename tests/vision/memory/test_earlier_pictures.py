"""Earlier pictures: hidden things come to light, and a place that looks bare again is bare."""

from __future__ import annotations

import pytest

from companion.core.layout import Uncovered
from tests.vision.followed_blocks import RED, Block, Table, block, colors_of, colors_of_tracks, picture


@pytest.fixture
def table() -> Table:
    return Table()


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
