"""From opening the page to the first legal move of a new game: at most six taps, by hand and by camera."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.verdict import Accepted
from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.test_accessibility import violations

MOST = 6


class Fingers:
    """Taps on a page, counted."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.taps = 0

    def tap(self, *places: str) -> None:
        for place in places:
            self.page.click(place)
            self.taps += 1

    def begin(self, game: str, *before: str) -> None:
        """From the empty table to a new game, tapping `before` as well."""
        self.tap("text=Set up a game", f'label:has([data-key="game-{game}"])', *before, "text=Start the game")
        self.page.wait_for_selector(LIVE)


BY_HAND = {
    "solitaire": ('[data-key="act-turn-0"]',),
    "regenbogen": ('.board [data-spot="e2"]', '.board [data-spot="e5"].fits'),
}


@pytest.mark.parametrize("game", BY_HAND)
def test_by_hand(house: House, tabs: Tabs, game: str) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    fingers = Fingers(tabs.open("/"))
    fingers.begin(game)
    before = house.table.session.seq
    for place in BY_HAND[game]:
        fingers.tap(place)
    fingers.page.wait_for_selector(f'#history [data-key="row-{before + 1}"]', state="attached")
    assert house.table.session.rows()[before].kind == "move" and fingers.taps <= MOST


def test_by_camera(house: House, tabs: Tabs) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    fingers = Fingers(tabs.open("/"))
    fingers.begin("spectrangle", "#camera-line > summary", "text=Find cameras", 'label:has([data-key="camera-0"])')
    table = house.table
    state = table.session.state
    assert table.session.options["hands"] == "unseen", "the camera watches the board alone"
    there = state.layout()
    seen = next(then for move in table.session.legal() if (then := state.apply(move).layout()) != there)
    house.sessions.see(there, 1)
    verdict = house.sessions.see(seen, 2)
    assert isinstance(verdict, Accepted), verdict
    fingers.page.wait_for_selector('#history [data-key="row-1"]', state="attached")
    assert fingers.taps <= MOST


class SlowCamera:
    """A set-up page whose choice of a camera is answered when the test says so; *Start the game* was pressed before."""

    def __init__(self, page: Any, camera: str) -> None:
        self.page = page
        self._held: list[Any] = []
        page.click('label:has([data-key="game-spectrangle"])')
        page.click("#camera-line > summary")
        page.click("text=Find cameras")
        page.wait_for_selector(f'[data-key="camera-{camera}"]', state="attached")
        page.route("**/api/cameras", lambda route: self._held.append(route), times=1)
        page.click(f'label:has([data-key="camera-{camera}"])')
        page.click("text=Start the game")
        page.wait_for_selector("#setup-answer >> text=The game begins as soon as the camera is set.")

    def answer(self) -> None:
        """Let the server answer now."""
        (held,) = self._held
        held.continue_()


def test_a_game_begins_after_the_answer_about_its_camera(house: House, tabs: Tabs) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    slow = SlowCamera(tabs.open("/setup"), "0")
    slow.page.click("text=Start the game")
    assert house.journal.games() == ()
    slow.answer()
    slow.page.wait_for_selector(LIVE)
    assert house.table.session.options["hands"] == "unseen"
    assert len(house.journal.games()) == 1, "to press again while it waits begins no second game"


def test_no_game_begins_without_the_camera_that_was_chosen_for_it(house: House, tabs: Tabs) -> None:
    tabs.allow("422")
    house.eyes.become("off", "No camera: you enter every move on this page.")
    slow = SlowCamera(tabs.open("/setup"), "2")
    slow.answer()
    slow.page.wait_for_selector("#setup-answer.bad >> text=It does not open. The game has not begun")
    assert house.journal.games() == ()
    slow.page.click("text=Start the game")
    slow.page.wait_for_selector(LIVE)
    assert house.table.session.options.get("hands") != "unseen", (
        "whoever starts it again starts it as the page shows it"
    )


def test_of_two_choices_the_second_one_holds(house: House, tabs: Tabs) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    slow = SlowCamera(tabs.open("/setup"), "0")
    with slow.page.expect_response("**/api/cameras/look"):
        pass  # The cameras are drawn anew while the answer is waited for, and the choice stays as it was made.
    slow.page.wait_for_selector('[data-key="camera-0"]:checked', state="attached")
    slow.page.click('label:has([data-key="camera-"])')
    slow.answer()
    slow.page.wait_for_selector(LIVE)
    assert house.table.session.options.get("hands") != "unseen" and house.eyes.status().state == "off"


def test_the_choice_shows_games_cameras_and_mats(house: House, tabs: Tabs, checker: str, pictures: Any) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    page = tabs.open("/setup")
    page.wait_for_selector('.game-picture[data-game="poker"] svg', state="attached")
    page.click('label:has([data-key="game-spectra"])')
    assert "a camera can watch" in page.inner_text("#about")
    assert page.get_attribute("#mat-papers a >> nth=0", "href") == "/mat/spectra.pdf?seats=2&paper=a4"
    page.click("#camera-line > summary")
    page.click("text=Find cameras")
    page.wait_for_selector('label:has([data-key="camera-2"]) >> text=It does not open.')
    page.click('label:has([data-key="camera-0"])')
    page.wait_for_selector("#cameras-answer >> text=Camera 0 watches the table.")
    assert violations(page, checker) == []
    pictures(page, "choice")
    page.click('label:has([data-key="game-poker"])')
    assert page.is_hidden("#mat")
