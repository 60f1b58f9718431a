"""A good move on the page: off by default, allowed by a word, shown in words and as a picture, played by a tap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.referee.players.player import moves_of
from tests.browser.conftest import LIVE, House, Pictures, Tabs
from tests.browser.test_accessibility import violations
from tests.browser.test_game import rows_shown


class QuickCoach:
    """The first legal move; the process that thinks has tests of its own, and would be slow beside a browser."""

    def advise(self, game: Any, state: Any, seat: int) -> Any:
        return moves_of(state, seat)[0]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.app.ProcessCoach", QuickCoach)


@pytest.mark.parametrize("game", ["regenbogen", "spectrangle"])
def test_a_hint_is_allowed_shown_and_played(
    house: House, table_page: Callable[..., Any], pictures: Pictures, checker: str, game: str
) -> None:
    table = house.begin() if game == "spectrangle" else house.sessions.start(game, ("Ada", "Ben"), {})
    page = table_page()
    first = table.session.seq
    page.click('[data-key="hint"] >> text=Hints are off')
    page.click("dialog >> text=Cancel")
    page.click('[data-key="hint"]')
    page.click('[data-key="allow-hints"]')
    rows_shown(page, first + 1)
    assert table.session.hints
    page.click('[data-key="hint"] >> text=Show me a good move')
    page.wait_for_selector('[data-key="play-hint"]')
    rows_shown(page, first + 2)
    assert table.session.rows()[-1].kind == "hint"
    assert violations(page, checker) == []
    pictures(page, f"{game}")
    page.click('[data-key="play-hint"]')
    rows_shown(page, first + 3)
    assert table.session.rows()[-1].kind == "move"
    if game == "regenbogen":
        page.click('[data-key="hint"]')
        page.wait_for_selector('[data-key="play-hint"]')
        page.click('[data-key="no-hints"]')
        page.wait_for_selector('[data-key="hint"] >> text=Hints are off')
        assert not table.session.hints


def test_who_only_watches_is_offered_no_hint(house: House, tabs: Tabs) -> None:
    house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    page = tabs.open("/", joined=False)
    page.wait_for_selector(LIVE)
    page.wait_for_selector(".turn-text >> text=Ada's turn")
    assert page.locator('[data-key="hint"]').count() == 0
