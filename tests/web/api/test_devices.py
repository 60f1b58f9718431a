"""The page is told how tower and lights are."""

from __future__ import annotations

from companion.app.peripherals.throws import Throws
from companion.core.layout import Detection, Layout
from companion.core.pieces import Die
from companion.core.protocols.devices import DeviceStatus
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser


class Two:
    """A tower that answers and a board that is not there."""

    def statuses(self) -> tuple[DeviceStatus, ...]:
        return (
            DeviceStatus("dice tower", "ready", "/dev/ttyACM0", "The dice tower answers.", {"requests": 12.0}),
            DeviceStatus("LED board", "waiting", None, "The LED board is not there yet.", {}),
        )


def test_a_table_without_devices_says_so(reader: Browser) -> None:
    assert reader.get("/api/devices").json == {"devices": []}


def test_state_sentence_and_counters_are_told(sessions: SessionManager, reader: Browser) -> None:
    sessions.devices = Two()
    tower, board = reader.get("/api/devices").json["devices"]
    assert (tower["state"], tower["counters"]) == ("ready", {"requests": 12.0})
    assert board["sentence"] == "The LED board is not there yet."


def test_a_roll_that_tower_and_camera_tell_differently_is_a_row_in_words(
    sessions: SessionManager, reader: Browser
) -> None:
    table = sessions.start("spectrum", ["Ann", "Ben"], {})
    red, blue, purple = (Die("spectrum-d6", face) for face in ("red", "blue", "purple"))
    Throws(lambda: table).settled((red, blue))
    for frame in (1, 2):
        table.see(Layout(heaps={"dice": (Detection.sure(red), Detection.sure(purple))}), frame)
    alert = reader.get("/api/table").json["alert"]
    assert (alert["title"], alert["text"]) == ("Which roll was it?", "The dice were read in more than one way.")
    assert reader.get("/api/table").json["choices"] == []
    assert "The camera is right" in alert["choices"][1]["text"]
    table.answer(0, source="page")
    *_, asked, answered = reader.get("/api/journal/rows").json["rows"]
    assert asked["sentence"] == (
        "Tower and camera differ. The tower is right: rolled d6 red blue? The camera is right: rolled d6 red purple?"
    )
    assert answered["sentence"].startswith("The roll stands: ") and answered["sentence"].endswith(".")
