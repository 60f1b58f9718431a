"""Two readings of one table as one."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from companion.core.layout import Detection, Layout
from companion.core.pieces import Piece, Pyramid
from companion.core.verdict import Accepted, Pending, Refused, Unclear
from companion.referee.matching import agree, match, merge
from companion.referee.matching.evidence import sighting_nll_ratio
from companion.referee.matching.merging import merged
from simulation.ladder import SET, dealt
from simulation.matching.noise import ranked
from simulation.play import game_of

TILE = {tile.name: tile for tile in SET}
HIDDEN = dealt("?? ??", "?? ??", cells="- - - BBR5")


def reading(name: str, confidence: float, cell: str = "c4") -> Layout:
    layout = HIDDEN.layout()
    return Layout({**layout.cells, cell: ranked((TILE[name], confidence))}, layout.heaps)


def test_two_readings_say_together_what_neither_says_alone() -> None:
    legal = reading("RRY5", 0.8)
    assert isinstance(match(game_of(HIDDEN), HIDDEN, legal), Pending)
    assert isinstance(match(game_of(HIDDEN), HIDDEN, merge(legal, legal)), Accepted)
    wrong = reading("GGG6", 0.96)
    assert isinstance(match(game_of(HIDDEN), HIDDEN, wrong), Unclear)
    assert isinstance(match(game_of(HIDDEN), HIDDEN, merge(wrong, wrong)), Refused)


def test_two_doubtful_readings_stay_a_doubt() -> None:
    wrong = reading("GGG6", 0.85)
    assert isinstance(match(game_of(HIDDEN), HIDDEN, merge(wrong, wrong)), Unclear)


def test_readings_that_contradict_each_other_say_little() -> None:
    both = merge(reading("GGG6", 0.9), reading("RRY5", 0.9))
    assert both.cells["c4"].confidence < 0.51


def test_a_spot_that_only_one_reading_has_stays_as_it_is() -> None:
    one = Layout({"c1": Detection.sure(TILE["RRR6"])}, {"hand": (Detection.sure(TILE["RRY5"]),)})
    other = Layout({"c2": Detection.sure(None)})
    both = merge(one, other)
    assert both.cells == {**one.cells, **other.cells}
    assert both.heaps == one.heaps


def test_heaps_are_merged_piece_by_piece() -> None:
    mine = Layout(heaps={"hand": (ranked((TILE["RRR6"], 0.8)), ranked((TILE["RRY5"], 0.8)))})
    theirs = Layout(heaps={"hand": (ranked((TILE["RRY5"], 0.8)), ranked((TILE["RRR6"], 0.8)))})
    both = merge(mine, theirs).heaps["hand"]
    assert {sighting.piece for sighting in both} == {TILE["RRR6"], TILE["RRY5"]}
    assert all(sighting.confidence > 0.8 for sighting in both)
    changed = Layout(heaps={"hand": (ranked((TILE["GGG6"], 0.8)),)})
    assert merge(mine, changed).heaps == changed.heaps


def test_what_only_some_readings_found_at_a_place_is_as_likely_as_their_share() -> None:
    def look(*places: str) -> Layout:
        return Layout(
            heaps={"pool": tuple(replace(ranked((Pyramid("red", "small"), 0.9)), place=one) for one in places)}
        )

    always, twice, once = merge(look("p1", "p2"), look("p1", "p2", "p3"), look("p1")).heaps["pool"]
    assert always.confidence > 0.9
    assert twice.confidence == pytest.approx(0.9 * 2 / 3, abs=0.02)
    assert once.confidence == pytest.approx(0.9 / 3, abs=0.02)


def test_readings_together_say_in_how_many_each_place_was_found() -> None:
    red = replace(ranked((Pyramid("red", "small"), 0.9)), place="p1")
    seen = Layout({"c1": Detection.sure(None)}, {"pool": (red,), "hand": (ranked((TILE["RRR6"], 0.8)),)})
    both = merge(seen, seen, Layout({}, {"pool": (), "hand": ()}))
    assert both.looks_at("c1", both.cells["c1"]) == 2
    assert both.looks_at("pool", both.heaps["pool"][0]) == 2
    assert both.looks_at("hand", both.heaps["hand"][0]) == 2, "the commonest reading of a heap that is not followed"
    assert seen.looks_at("pool", red) == 1


def test_a_look_that_shows_another_piece_at_a_place_does_not_count_for_it() -> None:
    def look(color: str) -> Layout:
        return Layout(heaps={"pool": (replace(ranked((Pyramid(color, "small"), 0.9)), place="p1"),)})

    both = merge(look("red"), look("blue"), look("red"))
    assert both.heaps["pool"][0].piece == Pyramid("red", "small")
    assert both.looks_at("pool", both.heaps["pool"][0]) == 2


def test_of_equal_pieces_the_doubtful_one_is_merged_with_the_doubtful_one() -> None:
    sure, doubtful = ranked((TILE["RRR6"], 0.99)), ranked((TILE["RRR6"], 0.6), (TILE["RRY5"], 0.3))
    both = merge(Layout(heaps={"hand": (sure, doubtful)}), Layout(heaps={"hand": (doubtful, sure)})).heaps["hand"]
    assert max(sighting.probability(TILE["RRY5"]) for sighting in both) > 0.2


def test_readings_agree_if_they_clearly_differ_from_the_position_in_the_same_way() -> None:
    assert agree(HIDDEN, reading("RRY5", 0.99), reading("RRY5", 0.95))
    assert not agree(HIDDEN, reading("RRY5", 0.99), reading("RRY5", 0.99, "c2"))
    assert not agree(HIDDEN, reading("RRY5", 0.99), HIDDEN.layout())


def test_what_is_cut_off_in_one_reading_is_cut_off_in_both_together() -> None:
    one = Layout(heaps={"hand": ()}, partial=frozenset({"hand"}))
    assert merge(one, Layout(heaps={"hand": ()})).partial == {"hand"}


@pytest.mark.parametrize(("piece", "least", "most"), [(TILE["RRY5"], 1.25, 2.0), (Pyramid("red", "small"), 1.0, 1.1)])
def test_two_looks_are_worth_what_was_measured_and_a_pyramid_hardly_more_than_one(
    piece: Piece, least: float, most: float
) -> None:
    once = Layout(heaps={"pool": (ranked((piece, 0.9)),)})
    twice = merge(once, once)
    ratios = [sighting_nll_ratio(layout.heaps["pool"][0], None) for layout in (once, twice)]
    assert least < ratios[1] / ratios[0] < most


def test_many_looks_are_worth_as_much_as_two() -> None:
    one, other = ranked((TILE["RRY5"], 0.8), (TILE["RRR6"], 0.2)), ranked((TILE["RRY5"], 0.4), (TILE["RRR6"], 0.6))
    odds = [
        math.log(seen.probability(TILE["RRY5"]) / seen.probability(TILE["RRR6"]))
        for seen in (merged(looks, 0.75) for looks in ([one], [one] * 2, [one] * 3, [one] * 50, [one, one, other]))
    ]
    assert odds[1:4] == pytest.approx([1.5 * odds[0]] * 3)
    assert 0 < odds[4] < odds[0], "one look in three that reads otherwise is outvoted, and takes from the certainty"


def test_what_stands_in_a_new_place_was_touched_in_between() -> None:
    def told(place: str) -> Layout:
        return replace(HIDDEN.layout(), heaps={"seat0.hand": (replace(ranked((TILE["RRY5"], 0.8)), place=place),)})

    assert agree(HIDDEN, told("p1"), told("p1"))
    assert not agree(HIDDEN, told("p1"), told("p2"))
