"""One Chromium for all tests, a house with a page for each, and a tab that forgives no error."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.results.store import Results
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.doubles import PaintedCameras, PaintedEyes, play
from web.admission.access import Access
from web.admission.phones import Phones
from web.app import create_app
from web.departure import Departure
from web.http.settings import WebSettings
from web.pages import camera
from web.pages.stream import Live
from web.sockets.server import Server

CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
    or "/usr/bin/chromium"
)
"""The same browser without windows of its own takes a third less time for a page."""
# The address bar's pop-ups are pages of their own, two a window, and cost as much time as the page under test. A second
# list of features replaces Playwright's, so what matters of that one is said again.
UNUSED = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,AimEnabled,HttpsUpgrades,PaintHolding,MediaRouter,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,ThirdPartyStoragePartitioning,"
    "OptimizationHints,NetworkTimeServiceQuerying,PreconnectToSearch"
)
MIDDLE = """control => {
  const one = document.querySelector(control);
  if (!one) return null;
  const { left, top, width, height } = one.getBoundingClientRect();
  const middle = [left + width / 2, top + height / 2];
  return one.contains(document.elementFromPoint(...middle)) ? middle : null;
}"""
"""Returns the middle of a control if a tap there reaches it, else null."""
# All pages share one process, and painting has none of its own: a page opens with a seventh less work.
ONE_PROCESS = ("--renderer-process-limit=1", "--disable-site-isolation-trials", "--in-process-gpu")
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", f"--disable-features={UNUSED}", *ONE_PROCESS]
WAIT_MS = int(os.environ.get("BROWSER_WAIT_MS", "10000"))
VIEW = {"width": 1280, "height": 860}
SETTLED = 'body:not(:has([aria-busy="true"]))'
"""A page that waits for no news of the position."""
LIVE = f"{SETTLED} #state.live"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)
            # A browser on a busy machine may miss a time limit that is a hundred times what it takes: once is no fault.
            item.add_marker(pytest.mark.flaky(reruns=2, only_rerun=["TimeoutError"]))


def missing(reason: str) -> None:
    """Skip and say why; where nothing may be skipped, fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed: pip install 'tabletop-companion[test]'")
    if not Path(CHROMIUM).exists():
        missing(f"there is no Chromium at {CHROMIUM}: apt install chromium, or set CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def checker() -> str:
    """The program of axe-core, which looks for what shuts people out."""
    try:
        import axe_playwright_python
    except ImportError:
        missing("axe-playwright-python is not installed: pip install 'tabletop-companion[test]'")
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


Pictures = Callable[[Any, str], None]


@pytest.fixture
def pictures(request: pytest.FixtureRequest) -> Pictures:
    """Leaves a picture of a whole page to be looked at, if the environment's `PICTURES` names a folder: it takes its time."""
    folder = os.environ.get("PICTURES")

    def take(page: Any, name: str) -> None:
        if folder is not None:
            page.screenshot(path=Path(folder) / request.path.stem / f"{name}.png", full_page=True)

    return take


def still(page: Any) -> None:
    """Wait until nothing on the page moves or changes its color any more."""
    page.evaluate("Promise.allSettled(document.getAnimations().map(one => one.finished)).then(() => null)")


def show_tab(page: Any, name: str) -> None:
    """Open one of the tabs beside the board: "history", "sheet", "camera", "type"."""
    page.click(f"#tab-{name}")


class House:
    """A session manager with painted eyes and its page on a port."""

    def __init__(
        self, folder: Path, random_bytes: Callable[[int], bytes] = secrets.token_bytes, **settings: Any
    ) -> None:
        self.journal = Journal.open(folder / "journal.sqlite")
        self.eyes = PaintedEyes()
        self.sessions = SessionManager(
            self.journal, GAMES, PLANS["spectrangle"](2), eyes=self.eyes, random_bytes=random_bytes
        )
        self.access = Access(pin="123456")
        self.settings = WebSettings(**settings)
        self.results: Results | None = None
        self.departure = Departure(self.sessions.touch)
        self.server = self._serve(0)

    def _serve(self, port: int) -> Server:
        cameras = PaintedCameras(self.eyes)
        self.phones = Phones(self.access, self.settings)
        app = create_app(
            self.sessions,
            settings=self.settings,
            access=self.access,
            cameras=cameras,
            results=self.results,
            departure=self.departure,
            phones=self.phones,
        )
        self.live: Live = app.extensions["live"]
        server = Server(app, port=port, threads=24)
        server.start()
        return server

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def table(self) -> Table:
        assert self.sessions.table is not None
        return self.sessions.table

    def begin(self, events: int = 22, names: tuple[str, ...] = ("Ann", "Ben"), **options: Any) -> Table:
        """A game, some events played."""
        table = self.sessions.start("spectrangle", names, options)
        play(table, events)
        return table

    def stop(self) -> None:
        """The server goes away."""
        self.server.close()

    def again(self) -> None:
        """The server is back on the same port."""
        self.server = self._serve(self.server.port)

    def close(self) -> None:
        self.server.close()
        self.journal.close()


@pytest.fixture
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    """Yields a house; in a module with a `SEED`, its deals and rolls are the same in every run."""
    seed: int | None = getattr(request.module, "SEED", None)
    monkeypatch.setattr(camera, "HOLD_S", 0.1)  # so that no held picture keeps the server from closing
    house = House(tmp_path_factory.mktemp("house"), secrets.token_bytes if seed is None else Random(seed).randbytes)
    yield house
    house.close()


class Tabs:
    """Tabs of the browser, and what went wrong in them."""

    def __init__(self, chromium: Any, profile: Any, house: House) -> None:
        self.chromium = chromium
        self.profile = profile
        self.house = house
        self.errors: list[str] = []
        self.allowed: list[str] = []
        self._contexts: list[Any] = []
        self._pages: list[Any] = []

    def allow(self, text: str) -> None:
        """An error of this text is part of the test."""
        self.allowed.append(text)

    def open(self, path: str = "/", *, joined: bool = True, seat: int | None = None, **context: Any) -> Any:
        """A tab; with a `context` of its own, or if it has not joined, of a fresh browser profile.

        :param joined: whether its browser is on this machine; else it must join, as a phone would.
        :param seat: whose phone it is from its first page on.
        """
        if joined and not context and seat is None:
            return self.tab(self.profile, path)
        profile = self.chromium.new_context(**{"viewport": VIEW, **context})
        profile.set_default_timeout(WAIT_MS)
        self._contexts.append(profile)
        if not joined:
            # A proxy's header makes the browser somebody else, as a phone would be.
            profile.set_extra_http_headers({"Via": "1.1 phone"})
        if seat is not None:
            own = {"Origin": self.house.url.rstrip("/")}
            assert profile.request.get(self.house.url).ok  # lets the browser in
            assert profile.request.post(f"{self.house.url}api/door/seat", data={"seat": seat}, headers=own).ok
        return self.tab(profile, path)

    def set_up(self, game: str, ready: str, *names: str, colors: Sequence[str] = ()) -> Any:
        """The page of a game that was begun on the set-up page.

        :param ready: what shows once the game is there.
        :param colors: what the seats choose, where the game gives them a choice.
        """
        self.allow("409")
        page = self.open("/setup")
        page.check(f'input[name="game"][value="{game}"]')
        for number, name in enumerate(names, 1):
            page.fill(f'[aria-label="Name of player {number}"]', name)
        if colors:
            page.click("#options-line > summary")
        for seat, color in enumerate(colors):
            page.select_option(f"#color-{seat}", color)
        page.click("text=Start the game")
        page.wait_for_selector(ready)
        assert self.house.table.session.game.name == game
        return page

    def tab(self, profile: Any, path: str = "/") -> Any:
        """One more tab of a profile."""
        page = profile.new_page()
        self._pages.append(page)
        page.on("console", lambda said: self._note(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._note(f"uncaught: {error}"))
        page.goto(self.house.url + path.lstrip("/"), wait_until="domcontentloaded")
        return page

    def _note(self, text: str) -> None:
        if not any(allowed in text for allowed in self.allowed):
            self.errors.append(text)

    def close(self) -> None:
        for page in self._pages:
            page.close()
        for profile in self._contexts:
            profile.close()


@pytest.fixture(scope="session")
def profile(chromium: Any) -> Any:
    """The profile of a browser on this machine, shared by the tests: each house has a port, so an origin, of its own."""
    profile = chromium.new_context(viewport=VIEW)
    profile.set_default_timeout(WAIT_MS)
    return profile


@pytest.fixture
def tabs(chromium: Any, profile: Any, house: House) -> Iterator[Tabs]:
    """Tabs; the test fails if any of them reported an error."""
    tabs = Tabs(chromium, profile, house)
    yield tabs
    tabs.close()
    assert tabs.errors == []


@pytest.fixture
def table_page(house: House, tabs: Tabs) -> Callable[..., Any]:
    """Opens the table's page and waits until it is live."""

    def open_(path: str = "/", **context: Any) -> Any:
        page = tabs.open(path, **context)
        page.wait_for_selector(LIVE)
        return page

    return open_
