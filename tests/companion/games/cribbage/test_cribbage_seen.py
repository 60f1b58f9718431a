"""Cribbage as a camera sees it: cards before each seat, Go that nobody hears, hands counted as they lie, the crib."""

from __future__ import annotations

import pytest

from companion.core.foundation.errors import BadPlan
from companion.core.recording import RecordedMat
from companion.games.cribbage.game import CRIBBAGE
from companion.games.cribbage.manifest import plan, recorded
from companion.games.cribbage.moves import GOES, PLAYS
from companion.games.cribbage.observation import is_said, layout, rarity
from companion.games.cribbage.situation import Options
from companion.games.shared.cards.deck import number_of
from simulation.cards.cribbage import Played
from simulation.cards.played import Tally, play

MAT = RecordedMat(800, 600, 40)


@pytest.mark.parametrize(("seats", "seed"), [(2, 0), (2, 2), (4, 0)])
def test_exact_eyes_referee_whole_hands(seats: int, seed: int) -> None:
    tally = Tally()
    play(Played(seats), seed, tally, steps=50)
    assert not tally.failures
    assert tally.counts["right"] > 25 and tally.counts["named"] > 1


def test_crb_6_the_crib_lies_face_down_until_all_hands_are_counted() -> None:
    position = {"dealer": 0, "hands": [None, None], "laid": [["R1", "R2", "R3"], ["B1", "B2", "B3"]], "starter": "G5"}
    table = layout(CRIBBAGE.from_record(2, Options(), position))
    assert len(table.covered["crib"]) == len(table.heaps["crib"]) == 6


def test_crb_4_what_go_explains_is_hardly_a_breach() -> None:
    position = {
        "dealer": 0,
        "hands": [None, None],
        "starter": "G5",
        "played": [["R12"], ["B12"]],
        "count": ["B12", "R12"],
    }
    state = CRIBBAGE.from_record(2, Options(), position)
    assert rarity(state, PLAYS[0][number_of("G1")]) == 0.0
    position |= {"played": [["R12"], ["B12", "B6"]], "count": ["B12", "R12", "B6"]}
    assert rarity(CRIBBAGE.from_record(2, Options(), position), PLAYS[1][number_of("G1")]) > 0.0
    assert is_said(state, GOES[0])


def test_zones_of_the_printed_mat() -> None:
    assert [len(plan(seats).zones) for seats in (2, 4)] == [4, 6]


@pytest.mark.parametrize("setup", [{"players": 3, "dealer": 0}, {"players": 2, "dealer": 2}, {"players": 2}])
def test_a_setup_that_cannot_be_is_refused(setup: dict[str, object]) -> None:
    with pytest.raises(BadPlan):
        recorded(MAT, setup)
