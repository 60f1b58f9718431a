"""A demo on the page: it says what it is, waits until an illegal move is read, and ends with what to do next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.protocols.eyes import PlaybackState, PlaybackStatus
from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.test_accessibility import violations
from tests.web.views.test_alert_view import refuse


class Shown:
    """A recording whose state is what it was last told."""

    def __init__(self, house: House) -> None:
        self.sessions = house.sessions
        self.state: PlaybackState = "playing"
        self.number = 3

    def status(self) -> PlaybackStatus:
        return PlaybackStatus(self.state, f"A demo that is {self.state}, picture {self.number} of 9.", self.number, 9)

    def play(self) -> None:
        self.state = "playing"

    def pause(self) -> None:
        self.state = "paused"

    def step(self) -> None:
        self.number += 1

    def restart(self) -> None:
        self.number, self.state = 1, "playing"

    def detach(self) -> None:
        self.sessions.watch(None)


def test_a_demo_is_paused_stepped_read_and_started_again(
    house: House, table_page: Callable[..., Any], tabs: Tabs, checker: str
) -> None:
    tabs.allow("409")
    house.begin()
    house.sessions.playback = shown = Shown(house)
    page = table_page()
    page.click("#playback >> text=Pause")
    page.wait_for_selector("#playback >> text=A demo that is paused, picture 3 of 9.")
    page.click("#playback >> text=Next picture")
    page.wait_for_selector("#playback >> text=picture 4 of 9")
    refuse(house.table)
    shown.state = "waiting"
    page.wait_for_selector("#playback >> text=A demo that is waiting")
    assert violations(page, checker) == []
    assert page.locator("#bar .primary:visible").count() == 1
    page.click("#playback >> text=Go on")
    page.wait_for_selector("#playback >> text=A demo that is playing")
    page.click("#playback >> text=Start again")
    page.click("dialog >> text=Go on with the game")
    page.wait_for_selector("dialog", state="detached")
    assert shown.number == 4, "the game that is being played stays"
    page.click("#playback >> text=Start again")
    page.click("dialog >> text=Begin the new game")
    page.wait_for_selector("#playback >> text=picture 1 of 9")


def test_a_game_of_ones_own_has_no_banner_and_no_camera_of_the_demo(house: House, tabs: Tabs) -> None:
    house.begin()
    house.sessions.playback = shown = Shown(house)
    shown.state = "over"
    house.eyes.become("ended", "The recording is over.")
    page = tabs.open("/")
    page.click("#playback >> text=Play a game of your own")
    page.wait_for_url("**/setup")
    page.click("text=Start the game")
    page.wait_for_selector(LIVE)
    assert page.is_hidden("#playback")
    assert house.sessions.playback is None


def test_the_end_of_a_demo_offers_a_game_and_alarms_nobody(house: House, tabs: Tabs) -> None:
    house.begin()
    house.sessions.playback = shown = Shown(house)
    shown.state = "over"
    house.eyes.become("ended", "The recording is over.")
    page, wall = tabs.open("/"), tabs.open("/screen")
    page.wait_for_selector("#playback >> text=A demo that is over")
    assert page.is_hidden("#blind") and page.get_attribute("#bar", "class") == "bar"
    assert page.inner_text("#state") == "Recording over"
    wall.wait_for_selector("#wall-camera >> text=A demo that is over")
    assert wall.is_hidden("#blind")
    page.click("#playback >> text=Play a game of your own")
    page.wait_for_url("**/setup")
