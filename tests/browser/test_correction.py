"""Correcting, undoing and replaying on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.conftest import House, show_tab
from web.boards import PRESENTERS

LOOK = PRESENTERS["spectrangle"]


def test_a_cell_is_corrected_in_two_taps_and_a_confirmation(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    page = table_page()
    row, spot, code = next(
        (row, spot, LOOK.piece_code(piece))
        for row in reversed(table.session.rows())
        if row.kind == "move" and (spot := f"c{row.event['cell']}")  # type: ignore[index]
        for piece in LOOK.orientations(spot, LOOK.piece_code(LOOK.holds(table.session.state, spot)))
        if piece != LOOK.holds(table.session.state, spot) and fits(table, row.n, spot, piece)
    )
    page.click(f"#board-{spot}")
    page.click(f'#cell [data-code="{code}"]')
    page.wait_for_selector('[data-key="confirm"]')
    assert f"Row {row.n} is corrected" in page.inner_text("#cell")
    assert table.session.seq == 22, "nothing happens before it is confirmed"
    page.fill("#why", "glare")
    page.click('[data-key="confirm"]')
    page.wait_for_selector('#history [data-key="row-23"]')
    assert LOOK.piece_code(LOOK.holds(table.session.state, spot)) == code
    assert table.session.rows()[-1].more["why"] == "glare"


def fits(table: Any, n: int, spot: str, piece: Any) -> bool:
    """Whether the rules let row `n` have been so."""
    from companion.core.foundation.errors import MoveError

    step = next(step for step in table.session.steps() if step.n == n)
    try:
        table.session.timeline.correct(n, LOOK.moved(step.event, spot, piece))
    except MoveError:
        return False
    return True


def test_a_correction_that_the_rules_refuse_says_so_and_can_be_set_up(
    house: House, table_page: Callable[..., Any]
) -> None:
    table = house.begin()
    page = table_page()
    page.click("#board-c30")
    page.click('[data-key="another"]')
    page.click('#cell [data-code="YYY6"], #cell [data-code="BBB6"]')
    page.wait_for_selector("#cell .answer.bad")
    assert "TRI-" in page.inner_text("#cell .answer.bad")
    page.get_by_role("button", name="Back", exact=True).click()
    page.wait_for_selector('[data-key="another"]')
    unseen = next(
        LOOK.piece_code(tile) for tile in table.session.game.unseen(table.session.state) if len(set(tile.edges)) == 2
    )
    page.click('[data-key="another"]')
    page.click(f'#cell [data-code="{unseen}"]')
    page.wait_for_selector("text=How does it lie?")
    page.click("#cell .piece >> nth=1")
    page.click('[data-key="anyway"]')
    page.click('[data-key="confirm"]')
    page.wait_for_selector("#board-c30.filled")
    assert table.session.rows()[-1].kind == "position"


def test_undo_folds_what_it_undoes_and_can_be_undone(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    page = table_page()
    page.click('[data-key="undo"]')
    page.fill("#undo-why", "entered by mistake")
    page.click("dialog .primary")
    page.wait_for_selector("text=Row 22 was undone")
    assert table.session.undone() == {22}
    page.click("text=Row 22 was undone")
    page.click('[data-key="row-22"]')
    page.wait_for_selector("text=Row 22 of 23")
    page.click("text=Go back to here")
    page.click("dialog .primary")
    page.wait_for_selector('#history [data-key="row-24"]')
    assert table.session.undone() == {23}
    page.wait_for_selector("#replay", state="hidden")


def test_replay_steps_through_the_game(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    page = table_page()
    page.click('[data-key="replay"]')
    page.wait_for_selector("text=Row 22 of 22")

    def filled() -> int:
        return page.locator(".board .cell.filled").count()

    def lying(n: int) -> int:
        return sum(sighting.piece is not None for sighting in table.session.state_at(n).layout().cells.values())

    page.click('[aria-label="First"]')
    page.wait_for_selector("text=Row 0 of 22")
    assert filled() == 0
    page.click('[aria-label="One on"]')
    page.wait_for_selector("text=Row 1 of 22")
    page.focus("#replay input[type=range]")
    page.keyboard.press("End")
    page.wait_for_selector("text=Row 22 of 22")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.wait_for_selector("text=Row 19 of 22")
    page.wait_for_function("n => document.querySelectorAll('.board .cell.filled').length === n", arg=lying(19))
    page.click("#replay >> text=Back to now")
    page.wait_for_selector("#replay", state="hidden")
    assert filled() == lying(22)


def test_scores_are_explained_drawn_and_listed(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    page = table_page()
    show_tab(page, "sheet")
    page.click("text=Score sheet of Ann")
    lines = page.locator('details:has(summary:has-text("Score sheet of Ann")) tbody tr').all_inner_texts()
    assert len(lines) == len(table.session.state.scores()[0].lines)
    assert all("TRI-19" in line for line in lines)
    page.click("text=Scores over time")
    page.wait_for_selector("svg.chart .line >> nth=1", state="attached")
    page.click("text=The same as a table")
    assert page.locator(".chart-place tbody tr").count() == 23
