"""Whole turns of the pyramid games in one picture: what is taken, what is asked, and what waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from companion.core.contract import Event
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Stack
from companion.core.verdict import Accepted, Pending, Refused, TakenBack, Unclear
from companion.games.ice_stalks.growth import pieces_of
from companion.games.ice_stalks.moves import PlacePiece
from companion.games.spectra.moves import Add, EndTurn, Withdraw
from companion.referee.matching import match
from simulation.play import game_of
from tests.companion.games.ice_stalks.short_stalks import draw as rock
from tests.companion.games.ice_stalks.short_stalks import put
from tests.companion.games.ice_stalks.short_stalks import table as stalks
from tests.companion.games.spectra.short_spectra import draw, give, piece, table, without_bag

THREE = {"colors": "red,blue,green", "trees": ("RL", "BL", "GL GM")}
NESTED = table("", "", "", colors="red,blue,green", trees=("RL", "BL", "GL")).layout().heaps["seat2.trees"]
"""What a camera sees of a green medium under a green large."""


def assert_found(before: Any, events: Sequence[Any]) -> None:
    """These events are accepted, whatever their order, from what the table looks like after them."""
    after = before
    for event in events:
        after = after.apply(event)
    verdict = match(game_of(before), before, after.layout())
    assert isinstance(verdict, Accepted)
    assert sorted(map(str, verdict.events)) == sorted(map(str, events))


def test_a_draw_two_exchanges_and_an_addition_under_one_hand() -> None:
    before = table("YM BL PS RL RM", "PL")
    events = [draw(0, "WL"), give(0, "YM BL", "GS"), give(0, "PS RL", "BM"), Add(0, piece("RM"))]
    assert_found(before, events)


def test_the_order_of_events_in_one_turn_is_no_question() -> None:
    before = table("YS BS RM", "PL")
    after = before.apply(draw(0, "KL")).apply(Add(0, piece("RM"))).apply(give(0, "YS BS", "GS"))
    verdict = match(game_of(before), before, after.layout())
    assert isinstance(verdict, Accepted)
    assert set(verdict.events) == {draw(0, "KL"), Add(0, piece("RM")), give(0, "YS BS", "GS")}


def test_which_piece_was_drawn_and_given_away_unseen_is_asked_although_the_position_is_the_same() -> None:
    before = table("KL", "PM")
    verdict = match(game_of(before), before, table("GL", "PM").layout())
    assert isinstance(verdict, Unclear)
    assert {choice.events for choice in verdict.choices} == {
        (draw(0, drawn), give(0, f"{drawn} KL", "GL")) for drawn in ("BL", "YL")
    }


def test_who_placed_which_of_two_pieces_in_one_picture_is_asked() -> None:
    before = stalks("R3", "G3")
    after = stalks("R3O2", "G3Y2").layout()
    seen = Layout(heaps={spot: heap for spot, heap in after.heaps.items() if spot != "rocks"})
    verdict = match(game_of(before), before, seen)
    assert isinstance(verdict, Unclear)
    assert {choice.events for choice in verdict.choices} == {
        (rock("O"), put("O2", "R3"), rock("Y", 1), PlacePiece(1, put("Y2").piece, put("Y2", "G3").on)),
        (rock("Y"), put("Y2", "G3"), rock("O", 1), PlacePiece(1, put("O2").piece, put("O2", "R3").on)),
    }


def test_an_exchange_for_a_piece_that_is_nested_at_once_waits_while_only_departures_are_seen() -> None:
    """Two pieces have left and none has come: they may as well be in a hand."""
    before = table("BS YS", "", "RS", turn=2, drawn=True, **THREE)
    before = before.apply(EndTurn(2)).apply(draw(0, "RM"))
    seen = table("RM", "", "RS", **THREE).layout()
    assert isinstance(match(game_of(before), before, seen), Pending)
    nested = table("", "BS YS", "RS", turn=2, **THREE)
    heaps = {**table("", "", "RS", **THREE).layout().heaps, "seat2.trees": NESTED}
    verdict = match(game_of(nested.apply(draw(2, "RL"))), nested.apply(draw(2, "RL")), Layout(heaps=heaps))
    assert isinstance(verdict, Pending)


def test_an_exchange_for_a_nested_piece_is_told_once_something_else_shows_it() -> None:
    before = table("", "GS", "YM BL", turn=2, drawn=True, colors="red,blue,green", trees=("RL", "BL", "GL GM"))
    after = before.apply(give(2, "YM BL", "GS", 1)).apply(Add(2, piece("GS"))).layout()
    seen = Layout(heaps={**after.heaps, "seat2.trees": NESTED})
    verdict = match(game_of(before), before, seen)
    assert isinstance(verdict, Accepted)
    assert verdict.events == (give(2, "YM BL", "GS", 1), Add(2, piece("GS")))
    assert verdict.unseen


def test_a_player_who_nests_may_have_had_a_turn_that_left_no_trace() -> None:
    """Blue has passed the bag; green, who nests, may have drawn an own piece. Red's draw is no accusation."""
    before = table("", "PL", "", turn=1, drawn=True, **THREE)
    seen = table("OL", "PL", "", **THREE).layout()
    assert isinstance(match(game_of(before), before, seen), Refused)
    nested = Layout(heaps={**seen.heaps, "seat2.trees": NESTED})
    verdict = match(game_of(before), before, nested)
    assert isinstance(verdict, Unclear)
    assert any(Add(2, piece("GS")) in choice.events for choice in verdict.choices)


