"""Usable by everybody: checked by axe-core, measured, and in shades of gray."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.pieces import TILES
from tests.browser.conftest import LIVE, House, Pictures, Tabs, show_tab, still
from tests.web.views.test_alert_view import refuse, wonder
from web.games.spectrangle import single
from web.scene.svg import svg

PAGES = ("/", "/screen", "/setup", "/camera", "/calibration", "/sheet", "/results", "/rules/spectrangle", "/join")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CSS = (Path(__file__).parent.parent.parent / "web" / "static" / "css" / "board.css").read_text()


def violations(page: Any, axe: str, only: list[str] | None = None) -> list[str]:
    """What the checker finds on a page, with the places; `only` these rules, or all."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    still(page)  # a color on its way to another one has no contrast of its own
    run = {"type": "rule", "values": only} if only else {"type": "tag", "values": TAGS}
    # The inside of drawn pieces is hidden from assistive technology and only costs time.
    found = page.evaluate(
        """run => axe.run({exclude: ['.tile', 'defs']}, {runOnly: run, resultTypes: ['violations'], preload: false})""",
        run,
    )
    return [f"{one['id']}: {one['help']} {[node['target'] for node in one['nodes']]}" for one in found["violations"]]


def assert_for_everybody(page: Any, axe: str, pictures: Pictures, name: str, *, least_px: int) -> None:
    """A page holds in both themes and on a narrow phone, where no cell of the board is narrower than `least_px`."""
    assert violations(page, axe) == [], name
    page.emulate_media(color_scheme="dark")
    assert violations(page, axe, ["color-contrast"]) == [], name
    pictures(page, f"{name}-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 320, "height": 700})
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, name
    cells = page.eval_on_selector_all(".columns .cell", "all => all.map(e => e.getBoundingClientRect().width)")
    assert not cells or min(cells) >= least_px, name
    pictures(page, f"{name}-phone")
    page.set_viewport_size({"width": 1280, "height": 860})


@pytest.fixture
def full_house(house: House) -> House:
    """A game in its middle with an alert open and a picture read."""
    house.begin()
    house.eyes.read("PPG5", "BBG4", "RRY5")
    refuse(house.table)
    return house


def test_axe_finds_nothing_on_any_page_in_either_theme(
    full_house: House, tabs: Tabs, checker: str, pictures: Pictures
) -> None:
    """Everything in the light theme; in the dark one what depends on it."""
    found = {}
    page = tabs.open("/", color_scheme="light", reduced_motion="reduce")
    for path in PAGES:
        page.goto(full_house.url + path.lstrip("/"), wait_until="domcontentloaded")
        page.wait_for_selector(LIVE if page.locator("#state").count() else "main")
        page.wait_for_timeout(100)
        if path == "/":
            show_tab(page, "sheet")
            page.click("text=Score sheet of Ann")
            page.click("text=Scores over time")
            page.click("#board-c30")
            page.wait_for_selector("#cell h3")
        name = path.strip("/").replace("/", "-") or "table"
        found[path] = violations(page, checker)
        pictures(page, f"{name}-light")
        page.emulate_media(color_scheme="dark")
        found[path] += violations(page, checker, ["color-contrast"])
        pictures(page, f"{name}-dark")
        page.emulate_media(color_scheme="light")
    assert {path: one for path, one in found.items() if one} == {}


def test_axe_finds_nothing_in_questions_dialogs_and_replay(
    house: House, table_page: Callable[..., Any], checker: str
) -> None:
    house.begin()
    page = table_page()
    page.click('[data-key="replay"]')
    page.wait_for_selector("#replay:not([hidden]) input")
    assert violations(page, checker) == []
    page.click('[data-key="undo"]')
    page.wait_for_selector("dialog[open]")
    assert violations(page, checker) == []
    page.keyboard.press("Escape")
    page.click("text=Back to now")
    wonder(house.table)
    page.wait_for_selector("#alert.unclear")
    assert violations(page, checker) == []
    page.click('[data-key^="piece-"] >> nth=1')
    page.wait_for_selector("#cell >> text=fits")
    assert violations(page, checker) == []


def test_every_page_fits_the_narrowest_phone(full_house: House, tabs: Tabs) -> None:
    width = 320
    page = tabs.open("/", viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
    for path in PAGES:
        page.goto(full_house.url + path.lstrip("/"), wait_until="domcontentloaded")
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        small = page.eval_on_selector_all(
            "button, .button, nav a, input, select, summary",
            """all => all.filter(e => e.checkVisibility()).map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
            .filter(([, box]) => box.width && (box.height < 24 || box.width < 24)).map(([html]) => html)""",
        )
        small = [html for html in small if 'type="radio"' not in html and 'type="checkbox"' not in html]
        assert small == [], path


def test_main_targets_are_44_px_on_a_phone(full_house: House, tabs: Tabs) -> None:
    page = tabs.open("/", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.wait_for_selector(LIVE)
    heights = page.eval_on_selector_all(
        "button, .button, nav a",
        "all => all.filter(e => e.checkVisibility()).map(e => [e.innerText, e.getBoundingClientRect().height])",
    )
    assert [one for one in heights if one[1] < 43.5] == []


def test_the_board_reads_as_a_grid(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    page = table_page()
    page.wait_for_selector(".board .cell[tabindex='0']")
    shown = page.locator("#board-place").aria_snapshot()
    assert 'grid "Spectrangle board"' in shown
    assert len(re.findall(r"gridcell", shown)) == 36
    assert 'gridcell "c0, points up' in shown


def test_themes_can_be_changed_and_are_kept(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    page = table_page(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload(wait_until="domcontentloaded")
    assert page.evaluate(ground) == dark


def test_pages_work_in_forced_colors_and_without_motion(full_house: House, tabs: Tabs) -> None:
    page = tabs.open("/", forced_colors="active", reduced_motion="reduce")
    page.wait_for_selector("#alert.refused")
    assert page.evaluate("getComputedStyle(document.querySelector('button')).transitionDuration") == "0s"
    page.focus("#board-c0")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.id") != "board-c0"


def test_more_contrast_is_given_to_who_asks_for_it(full_house: House, tabs: Tabs, checker: str) -> None:
    """Every text has at least seven times the light of its ground, the measure of WCAG's AAA."""
    page = tabs.open("/", contrast="more", color_scheme="light", viewport={"width": 1440, "height": 900})
    page.wait_for_selector("#alert.refused")
    assert violations(page, checker, ["color-contrast-enhanced"]) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, checker, ["color-contrast-enhanced"]) == []


def test_tiles_can_be_told_apart_in_shades_of_grey(tabs: Tabs) -> None:
    """Any two of the 36 tiles differ in more than 5 % of their pixels, without color."""
    page = tabs.open("/join")
    side = 72
    tiles = "".join(
        f'<div style="width:{side}px;height:{side}px">{svg(single(tile, name=f"t{i}"))}</div>'
        for i, tile in enumerate(TILES)
    )
    html = f"<style>{CSS} body{{margin:0;background:#888;display:grid;align-content:start;grid-template-columns:repeat(6,{side}px)}}</style>{tiles}"
    page.goto("about:blank")
    page.set_content(html)
    image = cv2.imdecode(np.frombuffer(BytesIO(page.screenshot()).getvalue(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    shown = [
        image[side * (i // 6) : side * (i // 6 + 1), side * (i % 6) : side * (i % 6 + 1)].astype(int) for i in range(36)
    ]
    ink = [(np.abs(one - 0x88) > 8).sum() for one in shown]
    assert min(ink) > 500, "every tile is drawn"
    area = max(ink)
    worst = min(
        ((np.abs(shown[i] - shown[j]) > 16).sum() / area, TILES[i].name, TILES[j].name)
        for i in range(36)
        for j in range(i)
    )
    assert worst[0] > 0.05, worst
