"""The cards that may have come to a heap are the likely candidates of its readings."""

from __future__ import annotations

from companion.core.layout import Candidate, Detection, Layout
from companion.games.shared.cards.deck import CODES, PIECES
from companion.games.shared.cards.hands import come_to


def seen(**odds: float) -> Layout:
    candidates = tuple(Candidate(PIECES[CODES.index(code)], share) for code, share in odds.items())
    return Layout(heaps={"board": (Detection(candidates),)})


def test_a_doubtful_card_may_be_each_of_its_candidates() -> None:
    assert [CODES[card] for card in come_to((), seen(P8=0.6, P3=0.3, P6=0.1), "board")] == ["P8", "P3", "P6"]


def test_a_surely_read_card_is_no_other_one() -> None:
    assert [CODES[card] for card in come_to((), seen(P8=0.997, P3=0.0013, P6=0.0012), "board")] == ["P8"]


def test_a_card_that_lay_there_has_not_come() -> None:
    assert come_to((CODES.index("P8"),), seen(P8=0.9, P3=0.1), "board") == []
