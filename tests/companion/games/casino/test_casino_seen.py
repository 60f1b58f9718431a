"""Casino as a camera sees it: a card that takes is laid down first, then all are gathered; a put stays."""

from __future__ import annotations

import pytest

from companion.core.foundation.errors import BadPlan
from companion.core.layout import Detection, Layout
from companion.core.recording import RecordedMat
from companion.games.casino.game import CASINO
from companion.games.casino.manifest import recorded
from companion.games.casino.moves import PUTS, Take
from companion.games.casino.observation import candidates, infer_event, pending_prompt
from companion.games.casino.situation import Options
from companion.games.casino.state import CasinoState
from companion.games.shared.cards.deck import CARDS, number_of
from simulation.cards.casino import Played
from simulation.cards.played import Tally, play

MAT = RecordedMat(600, 400, 40)
SETUP = {"players": 2, "board": ["R2", "B7", "G9", "Y12"]}


@pytest.mark.parametrize(("seats", "seed"), [(2, 0), (3, 1)])
def test_exact_eyes_referee_a_round(seats: int, seed: int) -> None:
    tally = Tally()
    play(Played(seats), seed, tally, steps=40)
    assert tally.counts["right"] > 30
    assert not {"wrong", "accused", "missed", "misnamed"} & set(tally.counts)


def state() -> CasinoState:
    found: CasinoState = CASINO.from_record(2, Options(), {"board": SETUP["board"], "hands": [None, None], "dealer": 1})
    return found


def seen(*codes: str, before: str = "") -> Layout:
    def heap(codes: list[str]) -> tuple[Detection, ...]:
        return tuple(Detection.sure(CARDS[number_of(code)]) for code in codes)

    return Layout(heaps={"board": heap([*codes])}, unexplained={"board": heap(before.split())} if before else {})


def test_cas_5_a_card_that_can_take_waits_until_it_has_gathered() -> None:
    laid = seen("R2", "B7", "G9", "Y12", "RO9")
    assert list(candidates(state(), laid)) == []
    assert pending_prompt(state(), laid) == "RO9 lies on the board and can take. Gather what it takes (CAS-5)."
    taken = tuple(CARDS[number_of(code)] for code in ("R2", "B7", "G9"))
    assert infer_event(state(), seen("Y12", before="RO9")) == Take(0, CARDS[number_of("RO9")], taken)


def test_cas_6_a_card_that_takes_nothing_is_put() -> None:
    assert list(candidates(state(), seen("R2", "B7", "G9", "Y12", "P8"))) == [PUTS[0][number_of("P8")]]


def test_cas_6_a_card_that_could_take_and_lies_there_at_the_next_play_was_put() -> None:
    left = seen("R2", "B7", "G9", "Y12", "RO9", "P8", before="RO9")
    event = infer_event(state(), left)
    assert event == PUTS[0][number_of("RO9")]
    assert {breach.rule for breach in state().violations(event)} == {"CAS-6"}


def test_cards_that_are_gone_need_a_word() -> None:
    assert list(candidates(state(), seen("R2", "B7", "G9"))) == []
    assert "Say which (CAS-5)" in (pending_prompt(state(), seen("R2", "B7", "G9")) or "")


def test_a_recording_begins_with_its_board() -> None:
    found = recorded(MAT, SETUP)
    assert CASINO.from_record(2, Options(), found.position or {}).board == state().board


@pytest.mark.parametrize("change", [{"players": 5}, {"dealer": 2}, {"zones": {"attic": [0, 0, 1, 1]}}])
def test_a_setup_that_cannot_be_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadPlan):
        recorded(MAT, SETUP | change)


def last_play(*board: str, last: int = 0) -> CasinoState:
    """Returns a position in which the next card is the last one of the round."""
    held = {"hands": [["??"], []], "deal": 11, "dealer": 1, "board": [*board], "last": last}
    found: CasinoState = CASINO.from_record(2, Options(), held)
    return found


def test_cas_7_what_the_last_taker_gathers_with_the_last_card_accuses_nobody() -> None:
    before = last_play("R2", "B7", "G9", "Y12")
    laid = seen("R2", "B7", "G9", "Y12", "RO9")
    assert list(candidates(before, laid)) == []
    assert "gather it (CAS-7)" in (pending_prompt(before, laid) or "")
    assert infer_event(before, seen("Y12", before="RO9")) is None
    gathered = infer_event(before, seen(before="RO9"))
    assert isinstance(gathered, Take)
    assert not before.violations(gathered)


def test_cas_7_a_last_card_that_takes_nothing_goes_to_the_last_taker_with_the_rest() -> None:
    before = last_play("R2", "B7", "Y12")
    assert list(candidates(before, seen("R2", "B7", "Y12", "P8"))) == []
    assert infer_event(before, seen(before="P8")) == PUTS[0][number_of("P8")]
