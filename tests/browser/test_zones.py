"""Zones over the live picture: dragged by a corner or as a whole, by keys, by numbers, and back to the printed mat."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from typing import Any

import pytest

from companion.core.plan import PyramidZone, TileBoard
from companion.games import PLANS
from tests.browser.conftest import House

ORIGIN = PLANS["spectra"](2)


@pytest.fixture
def zones_page(house: House, table_page: Callable[..., Any]) -> Any:
    """The camera's page of a game of Spectra."""
    house.sessions.start("spectra", ("Ada", "Ben"), {}, plan=ORIGIN)
    page = table_page("/camera")
    page.wait_for_function("() => document.querySelector('.picture canvas')?.width === 640")
    return page


def outline(house: House, spot: str) -> tuple[tuple[float, float], ...]:
    return next(
        zone.outline_mm for zone in house.sessions.plan.zones if isinstance(zone, PyramidZone) and zone.spot == spot
    )


def save(page: Any) -> None:
    page.click('[data-key="save-plan"]')
    page.wait_for_selector('[data-key="save-plan"]', state="detached")


def drag(page: Any, handle: int, by: tuple[float, float]) -> None:
    box = page.locator(f".handle >> nth={handle}").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=4)
    page.mouse.up()


def test_a_corner_of_a_zone_is_dragged(house: House, zones_page: Any) -> None:
    before = outline(house, "seat0.supply")
    zones_page.click("text=Supply of Ada")
    drag(zones_page, 0, (-20, 0))
    save(zones_page)
    after = outline(house, "seat0.supply")
    assert after[0][0] < before[0][0] - 5
    assert [dist(a, b) for a, b in zip(before[1:], after[1:], strict=True)] == [0, 0, 0]


def test_a_whole_zone_is_dragged_and_keeps_its_shape(house: House, zones_page: Any) -> None:
    before = outline(house, "seat1.trees")
    zones_page.click("text=Trees of Ben")
    drag(zones_page, 4, (0, 25))
    save(zones_page)
    after = outline(house, "seat1.trees")
    assert all(b[1] > a[1] + 5 for a, b in zip(before, after, strict=True))
    assert dist(after[0], after[2]) == pytest.approx(dist(before[0], before[2]), abs=0.3)


def test_a_whole_zone_is_moved_by_keys_and_a_point_by_numbers(house: House, zones_page: Any) -> None:
    before = outline(house, "seat0.trees")
    zones_page.click("text=Trees of Ada")
    zones_page.focus(".handle >> nth=4")
    assert zones_page.get_attribute(".handle >> nth=4", "aria-label").startswith("all of Trees of Ada")
    for _ in range(3):
        zones_page.keyboard.press("Shift+ArrowRight")
    zones_page.fill("#zone-1-1", "200")
    save(zones_page)
    after = outline(house, "seat0.trees")
    assert after[0][0] > before[0][0] + 10 and after[1][1] == 200


def test_what_was_moved_can_be_left_and_put_back(house: House, zones_page: Any) -> None:
    zones_page.click("text=Supply of Ada")
    drag(zones_page, 4, (30, 0))
    zones_page.click('[data-key="leave-zone"]')
    zones_page.wait_for_selector('[data-key="leave-zone"]', state="detached")
    assert house.sessions.plan == ORIGIN
    zones_page.click("text=Supply of Ada")
    drag(zones_page, 4, (30, 0))
    save(zones_page)
    assert house.sessions.plan != ORIGIN
    zones_page.click('[data-key="printed"]')
    zones_page.wait_for_function("() => document.querySelector('#polite').textContent.includes('saved')")
    zones_page.wait_for_timeout(200)
    assert house.sessions.plan == ORIGIN


def test_a_board_keeps_its_size_whatever_is_dragged(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    page = table_page("/camera")
    page.wait_for_function("() => document.querySelector('.picture canvas')?.width === 640")
    page.click("#zones >> text=Board")
    drag(page, 0, (40, 10))
    drag(page, 3, (-10, 0))
    save(page)
    board = next(zone for zone in house.sessions.plan.zones if isinstance(zone, TileBoard))
    assert board.corners_mm is not None
    for i in range(3):
        assert dist(board.corners_mm[i], board.corners_mm[(i + 1) % 3]) == pytest.approx(300, abs=1)
    page.click("#zones >> text=Board")
    page.click('[data-key="find-board"]')
    page.wait_for_selector('[data-key="find-board"]', state="detached")
    assert TileBoard() in house.sessions.plan.zones
