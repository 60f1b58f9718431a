"""How a tile lies is chosen at its place on the board, and the button that lays it is in view at every size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import House
from tests.browser.test_game import rows_shown
from tests.web.views.test_alert_view import LOOK

SIZES = ((1366, 768), (1280, 720), (390, 844), (360, 640))
IN_VIEW = """element => {
  const box = element.getBoundingClientRect();
  const front = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth && element.contains(front);
}"""


def several_ways(house: House) -> tuple[str, str]:
    """A tile of the hand and a cell on which it may lie in more than one way."""
    found: dict[tuple[str, str], int] = {}
    for move in house.table.session.legal():
        aim = LOOK.aim(move)
        found[aim.piece, aim.spot] = found.get((aim.piece, aim.spot), 0) + 1
    return max(found, key=lambda aim: found[aim])


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_tile_is_turned_and_laid_on_the_board(
    house: House, table_page: Callable[..., Any], width: int, height: int
) -> None:
    table = house.begin(6)
    page = table_page(viewport={"width": width, "height": height})
    code, spot = several_ways(house)
    page.click(f'#hands [data-code="{code}"]')
    page.wait_for_selector(f"#board-{spot}.legal")
    page.click(f"#board-{spot}")
    for key in ("tick", "turn"):
        page.wait_for_selector(f'[data-key="{key}"]')
    page.wait_for_function(f"() => ({IN_VIEW})(document.querySelector('#cell .primary'))")
    assert page.eval_on_selector('[data-key="tick"]', IN_VIEW)
    first = page.get_attribute('[data-key="tick"]', "aria-label")
    page.click(f"#board-{spot}")
    page.wait_for_function("first => document.querySelector('[data-key=\"tick\"]').ariaLabel !== first", arg=first)
    assert page.locator(".board.trial").count() == 1
    turned = str(page.get_attribute('[data-key="tick"]', "aria-label"))
    page.click('[data-key="tick"]')
    rows_shown(page, 7)
    assert table.session.rows()[6].text in turned.removeprefix("Place it like this: ")
    assert page.locator(".board.trial").count() == 0


def test_all_scores_of_eight_players_are_in_view(house: House, table_page: Callable[..., Any]) -> None:
    names = ("Ada", "Bea", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal")
    house.sessions.start("ice-stalks", names, {"max_players": 8})
    page = table_page(viewport={"width": 1366, "height": 768})
    inside = page.evaluate(
        """() => { const panel = document.querySelector('.scores').getBoundingClientRect();
        return [...document.querySelectorAll('#scores .totals tr')].map((row) => row.getBoundingClientRect().bottom <= panel.bottom); }"""
    )
    assert inside == [True] * 8
