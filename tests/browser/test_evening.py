"""A club's hub in the browser: an evening is led by a few taps, results come by themselves, and all of it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import GAMES
from companion.referee.evening import KeptEvening, begin, pair
from companion.referee.evening.director import EveningDirector
from companion.referee.evening.journals import TableJournals
from companion.referee.journal import Journal
from simulation.play import played
from tests.browser.conftest import House, Pictures, Tabs
from tests.browser.test_accessibility import violations
from tests.browser.test_results import SCROLLED
from tests.companion.referee.evening.playing import decided
from web.admission.access import Access
from web.http.settings import WebSettings
from web.hub.app import create_hub_app
from web.hub.machines import Machine, Machines
from web.sockets.server import Server

FITS = """() => [document.documentElement.scrollHeight <= innerHeight, document.documentElement.scrollWidth <= innerWidth,
  [...document.querySelectorAll('main td, main th')].every((cell) => { const box = cell.getBoundingClientRect();
    return box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1; })]"""
NAMES = ["Ann", "Ben", "Cem", "Dov", "Eve", "Fay", "Gus", "Hal"]


class Club:
    """A hub on a port, with one journal."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal.open(folder / "table.sqlite")
        self.kept = KeptEvening(folder / "evening.json")
        self.tables = TableJournals({"table": lambda: Journal.read(self.journal.path)}, GAMES)
        self.machines = Machines([Machine("hall", "http://club-pi")], fetch=self._nobody)
        self.director = EveningDirector(self.kept, self.tables)
        app = create_hub_app(self.machines, self.director, WebSettings(), Access(pin="123456"))
        self.server = Server(app, port=0, threads=8)
        self.server.start()

    def _nobody(self, address: str) -> bytes:
        raise OSError(address)

    def close(self) -> None:
        self.server.close()
        self.tables.close()
        self.journal.close()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(tmp_path)
    yield club
    club.close()


@pytest.fixture
def open_(chromium: Any, club: Club) -> Iterator[Callable[..., Any]]:
    contexts, errors = [], []

    def opened(path: str, **more: Any) -> Any:
        context = chromium.new_context(viewport={"width": 1440, "height": 900}, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: errors.append(f"uncaught: {error}"))
        page.goto(club.server.url + path, wait_until="domcontentloaded")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


def test_an_evening_is_led_and_results_come_by_themselves(
    club: Club, open_: Callable[..., Any], checker: str, pictures: Pictures
) -> None:
    page = open_("evening")
    page.fill("#players", "Ann\nBen\nCem\n")
    page.fill("#title", "Tuesday")
    page.click("#begin >> text=Begin")
    page.wait_for_selector("h1 >> text=Tuesday")
    page.click("#next-round")
    page.wait_for_selector("caption >> text=Round 1 of 3")
    evening = club.director.now()[1]
    assert evening is not None
    (game,) = [one for one in evening.rounds[0].pairings if one.second is not None]
    played(club.journal, Random(1), names=game.players)
    club.director.look()
    page.wait_for_selector("#next-round", timeout=15_000)
    assert page.locator(".pairings >> text=open").count() == 0
    assert violations(page, checker) == []
    pictures(page, "evening")
    page.click("summary >> text=Somebody goes home")
    page.select_option("#gone", "Cem")
    page.click("#withdraw button")
    page.wait_for_selector("#gone option:nth-child(3)", state="detached")


