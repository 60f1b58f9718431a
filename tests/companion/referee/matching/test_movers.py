"""Tests who made the moves of a picture, and which chains of events no picture shows."""

from __future__ import annotations

from companion.referee.matching.movers import is_unseen_chain, movers
from tests.companion.games.spectra.short_spectra import draw, give, table

SUPPLIES = {"seat0.supply", "seat1.supply"}
BEFORE = table("PS RM YM", "PL PM")
STORY = (draw(0, "WS"), give(0, "RM PS", "BL"), give(0, "BL YM", "GS"), give(0, "GS WS", "BS"))


def test_what_two_moves_bring_and_take_is_an_unseen_chain() -> None:
    assert not is_unseen_chain(BEFORE, STORY[:2], SUPPLIES)
    assert is_unseen_chain(BEFORE, STORY[:3], SUPPLIES)
    assert is_unseen_chain(BEFORE, STORY, SUPPLIES)


def test_a_drawn_piece_that_is_used_at_once_is_no_unseen_chain() -> None:
    before = table("PS RM YM", "PL")
    assert not is_unseen_chain(before, (draw(0, "BM"), give(0, "RM BM", "PM")), SUPPLIES)


def test_what_comes_to_a_heap_out_of_view_is_none() -> None:
    assert not is_unseen_chain(BEFORE, STORY, set())


def test_successive_events_of_a_player_have_one_mover() -> None:
    assert movers(BEFORE, STORY, False) == [0]
