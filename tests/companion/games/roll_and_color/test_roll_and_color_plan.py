"""Roll & Color's table: a tray, and what was entered on the page."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import BadPlan
from companion.core.plan import DiceTray
from companion.core.recording import RecordedMat, Spoken
from companion.games import PLANS, RECORDED
from companion.games.shared import color_dice

MAT_FILE = RecordedMat(240, 180, 25)


def test_rol_1_all_dice_lie_in_one_tray() -> None:
    assert PLANS["roll-and-color"](3) == color_dice.plan()


def test_a_recording_begins_with_the_first_roll_and_says_which_entries_were_told() -> None:
    said = [{"before": 7, "text": "player 1 enters 2&3 in spectrum combo 1"}]
    found = RECORDED["roll-and-color"](MAT_FILE, {"players": [{"name": "Ada"}, {}], "said": said})
    assert (found.names, found.begun) == (("Ada", "Player 2"), False)
    assert found.said == (Spoken(7, "player 1 enters 2&3 in spectrum combo 1"),)
    assert found.plan.zones == (DiceTray(),) and found.plan.mat.marker_mm == 25.0
    boxed = RECORDED["roll-and-color"](MAT_FILE, {"players": [{}], "dice": [10, 10, 200, 150]})
    (zone,) = boxed.plan.zones
    assert isinstance(zone, DiceTray) and zone.outline_mm is not None


@pytest.mark.parametrize("setup", ({}, {"players": [{}] * 7}, {"players": [{}], "dice": [1]}), ids=str)
def test_a_setup_that_cannot_be_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadPlan, match="Roll & Color"):
        RECORDED["roll-and-color"](MAT_FILE, setup)
