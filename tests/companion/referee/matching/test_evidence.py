"""Regrets: how strongly a picture speaks against a prediction."""

from __future__ import annotations

from math import log

import pytest

from companion.core.contract import Drawn
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import TILES, Pyramid, Stack, Tile
from companion.games.ice_stalks.growth import pieces_of
from companion.referee.matching.evidence import (
    MISSED,
    Evidence,
    Pile,
    choices_of,
    likelihood,
    pair,
    pile,
    sighting_nll_ratio,
    whole_draws,
)
from companion.referee.observation import FLOOR, PYRAMIDS
from simulation.matching.noise import ranked

RED, BLUE, GREEN, YELLOW = TILES[:4]


def surely(*tiles: Tile) -> tuple[Detection, ...]:
    return tuple(Detection.sure(tile) for tile in tiles)


def test_the_best_reading_has_no_ratio_against_it_and_a_listed_one_the_odds_against_it() -> None:
    evidence = Evidence(Layout({"c1": ranked((RED, 0.8), (BLUE, 0.1))}))
    assert evidence.cell("c1", RED) == 0.0
    assert evidence.cell("c1", BLUE) == pytest.approx(log(8))


def test_what_is_not_listed_shares_what_is_left() -> None:
    sighting = ranked((RED, 0.8))
    assert likelihood(sighting, None) == pytest.approx(0.05)
    assert likelihood(sighting, GREEN) == pytest.approx(0.01)
    assert likelihood(Detection.sure(RED), GREEN) == FLOOR


def test_an_unlisted_pyramid_is_rather_another_size_than_another_color() -> None:
    read, third = Pyramid("white", "small"), Pyramid("red", "small")
    sighting = ranked((read, 0.44), (Pyramid("yellow", "small"), 0.001))
    color = likelihood(sighting, third)
    assert likelihood(sighting, Pyramid("white", "medium")) > max(color, likelihood(sighting, Pyramid("red", "medium")))
    assert likelihood(sighting, None) > color
    seen_as = pair(Pile((third, Pyramid("white", "medium"))), (sighting,)).pairs
    assert [one.piece for one in seen_as if one.sighting is not None] == [Pyramid("white", "medium")]


def test_an_unlisted_stack_rather_lacks_a_piece_than_has_two_wrong() -> None:
    read, other, both, taller, apart = (
        Stack(pieces_of(stalk)) for stalk in ("R3O2", "R3Y2", "Y3G2", "R3O2Y1", "Y3G2B1")
    )
    sighting = ranked((read, 0.6))
    assert likelihood(sighting, taller) > likelihood(sighting, both) >= FLOOR
    assert likelihood(sighting, apart) < likelihood(sighting, both)
    assert likelihood(ranked((read, 0.6), (other, 0.2)), other) == 0.2, "what is listed is as likely as the reader says"


def test_a_lone_piece_that_is_doubted_is_what_is_left_of_a_stalk() -> None:
    read, stalk = Stack(pieces_of("Y3")), Stack(pieces_of("O3Y3"))
    assert sighting_nll_ratio(ranked((read, 0.1)), stalk) == 0.0
    assert sighting_nll_ratio(ranked((read, 0.9999)), stalk) > 6.0


def test_a_spot_that_nobody_looked_at_says_nothing_against_anything() -> None:
    evidence = Evidence(Layout())
    assert evidence.cell("c1", RED) == 0.0
    assert evidence.heap("hand", Pile((RED,))) == 0.0
    assert evidence.heap("hand", None) == 0.0


def test_a_heap_has_no_order() -> None:
    assert pair(Pile((RED, BLUE)), surely(BLUE, RED))[:2] == (0.0, ())


def test_a_piece_that_nothing_shows_is_missed() -> None:
    assert pair(Pile((RED, BLUE)), surely(RED))[:2] == (MISSED, ())


def test_a_piece_that_may_be_covered_is_not_missed_but_only_so_many_of_it() -> None:
    assert pair(Pile((RED, RED), covered=(RED,)), surely(RED))[:2] == (0.0, ())
    assert pair(Pile((RED, RED), covered=(RED,)), ())[:2] == (MISSED, ())


def test_what_nothing_predicts_is_left_over() -> None:
    nll_ratio, extras, *_ = pair(Pile((RED,)), (*surely(RED), ranked((GREEN, 0.9))))
    assert extras == (ranked((GREEN, 0.9)),)
    assert nll_ratio == pytest.approx(log(0.9 / 0.025))


def test_doubtful_pieces_are_paired_so_that_the_sum_is_least() -> None:
    seen = (ranked((GREEN, 0.5), (RED, 0.4)), ranked((GREEN, 0.5), (BLUE, 0.4)))
    nll_ratio, extras, *_ = pair(Pile((BLUE, RED)), seen)
    assert nll_ratio == pytest.approx(2 * log(0.5 / 0.4))
    assert extras == ()


