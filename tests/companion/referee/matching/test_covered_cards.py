"""Cards that were laid and covered unseen: how they excuse what seems illegal."""

from __future__ import annotations

import pytest

from companion.core.layout import Detection, Layout
from companion.core.verdict import Accepted, Refused
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.moves import PLAYS
from companion.games.spectrumo.options import Options
from companion.referee.matching import match
from companion.referee.matching.accounts import UNTOLD, is_plain
from companion.referee.matching.covered_cards import fits_all, unseen_play

STATE = SPECTRUMO.from_record(2, Options(), {"table": "Y12"})


def seen(card: str, visits: int = 0) -> Layout:
    heap = (Detection.sure(PIECES[number_of(card)]),)
    return Layout(heaps={"discard": heap}, visits={"discard": visits} if visits else {})


def refused(card: str) -> Refused:
    verdict = match(SPECTRUMO, STATE, seen(card), draws_unseen=True)
    assert isinstance(verdict, Refused)
    return verdict


@pytest.mark.parametrize(("visits", "plain"), [(1, True), (0, False), (2, False)])
def test_only_one_visit_of_a_hand_is_plain(visits: int, plain: bool) -> None:
    accused = refused("R5")
    cost = unseen_play(SPECTRUMO, STATE, accused, seen("R5", visits))
    assert cost is not None
    assert is_plain(accused.cost, [cost, UNTOLD]) is plain


def test_a_pile_that_shows_its_card_excuses_nobody() -> None:
    assert unseen_play(SPECTRUMO, STATE, refused("R5"), seen("Y12", 2)) is None


def test_what_came_to_a_pile_before_its_top_is_never_known() -> None:
    played = Accepted((PLAYS[0][number_of("OY12")],), 0.0, 9.0)
    assert fits_all(STATE, Accepted((), 0.0, 9.0), seen("Y12"))
    assert not fits_all(STATE, played, seen("OY12"))


def test_a_card_elsewhere_does_not_fit() -> None:
    assert not fits_all(STATE, Accepted((), 0.0, 9.0), seen("OY12"))


def test_an_invented_card_under_another_is_not_accepted() -> None:
    state = SPECTRUMO.from_record(2, Options(), {"table": "G8"})
    verdict = match(SPECTRUMO, state, seen("G12"), draws_unseen=True)
    assert not getattr(verdict, "events", ())
