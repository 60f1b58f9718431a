"""Taps between two positions: the board is drawn at once, what the game tells about it comes a moment later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.card_player import Player
from tests.browser.conftest import House, Tabs
from tests.browser.test_game import rows_shown


class Held:
    """Answers to the question for advice, kept back until the test lets them go."""

    def __init__(self, page: Any) -> None:
        self.holds = True
        self.routes: list[Any] = []
        page.route("**/api/advice", self.answer)

    def answer(self, route: Any) -> None:
        if self.holds:
            self.routes.append(route)
        else:
            route.continue_()

    def release(self) -> None:
        self.holds = False
        for route in self.routes:
            route.continue_()


def test_a_tap_on_the_board_before_the_advice_is_answered_by_the_new_position(
    house: House, table_page: Callable[..., Any]
) -> None:
    table = house.sessions.start("spectrum", ("Ada", "Ben"), {})
    table.set_position({"pawns": {"red.4": "red", "blue.4": "red"}, "roll": ["red", "blue"]}, "", source="software")
    page = table_page()
    page.wait_for_selector('[data-key="pawn-red.4"]')
    held = Held(page)
    table.play(table.session.game.parse(table.session.state, "player 1 moves red.4 to red.5"), source="page")
    page.wait_for_selector(f'#history [data-key="row-{table.session.seq}"]')
    page.click('.board [data-spot="red.5"]')
    page.wait_for_timeout(100)
    assert page.locator("#cell h3").count() == 0, "the position before says nothing about red 5"
    held.release()
    page.wait_for_selector('.board .allowed[data-spot="red.6"]')


def test_a_tap_on_a_card_before_the_advice_chooses_it(house: House, table_page: Callable[..., Any]) -> None:
    position = {
        "hands": [["R9", "GB11"], ["BP6", "P8"]], "board": ["G4", "Y5", "O6"], "chosen": "red", "deal": 11,
        "won": [["R1", "R2"], ["RO3", "G12"]],
    }  # fmt: skip
    table = house.sessions.start("casino", ("Ada", "Ben"), {}, position=position, draws="told")
    page = Player(table_page(), house, 0).sit().page
    page.wait_for_selector('[data-key="hand-hand.GB11"]:enabled')
    held = Held(page)
    for text in ("player 1 takes Y5, G4 with R9", "player 2 takes O6 with BP6"):
        table.play(table.session.game.parse(table.session.state, text), source="page")
    page.wait_for_selector(f'#history [data-key="row-{table.session.seq}"]')
    page.click('[data-key="hand-hand.GB11"]')
    page.wait_for_timeout(100)
    held.release()
    page.wait_for_selector('[data-key="hand-hand.GB11"][aria-pressed="true"]')
    page.wait_for_selector("#verdicts .allowed >> text=GB11")


def test_what_was_offered_before_is_not_told_of_the_new_position(
    house: House, table_page: Callable[..., Any], tabs: Tabs
) -> None:
    """A second tap that comes too soon changes nothing and accuses nobody: the page says that the table has moved on."""
    tabs.allow("409")
    table = house.sessions.start("solitaire", ("Ada",), {}, draws="dealt")
    page = table_page()
    page.wait_for_selector('[data-key="act-turn-0"]')
    held = Held(page)
    page.click('[data-key="act-turn-0"]')
    page.wait_for_selector('#cell[aria-busy="true"]')
    page.wait_for_selector(f'#history [data-key="row-{table.session.seq}"]')
    before = table.session.seq
    page.click('[data-key="act-turn-0"]')
    page.wait_for_selector("#polite >> text=moved on", state="attached")
    assert table.session.seq == before
    held.release()
    rows_shown(page, before)
    page.click('[data-key="act-turn-0"]')
    page.wait_for_selector(f'#history [data-key="row-{before + 1}"]')


def test_a_press_is_not_lost_when_its_button_is_drawn_anew(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin(4)
    page = table_page()
    page.wait_for_selector('[data-key="all-moves"]')
    for number in (1, 2, 3):
        pressed = page.get_attribute('[data-key="all-moves"]', "aria-pressed")
        page.hover('[data-key="all-moves"]')
        page.mouse.down()
        old = page.query_selector('[data-key="all-moves"]')
        house.eyes.read(f"a tile {number}")
        page.wait_for_function("old => !old.isConnected", arg=old)
        page.mouse.up()
        page.wait_for_selector(f'[data-key="all-moves"]:not([aria-pressed="{pressed}"])')
    assert table.session.seq == 4
