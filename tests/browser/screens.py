"""The pictures of docs/screens.md: `python -m tests.browser.screens docs/screens` makes them all anew."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import sync_playwright

from companion.app.commands.demo import RecordingProjector
from companion.app.commands.runtime import Runtime
from companion.app.demos import load_demo
from companion.core.recording import Recording
from companion.games import RECORDED
from tests.browser.conftest import CHROMIUM, FLAGS, LIVE, House, show_tab
from tests.browser.situations import Situation, arrange
from web.app import create_app
from web.sockets.server import Server

WINDOW = {"width": 1440, "height": 900}
SMALL = {"width": 1024, "height": 768}
WALL = {"width": 1920, "height": 1080}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PACE_S = 0.3
PICTURED = '.game-picture[data-game="poker"] svg'
"""The board of the last game stands on its card."""
LOOKED_MS = 60_000
"""Several pictures of a recording are read first."""


class Screens:
    """Takes pictures of pages into a folder."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self._browser = browser
        self._folder = folder

    def take(self, name: str, address: str, ready: Callable[[Any], None], **context: Any) -> None:
        """One page in a fresh profile, once it is ready."""
        profile = self._browser.new_context(**{"viewport": WINDOW, "color_scheme": "light", **context})
        page = profile.new_page()
        page.goto(address, wait_until="domcontentloaded")
        ready(page)
        page.wait_for_timeout(500)
        page.screenshot(path=self._folder / f"{name}.png")
        profile.close()

    def of_a_demo(self, kept: Path) -> None:
        """An illegal move of a recorded game, with what the camera saw."""
        demo, folder = load_demo("spectrangle")
        recording: Recording = replace(RECORDED[demo.game](demo.mat, demo.setup), names=demo.names)

        def looked(page: Any) -> None:
            page.wait_for_selector("#playback >> text=waits here until you have read why", timeout=LOOKED_MS)
            show_tab(page, "camera")
            page.wait_for_selector(".picture:not([hidden])")

        with Runtime(kept / "demo.sqlite", recording.plan) as house:
            house.sessions.playback = RecordingProjector(house, demo.title, folder, demo.game, recording, PACE_S)
            server = Server(create_app(house.sessions), port=0, threads=24)
            server.start()
            self.take("illegal-move", server.url, looked)
            server.close()

    def of_situations(self, house: House) -> None:
        """A question, a board in play, a phone, the wall at the end, and the choice of a game."""

        def live(page: Any) -> None:
            page.wait_for_selector(LIVE)

        def sit(page: Any) -> None:
            live(page)
            page.click('[data-key="seat"]')
            with page.expect_navigation():
                page.click('[data-key="sit-0"]')
            live(page)

        def charted(page: Any) -> None:
            live(page)
            page.wait_for_selector("#wall-chart svg")

        pictures: list[tuple[str, str, Situation, str, Callable[[Any], None], dict[str, Any]]] = [
            ("question", "regenbogen", "question", "", live, {}),
            ("board", "spectrum", "middle", "", live, {"viewport": SMALL}),
            ("phone", "cribbage", "middle", "", sit, PHONE),
            ("wall", "spectrangle", "end", "screen", charted, {"viewport": WALL}),
        ]
        for name, game, situation, path, ready, context in pictures:
            arrange(house.sessions, game, situation)
            self.take(name, house.url + path, ready, **context)
        self.take("new-game", house.url + "setup", lambda page: page.wait_for_selector(PICTURED, state="attached"))


def main(folder: Path) -> None:
    """Take all pictures into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as kept, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        screens = Screens(browser, folder)
        screens.of_a_demo(Path(kept))
        house = House(Path(kept), random_bytes=lambda count: bytes(range(count)))
        house.eyes.become("off", "No camera: you enter every move on this page.")
        screens.of_situations(house)
        house.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
