"""Pieces that stood unseen before an illegal move, or that came or went under something foreign."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.contract import Drawn
from companion.core.layout import Layout, Uncovered
from companion.core.verdict import Accepted, Refused, Unclear
from companion.games.spectra.moves import Add, EndTurn
from companion.referee.matching.came_to_light import came_earlier
from companion.referee.matching.memory import Memory
from tests.companion.games.spectra.short_spectra import draw, give, piece, table
from tests.companion.referee.matching.beginning import at, heaps, referee_of

FREE = frozenset({"seat1.supply"})


def test_an_addition_of_a_piece_that_a_cloth_has_hidden_since_the_start_writes_no_draw() -> None:
    trees = {"seat0_trees": "a:PL", "seat1_trees": "b:BL"}
    state = table("BS", "", colors="purple,blue", trees=("PL", "BL"), turn=None)
    added = Layout(heaps=heaps(seat0_trees="a:PL", seat0_supply="c:BS", seat1_trees="b:BL d:YS", seat1_supply=""))
    for cloth, before in ((FREE, ()), (frozenset[str](), (draw(1, "YS"),))):
        hidden = Layout(heaps=heaps(**trees, seat0_supply="c:BS", seat1_supply=""), obscured=cloth)
        referee, here = referee_of(state, hidden)
        verdict = referee.verdict(here, added)
        assert isinstance(verdict, Refused)
        assert (verdict.event, verdict.before) == (Add(1, piece("YS")), before)


def test_a_tree_piece_that_hid_another_one_is_withdrawn_without_a_draw() -> None:
    state = table("BM", "", colors="yellow,green", trees=("YL", "GL"), turn=None)
    before = Layout(heaps=heaps(seat0_trees="a:YL", seat0_supply="c:BM", seat1_trees="b:GL", seat1_supply=""))
    moved = Layout(heaps=heaps(seat0_trees="a:YL", seat0_supply="c:BM", seat1_trees="d:GM", seat1_supply="e:GL"))
    for blind, events in ((frozenset({"seat1.trees"}), 0), (frozenset[str](), 2)):
        referee, here = referee_of(state, replace(before, blind=blind))
        verdict = referee.verdict(here, moved)
        assert isinstance(verdict, Refused)
        assert [breach.rule for breach in verdict.breaches] == ["SPA-12"]
        assert len(verdict.before) == events


def test_an_illegal_exchange_of_a_tree_piece_that_hid_another_one_is_asked_about() -> None:
    state = table("YM", "WL", colors="blue,purple", trees=("BL", "PL"), turn=0, drawn=True)
    kept = {"seat1_trees": "b:PL", "seat1_supply": "d:WL"}
    before = Layout(heaps=heaps(seat0_trees="a:BL", seat0_supply="c:YM", **kept), blind=frozenset({"seat0.trees"}))
    after = Layout(heaps=heaps(seat0_trees="e:BS", seat0_supply="f:YS", **kept))
    referee, here = referee_of(state, before)
    verdict = referee.verdict(here, after)
    assert isinstance(verdict, Unclear)
    (asked,) = verdict.choices
    assert asked.given is not None
    assert (asked.given.spot, asked.given.was, asked.given.now) == ("seat0.trees", None, piece("BS"))
    assert {"SPA-12", "SPA-14"} <= {breach.rule for breach in asked.breaches}


def test_what_no_picture_shows_is_written_only_if_a_person_says_so() -> None:
    """Player 2 has exchanged what was drawn, added the piece taken, and no picture shows which piece was drawn."""
    state = table("OM", "GM", colors="green,yellow", trees=("GL", "YL"), turn=None)
    kept = {"seat0_trees": "a:GL", "seat0_supply": "c:OM"}
    before = {**heaps(**kept, seat1_trees="b:YL"), "seat1.supply": (at("d", "GM", 0.98),)}
    referee, here = referee_of(state, Layout(heaps=before))
    verdict = referee.verdict(here, Layout(heaps=heaps(**kept, seat1_trees="b:YL e:YM", seat1_supply="")))
    assert isinstance(verdict, Unclear)
    assert verdict.choices and all(choice.confirm for choice in verdict.choices)


def test_a_draw_beside_a_piece_that_a_cloth_has_just_hidden_may_be_an_exchange() -> None:
    state = table("", "OM", colors="red,purple", trees=("RL", "PL"), turn=1)
    read = {"seat0_trees": "a:RL", "seat0_supply": "", "seat1_trees": "b:PL"}
    drawn = Layout(heaps=heaps(**read, seat1_supply="d:YM"), hidden=frozenset({"c"}), obscured=FREE)
    before = Layout(heaps=heaps(**read, seat1_supply="c:OM"))
    referee, here = referee_of(state, before)
    verdict = referee.verdict(here, drawn)
    assert isinstance(verdict, Unclear)
    events = [choice.events for choice in verdict.choices]
    assert (draw(1, "YM"),) in events
    assert (draw(1, "RM"), give(1, "RM OM", "YM")) in events


def test_a_draw_beside_a_piece_in_view_is_accepted() -> None:
    state = table("", "OM", colors="red,purple", trees=("RL", "PL"), turn=1)
    read = {"seat0_trees": "a:RL", "seat0_supply": "", "seat1_trees": "b:PL"}
    referee, here = referee_of(state, Layout(heaps=heaps(**read, seat1_supply="c:OM")))
    verdict = referee.verdict(here, Layout(heaps=heaps(**read, seat1_supply="c:OM d:YM")))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Drawn(1, (piece("YM"),)),)


def test_a_piece_that_came_to_light_may_have_come_before_a_piece_that_came_in_view() -> None:
    state = table("", "", turn=0)
    events = (draw(0, "YM"), EndTurn(0), draw(1, "OM"))
    there = heaps(seat0_trees="a:RL", seat0_supply="c:YM", seat1_trees="b:BL", seat1_supply="d:OM")
    for place, earlier in (("d", True), ("c", False)):
        seen = Layout(heaps=there, uncovered={place: Uncovered("foreign", 1, 1.0)})
        assert came_earlier(state, events, Memory(), seen) == earlier
    assert not came_earlier(state, events, Memory(), Layout(heaps=there))


def test_an_addition_that_stands_unseen_and_the_next_draw_are_accepted_in_one_picture() -> None:
    """That the added piece has just vanished instead is no other story; the usual margin decides against it."""
    state = table("GS RM", "OS", colors="green,orange", trees=("GL GM", "OL"), turn=0, drawn=True)
    kept = {"seat1_trees": "e:OL"}
    before = heaps(seat0_trees="a:GL b:GM", seat0_supply="c:GS d:RM", seat1_supply="f:OS", **kept)
    referee, here = referee_of(state, Layout(heaps=before))
    verdict = referee.verdict(
        here, Layout(heaps=heaps(seat0_trees="g:GL h:GM", seat0_supply="d:RM", seat1_supply="f:OS i:BS", **kept))
    )
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Add(0, piece("GS")), EndTurn(0), draw(1, "BS"))
