"""The page is told how tower and lights are."""

from __future__ import annotations

from companion.desk import Desk
from companion.devices import DeviceStatus
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


def test_state_sentence_and_counters_are_told(desk: Desk, reader: Browser) -> None:
    desk.devices = Two()
    tower, board = reader.get("/api/devices").json["devices"]
    assert (tower["state"], tower["counters"]) == ("ready", {"requests": 12.0})
    assert board["sentence"] == "The LED board is not there yet."
