"""The table's page asks for few files, and asks for them once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.situations import begin

MOST = 12
FROM_THE_SERVER = "performance.getEntriesByType('resource').filter(one => one.transferSize > 0).map(one => one.name)"


@pytest.mark.parametrize("game", ["spectrangle", "cribbage", "spectrum", "roll-and-color"])
def test_the_table_makes_few_requests_and_keeps_what_it_got(house: House, tabs: Tabs, game: str) -> None:
    begin(house.sessions, game)
    page = tabs.open("/join", locale="de-DE")  # the icon and what all pages share are there
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for _ in range(2):
        asked.clear()
        page.goto(house.url, wait_until="domcontentloaded")
        page.wait_for_selector(LIVE)
        assert len(asked) <= MOST, asked
    again: list[Any] = page.evaluate(FROM_THE_SERVER)
    assert [one for one in again if "/static/" in one or "/language/" in one] == [], "static files are kept for good"
