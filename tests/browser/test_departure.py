"""A table that the configuration takes away in the middle of a game says so, and whoever sits there may let it go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.conftest import House
from web.departure import TAKEN_AWAY


def test_the_page_says_that_the_table_is_to_go_and_takes_the_answer(
    house: House, table_page: Callable[..., Any]
) -> None:
    house.begin()
    page = table_page("/")
    assert page.locator("#departure").is_hidden()
    house.departure.announce(going=True)
    page.wait_for_selector("#departure p")
    assert page.inner_text("#departure p") == TAKEN_AWAY
    house.departure.announce(going=False)
    page.wait_for_selector("#departure", state="hidden")
    house.departure.announce(going=True)
    page.click("#departure button")
    page.wait_for_selector("#departure", state="hidden")
    assert house.departure.agreed