def test_an_addition_that_was_withdrawn_is_asked_about_as_taken_back() -> None:
    before = table("RM YS", "PL", drawn=True)
    after = before.apply(Add(0, piece("RM")))
    assert match(game_of(after), after, before.layout(), history=[before]) == TakenBack(0)
    tall = table("YS", "PL", trees=("RL RL", "BL"), drawn=True)
    verdict = match(game_of(tall), tall, table("RL YS", "PL").layout())
    assert isinstance(verdict, Refused)
    assert verdict.event == Withdraw(0, piece("RL"))


def test_a_draw_that_nobody_saw_is_likelier_than_a_piece_given_out_of_a_nest() -> None:
    """Blue small became purple large: by a drawn red medium, not by the purple medium inside the tree."""
    colors = {"colors": "red,purple"}
    before = table("", "BS WL", trees=("RL", "PL PM"), drawn=True, **colors)
    seen = table("", "PL WL", trees=("RL", "PL"), **colors).layout()
    verdict = match(game_of(before), before, seen)
    assert isinstance(verdict, Accepted)
    assert verdict.events == (EndTurn(0), draw(1, "RM"), give(1, "RM BS", "PL"))


def test_with_an_empty_bag_nothing_is_drawn() -> None:
    before = without_bag("YS BS", "")
    after = before.apply(give(0, "YS BS", "GS", 1))
    verdict = match(game_of(before), before, after.layout())
    assert isinstance(verdict, Accepted)
    assert verdict.events == (give(0, "YS BS", "GS", 1),)


def test_a_doubtful_stalk_is_not_taken_for_one_that_nobody_added_to() -> None:
    """The top of a tall stalk is misread: whatever was placed there, the stalk below it has grown."""
    before = stalks("P3B2C2G2", "R3", rocks={"Y": 5})
    placed = before.apply(rock("Y")).apply(put("Y2", "P3B2C2G2")).layout()
    grown = Detection((Candidate(Stack(pieces_of("P3B2C3G2Y2")), 0.35), Candidate(Stack(pieces_of("P3B2C2G2Y2")), 0.2)))
    heaps = {"stalks": (*placed.heaps["stalks"][1:], grown), "seat0.stalks": (), "seat1.stalks": ()}
    verdict = match(game_of(before), before, Layout(heaps=heaps))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (rock("Y"), put("Y2", "P3B2C2G2"))


