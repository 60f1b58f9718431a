"""A new game is one screen: the game, the people, the beginning; and few taps lead to the first move."""

from __future__ import annotations

import time
from typing import Any

import pytest

from companion.referee.session.chosen_signs import ChosenSign
from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.test_playback import Shown
from web.scene.signs import SIGN_PATHS

IN_VIEW = """places => places.filter(one => { const r = document.querySelector(one).getBoundingClientRect();
  return r.top < 0 || r.bottom > innerHeight || r.left < 0 || r.right > innerWidth; })"""
"""The places that the window cuts."""


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1280, 720)])
def test_everything_stands_on_one_screen(house: House, tabs: Tabs, width: int, height: int) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    page = tabs.open("/setup", viewport={"width": width, "height": height})
    page.wait_for_selector('[data-key="name-1"]')
    games = [f'.game:has([data-key="game-{name}"])' for name in house.sessions.games]
    rest = ["#about", "#players", "#options-line", "#camera-line", "#setup .primary"]
    assert page.evaluate(IN_VIEW, [*games, *rest]) == []


def test_on_a_phone_all_games_and_the_beginning_are_in_view(house: House, tabs: Tabs) -> None:
    page = tabs.open("/setup", viewport={"width": 390, "height": 844})
    page.wait_for_selector('[data-key="name-1"]')
    games = [f'.game:has([data-key="game-{name}"])' for name in house.sessions.games]
    assert page.evaluate(IN_VIEW, [*games, "#setup .primary"]) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click('.game:has([data-key="game-cribbage"])')
    page.wait_for_timeout(700)
    assert page.evaluate(IN_VIEW, ["#about", "#players", "#setup .primary"]) == []


@pytest.mark.parametrize("path", ["/", "/setup", "/results", "/camera"])
def test_the_menu_of_a_phone_shows_every_page(house: House, tabs: Tabs, path: str) -> None:
    house.begin()
    page = tabs.open(path, viewport={"width": 390, "height": 844})
    page.click(".menu-button")
    links = [f"nav a:nth-of-type({n})" for n in range(1, page.locator("nav a").count() + 1)]
    assert len(links) == 7 and page.evaluate(IN_VIEW, links) == []
    page.click('nav a:text-is("Wall")')
    page.wait_for_url("**/screen")


def test_the_game_says_what_it_is(house: House, tabs: Tabs) -> None:
    page = tabs.open("/setup")
    for name, game in house.sessions.games.items():
        page.click(f'.game:has([data-key="game-{name}"])')
        said = page.inner_text("#about")
        assert game.title in said and "player" in said and ("minutes" in said or "hour" in said), said
        assert len([line for line in said.split("\n") if line]) == 3, f"a title, a sentence, a line of facts: {said}"


def test_one_line_says_what_differs_from_the_usual(house: House, tabs: Tabs) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    page = tabs.open("/setup")
    page.wait_for_selector("#options-differ >> text=as usual")
    page.click("#options-line > summary")
    page.check('input[name="option-edges"][value="all"]')
    page.wait_for_selector("#options-differ >> text=Which edges must match? every one of them")
    page.click('.game:has([data-key="game-cribbage"])')
    page.wait_for_selector("#options-differ >> text=as usual")
    page.check('input[name="draws"][value="told"]')
    page.wait_for_selector("#options-differ >> text=You deal.")


