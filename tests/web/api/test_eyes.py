"""Corners, plan and camera status over HTTP."""

from __future__ import annotations

import pytest

from companion.core.protocols.eyes import PlaybackStatus
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from tests.web.doubles import PaintedEyes

CORNERS = [[80, 50], [560, 50], [580, 310], [60, 310]]


def test_the_status_says_how_the_eyes_are(reader: Browser, eyes: PaintedEyes) -> None:
    eyes.become("lost", "The camera stopped delivering pictures. Plug it in again.")
    status = reader.get("/api/eyes").json
    assert status["state"] == "lost" and "Plug it in" in status["text"]
    assert status["markers"] == [0, 1, 2, 3] and status["frame"] == 1


def test_corners_set_by_hand_are_used_and_kept_in_the_plan(
    sessions: SessionManager, phone: Browser, eyes: PaintedEyes
) -> None:
    assert phone.post("/api/eyes/corners", {"corners_px": CORNERS}).status_code == 200
    assert eyes.corners_set[-1] == tuple(tuple(map(float, corner)) for corner in CORNERS)
    assert sessions.plan.corners_px == eyes.corners_set[-1]
    assert phone.post("/api/eyes/corners", {"corners_px": None}).status_code == 200
    assert eyes.corners_set[-1] is sessions.plan.corners_px is None


@pytest.mark.parametrize(
    "corners",
    [
        CORNERS[::-1],
        [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]],
        [[0, 0]] * 4,
        [[0, 0], [1, 0], [1, 1], [0, 1]],
        CORNERS[:3],
        [[80, 50], [560, 50], [580, 310], [60, 1e9]],
        [[80, 50], [560, 50], [580, 310], ["60", 310]],
    ],
)
def test_corners_that_are_no_table_are_refused(
    sessions: SessionManager, phone: Browser, eyes: PaintedEyes, corners: list
) -> None:
    answer = phone.post("/api/eyes/corners", {"corners_px": corners})
    assert answer.status_code == 400
    assert eyes.corners_set == [] and sessions.plan.corners_px is None


def test_a_plan_is_read_changed_and_written(sessions: SessionManager, phone: Browser) -> None:
    plan = phone.get("/api/plan").json["plan"]
    heap = next(zone for zone in plan["zones"] if zone["type"] == "tile-heap")
    heap["outline_mm"][0] = [12.5, -3.0]
    assert phone.post("/api/plan", plan).status_code == 200
    assert phone.get("/api/plan").json["plan"] == plan
    assert any(getattr(zone, "outline_mm", [None])[0] == (12.5, -3.0) for zone in sessions.plan.zones)


def test_plans_that_cannot_be_are_refused(sessions: SessionManager, phone: Browser) -> None:
    before = sessions.plan
    plan = phone.get("/api/plan").json["plan"]
    heap = next(zone for zone in plan["zones"] if zone["type"] == "tile-heap")
    for wrong in (
        {**plan, "zones": [heap, heap]},
        {**plan, "zones": [{**heap, "outline_mm": heap["outline_mm"][:2]}]},
        {**plan, "zones": [{**heap, "outline_mm": [[1e300, 0], [0, 1], [1, 1]]}]},
        {**plan, "mat": {**plan["mat"], "width_mm": -1}},
        {**plan, "legs": 4},
    ):
        assert phone.post("/api/plan", wrong).status_code == 400
    assert sessions.plan == before


class Shown:
    """A recording that notes what it is told to do."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def status(self) -> PlaybackStatus:
        return PlaybackStatus("playing", "Demo: picture 3 of 9.", 3, 9)

    def play(self) -> None:
        self.told.append("play")

    def pause(self) -> None:
        self.told.append("pause")

    def step(self) -> None:
        self.told.append("step")

    def restart(self) -> None:
        self.told.append("restart")


def test_a_recording_is_controlled(sessions: SessionManager, phone: Browser) -> None:
    assert phone.get("/api/eyes").json["playback"] is None
    refused = phone.post("/api/eyes/playback", {"do": "play"})
    assert refused.status_code == 404 and "No recording is shown here" in refused.json["error"]
    sessions.playback = shown = Shown()
    for what in ("play", "pause", "step", "restart"):
        assert phone.post("/api/eyes/playback", {"do": what}).json["playback"]["text"] == "Demo: picture 3 of 9."
    assert shown.told == ["play", "pause", "step", "restart"]
    assert phone.post("/api/eyes/playback", {"do": "rewind"}).status_code == 400