def test_two_misread_pieces_are_no_breach_of_many_rules_by_a_player_not_on_turn() -> None:
    """Red large of the tree is overlooked and white large reads as purple large, while blue draws."""
    before = table("BS GM PS WL", "GL GS PL", turn=1)
    seen = table("BS GM PS PL", "GL GS PL PS", trees=("", "BL")).layout()
    assert not isinstance(match(game_of(before), before, seen), Refused)


@pytest.mark.parametrize(
    ("before", "after", "event", "rule"),
    [("PM WS", "GL", give(0, "PM WS", "GL"), "SPA-18"), ("PM", "PM GS", draw(0, "GS"), "SPA-5")],
)
def test_a_nest_hides_no_mistake(before: str, after: str, event: Event, rule: str) -> None:
    """The medium inside of the tree's large is no part of what happened."""
    verdict = match(
        game_of(table(before, "", trees=("RL RM", "BL"), drawn=True)),
        table(before, "", trees=("RL RM", "BL"), drawn=True),
        table(after, "").layout(),
    )
    assert isinstance(verdict, Refused)
    assert verdict.event == event
    assert rule in {breach.rule for breach in verdict.breaches}


def test_a_question_offers_every_answer_once() -> None:
    before = table("PL RS", "PM", colors="blue,green", trees=("BL", "GL"), turn=None)
    after = table("YM", "PM", colors="blue,green", trees=("BL", "GL"), turn=None).layout()
    doubtful = tuple(Detection((Candidate(one.piece, 0.97),)) for one in after.heaps["seat0.supply"])
    verdict = match(game_of(before), before, Layout(heaps={**after.heaps, "seat0.supply": doubtful}))
    assert isinstance(verdict, Unclear)
    assert len({choice.events for choice in verdict.choices}) == len(verdict.choices) == 2


def test_a_piece_may_be_given_and_got_again_by_two_exchanges_under_one_hand() -> None:
    before = table("YS YS GS", "PM")
    events = [draw(0, "KS"), give(0, "YS GS", "BS"), give(0, "YS BS", "GS")]
    assert_found(before, events)


def test_a_long_story_around_a_draw_that_nobody_saw_is_asked_and_not_taken() -> None:
    before = table("PS RM YM", "PL PM")
    story = (draw(0, "WS"), give(0, "RM PS", "BL"), give(0, "BL YM", "GS"), give(0, "GS WS", "BS"))
    after = before
    for event in story:
        after = after.apply(event)
    verdict = match(game_of(before), before, after.layout())
    assert isinstance(verdict, Unclear | Pending)


def test_what_all_answers_have_in_common_is_told_with_the_first_question() -> None:
    """It is open if a medium went into the tree before the bag was passed; the draw after it is certain."""
    before = table("GM RS", "BS", turn=0, drawn=True, colors="green,blue", trees=("GL", "BL"))
    after = table("RS", "BS PL", turn=1, drawn=True, colors="green,blue", trees=("GL", "BL")).layout()
    faint = Detection((Candidate(piece("GM"), 0.5),))
    trees = (*after.heaps["seat0.trees"], faint)
    verdict = match(game_of(before), before, Layout(heaps={**after.heaps, "seat0.trees": trees}))
    assert isinstance(verdict, Unclear)
    assert verdict.common == (draw(1, "PL"),)


def test_an_illegal_exchange_is_asked_about_though_a_draw_beside_a_lost_piece_is_likelier() -> None:
    """Blue medium became blue small, read at 0.8 (SPA-13); that medium is lost and a small was drawn fits nothing."""
    before = table("KL", "BM", turn=1, colors="red,yellow", trees=("RL", "YL"))
    blue = Detection((Candidate(piece("BS"), 0.8), Candidate(piece("BM"), 0.01)), "p9")
    look = Layout(heaps={**before.layout().heaps, "seat1.supply": (blue,)})
    verdict = match(game_of(before), before, look, fresh=frozenset({"p9"}))
    assert isinstance(verdict, Unclear)
    assert ["SPA-13" in [breach.rule for breach in choice.breaches] for choice in verdict.choices] == [True]
