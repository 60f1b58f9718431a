"""Cards of 500 in the sizes of screens that people use: where the card goes that must be melded, and a whole hand."""

from __future__ import annotations

import pytest

from tests.browser.conftest import LIVE, MIDDLE, House, Tabs
from tests.browser.test_game import rows_shown

NAMES = ("Ada", "Ben", "Cleo", "Dietrich", "Eve", "Farid", "Gus", "Hal")
SIZES = ((1366, 768), (1280, 720), (390, 844), (360, 640))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_two_taps_lay_off_the_card_that_was_taken_from_below(house: House, tabs: Tabs, size: tuple[int, int]) -> None:
    """The page marks the melds that take it, and the bar says what to tap."""
    held = "R12 RO6 RO11 O4 O12 OY6 OY7 Y1 YG2 YG10 YG11 G4 G6 GB2 GB3 GB11 B7 P6 P12 PR8 PR11"
    position = {
        "hands": [held.split(), ["G3", "P7"]], "melds": [{"1": ["R5", "RO5", "Y5", "G5"]}, {"0": ["B9", "O9", "P9", "Y9"]}],
        "discards": ["PR9", "O8"], "dealer": 1,
    }  # fmt: skip
    table = house.sessions.start("five-hundred", ("Ada", "Ben"), {}, position=position)
    table.play(table.session.game.parse(table.session.state, "player 1 takes discards down to PR9"), source="page")
    page = tabs.open(seat=0, viewport={"width": size[0], "height": size[1]})
    rows_shown(page, 1)
    page.wait_for_selector("#turn >> text=Lay off PR9 first: tap a marked meld, then “Lay it off”.")
    page.wait_for_selector('[data-key="hand-hand.PR9"][aria-pressed="true"]')
    marked = page.locator(".board .place.fits .place-title")
    assert [title.text_content() for title in marked.all()] == ["Meld 2: group"]
    assert marked.evaluate("one => getComputedStyle(one).textDecorationLine") == "underline", "not by color alone"
    for control in ('.board [data-spot="meld.2.O9"]', '[data-key="act-lay-off-0"].primary:not([disabled])'):
        page.mouse.click(*page.wait_for_function(MIDDLE, arg=control).json_value())
    rows_shown(page, 2)
    assert table.session.rows()[-1].text == "player 1 lays off PR9 on meld 2"


CUT = """() => {
  const room = document.getElementById('work').getBoundingClientRect();
  const cards = [...document.querySelectorAll('.card-hand button')];
  const whole = (one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return top >= room.top && bottom <= room.bottom && [top + 2, bottom - 2].every((y) => one.contains(document.elementFromPoint((left + right) / 2, y)));
  };
  return cards.length ? cards.filter((one) => !whole(one)).map((one) => one.dataset.key) : null;
}"""
"""The cards of the hand that are cut or covered; null before they are shown."""


@pytest.mark.parametrize("size", ((390, 844), (360, 640)), ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_hand_of_thirteen_is_in_view_on_a_phone(house: House, tabs: Tabs, size: tuple[int, int]) -> None:
    """The hand gets the room that a low table leaves free, and no empty row of buttons covers a card."""
    hand = "RO6 RO8 O8 OY1 OY5 G7 G11 GB5 B3 B4 B9 PR1 PR11"
    position = {"hands": [hand.split(), ["G3", "P7"]], "discards": ["P2", "P11"], "dealer": 1, "drawn": True}
    house.sessions.start("five-hundred", ("Ada", "Ben"), {}, position=position)
    page = tabs.open(seat=0, viewport={"width": size[0], "height": size[1]})
    page.wait_for_selector(LIVE)
    page.wait_for_selector('[data-key="hand-hand.PR11"]')
    page.wait_for_function(f"() => ({CUT})()?.length === 0")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_card_of_a_big_hand_is_reached_without_scrolling(house: House, tabs: Tabs, size: tuple[int, int]) -> None:
    """With eight players and 38 cards, also once cards are chosen and their button is there."""
    deck = [f"{color}{rank}" for rank in range(1, 13) for color in ("R", "RO", "O", "OY", "Y", "YG", "G", "GB", "B", "BP", "P", "PR")]  # fmt: skip
    hands = [[*deck[:37], "GB12"], *([card] for card in deck[38:45])]
    position = {"hands": hands, "discards": deck[50:56], "dealer": 7, "drawn": True}
    house.sessions.start("five-hundred", NAMES, {}, position=position)
    page = tabs.open(seat=0, viewport={"width": size[0], "height": size[1]})
    page.wait_for_selector(LIVE)
    page.wait_for_selector('[data-key="hand-hand.R1"]')
    page.wait_for_function(f"() => ({CUT})()?.length === 0")
    for card in ("R1", "R2", "R3", "R4"):
        page.mouse.click(*page.wait_for_function(MIDDLE, arg=f'[data-key="hand-hand.{card}"]').json_value())
        page.wait_for_selector(f'[data-key="hand-hand.{card}"][aria-pressed="true"]')
    page.wait_for_function(f"() => ({CUT})()?.length === 0")
    page.mouse.click(*page.wait_for_function(MIDDLE, arg=".acts button.primary:not([disabled])").json_value())
    rows_shown(page, 1)
    assert house.table.session.rows()[-1].text == "player 1 melds R1, R2, R3, R4"
