"""Spectrum Escape and Roll & Color on the page: set up, dice told by tapping, moves, refusals, to the end of a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from companion.core.contract import Over
from companion.games.roll_and_color.sheet import ROWS
from tests.browser.conftest import House, Pictures, Tabs, show_tab
from tests.browser.test_accessibility import violations
from tests.browser.test_game import rows_shown


def tap_faces(page: Any, codes: str) -> None:
    """Tell dice one by one."""
    for code in codes.split():
        page.click(f'[data-key="face-{code}"]')


def fits(page: Any, width: int) -> None:
    """Nothing reaches beyond the screen, and what is tapped is wide enough."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.eval_on_selector_all(
        "main button",
        """all => all.filter(e => e.checkVisibility()).map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
        .filter(([, box]) => box.height < 40 || box.width < 40).map(([html]) => html)""",
    )
    assert small == []


def test_escape_is_set_up_and_played(house: House, tabs: Tabs, pictures: Pictures, checker: str) -> None:
    page = tabs.set_up("escape", ".dice-slots", "Ada", "Ben")
    table = house.table

    tap_faces(page, "d6R d6B d6R d6Y d12RO d12R d12P d12P d12G")
    page.click('[data-key="slot-1"]')
    page.click('[data-key="face-d6G"]')
    page.click('[data-key="tell-roll"]')
    rows_shown(page, 1)
    assert table.session.rows()[0].text == "rolls d6 red green red yellow, d12 red-orange red purple purple green"

    page.wait_for_selector('.die-move[data-key="player 1 plays personal red to 1"]')
    page.click('.board [data-spot="blue"]')
    page.wait_for_selector("#verdict .forbidden .rule-line >> text=ESC-13")
    page.click('[data-key="close"]')
    page.click('.die-move[data-key="player 1 plays personal red to 1"]')
    rows_shown(page, 2)
    page.wait_for_selector('.die-move[data-key="player 2 plays common red to 2"]')
    page.click('.die-move[data-key="player 2 plays common red to 2"]')
    rows_shown(page, 3)
    show_tab(page, "type")
    page.fill("#typed-text", "player 2 plays personal green to 1")
    page.click("#typed button[type=submit]")
    page.wait_for_selector("#error >> text=ESC-16")
    assert violations(page, checker) == []
    pictures(page, "escape")

    page.click('.board [data-spot="red"]')
    page.click("text=Read wrongly?")
    page.click('[data-key="gone-2"]')
    page.click('[data-key="confirm"]')
    rows_shown(page, 4)
    assert table.session.state.columns[0] == (1, 0)

    table.set_position(
        {
            "pawns": [{"red": 9}, {"red": 1}],
            "escaped": [6, 2],
            "personal": ["red", "blue"],
            "common": {"d6": ["red", "blue"], "d12": ["red"] * 5},
        },
        "",
        source="software",
    )
    page.click('.die-move[data-key="player 1 plays personal red out"]')
    page.wait_for_selector("text=Ada wins.")
    assert isinstance(table.session.state.expects(), Over)


