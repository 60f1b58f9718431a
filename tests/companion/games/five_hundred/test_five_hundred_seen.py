"""500 as a camera sees it: melds before the players, discards that come and go, and draws that nobody sees."""

from __future__ import annotations

import pytest

from companion.core.foundation.errors import BadPlan
from companion.core.layout import Detection, Layout
from companion.core.plan import CardZone
from companion.core.recording import RecordedMat
from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.five_hundred.manifest import plan, recorded
from companion.games.five_hundred.moves import DISCARDS, DRAWS, TAKES, lay_off
from companion.games.five_hundred.observation import candidates, infer_event, is_said
from companion.games.five_hundred.situation import Options
from companion.games.five_hundred.state import FiveHundredState
from companion.games.shared.cards.deck import CARDS, number_of
from simulation.cards.five_hundred import Played
from simulation.cards.played import Tally, play

MAT = RecordedMat(1000, 700, 40)


@pytest.mark.parametrize("seed", range(2))
def test_exact_eyes_referee_turns(seed: int) -> None:
    tally = Tally()
    play(Played(), seed, tally, steps=15)
    assert tally.counts["right"] == 15
    assert not {"wrong", "accused", "missed", "misnamed"} & set(tally.counts)


def state() -> FiveHundredState:
    position = {"hands": [None, None], "dealer": 1, "discards": ["R1"]}
    found: FiveHundredState = FIVE_HUNDRED.from_record(2, Options(), position)
    return found


def seen(discards: str, melds: str = "") -> Layout:
    def heap(codes: str) -> tuple[Detection, ...]:
        return tuple(Detection.sure(CARDS[number_of(code)]) for code in codes.split())

    return Layout(heaps={"discards": heap(discards), "seat0.melds": heap(melds), "seat1.melds": ()})


def test_500_3_discards_that_are_gone_were_taken() -> None:
    assert list(candidates(state(), seen(""))) == [TAKES[0][number_of("R1")]]


def test_500_3_a_draw_from_the_stock_is_told_with_what_follows_it() -> None:
    assert list(candidates(state(), seen("R1 B2"))) == [DRAWS[0]]
    assert infer_event(state(), seen("R1 B2")) == DRAWS[0]
    assert is_said(state(), DRAWS[0]) and not is_said(state(), DISCARDS[0][0])


def test_500_4_on_which_of_two_melds_a_card_was_laid_off_is_asked() -> None:
    melds = [{"0": ["G5", "G6", "G7", "G8"]}, {"1": ["R4", "O4", "Y4", "B4"]}]
    position = {"hands": [["G4", "R1"], None], "dealer": 1, "discards": ["R2"]}
    two, one = (
        FIVE_HUNDRED.from_record(2, Options(), position | {"melds": melds[:count]}).apply(TAKES[0][number_of("R2")])
        for count in (2, 1)
    )
    assert FIVE_HUNDRED.proposer is not None
    asks = FIVE_HUNDRED.proposer.needs_confirmation
    assert asks is not None
    assert asks(two, lay_off(0, number_of("G4"), 0)) and asks(two, lay_off(0, number_of("G4"), 1))
    assert not asks(one, lay_off(0, number_of("G4"), 0))
    assert not asks(two, DISCARDS[0][number_of("R1")])


@pytest.mark.parametrize("seats", range(2, 9))
def test_players_have_places_of_their_own(seats: int) -> None:
    zones = [zone for zone in plan(seats).zones if isinstance(zone, CardZone)]
    assert len({zone.outline_mm for zone in zones}) == len(zones) == seats + 2


@pytest.mark.parametrize("setup", [{"players": 2}, {"players": 2, "discard": "R1", "dealer": 2}])
def test_a_setup_that_cannot_be_is_refused(setup: dict[str, object]) -> None:
    with pytest.raises(BadPlan):
        recorded(MAT, setup)
