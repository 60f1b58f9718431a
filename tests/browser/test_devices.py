"""Tower and lights on the camera's page: how their links are, and what was counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.devices import DeviceStatus
from tests.browser.conftest import House


class Hung:
    """Devices that hang on a table."""

    def __init__(self, *statuses: DeviceStatus) -> None:
        self._statuses = statuses

    def statuses(self) -> tuple[DeviceStatus, ...]:
        return self._statuses


def test_link_states_and_counters_are_shown_in_words(house: House, table_page: Callable[..., Any]) -> None:
    counters = {"requests": 41.0, "retries": 3.0, "events_lost": 0.0, "rtt_ms": 7.46}
    house.begin()
    house.desk.devices = Hung(
        DeviceStatus("dice tower", "ready", "/dev/ttyACM0", "The dice tower on /dev/ttyACM0 answers.", counters),
        DeviceStatus("LED board", "waiting", None, "The port /dev/ttyACM1 is gone: check the cable.", {}),
    )
    page = table_page("/camera")
    page.wait_for_selector("#devices li >> nth=1")
    tower, board = (" ".join(text.split()) for text in page.locator("#devices li").all_inner_texts())
    assert "Good: Dice tower: The dice tower on /dev/ttyACM0 answers." in tower
    assert "(requests 41, retries 3, rtt ms 7.5)" in tower
    assert "Not yet: LED board: The port /dev/ttyACM1 is gone: check the cable." in board
    assert page.locator("#devices .mark-ok").count() == page.locator("#devices .mark-no").count() == 1


def test_a_table_without_devices_shows_no_card(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    page = table_page("/camera")
    page.wait_for_selector("#check li")
    assert page.locator("#devices-card").is_hidden()