def test_the_enter_key_leads_from_name_to_name_and_begins(house: House, tabs: Tabs) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    page = tabs.open("/setup")
    page.click('[data-key="name-0"]')
    for name in ("Anna", "Bert"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    page.wait_for_selector(LIVE)
    assert house.table.session.names == ("Anna", "Bert")


def test_from_the_demo_to_the_first_move_of_ones_own_in_five_taps(house: House, tabs: Tabs) -> None:
    """New game, the game, the beginning (two names, typed), a piece and its place."""
    house.begin()
    house.sessions.playback = Shown(house)
    page = tabs.open("/")
    page.wait_for_selector(LIVE)
    taps = 0

    def tap(place: str) -> Any:
        nonlocal taps
        taps += 1
        page.click(place)

    tap('nav a:text-is("New game")')
    tap('.game:has([data-key="game-regenbogen"])')
    page.focus('[data-key="name-0"]')
    for name in ("Anna", "Bert"):
        page.keyboard.type(name)
        page.keyboard.press("Tab")
        page.focus('[data-key="name-1"]')
    tap("#setup .primary")
    page.wait_for_selector(LIVE)
    page.wait_for_function("document.body.dataset.game === 'regenbogen'")
    assert house.sessions.playback is None and house.table.session.names == ("Anna", "Bert")
    tap('.board [data-spot="e2"]')
    tap('.board [data-spot="e5"].fits')
    page.wait_for_selector('#history [data-key="row-1"]', state="attached")
    assert house.table.session.rows()[-1].kind == "move" and taps <= 5


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_people_sit_down_once_an_evening_until_someone_else_comes(
    house: House, tabs: Tabs, width: int, height: int
) -> None:
    """Seats, phones and names go on to another game; a tapped name is replaced from the list of those who played here."""
    tabs.allow("409")  # a game is being played
    house.eyes.become("off", "No camera: you enter every move on this page.")
    for earlier in (("Eve", "Farid"), ("Cleo", "Dietrich"), ("Ada", "Bonaventura")):
        house.sessions.start("casino", earlier, {}, draws="dealt")
    house.sessions.choose_sign("Cleo", ChosenSign("star", 3))
    page = tabs.open("/", viewport={"width": width, "height": height})
    phone = tabs.open("/", seat=0, viewport={"width": 390, "height": 844})
    phone.wait_for_selector("text=You are Ada")

    def begin(game: str) -> None:
        before = house.table.session.header.id
        page.click(f'.game:has([data-key="game-{game}"])')
        page.click("#setup .primary")
        page.click('[data-key="put-away"]')
        page.wait_for_selector(LIVE)
        assert house.table.session.header.id != before and house.table.session.game.name == game

    page.goto(house.url + "setup", wait_until="domcontentloaded")
    page.wait_for_selector("#known-players >> text=One more? Or someone else: tap a name.")
    page.click('.game:has([data-key="game-regenbogen"])')
    page.wait_for_selector("#known-players >> text=Someone else? Tap a name.")
    begin("cribbage")
    assert house.table.session.names == ("Ada", "Bonaventura"), "nobody was asked for a name"
    phone.wait_for_function("document.body.dataset.game === 'cribbage'")
    phone.wait_for_selector("text=You are Ada")

    page.goto(house.url + "setup", wait_until="domcontentloaded")
    page.click('[data-key="name-1"]')
    page.wait_for_selector("#known-players >> text=Someone else instead of Bonaventura?")
    offered = page.locator("#known-players button")
    assert offered.all_inner_texts() == ["Cleo", "Dietrich", "Eve", "Farid"], "the latest first"
    assert offered.first.locator(f'path[d="{SIGN_PATHS["star"]}"]').count() == 1
    page.click('[data-key="known-Cleo"]')
    begin("casino")
    assert house.table.session.names == ("Ada", "Cleo")
    phone.wait_for_selector("text=You are Ada")
    assert page.locator(f'#scores .sign path[d="{SIGN_PATHS["star"]}"]').count() == 1


def test_a_press_before_the_games_are_shown_begins_the_game_then(house: House, tabs: Tabs) -> None:
    page = tabs.open("/camera")
    page.route("**/api/games", lambda route: (time.sleep(1.0), route.continue_()))
    page.goto(page.url.replace("/camera", "/setup"), wait_until="commit")
    page.click("#setup .primary")
    page.wait_for_selector(LIVE)
    assert house.table.session.names
