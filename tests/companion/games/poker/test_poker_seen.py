"""Poker as a camera sees it: open cards, and hands that are turned up one after the other."""

from __future__ import annotations

import pytest

from companion.core.foundation.errors import BadPlan
from companion.core.layout import Detection, Layout
from companion.core.plan import CardZone
from companion.core.recording import RecordedMat
from companion.games.poker.game import POKER
from companion.games.poker.manifest import plan, recorded
from companion.games.poker.moves import TURN_UPS
from companion.games.poker.observation import candidates, layout, pending_prompt
from companion.games.poker.situation import Options
from companion.games.poker.state import PokerState
from companion.games.shared.cards.deck import CARDS, number_of
from simulation.cards.played import Tally, play
from simulation.cards.poker import Played

MAT = RecordedMat(1000, 700, 40)


@pytest.mark.parametrize("options", [Options(), Options(cards=2, shared=5)])
def test_exact_eyes_rank_shown_hands(options: Options) -> None:
    tally = Tally()
    for seed in range(5):
        play(Played(options), seed, tally)
    assert not tally.failures
    assert tally.counts["right"] > 10


def state() -> PokerState:
    found: PokerState = POKER.from_record(2, Options(), {"hands": [None, None], "dealer": 1})
    return found


def lying(seat: int) -> Layout:
    hand = tuple(Detection.sure(CARDS[number_of(code)]) for code in ("R1", "R2", "R3", "R4", "R5"))
    return Layout(heaps={f"seat{seat}.hand": hand, f"seat{1 - seat}.hand": ()})


def test_pok_1_a_hand_that_lies_open_is_turned_up() -> None:
    assert list(candidates(state(), lying(0))) == [TURN_UPS[0]]


def test_pok_1_a_hand_out_of_order_is_waited_with() -> None:
    assert list(candidates(state(), lying(1))) == []
    assert "Player 1 is next" in (pending_prompt(state(), lying(1)) or "")


def test_a_hand_that_its_player_entered_lies_face_down_still() -> None:
    position = {"hands": [["R1", "R2", "R3", "R4", "R5"], None], "dealer": 1}
    table = layout(POKER.from_record(2, Options(), position))
    assert len(table.covered["seat0.hand"]) == 5


@pytest.mark.parametrize("seats", range(2, 9))
def test_hands_have_places_of_their_own(seats: int) -> None:
    zones = [zone for zone in plan(seats).zones if isinstance(zone, CardZone)]
    assert len({zone.outline_mm for zone in zones}) == len(zones) == seats + 1


@pytest.mark.parametrize("setup", [{"players": 9}, {"players": 2, "dealer": 2}, {}])
def test_a_setup_that_cannot_be_is_refused(setup: dict[str, object]) -> None:
    with pytest.raises(BadPlan):
        recorded(MAT, setup)
