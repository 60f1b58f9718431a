"""A row with a draw that no picture shows leaves who has drawn in doubt, until later draws agree with the record."""

from __future__ import annotations

from companion.core.verdict import Accepted, Refused, Unclear
from companion.games.spectra.moves import EndTurn
from companion.referee.matching import match
from companion.referee.matching.accounts import UNRECORDED, Standpoint
from companion.referee.matching.record_doubts import TurnProof
from simulation.play import game_of
from tests.companion.games.spectra.short_spectra import draw, give, table
from tests.companion.referee.matching.beginning import begun

TREES = {"colors": "orange,blue", "trees": ("OL", "BL BM")}
BEFORE = table("BL BM", "RL OM", turn=0, **TREES)
STORY = (draw(0, "YS"), give(0, "BL YS", "GM"), give(0, "GM BM", "YM"))
"""The likeliest story of a yellow medium in place of both blue ones: what was drawn lies nowhere after it."""
AFTER = table("YM", "RL OM", turn=0, drawn=True, **TREES)


def test_a_second_draw_is_asked_about_where_the_first_one_was_used_up_unseen() -> None:
    referee, _ = begun(BEFORE)
    here = Standpoint(AFTER, ((0, BEFORE),), 3)
    referee.remember(Accepted(STORY, 0.0, 9.0), here, AFTER.layout())
    more = table("YM PM", "RL OM", turn=0, drawn=True, **TREES).layout()
    assert isinstance(match(game_of(AFTER), AFTER, more), Refused)
    asked = referee.verdict(here, more)
    assert isinstance(asked, Unclear)
    assert [breach.rule for choice in asked.choices for breach in choice.breaches] == ["SPA-5"]


def test_it_is_an_accusation_where_what_was_drawn_lies_there() -> None:
    drawn = table("BL BM YS", "RL OM", turn=0, drawn=True, **TREES)
    referee, _ = begun(BEFORE)
    here = Standpoint(drawn, ((0, BEFORE),), 1)
    referee.remember(Accepted((draw(0, "YS"),), 0.0, 9.0), here, drawn.layout())
    more = table("BL BM YS PM", "RL OM", turn=0, drawn=True, **TREES).layout()
    assert isinstance(referee.verdict(here, more), Refused)


def test_draws_that_agree_with_the_record_prove_it_again() -> None:
    doubted = TurnProof().told(STORY, BEFORE, AFTER, guessed=False)
    assert doubted.doubt(draw(0, "PM"), on_turn=True) == UNRECORDED
    assert doubted.doubt(EndTurn(0), on_turn=True) is None
    next_ = table("YM", "RL OM PM", turn=1, drawn=True, **TREES)
    once = doubted.told((EndTurn(0), draw(1, "PM")), AFTER, next_, guessed=False)
    assert once.doubt(draw(0, "PM"), on_turn=False) == 2 * UNRECORDED
    assert TurnProof().told((draw(1, "PM"),), AFTER, next_, guessed=False).doubt(draw(0, "PM"), on_turn=False) is None


def test_what_more_must_have_happened_leaves_it_in_doubt() -> None:
    assert TurnProof().told((), BEFORE, BEFORE, guessed=True) == TurnProof(0)
