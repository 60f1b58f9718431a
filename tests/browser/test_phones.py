"""Letting phones in on the page: the PIN kept, drawn anew or chosen, a phone that comes in, and the table closed again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import LIVE, WAIT_MS, House, Pictures, Tabs
from tests.browser.test_accessibility import violations
from web.sockets.server import lan_address

pytestmark = pytest.mark.skipif(lan_address().startswith("127."), reason="this machine is in no network")
NARROW = {"width": 390, "height": 844}


@pytest.fixture
def open_house(house: House) -> House:
    """A table that its page can open to phones, as `companion serve` with no option."""
    house.phones.attach(house.server)
    house.begin()
    return house


def fits(page: Any, width: int) -> bool:
    """Whether neither the page nor its dialog reaches out of a screen."""
    wide: bool = page.evaluate(
        "width => [document.documentElement, ...document.querySelectorAll('dialog')].every(e => e.scrollWidth <= width)",
        width,
    )
    return wide


def test_a_phone_is_let_in_and_out_again(
    open_house: House, tabs: Tabs, chromium: Any, checker: str, pictures: Pictures
) -> None:
    tabs.allow("400")
    host = tabs.open("/")
    host.click('[data-key="invite"]')
    host.wait_for_selector("dialog >> text=everybody on the local network can see this table until you close it again")
    first = host.input_value("dialog input")
    assert len(first) == 6 and first.isdecimal()
    host.click("dialog >> text=Draw another")
    host.wait_for_function("first => document.querySelector('dialog input').value !== first", arg=first)
    assert violations(host, checker) == []
    pictures(host, "closed")
    host.fill("dialog input", "12345")
    host.keyboard.press("Enter")
    host.wait_for_selector('dialog .answer.bad:text("exactly six digits")')
    assert host.input_value("dialog input") == "12345" and open_house.server.also is None
    host.fill("dialog input", "246810")
    host.click('dialog [data-key="use-pin"]')
    host.wait_for_selector("dialog svg.square")
    assert host.evaluate("document.activeElement.textContent") == "Phones can come in now."
    at = f"http://{lan_address()}:{open_house.server.port}/"
    assert host.inner_text("dialog .pin") == "246810"
    assert host.locator("dialog code").all_inner_texts()[1] == at
    assert host.inner_text("dialog code >> nth=0").startswith(f"{at}join#")
    host.click("dialog summary")
    assert violations(host, checker) == []
    pictures(host, "open")
    host.set_viewport_size(NARROW)
    assert fits(host, NARROW["width"])
    pictures(host, "open-narrow")
    host.set_viewport_size({"width": 1280, "height": 860})

    pocket = chromium.new_context(viewport=NARROW, has_touch=True, is_mobile=True)
    pocket.set_default_timeout(WAIT_MS)
    phone = pocket.new_page()
    phone.goto(f"{at}join")
    phone.fill("#pin", "246810")
    phone.click("#join button")
    phone.wait_for_selector(LIVE)
    assert phone.get_attribute("body", "data-role") == "table"

    host.fill("dialog input", "135791")
    host.click('dialog [data-key="use-pin"]')
    host.wait_for_selector('dialog .pin:text("135791")')
    assert open_house.access.pin == "135791"
    host.click('dialog [data-key="close-phones"]')
    host.wait_for_selector('dialog .answer:text("The table is closed to phones.")')
    assert host.input_value("dialog input") == "135791", "it is offered again the next time"
    phone.wait_for_selector("#state:not(.live)", state="attached")
    pocket.close()
    host.keyboard.press("Escape")
    host.wait_for_selector("dialog", state="detached")
    assert host.locator(LIVE).count() == 1, "this machine goes on"


def test_why_no_other_pin_was_drawn_is_said(open_house: House, tabs: Tabs) -> None:
    tabs.allow("429")
    host = tabs.open("/")
    host.click('[data-key="invite"]')
    host.wait_for_selector("dialog .own-pin")
    first = host.input_value("dialog input")
    refused = {"status": 429, "json": {"error": "Too much is asked at once. Try again in 5 s."}}
    host.route("**/api/phones", lambda route: route.fulfill(**refused), times=1)
    host.click('dialog [data-key="draw-pin"]')
    host.wait_for_selector('dialog .answer.bad:text("Too much is asked at once. Try again in 5 s.")')
    assert host.input_value("dialog input") == first
    host.click('dialog [data-key="draw-pin"]')
    host.wait_for_function("first => document.querySelector('dialog input').value !== first", arg=first)
    assert host.locator("dialog .answer.bad").count() == 0, "it holds no longer"


def test_why_phones_were_not_let_in_is_said_even_if_nothing_else_is_told(open_house: House, tabs: Tabs) -> None:
    tabs.allow("503")
    tabs.allow("429")
    host = tabs.open("/")
    host.click('[data-key="invite"]')
    host.wait_for_selector("dialog .own-pin")
    host.fill("dialog input", "246810")
    full = {"status": 503, "json": {"error": "The disk is full."}}
    busy = {"status": 429, "json": {"error": "Too much is asked at once. Try again in 5 s."}}
    host.route("**/api/phones/open", lambda route: route.fulfill(**full), times=1)
    host.route("**/api/phones", lambda route: route.fulfill(**busy), times=1)
    host.click('dialog [data-key="use-pin"]')
    host.wait_for_selector('dialog .answer.bad:text("The disk is full.")')
    assert host.input_value("dialog input") == "246810", "what was typed stays"


def test_the_set_up_page_offers_the_same(open_house: House, tabs: Tabs, checker: str, pictures: Pictures) -> None:
    page = tabs.open("/setup", viewport=NARROW)
    page.wait_for_selector("#phones .own-pin")
    page.fill("#phones input", "246810")
    page.click('#phones [data-key="use-pin"]')
    page.wait_for_selector('#phones .pin:text("246810")')
    assert violations(page, checker) == [] and fits(page, NARROW["width"])
    page.click('#phones [data-key="invite"]')
    page.wait_for_selector("dialog svg.square")
    assert violations(page, checker) == [] and fits(page, NARROW["width"])
    page.click('dialog [data-key="close-phones"]')
    page.wait_for_selector("dialog .own-pin")
    page.keyboard.press("Escape")
    page.wait_for_selector("#phones .own-pin")
    pictures(page, "set-up")
    assert open_house.server.also is None


def test_what_the_command_line_opened_is_said_and_not_closed_here(open_house: House, tabs: Tabs) -> None:
    open_house.stop()
    open_house.settings = type(open_house.settings)(lan=True)
    open_house.again()
    page = tabs.open("/")
    page.click('[data-key="invite"]')
    page.wait_for_selector("dialog >> text=The command line has opened this page to phones, until it ends.")
    assert page.inner_text("dialog .pin") == "123456"
    assert page.locator('[data-key="close-phones"]').count() == 0
    page.click("dialog summary")
    page.fill("dialog input", "246810")
    page.keyboard.press("Enter")
    page.wait_for_selector('dialog .pin:text("246810")')


def test_an_open_invitation_shows_a_fresh_square_and_who_has_joined(open_house: House, tabs: Tabs) -> None:
    open_house.phones.open("246810")
    host = tabs.open("/")
    host.click('[data-key="invite"]')
    host.wait_for_selector("dialog >> text=It lets 2 phones in.")
    first = host.inner_text("dialog .invitation code")
    phone = tabs.open(f"/join#{first.partition('#')[2]}", joined=False, viewport=NARROW)
    phone.wait_for_selector(LIVE)
    host.wait_for_selector("dialog >> text=1 phone has joined.")
    host.wait_for_selector("dialog >> text=It lets 1 phone in.")
    assert host.inner_text("dialog .invitation code") != first
    phone.click('[data-key="seat"]')
    phone.click('[data-key="sit-1"]')
    host.wait_for_selector('dialog .seat-line:has-text("Ben") >> text=has a phone')
    assert host.locator("dialog .seat-line >> text=no phone yet").count() == 1
