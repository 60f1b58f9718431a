"""A lesson for each kind of game, taken to its end by tapping, in a window and on a phone, beside a running game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.test_accessibility import violations
from web.lessons.catalog import LESSONS

PHONE = {"viewport": {"width": 390, "height": 844}}
MOVES = {
    "tiles": ('[data-code="BBB6"]', '.board [data-spot="c0"]', '[data-spot="c0"]'),
    "pyramids": ('.board [data-spot="stalks.B3"]', '#cell [data-key^="place-"] >> nth=0'),
    "board": ('.die-move[data-key="player 1 plays personal green to 1"]',),
    "sheet": ('.board [data-spot="blue"]', '[data-key="cell-3"]', "#verdict button.primary"),
    "cards": ('[data-key="act-turn-0"]',),
}
"""What is tapped for a legal move."""


RULES = {"tiles": "TRI-8", "pyramids": "ICE-7", "board": "ESC-5", "sheet": "ROL-8", "cards": "SOL-3"}
"""The rule that the refused move breaks."""


def fits(page: Any) -> None:
    """Nothing is to be scrolled to, and one button at most stands out."""
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert (
        page.evaluate("[...document.querySelectorAll('#bar .primary')].filter((one) => one.checkVisibility()).length")
        <= 1
    )


def lesson(page: Any) -> str:
    return str(page.inner_text("#lesson .lesson-text"))


@pytest.mark.parametrize("kind", LESSONS)
def test_a_lesson(house: House, tabs: Tabs, checker: str, kind: str) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    table = house.begin(4)
    rows = table.session.rows()
    tabs.allow("422")
    tabs.allow("409")
    page = tabs.open("/lessons", **(PHONE if kind in ("cards", "tiles") else {}))
    assert violations(page, checker) == []
    page.click(f'[data-lesson="{kind}"]')
    page.wait_for_selector(LIVE)
    assert "step 1 of 3" in lesson(page)
    for place in MOVES[kind]:
        page.click(place)
    page.wait_for_selector('[data-key="lesson-next"]')
    fits(page)

    page.click('[data-key="lesson-next"]')
    page.wait_for_selector("#lesson >> text=step 2 of 3")
    page.click('[data-key="lesson-show"]')
    if LESSONS[kind].scenes[1].told:
        page.wait_for_selector(f"#error >> text={RULES[kind]}")
    else:
        page.wait_for_selector(f"#alert.refused .rule-line a >> text={RULES[kind]}")
        fits(page)
        page.click('[data-key="answer-put-back"]')

    page.click('[data-key="lesson-next"]')
    page.wait_for_selector("#lesson >> text=step 3 of 3")
    if kind == "cards":
        page.click('[data-key="due-rank-12"]')
        page.click('[data-key="due-tell"]')
    else:
        page.click('[data-key="lesson-show"]')
        page.wait_for_selector("#alert.unclear")
        fits(page)
        page.click('[data-key="choice-0"]')
    page.wait_for_selector("#lesson >> text=Set up a game")
    assert violations(page, checker) == []
    page.click("text=End the lesson")
    page.wait_for_selector("h1 >> text=Lessons")
    assert house.table is table and table.session.rows() == rows, "the running game knows nothing of it"