def test_all_of_it_fits_and_is_usable_by_everybody(
    club: Club, open_: Callable[..., Any], checker: str, pictures: Pictures
) -> None:
    evening = begin("Club night", "swiss", NAMES, planned=3)
    evening = decided(pair(evening, known=lambda _: ()), lambda _: (0.5, 0.5))
    club.kept.save(pair(evening, known=lambda _: (), tables=["hall"]))
    club.director = EveningDirector(club.kept, club.tables)
    club.server.close()
    app = create_hub_app(club.machines, club.director, WebSettings(), Access(pin="123456"))
    club.server = Server(app, port=0, threads=8)
    club.server.start()
    page = open_("evening/wall")
    for path in ("evening/wall", "evening", "", "join"):
        page.goto(club.server.url + path)
        for width, height in ((1440, 900), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(FITS) == [True, True, True], (path, width)
        assert violations(page, checker) == [], path
        pictures(page, path.replace("/", "-") or "tables")
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate(FITS)[1], f"{path} is wider than a phone"
        assert page.evaluate(SCROLLED) == [], f"{path} has a table that is wider than a phone"
    german = open_("evening/wall", locale="de")
    assert german.locator("caption >> text=Runde 2 von 3").count() == 1
    assert german.locator("caption >> text=Tabelle").count() == 1
    phone = open_("evening", extra_http_headers={"Via": "1.1 phone"})
    assert phone.locator("#next-round, #begin").count() == 0 and phone.locator("nav >> text=Join").count() == 1


def test_the_largest_evening_fits_the_wall(club: Club, open_: Callable[..., Any]) -> None:
    evening = begin("Open", "swiss", [f"Player {n}" for n in range(1, 41)])
    club.kept.save(pair(evening, known=lambda _: ()))
    club.director._evening = club.kept.load()
    page = open_("evening/wall")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_selector("#evening[style*='40']")
    assert page.evaluate(FITS) == [True, True, True]


def test_a_round_of_everybody_at_tables_of_three_and_four(
    club: Club, open_: Callable[..., Any], house: House, tabs: Tabs, pictures: Pictures
) -> None:
    page = open_("evening")
    page.select_option("#game", "regenbogen")
    page.select_option("#system", "tables")
    assert page.input_value("#game") == "", "a game of two is not for a table of three"
    assert page.is_visible("#rounds") and not page.is_visible("#teams")
    shown = page.eval_on_selector_all("#game option", "all => all.filter((one) => !one.hidden).map((one) => one.value)")
    assert "spectrangle" in shown and "regenbogen" not in shown and "cribbage" not in shown
    club.machines._tables["hall"] = [{"name": "hall", "open": True, "at": house.url, "game": None, "players": []}]
    club.director._tables = club.machines.names
    page.fill("#players", "\n".join(NAMES[:7]))
    page.click("#begin >> text=Begin")
    page.click("#next-round")
    page.wait_for_selector("caption >> text=Round 1 of 2")
    evening = club.director.now()[1]
    assert evening is not None
    first, other = evening.rounds[0].pairings
    there = tabs.open(str(page.get_attribute(".pairings a >> nth=0", "href")).removeprefix(house.url))
    there.wait_for_selector(f'[data-key="name-{len(first.players) - 1}"]')
    seats = range(len(first.players))
    assert tuple(there.input_value(f'[data-key="name-{seat}"]') for seat in seats) == first.players
    for seed, table in enumerate((first, other)):
        played(club.journal, Random(seed), names=table.players, seats=len(table.players))
    club.director.look()
    page.wait_for_selector("#next-round", timeout=15_000)
    assert page.locator(".pairings strong").count() == 7, "everybody has points"
    pictures(page, "tables")


def test_a_pairing_opens_its_table_with_its_people(
    club: Club, open_: Callable[..., Any], house: House, tabs: Tabs
) -> None:
    """The name of the table leads to a new game there, with the names that the result is looked for by."""
    page = open_("evening")
    assert page.locator("#teams, #rounds").locator("visible=true").count() == 0, "fields that do not apply are hidden"
    page.select_option("#system", "teams")
    assert page.is_visible("#teams") and not page.is_visible("#rounds")
    page.select_option("#system", "swiss")
    assert page.is_visible("#rounds") and not page.is_visible("#teams")
    at = house.url
    club.machines._tables["hall"] = [{"name": "hall", "open": True, "at": at, "game": None, "players": []}]
    club.director._tables = club.machines.names
    page.fill("#players", "Ann & Co\nBen\n")
    page.select_option("#game", "cribbage")
    page.click("#begin >> text=Begin")
    page.click("#next-round")
    link = page.get_attribute(".pairings a >> nth=0", "href")
    assert link is not None and link.startswith(at)
    there = tabs.open(link.removeprefix(at))
    there.wait_for_selector('[data-key="name-1"]')
    assert {there.input_value(f'[data-key="name-{seat}"]') for seat in (0, 1)} == {"Ann & Co", "Ben"}
    assert there.is_checked('[data-key="game-cribbage"]')
