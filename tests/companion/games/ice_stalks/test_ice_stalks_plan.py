"""The printed mat has room for everything, and nothing lies on anything else."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.printing.mat_pdf import mat_pdf
from companion.core.foundation.errors import BadPlan
from companion.core.plan import PyramidZone
from companion.core.recording import RecordedMat
from companion.games import GAMES, RECORDED
from companion.games.ice_stalks.manifest import MAT, plan, recorded
from companion.games.ice_stalks.options import Options
from tests.companion.games.mats import assert_clear, boxes


@pytest.mark.parametrize("seats", GAMES["ice-stalks"].seats)
def test_zones_stay_clear_of_markers_and_of_each_other(seats: int) -> None:
    assert_clear(plan(seats))


@pytest.mark.parametrize("seats", GAMES["ice-stalks"].seats)
def test_the_game_predicts_the_heaps_of_the_plan_and_the_rocks_beside_it(seats: int) -> None:
    game = GAMES["ice-stalks"]
    heaps = game.start(seats, Options(max_players=8)).layout().heaps
    assert {zone.spot for zone in plan(seats).zones if isinstance(zone, PyramidZone)} | {"rocks"} == set(heaps)


def test_the_middle_has_room_for_every_stalk_that_can_stand_at_once() -> None:
    """Even if every one of the 35 placed pieces were a base (ICE-2)."""
    x0, y0, x1, y1 = boxes(plan(4))[0]
    assert int((x1 - x0) / 50) * int((y1 - y0) / 50) >= 35


def test_the_poster_names_the_zones() -> None:
    assert mat_pdf(plan(3), "Ice Stalks", "a3", lambda _: [[True] * 6] * 6).startswith(b"%PDF")


def test_seats_go_round_clockwise() -> None:
    """Seen from above, y down: the turn from one seat's middle to the next one's is clockwise around the mat."""
    for seats in range(3, 9):
        strips = boxes(plan(seats))[1:]
        middles = [((b[0] + b[2]) / 2 - MAT.width_mm / 2, (b[1] + b[3]) / 2 - MAT.height_mm / 2) for b in strips]
        turns = [a[0] * b[1] - a[1] * b[0] for a, b in zip(middles, middles[1:] + middles[:1], strict=True)]
        assert all(turn >= 0 for turn in turns)


def test_every_strip_has_room_for_four_stalks() -> None:
    for x0, y0, x1, y1 in boxes(plan(8))[1:]:
        assert int((x1 - x0) / 40) * int((y1 - y0) / 40) >= 4


MAT_FILE = RecordedMat(640, 480, 40)
SETUP: dict[str, Any] = {
    "stalks": [110, 110, 530, 370],
    "players": [{"name": "Ada", "taken": [110, 386, 530, 472]}, {"taken": [110, 8, 530, 94]}, {}],
    "options": {"solid_set": "add"},
}


def test_a_recording_says_where_its_stalks_stand_and_begins_as_its_first_picture_shows() -> None:
    found = RECORDED["ice-stalks"](MAT_FILE, SETUP)
    assert (found.names, found.options) == (("Ada", "Player 2", "Player 3"), {"solid_set": "add"})
    assert found.begun and found.position is None and found.draws == "told"
    zones = [zone.spot for zone in found.plan.zones if isinstance(zone, PyramidZone) and zone.kind == "stalks"]
    assert zones == ["stalks", "seat0.stalks", "seat1.stalks"]
    assert boxes(found.plan)[1] == (110, 386, 530, 472)


def test_a_recording_may_give_its_position() -> None:
    found = recorded(MAT_FILE, {**SETUP, "position": {"stalks": [["red large"]], "turn": 1}})
    assert not found.begun
    assert found.position == {"stalks": [["red large"]], "turn": 1}


def test_more_than_four_players_at_a_recorded_table_need_no_option() -> None:
    assert recorded(MAT_FILE, {**SETUP, "players": [{}] * 6}).options == {"max_players": 6, "solid_set": "add"}


@pytest.mark.parametrize("setup", ({}, {**SETUP, "players": [{}]}, {"players": [{}, {}]}, {**SETUP, "stalks": [1, 2]}))
def test_a_setup_without_players_or_place_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadPlan, match="Ice Stalks"):
        recorded(MAT_FILE, setup)
