"""Spectra and Ice Stalks on the page without a camera: set up, told, asked, taken back, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.contract import Drawn
from companion.core.pieces import Pyramid, Rock
from simulation.play import tell
from tests.browser.conftest import LIVE, House, Pictures, Tabs, show_tab
from tests.browser.test_accessibility import assert_for_everybody
from tests.browser.test_game import rows_shown
from web.scene.pieces.pyramids import CODES, single, spoken
from web.scene.svg import svg

CSS_FOLDER = Path(__file__).parent.parent.parent / "web" / "static" / "css"
CSS = "".join((CSS_FOLDER / name).read_text() for name in ("board.css", "pyramids.css"))


def draw(page: Any, code: str) -> None:
    """Enter the draw, by mouse."""
    page.click('[data-key="draw"]')
    page.click(f'dialog .piece[data-code="{code}"]')
    page.click("dialog button.primary")


def test_spectra_is_set_up_and_played(house: House, tabs: Tabs, pictures: Pictures) -> None:
    page = tabs.set_up("spectra", LIVE, "Ada", "<b>Ben</b>", colors=("blue", "purple"))
    table = house.table
    assert table.session.state.colors == ("blue", "purple")
    assert {zone.spot for zone in house.sessions.plan.zones} == {  # type: ignore[union-attr]
        "seat0.trees",
        "seat0.supply",
        "seat1.trees",
        "seat1.supply",
    }

    page.click('[data-key="draw"]')
    assert page.locator("dialog >> text=was not shown").count() == 0, "what is drawn in Spectra is public (SPA-4)"
    page.select_option("#who-draws", "1")
    page.click('dialog .piece[data-code="R1"]')
    page.click("dialog button.primary")
    rows_shown(page, 1)
    assert table.session.state.turn == 1
    page.click("text=Pass the bag on")
    rows_shown(page, 2)
    draw(page, "Y1")
    rows_shown(page, 3)
    page.click("text=Pass the bag on")
    rows_shown(page, 4)
    draw(page, "P2")
    rows_shown(page, 5)

    page.click("text=Pass the bag on")
    page.wait_for_selector("dialog .rule-line >> text=Add it")
    assert page.inner_text("dialog .rule-line a") == "SPA-9"
    page.click("dialog >> text=Go back")
    page.click('.board [data-spot="seat1.supply.P2.1"]')
    page.click("text=Add purple medium to the trees")
    rows_shown(page, 6)
    page.click("text=Pass the bag on")
    rows_shown(page, 7)

    draw(page, "B1")
    rows_shown(page, 8)
    page.wait_for_selector('#told [data-key="add-B1"], .board [data-spot="seat0.supply.B1.1"]')
    made = page.inner_text("#told .makes >> nth=0")
    assert "green small" in made and "the bag" in made
    pictures(page, "spectra-told")
    page.click('.board [data-spot="seat0.supply.B1.1"]')
    page.click('.board [data-spot="seat0.supply.Y1.1"]')
    page.wait_for_selector('#cell [data-key="take-G1"]')
    page.click("text=Another piece: why not?")
    page.click('#cell [data-key="take-O1"]')
    page.wait_for_selector("#verdict .rule-line >> text=SPA-14")
    page.select_option("#source", "player 2")
    page.wait_for_selector("#verdict .rule-line >> text=SPA-20")
    pictures(page, "spectra-why-not")
    page.click('#cell [data-key="take-G1"]')
    page.wait_for_selector("#verdict .allowed")
    page.click("text=Make this exchange")
    rows_shown(page, 9)
    assert table.session.state.supplies[0] and table.session.rows()[-1].text.endswith("for green small from bag")

    page.click('.board [data-spot="seat1.supply.R1.1"]')
    page.click("text=It is another piece")
    page.click('#cell .piece[data-code="O1"]')
    page.wait_for_selector('#cell [data-key="confirm"]')
    assert "Row 1 is corrected" in page.inner_text("#cell")
    page.click('[data-key="confirm"]')
    rows_shown(page, 10)
    page.wait_for_selector('.board [data-spot="seat1.supply.O1.1"]')

    page.click('[data-key="undo"]')
    page.click("dialog >> button:has-text('Undo')")
    rows_shown(page, 11)
    page.wait_for_selector('.board [data-spot="seat1.supply.R1.1"]')
    page.click('[data-key="replay"]')
    page.wait_for_selector("#replay:not([hidden])")
    page.keyboard.press("Home")
    page.wait_for_selector("text=The start of the game.")
    assert page.locator('.board [data-spot*="supply."] >> visible=true').count() == 2, "only the two empty places"
    page.click("text=Back to now")
    assert "Ben" in page.inner_text("#told") and page.locator("main b").count() == 0


def test_spectra_by_keyboard_alone(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("spectra", ("Ada", "Ben"), {"colors": "blue,purple"})
    tell(table, "player 1 draws red small", "player 1 passes the bag", "player 2 draws yellow small")
    page = table_page()
    page.wait_for_selector("#told .counts")

    def tab_to(selector: str) -> None:
        page.wait_for_selector(selector)
        for _ in range(150):
            if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"no way to {selector} by Tab")

    tab_to('[data-key^="other-player 2 passes"]')
    page.keyboard.press("Enter")
    rows_shown(page, 4)
    tab_to('[data-key="draw"]')
    page.keyboard.press("Enter")
    tab_to('dialog .piece[data-code="Y1"]')
    page.keyboard.press("Enter")
    tab_to("dialog button.primary")
    page.keyboard.press("Enter")
    rows_shown(page, 5)
    tab_to(".board [data-spot]")
    assert page.locator('.board [tabindex="0"]').count() == 1, "the board is one tab stop"
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.spot") == "seat0.supply.R1.1"
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell h3 >> text=Give red small")
    assert page.evaluate("document.activeElement.dataset.spot") == "seat0.supply.R1.1"
    tab_to('[data-key="take-O1"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict .allowed")
    tab_to('[data-key="exchange"]')
    page.keyboard.press("Enter")
    rows_shown(page, 6)
    assert Pyramid("orange", "small") in [
        sighting.piece for sighting in table.session.state.layout().heaps["seat0.supply"]
    ]
    tab_to("#tab-history")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    tab_to("#typed-text")
    page.keyboard.type("player 1 gives orange small + orange small for red small from bag")
    tab_to("#typed-ask")
    page.keyboard.press("Enter")
    page.wait_for_selector("#typed-answer.bad >> text=SPA-13")


def test_ice_stalks_is_set_up_and_played(house: House, tabs: Tabs, pictures: Pictures) -> None:
    tabs.allow("409")
    page = tabs.open("/setup")
    page.check('input[name="game"][value="ice-stalks"]')
    page.click("#options-line > summary")
    page.check('input[name="option-solid_set"][value="add"]')
    page.click("text=Start the game")
    page.wait_for_selector(LIVE)
    table = house.table
    assert table.session.game.name == "ice-stalks" and table.session.options["solid_set"] == "add"
    assert any(getattr(zone, "spot", "") == "stalks" for zone in house.sessions.plan.zones)

    draw(page, "cyan")
    rows_shown(page, 1)
    page.wait_for_selector("#told >> text=A base must be placed")
    page.click("text=Place cyan large as a base")
    rows_shown(page, 2)
    draw(page, "blue")
    rows_shown(page, 3)
    page.wait_for_selector("#told >> text=No base:")
    assert "ICE-12" in page.inner_text("#told"), "a blue large on cyan would be dead (ICE-14)"
    pictures(page, "ice-stalks-told")
    page.click('.board [data-spot="stalks.C3"]')
    page.wait_for_selector("#verdict .rule-line >> text=ICE-12")
    page.click("text=Place blue medium here")
    rows_shown(page, 4)
    draw(page, "purple")
    rows_shown(page, 5)
    page.click('.board [data-spot="stalks.C3B2"]')
    page.click("text=Place purple small here")
    rows_shown(page, 6)
    page.wait_for_selector(".board .done")
    page.click("#strip-actions >> text=Take the stalk")
    rows_shown(page, 7)
    page.wait_for_selector('.board [data-spot="seat0.stalks.C3B2P1"]')
    page.wait_for_selector("#told >> text=3: rainbow of 3, cyan to purple")
    page.click('[data-key="rock-red"]')
    page.wait_for_selector("#told >> text=If the red rock were drawn now")

    page.click('[data-key="draw"]')
    page.click("dialog >> text=It was not shown")
    rows_shown(page, 8)
    page.wait_for_selector("#told >> text=The rock was not shown")
    show_tab(page, "type")
    page.fill("#typed-text", "player 2 places green large on the table")
    page.click("#typed button[type=submit]")
    rows_shown(page, 9)
    page.click('.board [data-spot="stalks.G3"]')
    page.click('#cell [data-key="level-0"]')
    page.click("text=It is another piece")
    page.click('#cell .piece[data-code="Y3"]')
    page.wait_for_selector("text=Row 9 is corrected")
    page.click('[data-key="confirm"]')
    rows_shown(page, 10)
    page.wait_for_selector('.board [data-spot="stalks.Y3"]')
    show_tab(page, "history")
    page.click('[data-key="undo"]')
    page.click("dialog >> button:has-text('Undo')")
    rows_shown(page, 11)
    page.wait_for_selector('.board [data-spot="stalks.G3"]')
    pictures(page, "ice-stalks-end")


def test_ice_stalks_by_keyboard_alone(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("ice-stalks", ("Ada", "Ben"), {})
    table.play(Drawn(0, (Rock("green"),)), source="page")
    page = table_page()
    page.wait_for_selector("#told .counts")
    page.focus(".board [tabindex='0']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell h3:focus")
    page.wait_for_selector("#verdict button")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.key ?? ''").startswith("place-"):
            break
    page.keyboard.press("Enter")
    rows_shown(page, 2)
    assert table.session.state.stalks == ("G3",)
    page.wait_for_selector('.board [aria-label="stalk, green large, last move"]')


@pytest.mark.parametrize("game", ["spectra", "ice-stalks"])
def test_the_pages_of_both_games_are_for_everybody(
    house: House, tabs: Tabs, checker: str, pictures: Pictures, game: str
) -> None:
    table = house.sessions.start(game, ("Ada", "Ben"), {})
    if game == "spectra":
        tell(table, "player 1 draws yellow small", "player 1 passes the bag", "player 2 draws blue large")
        tell(table, "player 2 passes the bag", "player 1 draws blue small")
        spot = "seat0.supply.Y1.1"
    else:
        tell(table, "player 1 draws cyan rock", "player 1 places cyan large on the table", "player 2 draws blue rock")
        spot = "stalks.C3"
    page = tabs.open("/", color_scheme="light", reduced_motion="reduce")
    for path, wait in (("", "#told h3"), ("screen", LIVE), ("sheet", "h1"), ("camera", "#zones button")):
        page.goto(house.url + path, wait_until="domcontentloaded")
        page.wait_for_selector(wait)
        if not path:
            page.click(f'.board [data-spot="{spot}"]')
            page.wait_for_selector("#cell h3")
            page.wait_for_timeout(200)
        assert_for_everybody(page, checker, pictures, f"{game}-{path or 'table'}", least_px=24)


def test_pyramids_can_be_told_apart_in_shades_of_grey(tabs: Tabs) -> None:
    """Any two of the 30 pieces differ in more than 5 % of their pixels, without color."""
    page = tabs.open("/join")
    wide, high = 60, 96
    pieces = list(CODES.values())
    drawn = "".join(f'<div style="width:{wide}px;height:{high}px">{svg(single((piece,)))}</div>' for piece in pieces)
    grid = f"margin:0;background:#888;display:grid;align-content:start;grid-template-columns:repeat(10,{wide}px)"
    page.goto("about:blank")
    page.set_content(f"<style>{CSS} body{{{grid}}} .single{{width:{wide}px;height:auto}}</style>{drawn}")
    image = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    shown = [
        image[high * (i // 10) : high * (i // 10 + 1), wide * (i % 10) : wide * (i % 10 + 1)].astype(int)
        for i in range(len(pieces))
    ]
    ink = [int((np.abs(one - 0x88) > 8).sum()) for one in shown]
    assert min(ink) > 250, "every piece is drawn"
    worst = min(
        (float((np.abs(shown[i] - shown[j]) > 16).sum() / max(ink[i], ink[j])), spoken(pieces[i]), spoken(pieces[j]))
        for i in range(len(pieces))
        for j in range(i)
    )
    assert worst[0] > 0.05, worst
    print("least difference in shades of gray", worst)
