"""Whole games on the page: watched, by mouse, and by keyboard alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from companion.core.contract import Over, ToDraw, ToMove
from tests.browser.conftest import LIVE, SETTLED, House, Tabs, show_tab
from tests.web.doubles import best, play
from web.boards import PRESENTERS

LOOK = PRESENTERS["spectrangle"]


def rows_shown(page: Any, n: int) -> None:
    """Wait until the history has row `n`, and what the page tells about the position is that of its last row."""
    page.wait_for_selector(f'{SETTLED} #history [data-key="row-{n}"]', state="attached")


def test_a_whole_game_is_followed_to_its_end(house: House, table_page: Callable[..., Any], tabs: Tabs) -> None:
    table = house.begin(0)
    page = table_page()
    wall = tabs.open("/screen")
    said = page.evaluate_handle(
        """() => { const said = []; new MutationObserver(() => said.push(document.getElementById('polite').textContent))
        .observe(document.getElementById('polite'), {childList: true, characterData: true, subtree: true}); return said; }"""
    )
    while not isinstance(table.session.state.expects(), Over):
        play(table, 12, seed=table.session.seq)
        rows_shown(page, table.session.seq)
    outcome = table.session.state.outcome()
    assert outcome is not None
    page.wait_for_selector("#strip-actions >> text=Another game")
    totals = [int(text) for text in page.locator("#scores .total").all_text_contents()]
    assert totals == [score.total for score in table.session.state.scores()]
    numbers = page.locator("#history .row-number").all_inner_texts()
    assert [int(number) for number in numbers] == list(range(table.session.seq, 0, -1)), "every row, none twice"
    wall.wait_for_function(
        "totals => JSON.stringify([...document.querySelectorAll('.wall-total')].map(e => +e.textContent)) === totals",
        arg=str(totals).replace(" ", ""),
    )
    shown = "all => all.map(one => one.getAttribute('d') + getComputedStyle(one).fill)"
    ranked = [seat for place in outcome.places for seat in place]
    signs = page.eval_on_selector_all(".totals .sign path", shown)
    assert wall.eval_on_selector_all(".wall-seat .sign path", shown) == [signs[seat] for seat in ranked]
    texts = said.json_value()
    assert all(one != other for one, other in itertools.pairwise(texts)), "no region says the same twice"


def test_a_game_is_set_up_and_played_by_mouse(house: House, tabs: Tabs) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    page = tabs.open("/")
    page.click("text=Set up a game")
    page.wait_for_selector("#players input")
    page.fill('[aria-label="Name of player 1"]', "Ada")
    page.fill('[aria-label="Name of player 2"]', "<b>Ben</b>")
    page.click("text=Add a player")
    page.fill('[aria-label="Name of player 3"]', "Cid")
    page.click('[aria-label="Move player 3 up"]')
    page.click('[aria-label="Remove player 3"]')
    page.click("#options-line > summary")
    page.check('input[name="option-edges"][value="all"]')
    page.click("text=Start the game")
    page.wait_for_selector(LIVE)
    table = house.table
    assert table.session.names == ("Ada", "Cid") and table.session.options["edges"] == "all"
    for _ in range(8):
        expects, seq = table.session.state.expects(), table.session.seq
        if isinstance(expects, ToDraw):
            page.click("text=Enter the draw")
            page.wait_for_selector("dialog .piece")
            for i in range(expects.count):
                page.click(f"dialog .piece >> nth={3 * i + seq}")
            page.click("dialog .primary")
            page.wait_for_selector("dialog", state="detached")
            assert page.evaluate("document.activeElement !== document.body"), "who walks by keys goes on from somewhere"
        else:
            assert isinstance(expects, ToMove)
            move = best(table)
            code, spot = LOOK.aim(move)
            page.click(f'#hands [data-code="{code}"]')
            page.wait_for_selector(f"#board-{spot}.legal")
            page.click(f"#board-{spot}")
            gained = (
                table.session.state.apply(move).scores()[table.session.state.turn].total
                - table.session.state.scores()[table.session.state.turn].total
            )
            way = page.locator(".way", has_text=f"{gained} point").first
            way.get_by_role("button").click()
        rows_shown(page, seq + 1)
    assert table.session.seq == 8
    assert any(row.kind == "move" for row in table.session.rows())


def test_a_game_is_set_up_and_played_by_keyboard_alone(house: House, tabs: Tabs) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    page = tabs.open("/setup")
    page.wait_for_selector("#players input")
    press = page.keyboard.press

    def tab_to(selector: str, backwards: bool = False) -> None:
        for _ in range(80):
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            press("Shift+Tab" if backwards else "Tab")
        raise AssertionError(f"the tab key never reaches {selector}")

    tab_to('[aria-label="Name of player 1"]')
    page.keyboard.type("Ada")
    tab_to('[aria-label="Name of player 2"]')
    page.keyboard.type("Ben")
    tab_to("#options-line > summary")
    press("Enter")
    tab_to('input[name="option-hands"]')
    press("ArrowRight")
    press("Enter")
    page.wait_for_selector(LIVE)
    table = house.table
    assert table.session.names == ("Ada", "Ben") and table.session.options["hands"] == "unseen"

    tab_to('[data-key="any-piece"]')
    press("Enter")
    page.wait_for_selector("dialog[open] .piece")
    tab_to('dialog [data-code="GGG6"]')
    press("Enter")
    page.wait_for_selector("#board-c0.legal")
    tab_to(".cell", backwards=True)
    assert page.evaluate("document.querySelectorAll('.board [tabindex=\"0\"]').length") == 1, "one tab stop"
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowUp"):
        press(key)
        assert page.evaluate("document.activeElement.matches('.board .legal')"), "arrows go through the destinations"
    spot = page.evaluate("document.activeElement.dataset.spot")
    press("Enter")
    page.wait_for_selector(".way")
    assert page.evaluate("document.activeElement.dataset.spot") == spot, "the focus stays on the board"
    press("Escape")
    page.wait_for_selector(".way", state="detached")
    assert page.evaluate("document.activeElement.dataset.spot") == spot
    press("Enter")
    page.wait_for_selector(".way")
    press("Enter")
    rows_shown(page, 1)
    assert table.session.rows()[0].event is not None and f"c{table.session.rows()[0].event['cell']}" == spot

    tab_to("#tab-history")
    for _ in range(2):
        press("ArrowRight")
    tab_to("#typed-text")
    page.keyboard.type(table.session.game.text(best(table)))
    press("Enter")
    rows_shown(page, 2)

    tab_to("#tab-type", backwards=True)
    press("ArrowRight")
    tab_to('[data-key="undo"]')
    press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.type("changed my mind")
    press("Enter")
    rows_shown(page, 3)
    assert table.session.undone() == {2} and table.session.rows()[2].more["why"] == "changed my mind"

    tab_to('[data-key="replay"]')
    press("Enter")
    page.wait_for_selector("#replay:not([hidden])")
    press("ArrowLeft")
    page.wait_for_selector("text=Row 2 of 3")
    press("Escape")
    page.wait_for_selector("#replay", state="hidden")


def test_an_illegal_typed_move_is_refused_with_its_rule(
    house: House, table_page: Callable[..., Any], tabs: Tabs
) -> None:
    tabs.allow("409")
    house.begin()
    page = table_page()
    code = page.get_attribute("#hands .piece", "data-code")
    show_tab(page, "type")
    page.fill("#typed-text", f"{code} c30")
    page.keyboard.press("Enter")
    page.wait_for_selector("#error:has-text('TRI-9')")
    assert house.table.session.seq == 22
    page.fill("#typed-text", "pass")
    page.click("#typed button")
    page.wait_for_selector("#error:has-text('TRI-15')")


def test_a_tile_shows_its_places_and_a_cell_says_why_not(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    page = table_page()
    move = best(table)
    code, spot = LOOK.aim(move)
    page.click(f'#hands [data-code="{code}"]')
    page.wait_for_selector(".cell.legal")
    legal = page.eval_on_selector_all(".cell.legal", "cells => cells.map(cell => cell.dataset.spot)")
    assert set(legal) == {LOOK.aim(one).spot for one in table.session.legal() if LOOK.aim(one).piece == code}
    page.click(f"#board-{spot}")
    page.wait_for_selector(".way")
    assert "edge" in page.inner_text(".way-reason >> nth=0")
    page.click("#board-c25")
    page.wait_for_selector("#cell .rule-line")
    assert page.inner_text("#cell .rule-line").startswith("TRI-9: ")
    assert page.get_attribute("#cell .rule-line a", "href") == "/rules/spectrangle#TRI-9"
    page.keyboard.press("Escape")
    page.wait_for_selector("#cell >> text=Tap a tile")


def test_a_new_row_leaves_the_others_as_they_are(house: House, table_page: Callable[..., Any]) -> None:
    """In a long game each row would else cost as much as all before it."""
    table = house.begin(9)
    page = table_page()
    rows_shown(page, 9)
    page.focus('#history [data-key="row-9"]')
    page.evaluate("window.kept = [...document.querySelectorAll('#history .row')]")
    play(table, 3)
    rows_shown(page, 12)
    assert page.evaluate(
        "kept.length === 9 && kept.every((one, i) => one === document.querySelectorAll('#history .row')[i + 3])"
    )
    assert page.evaluate("document.activeElement === kept[0]"), "whoever reads a row goes on reading it"
    table.undo(10, "", source="page")
    page.wait_for_selector('#history [data-key="fold-11"]')
    assert page.evaluate("kept.every((one) => one.isConnected)")