def test_escape_on_a_phone_and_by_keyboard(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("escape", ("Ada", "Ben", "Cid", "Dan"), {})
    page = table_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.wait_for_selector(".dice-slots")
    fits(page, 360)
    page.focus('[data-key="face-d6R"]')
    for _ in range(9):
        page.keyboard.press("Enter")
    page.focus('[data-key="tell-roll"]:enabled')
    page.keyboard.press("Enter")
    rows_shown(page, 1)
    page.wait_for_selector(".die-move")
    fits(page, 360)
    page.focus(".board [data-spot][tabindex='0']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict .verdict")
    assert page.evaluate("document.activeElement.tagName") == "H3"
    assert page.inner_text("#cell h3") == "Red-orange"
    assert table.session.seq == 1


def test_roll_and_color_is_played_to_its_end(house: House, tabs: Tabs, pictures: Pictures, checker: str) -> None:
    house.eyes.become("off", "No camera is watched.")
    page = tabs.set_up("roll-and-color", ".dice-slots", "Ada", "Ben")
    table = house.table

    tap_faces(page, "d6R d6R d6B d6G d12RO d12R d12R d12B d12P")
    page.click('[data-key="tell-roll"]')
    rows_shown(page, 1)
    page.wait_for_selector(".picks-dice")
    assert page.locator('[data-key="odds"]').count() == 0, "while hints are off nothing advises"
    table.session.allow_hints(True, source="page")
    rows_shown(page, 2)
    page.wait_for_selector('[data-key="odds"]')
    page.click('.board [data-spot="die.3"]')
    page.click('[data-key="pick-4"]')
    page.click('[data-key="reroll"]')
    page.wait_for_selector("#verdict .forbidden .rule-line >> text=ROL-3")
    page.click('[data-key="odds"]')
    page.wait_for_selector(".outlook .best")
    assert "Exact" in page.inner_text(".outlook")
    page.select_option("#goal", "sheet")
    page.wait_for_selector(".outlook >> text=An estimate from below")
    page.click('.outlook [data-key^="choose-"] >> nth=0')
    assert violations(page, checker) == []
    pictures(page, "roll-and-color")
    page.click('[data-key="reroll"]')
    rows_shown(page, 3)
    page.wait_for_selector(".dice-slots")
    assert page.locator(".dice-slots .die-slot").count() == 4
    page.click('[data-key="roll-for-me"]')
    rows_shown(page, 4)

    page.click('.board [data-spot="red-orange"]')
    page.click('[data-key="cell-6"]')
    page.wait_for_selector("#verdict .forbidden .rule-line >> text=ROL-6")
    page.click('[data-key="close"]')
    page.click(".entry >> nth=0")
    rows_shown(page, 5)
    assert len(table.session.state.sheets[0]) == 1

    slugs = [row.name for row in ROWS]
    zeros = {name: "0" for name in slugs if name != "red"}
    dice = {"d6": ["red"] * 4, "d12": ["red"] * 5}
    table.set_position({"sheets": [{**zeros, "red": "1"}, zeros], "dice": dice}, "", source="software")
    page.click('.entry:has-text("20 points")')
    page.wait_for_selector("text=Ben wins.")
    assert isinstance(table.session.state.expects(), Over)


def test_roll_and_color_on_two_phones(house: House, table_page: Callable[..., Any]) -> None:
    """Each shows its own sheet, both show all."""
    house.eyes.become("off", "No camera is watched.")
    table = house.sessions.start("roll-and-color", ("Ada", "Ben"), {})
    phone: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    ada, ben = table_page(**phone), table_page(**phone)
    ben.wait_for_selector("#mine")
    ben.select_option("#mine", "1")
    ada.click('[data-key="roll-for-me"]')
    rows_shown(ben, 1)
    ada.wait_for_selector(".picks-dice")
    fits(ada, 360)
    ada.locator(".entry").filter(has_text=re.compile("^[1-9]")).first.click()
    rows_shown(ada, 2)
    rows_shown(ben, 2)
    ben.wait_for_selector("#told h3 >> text=Ben: 0 points, 24 rows open")
    entered = table.session.rows()[-1].scores[0]
    assert entered > 0 and f"Ada: {entered} points" not in ben.inner_text("#told")
    assert ada.locator(".board .points-entered").count() == ben.locator(".board .points-entered").count() == 1
    ben.reload(wait_until="domcontentloaded")
    ben.wait_for_selector("#told h3 >> text=Ben:")


def test_a_row_that_is_filled_offers_no_cells(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("roll-and-color", ("Ada",), {})
    dice = {"d6": ["red"] * 4, "d12": ["red"] * 5}
    table.set_position({"sheets": [{"red": "1"}], "dice": dice}, "", source="software")
    page = table_page()
    page.click('.board [data-spot="red"]')
    page.wait_for_selector("#cell >> text=Ada has filled this row. Choose an open one.")
    assert page.locator(".cell-choice").count() == 0
    page.click('.board [data-spot="green"]')
    page.wait_for_selector('.cell-choice[data-key="cell-0"]')
