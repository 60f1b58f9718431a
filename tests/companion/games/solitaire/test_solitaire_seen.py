"""Solitaire as a camera sees it: the deal, columns that move, packets that are turned, and illegal moves put back."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadPlan, BadRecord
from companion.core.layout import Detection, Layout
from companion.core.recording import RecordedMat
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.solitaire.game import SOLITAIRE
from companion.games.solitaire.manifest import plan, recorded
from companion.games.solitaire.moves import PUTS, TURN, TURN_OVER
from companion.games.solitaire.observation import infer_event, seen_position
from companion.games.solitaire.situation import Options
from simulation.cards.played import Tally, play
from simulation.cards.solitaire import Played

MAT = RecordedMat(1060, 640, 40)


@pytest.mark.parametrize("seed", range(3))
def test_exact_eyes_referee_a_whole_game(seed: int) -> None:
    tally = Tally()
    play(Played(Options(draw=1 if seed else 3)), seed, tally, steps=60)
    assert not tally.failures
    assert tally.counts["right"] > 20 and tally.counts["named"] > 1


def test_a_first_picture_shows_the_deal() -> None:
    state, _ = Played().begin(Random(1))
    position = seen_position(1, Options(), state.layout())
    assert SOLITAIRE.from_record(1, Options(), position).ups == state.ups


def test_a_first_picture_of_something_else_is_no_deal() -> None:
    with pytest.raises(BadRecord, match="Pile 1 does not show one card"):
        seen_position(1, Options(), Layout())


def seen(**heaps: str) -> Layout:
    return Layout(
        heaps={
            spot: tuple(Detection.sure(PIECES[number_of(code)]) for code in codes.split())
            for spot, codes in heaps.items()
        }
    )


def test_sol_3_a_card_that_lay_face_up_has_moved_and_another_was_turned_up() -> None:
    state = SOLITAIRE.from_record(1, Options(), {"piles": ["B9", "?? GB8"]})
    assert infer_event(state, seen(pile1="B9 GB8", pile2="R4")) == PUTS[0][number_of("GB8")]


def test_sol_7_an_unknown_card_on_the_waste_is_a_packet() -> None:
    state = SOLITAIRE.from_record(1, Options(), {"piles": ["B9", "?? GB8"]})
    assert infer_event(state, seen(waste="R4 R5 R6")) == TURN


def test_sol_7_a_packet_is_turned_up_in_the_order_in_which_it_lies() -> None:
    state = SOLITAIRE.from_record(1, Options(), {"piles": ["B9", "?? GB8"]}).apply(TURN)
    drawn = infer_event(state, seen(waste="YG5 R8 B11"))
    assert isinstance(drawn, Drawn) and drawn.pieces == tuple(PIECES[number_of(code)] for code in ("YG5", "R8", "B11"))


def test_sol_8_an_empty_waste_was_turned_over() -> None:
    state = SOLITAIRE.from_record(1, Options(), {"piles": ["B9"], "waste": ["R1", "R2"]})
    assert infer_event(state, seen(waste="")) == TURN_OVER


def test_zones_can_be_moved() -> None:
    found = recorded(MAT, {"zones": {"waste": [0, 0, 100, 120]}, "options": {"draw": 1}})
    assert found.begun and found.options["draw"] == 1
    zones = {zone.spot: zone for zone in found.plan.zones}  # type: ignore[union-attr]
    assert zones["waste"].outline_mm[2] == (100.0, 120.0)  # type: ignore[union-attr]
    assert len(plan(1).zones) == len(zones) == 26


@pytest.mark.parametrize("setup", [{"zones": {"attic": [0, 0, 1, 1]}}, {"options": {"draw": 2}}])
def test_a_setup_that_cannot_be_is_refused(setup: dict[str, object]) -> None:
    with pytest.raises(BadPlan):
        recorded(MAT, setup)
