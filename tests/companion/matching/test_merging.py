"""Two readings of one table as one."""

from __future__ import annotations

import pytest

from companion.layout import Layout, Sighting
from companion.matching import agree, match, merge
from companion.matching.evidence import sighting_nll_ratio
from companion.pieces import Piece, Pyramid
from companion.verdict import Accepted, Pending, Refused
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
    assert isinstance(match(game_of(HIDDEN), HIDDEN, wrong), Pending)
    assert isinstance(match(game_of(HIDDEN), HIDDEN, merge(wrong, wrong)), Refused)


def test_two_doubtful_readings_stay_a_doubt() -> None:
    wrong = reading("GGG6", 0.85)
    assert isinstance(match(game_of(HIDDEN), HIDDEN, merge(wrong, wrong)), Pending)


def test_readings_that_contradict_each_other_say_little() -> None:
    both = merge(reading("GGG6", 0.9), reading("RRY5", 0.9))
    assert both.cells["c4"].confidence < 0.51


def test_a_spot_that_only_one_reading_has_stays_as_it_is() -> None:
    one = Layout({"c1": Sighting.sure(TILE["RRR6"])}, {"hand": (Sighting.sure(TILE["RRY5"]),)})
    other = Layout({"c2": Sighting.sure(None)})
    assert merge(one, other) == Layout({**one.cells, **other.cells}, one.heaps)


def test_heaps_are_merged_piece_by_piece() -> None:
    mine = Layout(heaps={"hand": (ranked((TILE["RRR6"], 0.8)), ranked((TILE["RRY5"], 0.8)))})
    theirs = Layout(heaps={"hand": (ranked((TILE["RRY5"], 0.8)), ranked((TILE["RRR6"], 0.8)))})
    both = merge(mine, theirs).heaps["hand"]
    assert {sighting.piece for sighting in both} == {TILE["RRR6"], TILE["RRY5"]}
    assert all(sighting.confidence > 0.8 for sighting in both)
    changed = Layout(heaps={"hand": (ranked((TILE["GGG6"], 0.8)),)})
    assert merge(mine, changed) == changed


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
