"""The end of a game is an event: who won, by how much, how it went, and what can be played next."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.situations import arrange
from tests.browser.test_new_game import IN_VIEW

GAMES = ("spectrangle", "cribbage", "ice-stalks", "roll-and-color")
COUNTED = ("cribbage", "roll-and-color")


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
@pytest.mark.parametrize("game", GAMES)
def test_the_end_shows_the_ranking_and_nothing_of_the_last_turn(
    house: House, tabs: Tabs, game: str, size: tuple[int, int]
) -> None:
    table = arrange(house.sessions, game, "end")
    page = tabs.open("/", viewport={"width": size[0], "height": size[1]})
    page.wait_for_selector(LIVE)
    page.wait_for_selector("#strip-actions .primary")
    assert page.evaluate(IN_VIEW, ["#strip-actions .primary", '[data-key="another-game"]', ".turn-text"]) == []
    for gone in ("#hands", "#cell"):
        assert not page.locator(gone).is_visible(), gone
    assert page.locator("#told").is_visible() == (game in COUNTED), "advice on moves goes, what was counted stays"
    on = page.get_attribute("#strip-actions .primary", "data-key")
    assert on == "rematch" or page.inner_text("#strip-actions .primary") == "Rematch"
    outcome = table.session.state.outcome()
    assert outcome is not None
    if len(table.session.names) > 1:
        first = page.locator("#ending .ranking tr >> nth=0")
        assert table.session.names[outcome.places[0][0]] in first.inner_text()
        totals = [score.total for score in table.session.state.scores()]
        gap = abs(totals[outcome.places[0][0]] - totals[outcome.places[-1][-1]])
        if gap and len(outcome.places) > 1:
            assert f"{gap:g}" in page.inner_text("#ending .ranking tr >> nth=-1")
        page.wait_for_selector("#ending svg.chart")


def test_the_next_game_takes_the_ending_away(house: House, tabs: Tabs) -> None:
    arrange(house.sessions, "spectrangle", "end")
    page = tabs.open("/")
    page.wait_for_selector("#ending .ranking")
    page.click('[data-key="rematch"]')
    page.wait_for_selector("#ending", state="hidden")
    page.wait_for_selector("#hands")


def test_times_of_results_are_those_of_the_reader(house: House, tabs: Tabs) -> None:
    table = arrange(house.sessions, "spectrangle", "end")
    page: Any = tabs.open(f"/results/{table.session.header.id}", timezone_id="Asia/Tokyo")
    shown = page.locator("time").first
    page.wait_for_selector("time:not(:has-text('UTC'))")
    at = float(shown.get_attribute("data-at") or 0)
    local = page.evaluate("at => new Date(at * 1000).getHours()", at)
    assert f"{local:02d}:" in shown.inner_text()
    assert page.inner_text("h1") in (f"{name} wins." for name in table.session.names)
