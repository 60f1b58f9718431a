"""Every game on one screen: nothing scrolls, and turn, alert and the one thing to do are always in view.

Chromium shows one game of each kind in five situations at four sizes, from game to game in another language until the
end and the other one there. Firefox shows them in their middle, laid out in both ways, and WebKit, which takes its time
to change a window, in one of them. A page stays open while its game goes on, and the window is given each size in turn.
What axe looks for takes longest, so it looks once at each game, from game to game in another situation and at the other
layout. The sweep is all of it but WebKit: all games in five situations at all sizes in Chromium and Firefox, axe in each
situation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from companion.games import GAMES
from tests.browser.conftest import House, missing
from tests.browser.situations import SITUATIONS, Situation, begin, lead_to, shows
from tests.browser.webkit import WebKit, browser_program
from web.lessons.catalog import LESSONS
from web.pages import camera

SIZES = ((1440, 900), (1920, 1080), (1024, 768), (390, 844))
CHECKED_SIZES = ((1440, 900), (390, 844))
"""Sizes at which axe looks, too, and those of WebKit: one for each of the two ways in which the page is laid out."""
SCREEN = Path(__file__).with_name("one_screen.js").read_text()
NO_PAINT = "axe.configure({ rules: [{ id: 'color-contrast', selector: ':not(svg, svg *)' }] });"
"""Pictures are painted by `fill`, of which this check knows nothing; looking at them takes half its time."""
AXE = """axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map((one) => `${one.id}: ${one.help} ${one.nodes.map((node) => node.target.join(' ')).slice(0, 3)}`))"""


BROWSERS = ("chromium", *(pytest.param(one, marks=pytest.mark.sweep) for one in ("firefox", "webkit")))
KINDS = tuple(lesson.game for lesson in LESSONS.values())
"""One game of each kind: each has a page of its own sort."""


class Screen(Protocol):
    """One tab of any browser."""

    errors: list[str]

    def open(self, address: str) -> None: ...

    def size(self, width: int, height: int) -> int: ...

    def ask(self, expression: str) -> Any: ...


class Chromium:
    """A tab of the Chromium that all tests share."""

    def __init__(self, profile: Any) -> None:
        self._page = profile.new_page()
        self.errors: list[str] = []
        self._page.on(
            "console", lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None
        )
        self._page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))

    def open(self, address: str) -> None:
        self._page.goto(address, wait_until="domcontentloaded")

    def size(self, width: int, height: int) -> int:
        self._page.set_viewport_size({"width": width, "height": height})
        return width

    def ask(self, expression: str) -> Any:
        return self._page.evaluate(f"async () => await ({expression})")

    def close(self) -> None:
        """Leave the language of this device as other tests expect it: they share its cookies."""
        self._page.context.clear_cookies(name="companion_language")
        self._page.close()


@pytest.fixture(scope="module")
def one_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house for all, whose deals are always the same."""
    held, camera.HOLD_S = camera.HOLD_S, 0.1
    house = House(tmp_path_factory.mktemp("house"), random_bytes=lambda count: bytes(range(count)))
    yield house
    house.close()
    camera.HOLD_S = held


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> str:
    """The browser's name."""
    return str(request.param)


