"""A reader that knows its empty table: what it offers when that is not the table any more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs

from companion.core.foundation.errors import NoTable
from companion.games import PLANS
from tests.vision.staged_table import MAT, THREE, another, empty, marble, shifted, staged, under_lamp
from vision.image.picture import Picture
from vision.setup.calibrating import calibrate
from vision.setup.known_table import AGAIN_S, OFFERS, KnownTableReader, domain_of

PLAN = PLANS["spectra"](2)


class Ticks:
    """Seconds that pass by themselves, more than a comparison waits, at each look at the clock."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += AGAIN_S + 1
        return self.now_s


@pytest.fixture
def reader() -> KnownTableReader:
    return KnownTableReader(PLAN, marble(), Ticks())


def test_on_its_own_table_it_offers_nothing(reader: KnownTableReader) -> None:
    for boxes in ((), THREE, THREE[:1]):
        reader.read(staged(*boxes))
        assert reader.offer is None
    assert reader.calibration is marble()
    assert not reader.renamed()


def test_another_table_is_read_all_the_same_and_said_once(reader: KnownTableReader) -> None:
    reading = reader.read(another())
    assert reading.markers == (0, 1, 2, 3)
    assert reader.offer == OFFERS["other"] and reader.calibration is None
    reader.withdraw()
    reader.read(another())
    assert reader.offer is None


@pytest.mark.parametrize(
    ("change", "offer"),
    [
        (lambda picture: under_lamp(picture, 0.7, 1.0, 1.3), OFFERS["light"]),
        (lambda picture: shifted(picture, 25), OFFERS["moved"]),
    ],
)
def test_a_change_is_offered_once_and_not_again_after_it_was_declined(
    reader: KnownTableReader, change: Callable[[Picture], Picture], offer: str
) -> None:
    reader.read(empty())
    for _ in range(2):
        reader.read(change(empty()))
    assert reader.offer == offer
    reader.withdraw()
    for _ in range(2):
        reader.read(change(empty()))
    assert reader.offer is None


def test_a_cloth_that_was_moved_back_is_no_news_any_more(reader: KnownTableReader) -> None:
    for _ in range(2):
        reader.read(shifted(empty(), 25))
    assert reader.offer == OFFERS["moved"]
    reader.read(empty())
    assert reader.offer is None


def test_the_set_up_is_offered_once_where_nothing_is_known() -> None:
    reader = KnownTableReader(PLAN)
    assert reader.offer == OFFERS["new"]
    reader.withdraw()
    assert reader.offer is None
    assert KnownTableReader(PLANS["spectrangle"](2)).offer is None, "tiles are read without"


@pytest.mark.parametrize(
    ("game", "domain"),
    [("spectrangle", "spectrangle"), ("spectrum", "spectrum"), ("roll-and-color", "dice"), ("spectra", "pyramids")],
)
def test_an_empty_table_is_used_for_the_pieces_that_it_was_learned_for(game: str, domain: str) -> None:
    plan = structs.replace(PLANS[game](2), mat=marble().mat)
    learned = structs.replace(marble(), domain=domain)
    assert domain_of(plan) == domain
    assert KnownTableReader(plan, learned).calibration is learned
    assert KnownTableReader(plan, structs.replace(marble(), domain="cards")).calibration is None


def test_what_was_learned_for_another_mat_is_not_used() -> None:
    reader = KnownTableReader(PLANS["ice-stalks"](2), marble())
    assert reader.calibration is None
    reader.set_plan(PLAN)
    assert reader.calibration is marble()


def test_what_is_learned_is_used_from_the_next_picture_on_and_pieces_get_new_names() -> None:
    reader = KnownTableReader(PLAN)
    reader.read(staged(*THREE))
    reader.learn(calibrate("pyramids", MAT, [empty()]).calibration)
    assert not reader.renamed()
    reader.read(staged(*THREE))
    assert reader.renamed() and not reader.renamed()


def test_a_further_look_right_after_something_was_learned_sees_what_stands_there() -> None:
    reader = KnownTableReader(PLAN, marble())
    reader.read(staged(*THREE))
    reader.learn(calibrate("pyramids", MAT, [empty()]).calibration)
    again = reader.read_again(staged(*THREE))
    assert sum(len(heap) for heap in again.layout.heaps.values()) == 3


def test_what_is_learned_before_the_first_picture_renames_nothing(reader: KnownTableReader) -> None:
    reader.read(staged(*THREE))
    assert not reader.renamed()


def test_a_table_that_is_not_found_is_said_as_ever(reader: KnownTableReader) -> None:
    with pytest.raises(NoTable):
        reader.read(empty()[200:420, 300:900].copy())
