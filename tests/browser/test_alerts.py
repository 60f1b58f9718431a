"""An alert is answered in each of its ways, in its one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.verdict import TakenBack
from companion.referee.session.alert import Alert
from tests.browser.conftest import House
from tests.web.views.test_alert_view import refuse, wonder


def answered(house: House, table_page: Callable[..., Any], how: str) -> Any:
    """A page on which a refused move was answered, and the alert has gone."""
    house.begin()
    refuse(house.table)
    page = table_page()
    page.click(f'[data-key="answer-{how}"]')
    page.wait_for_selector("#alert[hidden]", state="attached")
    return page


def test_a_refused_move_names_rule_and_cell(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    page = table_page()
    page.wait_for_selector("#alert[hidden]", state="attached")
    refuse(house.table)
    page.wait_for_selector("#alert.refused")
    assert page.inner_text("#alert .rule-line").startswith("TRI-9: ")
    assert page.get_attribute("#alert .rule-line a", "href") == "/rules/spectrangle#TRI-9"
    assert "not allowed" in page.get_attribute("#board-c30", "aria-label")
    assert "TRI-9" in page.inner_text("#assertive")
    assert page.locator("#alert .answers button").all_inner_texts() == [
        "It was put back",
        "It was misread",
        "The table agrees to it",
    ]


def test_put_back(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    refuse(house.table)
    page = table_page()
    looks = house.eyes.looks
    page.click('[data-key="answer-put-back"]')
    page.wait_for_function("() => document.getElementById('polite').textContent.includes('Looking once more')")
    assert house.eyes.looks == looks + 1
    house.table.see(house.table.session.state.layout(), 30)
    page.wait_for_selector("#alert[hidden]", state="attached")


def test_misread(house: House, table_page: Callable[..., Any]) -> None:
    answered(house, table_page, "misread")
    assert house.table.session.alert is None


def test_the_table_agrees(house: House, table_page: Callable[..., Any]) -> None:
    page = answered(house, table_page, "agree")
    page.wait_for_selector("#board-c30.filled")
    assert house.table.session.rows()[-1].kind == "agreed"
    assert "the table agrees" in page.inner_text("#history .row >> nth=0")


def test_a_question_is_answered_by_its_board(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    wonder(house.table)
    page = table_page()
    assert page.locator("#alert .choice svg.board").count() == len(house.table.session.alert.verdict.choices)
    # Each small board is cut to the place where the answers differ, which is marked in all of them.
    parts = page.locator("#alert .choice svg.board").evaluate_all(
        "all => all.map((one) => one.getAttribute('viewBox'))"
    )
    whole = str(page.locator("svg#board").get_attribute("viewBox")).split()
    assert len(set(parts)) == 1 and float(parts[0].split()[2]) <= 0.7 * float(whole[2])
    text = page.inner_text("#alert .choice >> nth=1 >> code")
    page.click("#alert .choice >> nth=1")
    page.wait_for_selector("#alert[hidden]", state="attached")
    assert house.table.session.rows()[-1].text == text


def test_none_of_the_choices(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    wonder(house.table)
    page = table_page()
    page.click('[data-key="answer-misread"]')
    page.wait_for_selector("#alert[hidden]", state="attached")


def test_moves_taken_back_are_undone(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    moves = [row.n for row in table.session.rows() if row.kind == "move"]
    table.see(table.session.state_at(moves[-2]).layout(), 40)
    table.see(table.session.state_at(moves[-2]).layout(), 41)
    assert isinstance(table.session.alert, Alert) and isinstance(table.session.alert.verdict, TakenBack)
    page = table_page()
    page.click('[data-key="answer-undo"]')
    page.click("dialog .primary")
    page.wait_for_selector("#alert[hidden]", state="attached")
    assert table.session.rows()[-1].kind == "undo"


def test_the_wall_shows_an_alert_without_hiding_the_scores(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    refuse(house.table)
    page = table_page("/screen", viewport={"width": 1920, "height": 1080})
    page.wait_for_selector("#alert.refused")
    boxes = [page.locator(selector).bounding_box() for selector in ("#wall-scores", "#board-place", "#alert")]
    for box in boxes:
        assert box["x"] >= 0 and box["y"] >= 0 and box["y"] + box["height"] <= 1080
    (_, board, alert) = boxes
    assert alert["x"] + alert["width"] <= board["x"]
    assert page.locator("button:not(#theme, #heard):visible").count() == 0, (
        "the wall has no controls but those of the device"
    )
