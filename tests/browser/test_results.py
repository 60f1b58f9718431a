"""Earlier games on the page: usable by everybody, and a rematch by one tap."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.referee.results.store import Keeper, Results
from companion.referee.table.table import Table
from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.situations import begin, play
from tests.browser.test_accessibility import violations

SCROLLED = """() => [...document.querySelectorAll('.wide')].filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.getAttribute('aria-label'))"""


def play_out(house: House) -> Table:
    """This game is over."""
    play(house.table, 700)
    return house.table


def test_a_finished_game_is_looked_at_and_played_again(
    house: House, tabs: Tabs, checker: str, pictures: Any, tmp_path: Path
) -> None:
    for _ in range(3):
        play(begin(house.sessions, "spectrangle"), 700)
    house.results = Results(tmp_path / "results")
    Keeper(house.sessions, house.results).catch_up()
    house.stop()
    house.again()
    before = house.table
    page = tabs.open("/")
    page.wait_for_selector(LIVE)
    page.click('#strip-actions [data-key="result"]')
    page.wait_for_selector("text=Download")
    assert violations(page, checker) == []
    pictures(page, "result")
    page.click("text=Back")
    page.wait_for_selector(f"text=After row {before.session.seq - 1} of {before.session.seq}")
    page.click('nav >> text="Results"')
    page.wait_for_selector("caption >> text=Games, the newest first")
    assert violations(page, checker) == []
    pictures(page, "results")
    for language in ("en", "de"):
        phone = tabs.open("/results", locale=language, viewport={"width": 390, "height": 844})
        assert phone.evaluate(SCROLLED) == [], "a phone shows whole tables"
    page.click("table a >> nth=0")
    page.wait_for_load_state()  # a press before the page's script has run is nobody's
    page.click("#again")
    page.wait_for_selector(LIVE)
    assert house.table is not before and house.table.session.names == before.session.names
    second = play_out(house)
    page.click('#strip-actions [data-key="rematch"]')
    page.wait_for_selector("#history .row", state="detached")
    assert house.table is not second and house.table.session.names == before.session.names
    page.goto(house.url + "setup", wait_until="domcontentloaded")
    page.wait_for_selector('[data-key="name-1"]')
    sitting = [page.input_value(f'[data-key="name-{seat}"]') for seat in (0, 1)]
    assert sitting == ["Ada", "Bonaventura"], "people sit down once an evening"
    page.fill('[data-key="name-0"]', "")
    offered = page.locator("#known-players button").all_inner_texts()
    assert offered == ["Ada"], "each once, however often they have played, and nobody who sits already"
    page.click("#known-players button")
    assert page.input_value('[data-key="name-0"]') == "Ada"
