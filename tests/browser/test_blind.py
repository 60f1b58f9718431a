"""A referee that sees nothing says so on every screen at once, and what to do; nothing old is called live."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.protocols.eyes import BLIND
from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.test_accessibility import violations

WITHIN_MS = 3000
TONES = """() => {
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) { window.tones += 1; return start.call(this, at); };
}"""


@pytest.mark.parametrize("state", sorted(BLIND))
def test_bar_header_and_wall_say_it_within_three_seconds(
    house: House, tabs: Tabs, table_page: Callable[..., Any], state: str
) -> None:
    house.begin()
    page, wall = table_page(), tabs.open("/screen")
    wall.wait_for_selector(LIVE)
    house.eyes.become(state, "Something is wrong. Do something about it.")
    for screen in (page, wall):
        screen.wait_for_selector(f"#blind >> text={BLIND[state]}", timeout=WITHIN_MS)  # type: ignore[index]
        assert "Do something about it." in screen.inner_text("#blind")
        assert screen.get_attribute("#state", "class") == "state blind"
        assert screen.inner_text("#state") == BLIND[state]  # type: ignore[index]
    house.eyes.become("looking", "Looking at the table.")
    for screen in (page, wall):
        screen.wait_for_selector(LIVE, timeout=WITHIN_MS)
        assert screen.is_hidden("#blind")


def test_it_is_heard_once_each_time_and_can_be_switched_off(
    house: House, table_page: Callable[..., Any], checker: str
) -> None:
    house.begin()
    page = table_page()
    page.evaluate(TONES)
    page.click("#turn")
    house.eyes.become("lost", "The camera 0 is gone. Plug it in again. The last picture is 3 s old.")
    page.wait_for_selector("#blind:not([hidden])")
    assert page.evaluate("window.tones") == 3
    assert "Plug it in again" in page.text_content("#assertive")
    assert violations(page, checker) == []
    house.eyes.become("lost", "The camera 0 is gone. Plug it in again. The last picture is 4 s old.")
    page.wait_for_selector("#blind >> text=4 s old")
    assert page.evaluate("window.tones") == 3
    page.click('[data-key="sound"]')
    house.eyes.become("looking", "Looking at the table.")
    page.wait_for_selector("#blind", state="hidden")
    house.eyes.become("dark", "Take the cap off the lens.")
    page.wait_for_selector("#blind >> text=Take the cap off")
    assert page.evaluate("window.tones") == 3
    assert page.get_attribute('[data-key="sound"]', "aria-pressed") == "false"
    page.click('[data-key="sound"]')


def test_a_table_without_a_camera_is_live(house: House, table_page: Callable[..., Any]) -> None:
    house.eyes.become("off", "No camera: you enter the moves on this page.")
    house.begin()
    page = table_page()
    assert page.is_hidden("#blind") and page.inner_text("#state") == "Live"