@pytest.fixture(scope="module")
def screen(request: pytest.FixtureRequest, browser: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """The same tab for all tests of a browser."""
    found: Any
    if browser == "chromium":
        found = Chromium(request.getfixturevalue("profile"))
    elif browser == "firefox":
        found = firefox(tmp_path_factory.mktemp("firefox"))
    else:
        found = webkit()
    yield found
    found.close()


def firefox(folder: Path) -> Any:
    """Firefox, or a reason why there is none."""
    import shutil

    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        missing("there is no Firefox: apt install firefox-esr")
    assert program is not None
    try:
        from tests.browser.firefox import Firefox
    except ImportError:
        missing("websockets is not installed: pip install 'tabletop-companion[test]'")
    return Firefox(program, folder)


def webkit() -> Any:
    """WebKit, or a reason why there is none."""
    program = browser_program()
    if program is None:
        missing("there is no WebKit with its driver: apt install webkit2gtk-driver xvfb")
    assert program is not None
    return WebKit(program)


class Look(NamedTuple):
    """How much of a game one test looks at."""

    situations: Sequence[Situation] = SITUATIONS
    sizes: Sequence[tuple[int, int]] = SIZES
    checked: Collection[Situation] = ()
    """In which of them axe looks, too."""
    german_first: bool = False
    """The page speaks German until the end and English there, or the other way about."""


def short(browser: str, game: str) -> Look:
    """What every run of the tests looks at."""
    turned = KINDS.index(game) % 2 == 1  # as the game before has ended, so no page is opened twice
    if browser == "chromium":
        return Look(checked=(SITUATIONS[KINDS.index(game)],), german_first=turned)
    if browser == "firefox":
        return Look(situations=("middle",), sizes=CHECKED_SIZES)
    return Look(situations=("middle",), sizes=(CHECKED_SIZES[KINDS.index(game) % 2],))


def whole() -> tuple[Look, ...]:
    """What a sweep looks at: every situation in either language. WebKit is left out: after some twenty pages of one
    session its driver gives pages whose modules never run, so it looks at the middle of a game of each kind alone."""
    return Look(checked=SITUATIONS), Look(german_first=True)


@pytest.mark.parametrize("browser", BROWSERS, indirect=True, scope="module")
def test_one_screen(one_house: House, screen: Screen, browser: str, checker: str) -> None:
    """One test a browser, since each takes seconds to start."""
    for game in KINDS:
        look(game, one_house, screen, checker, short(browser, game))


@pytest.mark.sweep
@pytest.mark.parametrize("browser", ("chromium", "firefox"), indirect=True, scope="module")
@pytest.mark.parametrize("game", GAMES)
def test_one_screen_in_every_situation(game: str, one_house: House, screen: Screen, browser: str, checker: str) -> None:
    for at in whole():
        look(game, one_house, screen, checker, at)


def speak(screen: Screen, address: str, language: str) -> None:
    """Open the page in a language, which is chosen beside it: Firefox names imports that a second opening breaks off."""
    screen.open(f"{address}/static/css/evening.css")
    screen.ask(f"(() => {{ document.cookie = 'companion_language={language};path=/'; return true; }})()")
    screen.open(address)


def look(game: str, house: House, screen: Screen, checker: str, at: Look) -> None:
    """Lead a game through its situations and see what is wrong with the page."""
    problems = []
    screen.errors.clear()
    screen.open("about:blank")
    table = begin(house.sessions, game)
    last = SITUATIONS.index(at.situations[-1])
    for number, situation in enumerate(SITUATIONS[: last + 1]):
        if situation == "end":
            screen.open("about:blank")  # hundreds of moves that nobody looks at
        lead_to(table, situation)
        if situation not in at.situations:
            continue
        if situation in (at.situations[0], "end"):
            speak(screen, house.url, "de" if at.german_first == (situation != "end") else "en")
        screen.ask(shows(table))
        looked_at = CHECKED_SIZES[(number + list(GAMES).index(game)) % len(CHECKED_SIZES)]
        for width, height in at.sizes if number % 2 == 0 else reversed(at.sizes):  # the window stays as it was left
            shown = screen.size(width, height)
            found = screen.ask(f"({SCREEN})('{situation}', {shown})")
            if (width, height) == looked_at and situation in at.checked:
                if not screen.ask("'axe' in window"):
                    screen.ask(f"(() => {{ {checker}; {NO_PAINT} return true; }})()")
                found += screen.ask(AXE)
            problems += [f"{game}, {situation} at {width}x{height}: {one}" for one in found]
    assert problems == []
    assert screen.errors == []
