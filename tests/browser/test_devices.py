"""Tower and lights on the camera's page: how their links are, and what was counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.contract import Rolled
from companion.core.pieces import Die
from companion.core.protocols.devices import DeviceStatus
from tests.browser.conftest import House


class Hung:
    """Devices that hang on a table."""

    def __init__(self, *statuses: DeviceStatus) -> None:
        self._statuses = statuses

    def statuses(self) -> tuple[DeviceStatus, ...]:
        return self._statuses


def test_link_states_and_counters_are_shown_in_words(house: House, table_page: Callable[..., Any]) -> None:
    counters = {
        "requests": 41.0,
        "retries": 3.0,
        "sessions": 1.0,
        "events_lost": 0.0,
        "device_bad": 2.0,
        "rtt_ms": 7.46,
    }
    house.begin()
    house.sessions.devices = Hung(
        DeviceStatus(
            "dice tower", "ready", "/dev/ttyACM0", "The dice tower on /dev/ttyACM0 answers.", counters, "Dice fall."
        ),
        DeviceStatus("LED board", "waiting", None, "The port /dev/ttyACM1 is gone: check the cable.", {}),
    )
    page = table_page("/camera")
    page.wait_for_selector("#devices li >> nth=1")
    tower, board = (" ".join(text.split()) for text in page.locator("#devices li").all_inner_texts())
    assert "Dice tower: ready The dice tower on /dev/ttyACM0 answers. Dice fall." in tower
    assert "41 answered · 3 sent again · 1 session · 2 damaged on the way there · 7.5 ms to the last answer" in tower
    assert "LED board: waiting The port /dev/ttyACM1 is gone: check the cable." in board
    assert page.locator("#devices .mark-ok").count() == page.locator("#devices .mark-no").count() == 1


def test_a_table_without_devices_shows_no_card(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    page = table_page("/camera")
    page.wait_for_selector("#check li")
    assert page.locator("#devices-card").is_hidden()


def test_while_a_roll_is_due_the_table_says_what_became_of_the_dice_in_the_tower(
    house: House, table_page: Callable[..., Any]
) -> None:
    table = house.sessions.start("spectrum", ["Ann", "Ben"], {})
    answers = "The dice tower on /dev/ttyACM0 answers."
    house.sessions.devices = Hung(DeviceStatus("dice tower", "ready", "/dev/ttyACM0", answers, {}, "Dice are falling."))
    page = table_page("/")
    page.wait_for_selector("text=Dice tower: Dice are falling.")
    house.sessions.devices = Hung(
        DeviceStatus("dice tower", "waiting", None, "The port /dev/ttyACM0 is gone.", {}, "x")
    )
    page.wait_for_selector("text=Dice tower: The port /dev/ttyACM0 is gone.")
    table.play(Rolled((Die("spectrum-d6", "red"), Die("spectrum-d6", "blue"))), source="tower")
    page.wait_for_selector("#tower-line", state="detached")
