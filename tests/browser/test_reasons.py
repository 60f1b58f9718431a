"""Looking at a row of the history shows what it counted, line by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulation.play import tell
from tests.browser.conftest import House
from tests.browser.test_game import rows_shown


def test_a_row_that_is_looked_at_lists_what_it_counted(house: House, table_page: Callable[..., Any]) -> None:
    position = {
        "dealer": 1, "hands": [["R5"], ["B6"]], "laid": [["Y1", "Y2", "G3"], ["G1", "P2", "O3"]], "starter": "G9",
        "played": [["R6", "R7", "R8", "Y6", "Y7"], ["O9", "O12", "B1", "B2", "P4"]],
    }  # fmt: skip
    table = house.sessions.start("cribbage", ("Ada", "Ben"), {}, position=position)
    page = table_page()
    tell(table, "player 1 plays R5", "player 2 plays B6", "player 1 counts hand")
    rows_shown(page, 3)
    assert page.locator("#history .row-line").count() == 0
    page.click('[data-key="row-3"]')
    page.wait_for_selector("#history .row-line >> text=+2 R5 + R6 + R7 = 18 (CRB-7)")
    lines = page.locator("#history .row-line").all_inner_texts()
    assert lines.count("+5 run of 5: R5 R6 R7 R8 G9 (CRB-7)") == 1
    assert sum(int(line.split()[0]) for line in lines) == table.session.state.scores()[0].total
