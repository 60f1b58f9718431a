"""Setting a table up on the page, over a camera that shows a marble table with markers and pieces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.commands.runtime import Runtime
from companion.games import PLANS
from tests.browser.conftest import LIVE, Pictures, Tabs
from tests.browser.test_accessibility import violations
from tests.vision.staged_table import CYAN, MAT, ROW, THREE, Stage, another, empty, marble, staged
from vision.image.picture import Picture
from web.app import create_app
from web.pages import camera
from web.sockets.server import Server

LOOKED_MS = 25_000
"""A step looks at several pictures, on a machine that may be busy."""


class StagedHouse:
    """A real house with a camera over a stage, and its page."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stage = Stage(empty())
        self._open()

    def _open(self) -> None:
        self.house = Runtime(self.folder / "journal.sqlite", PLANS["spectra"](2))
        self.house.watch(self.stage)
        self.sessions = self.house.sessions
        self.server = Server(create_app(self.sessions), threads=24, port=0)
        self.server.start()

    @property
    def url(self) -> str:
        return self.server.url

    def restart(self, picture: Picture) -> None:
        """The program ends and is started again; by then this lies before the camera."""
        self.close()
        self.stage = Stage(picture)
        self._open()

    def close(self) -> None:
        self.server.close()
        self.house.__exit__()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StagedHouse]:
    monkeypatch.setattr(camera, "HOLD_S", 0.1)
    house = StagedHouse(tmp_path)
    yield house
    house.close()


def covered(picture: Picture) -> Picture:
    """The picture with something over markers 0, 1 and 2."""
    pose, hidden = marble().empty.pose, picture.copy()
    for x, y in pose.project(np.column_stack([np.array(MAT.corners_mm()[:3]), np.zeros(3)])):
        cv2.circle(hidden, (round(x), round(y)), 45, (90, 110, 120), -1)
    return hidden


def said(page: Any, step: str, words: str) -> None:
    """The step says this, sooner or later."""
    page.wait_for_selector(f"#step-{step} >> text={words}", timeout=LOOKED_MS)


def test_the_three_steps_and_what_can_be_wrong_with_each(
    house: StagedHouse, tabs: Tabs, checker: str, pictures: Pictures
) -> None:
    tabs.allow("409")
    tabs.allow("422")
    house.stage.picture = covered(empty())
    page = tabs.open("/calibration")
    page.click('[data-key="open"]')
    said(page, "markers", "Not seen: markers 0, 1 and 2. They are covered, ")
    house.stage.picture = staged(*THREE)
    said(page, "markers", "All four markers are seen.")
    page.click('[data-key="remember"]')
    said(page, "empty", "3 pieces or stacks still stand on the table: ")
    assert page.locator('[data-key="around"]').count() == 0, "there is no game that they could belong to"
    assert violations(page, checker) == []
    house.stage.picture = empty()
    page.click('[data-key="remember"]')
    said(page, "empty", "The empty table is remembered.")
    page.wait_for_selector("#forecast >> text=pixels a millimeter")
    house.stage.picture = staged(ROW, without=CYAN)
    page.uncheck('[data-key="color-white"]')
    page.click('[data-key="set-out"]')
    said(page, "colors", "Cyan was not found in the row.")
    house.stage.picture = staged(ROW)
    page.click('[data-key="set-out"]')
    said(page, "colors", "The colors of this table are known.")
    page.wait_for_selector("#forecast >> text=Told apart well: red, orange, yellow, green, cyan, blue")
    assert violations(page, checker) == []
    pictures(page, "three-steps")
    page.click('[data-key="finish"]')
    page.wait_for_url("**/setup")


def test_in_the_middle_of_a_game_it_can_be_done_again_and_the_game_goes_on(house: StagedHouse, tabs: Tabs) -> None:
    tabs.allow("409")
    house.stage.picture = staged(*THREE)
    table = house.sessions.start("spectra", ["Ann", "Ben"], {})
    page = tabs.open("/")
    page.wait_for_selector(LIVE)
    page.wait_for_selector("#setup-note >> text=This table was never shown empty.")
    before = (table.session.header.id, table.session.seq, table.session.state)
    page.click('[data-key="setup-begin"]')
    page.wait_for_url("**/calibration")
    said(page, "markers", "All four markers are seen.")
    page.click('[data-key="remember"]')
    page.click('[data-key="around"]', timeout=LOOKED_MS)
    said(page, "empty", "The table is remembered, but for what is under the pieces.")
    phone = tabs.open("/")
    phone.wait_for_selector("#setup-note >> text=The table is being set up: the game waits.")
    phone.click('[data-key="setup-end"]')
    phone.wait_for_selector("#setup-note", state="hidden")
    now = house.sessions.table
    assert now is not None and (now.session.header.id, now.session.seq, now.session.state) == before
    page.wait_for_selector('[data-key="open"] >> text=Set the table up again')


def test_a_restart_finds_what_was_remembered_and_another_table_is_offered_once(
    house: StagedHouse, tabs: Tabs, tmp_path: Path
) -> None:
    tabs.allow("ERR_")
    house.sessions.calibrator.remember()
    house.restart(staged(*THREE))
    house.sessions.start("spectra", ["Ann", "Ben"], {})
    page = tabs.open("/calibration")
    page.wait_for_selector("#forecast >> text=The empty table is remembered")
    page.goto(house.url, wait_until="domcontentloaded")
    page.wait_for_selector(LIVE)
    assert page.is_hidden("#setup-note")
    house.restart(another())
    table = next(iter(house.house._journal.games()))
    house.sessions.resume(table.id)
    page.goto(house.url, wait_until="domcontentloaded")
    page.wait_for_selector("#setup-note >> text=does not look like the one that was remembered", timeout=LOOKED_MS)
    page.click('[data-key="setup-later"]')
    page.wait_for_selector("#setup-note", state="hidden")
    page.reload(wait_until="domcontentloaded")
    page.wait_for_selector(LIVE)
    page.wait_for_timeout(500)
    assert page.is_hidden("#setup-note")


def test_tiles_need_two_steps_and_no_row(house: StagedHouse, tabs: Tabs) -> None:
    house.sessions.set_plan(PLANS["spectrangle"](2))
    page = tabs.open("/calibration")
    page.wait_for_selector("#begin >> text=tiles beside the board are told from the pattern of a cloth")
    page.click('[data-key="open"]')
    page.wait_for_selector('[data-key="remember"]')
    assert page.is_visible("#step-empty") and page.is_hidden("#step-colors")


def test_who_has_not_joined_can_only_look(house: StagedHouse, tabs: Tabs) -> None:
    page = tabs.open("/calibration", joined=False)
    page.wait_for_selector("#begin >> text=Only players at the table can set it up.")
    assert page.locator("#way button").count() == 0
