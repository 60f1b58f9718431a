"""An open question stands in a low bar: the board keeps its room, and an illegal move leaves one thing to read and to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import House
from tests.browser.situations import arrange
from tests.browser.test_playback import Shown

LAPTOP = {"width": 1366, "height": 768}
SIZES = ((1366, 768), (1280, 720), (390, 844), (360, 640))
BAR = """() => { const bar = document.getElementById('bar');
  return { height: bar.getBoundingClientRect().height, cut: bar.scrollHeight > bar.clientHeight + 1 }; }"""
SHOWN = """() => [...document.querySelectorAll('#bar button, #bar a, #bar p, #bar h2')].filter((one) => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)) && !one.closest('#alert, #playback');
}).map((one) => one.textContent)"""
GAMES = ("spectrangle", "cribbage", "spectrum")


@pytest.mark.parametrize("situation", ("alert", "question"))
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("locale", ("en", "de"))
def test_demo_alert_and_bar_take_a_fifth(
    house: House, table_page: Callable[..., Any], locale: str, game: str, situation: Any
) -> None:
    arrange(house.sessions, game, situation)
    house.sessions.playback = shown = Shown(house)
    shown.state = "waiting"
    page = table_page(viewport=LAPTOP, locale=locale)
    page.wait_for_selector("#playback >> text=A demo that is waiting")
    bar = page.evaluate(BAR)
    assert bar["height"] <= LAPTOP["height"] / 5 and not bar["cut"]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_of_an_illegal_move_the_bar_says_nothing_else(
    house: House, table_page: Callable[..., Any], width: int, height: int
) -> None:
    arrange(house.sessions, "spectrangle", "alert")
    page = table_page(viewport={"width": width, "height": height})
    page.wait_for_selector("#alert.refused")
    assert page.evaluate(SHOWN) == []
    said = page.inner_text("#bar").lower()
    assert said.count("put back") + said.count("put it back") == 1
    assert page.locator("#alert .answers .primary").evaluate(
        "one => { const box = one.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }"
    )
