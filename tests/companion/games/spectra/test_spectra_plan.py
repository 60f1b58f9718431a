"""The printed mat has room for everything, and nothing lies on anything else."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.printing.mat_pdf import mat_pdf
from companion.core.foundation.errors import BadPlan
from companion.core.plan import PyramidZone
from companion.core.recording import RecordedMat
from companion.games import GAMES
from companion.games.spectra.manifest import plan, recorded
from tests.companion.games.mats import assert_clear, boxes


@pytest.mark.parametrize("seats", GAMES["spectra"].seats)
def test_zones_stay_clear_of_markers_and_of_each_other(seats: int) -> None:
    assert_clear(plan(seats))


@pytest.mark.parametrize("seats", GAMES["spectra"].seats)
def test_the_game_predicts_exactly_the_heaps_of_the_plan(seats: int) -> None:
    game = GAMES["spectra"]
    heaps = game.start(seats, game.Options()).layout().heaps
    assert {zone.spot for zone in plan(seats).zones if isinstance(zone, PyramidZone)} == set(heaps)


@pytest.mark.parametrize("seats", GAMES["spectra"].seats)
def test_a_supply_has_room_for_a_dozen_large_pieces_and_trees_for_three_trios(seats: int) -> None:
    for zone, (x0, y0, x1, y1) in zip(plan(seats).zones, boxes(plan(seats)), strict=True):
        assert isinstance(zone, PyramidZone)
        pitch_mm = 38.0 if zone.kind == "supply" else 30.0
        room = int((x1 - x0) / pitch_mm) * int((y1 - y0) / pitch_mm)
        assert room >= (12 if zone.kind == "supply" else 9)


def test_seats_go_round_clockwise() -> None:
    """Seen from above, y down: the turn from one seat's middle to the next one's is clockwise around the mat."""
    for seats in range(3, 7):
        found = plan(seats)
        middles = [((b[0] + b[2]) / 2 - found.mat.width_mm / 2, (b[1] + b[3]) / 2 - 200) for b in boxes(found)[1::2]]
        turns = [a[0] * b[1] - a[1] * b[0] for a, b in zip(middles, middles[1:] + middles[:1], strict=True)]
        assert all(turn >= 0 for turn in turns)


def test_the_poster_names_the_zones() -> None:
    assert mat_pdf(plan(2), "Spectra", "a4", lambda _: [[True] * 6] * 6).startswith(b"%PDF")


SETUP: dict[str, Any] = {
    "players": [
        {"color": "blue", "seat": "bottom", "trees": [110, 212, 490, 282], "stash": [70, 298, 530, 390]},
        {"color": "purple", "seat": "top", "trees": [110, 118, 490, 188], "stash": [70, 10, 530, 102]},
    ],
    "zones": "x0, y0, x1, y1 in table mm",
}


def test_a_recording_says_where_its_pieces_stand() -> None:
    found = recorded(RecordedMat(600, 400, 40), SETUP)
    assert found.options == {"colors": "blue,purple"} and found.begun and found.position is None
    assert [(zone.spot, zone.kind) for zone in found.plan.zones if isinstance(zone, PyramidZone)] == [
        ("seat0.trees", "trees"),
        ("seat0.supply", "supply"),
        ("seat1.trees", "trees"),
        ("seat1.supply", "supply"),
    ]
    assert boxes(found.plan)[:2] == [(110, 212, 490, 282), (70, 298, 530, 390)]


@pytest.mark.parametrize("setup", ({}, {"players": SETUP["players"][:1]}, {"players": [{"color": "blue"}] * 2}))
def test_a_setup_without_players_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadPlan, match="players"):
        recorded(RecordedMat(600, 400, 40), setup)