def test_large_heaps_are_paired_too() -> None:
    tiles = TILES[:9]
    seen = (ranked((TILES[20], 0.5), (RED, 0.4)), *surely(*tiles[1:]))
    assert pair(Pile(tiles), seen)[0] == pytest.approx(log(0.5 / 0.4))
    many = tuple(ranked((TILES[20 + i], 0.5), (tile, 0.4)) for i, tile in enumerate(tiles))
    assert pair(Pile(tiles), many)[0] == pytest.approx(9 * log(0.5 / 0.4))


def test_a_piece_that_stood_there_reads_otherwise_where_its_picture_changed_only_if_somebody_touched_it() -> None:
    large, small = Pyramid("red", "large"), Pyramid("red", "small")
    seen = (Detection((Candidate(small, 0.7), Candidate(large, 0.25)), "p1"),)
    before, after = (Layout(heaps={"trees": (Detection.sure(piece),)}) for piece in (large, small))
    plain = Evidence(Layout(heaps={"trees": seen}), before=before)
    fresh = Evidence(Layout(heaps={"trees": seen}), fresh={"p1"}, before=before)
    assert fresh.total(before) == pytest.approx(plain.total(before) - log(PYRAMIDS.touched))
    assert fresh.touched(before) == pytest.approx(-log(PYRAMIDS.touched))
    assert fresh.total(after) == plain.total(after) == 0.0
    came = Evidence(Layout(heaps={"trees": seen}), fresh={"p1"}, before=Layout(heaps={"trees": ()}))
    assert came.total(before) == plain.total(before)


def test_one_push_moves_several_pieces() -> None:
    large, small, blue = Pyramid("red", "large"), Pyramid("red", "small"), Pyramid("blue", "large")
    before = Layout(heaps={"trees": (Detection.sure(large), Detection.sure(blue))})
    seen = (Detection((Candidate(small, 0.7), Candidate(large, 0.25)), "p1"), Detection((Candidate(blue, 0.9),), "p2"))
    alone, both = (
        Evidence(Layout(heaps={"trees": seen}), fresh=places, before=before) for places in ({"p1"}, {"p1", "p2"})
    )
    assert alone.total(before) - both.total(before) == pytest.approx(log(PYRAMIDS.touched_too / PYRAMIDS.touched))


def test_a_piece_more_is_rather_none_where_all_else_of_its_heap_was_pushed() -> None:
    large, small, blue = Pyramid("red", "large"), Pyramid("red", "small"), Pyramid("blue", "large")
    before = Layout(heaps={"trees": (Detection.sure(large), Detection.sure(blue))})
    names = {"p1": large, "p2": blue, "p3": small}
    seen = Layout(heaps={"trees": tuple(Detection((Candidate(one, 0.99),), at) for at, one in names.items())})
    after = Layout(heaps={"trees": (*before.heaps["trees"], Detection.sure(small))})
    kept, part, pushed = (
        Evidence(seen, fresh=places, before=before) for places in ({"p3"}, {"p1", "p3"}, {"p1", "p2", "p3"})
    )
    assert part.total(before) == kept.total(before) == sighting_nll_ratio(seen.heaps["trees"][2], None)
    assert kept.total(before) - pushed.total(before) == pytest.approx(log(PYRAMIDS.more_beside_pushed))
    assert pushed.total(after) == kept.total(after) == 0.0


def test_a_layout_names_what_may_be_covered() -> None:
    layout = Layout(heaps={"trees": surely(RED, BLUE)}, covered={"trees": (BLUE,)})
    assert pile(layout, "trees") == Pile((RED, BLUE), (BLUE,))
    assert pile(layout, "hand") is None
    assert Evidence(Layout(heaps={"trees": surely(RED)})).total(layout) == 0.0


def test_drawn_pieces_may_be_any_likely_candidate() -> None:
    extras = (ranked((RED, 0.7), (BLUE, 0.2), (GREEN, 0.01)),)
    assert choices_of(extras, 1, least=0.05) == [(RED,), (BLUE,)]
    assert choices_of((*extras, *surely(YELLOW)), 2, least=0.05) == [(RED, YELLOW), (BLUE, YELLOW)]


def test_where_all_due_pieces_are_seen_no_draw_has_fewer() -> None:
    tried = ((RED, BLUE), (RED,), (BLUE, GREEN, RED))
    assert [*whole_draws(tried, Drawn(0, (RED, BLUE, GREEN)), 3)] == [(RED, BLUE, GREEN), (BLUE, GREEN, RED)]
    for told in (None, Drawn(0, (RED, BLUE))):
        assert whole_draws(tried, told, 3) == tried
