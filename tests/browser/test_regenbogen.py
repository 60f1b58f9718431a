"""Regenbogen on the page: played to its end by tapping, refused with the rule, corrected, by keyboard, on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.contract import Over
from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid
from companion.referee.table.table import Table
from tests.browser.conftest import LIVE, House, Pictures, Tabs
from tests.browser.test_accessibility import assert_for_everybody
from tests.browser.test_game import rows_shown

DANGER = {
    "pieces": {
        "b1": "white red wizard 3",
        "c1": "white ultima wizard 5",
        "d1": "white cleric 2",
        "b2": "white orange wizard 0",
        "e1": "white purple wizard 5",
        "e2": "white blue wizard 5",
        "d4": "white green wizard 4",
        "c4": "white green spirit 0",
        "d5": "black red spirit 0",
        "c5": "black cleric 1",
        "e5": "black purple wizard 2",
        "d8": "black ultima wizard 5",
        "f6": "black blue wizard 5",
        "e8": "black red wizard 5",
        "e7": "black orange wizard 5",
        "d7": "black yellow wizard 5",
    },
    "spells": [2, 1],
}
"""White's Spirit on c4 can destroy itself, Black's Cleric beside it is nearly dead."""


def tap(page: Any, spot: str) -> None:
    page.click(f'.board [data-spot="{spot}"]')


def go(page: Any, row: int, start: str, to: str, *, ends: bool = True) -> int:
    """A piece moves by two taps, or three where it could do something else there; the number of the last row."""
    tap(page, start)
    page.wait_for_selector(f'.board [data-spot="{to}"].fits')
    tap(page, to)
    one_of_several = f'#cell [data-key$="moves {start} to {to}"]'
    page.wait_for_selector(f'{one_of_several}, #history [data-key="row-{row}"]', state="attached")
    if page.locator(one_of_several).count():
        page.click(one_of_several)
    rows_shown(page, row)
    if not ends:
        return row
    page.click("#strip-actions >> text=End the turn")
    rows_shown(page, row + 1)
    return row + 1


def test_a_game_is_set_up_and_played_to_its_end(house: House, tabs: Tabs, pictures: Pictures) -> None:
    page = tabs.set_up("regenbogen", "#told .stores", "Ada", "<b>Ben</b>")
    table = house.table

    row = go(page, 1, "e2", "e5")
    row = go(page, row + 1, "d7", "d5")
    row = go(page, row + 1, "e5", "d6")
    tap(page, "b8")
    page.wait_for_selector("#cell h3 >> text=Black's purple Wizard on b8")
    tap(page, "b6")
    page.wait_for_selector("#verdict .rule-line >> text=RGB-11")
    page.click('[data-key="again"]')
    row = go(page, row + 1, "c7", "b6", ends=False)
    page.wait_for_selector("#cell >> text=It has moved.")
    pictures(page, "moved")
    page.click("#strip-actions >> text=End the turn")
    row += 1
    rows_shown(page, row)
    row = go(page, row + 1, "d6", "d7", ends=False)
    page.wait_for_selector('.board [data-spot="d8"].fits .target-note')
    assert page.text_content('.board [data-spot="d8"] .target') == "⚔−3"
    tap(page, "d8")
    page.wait_for_selector("#cell >> text=5 becomes 2 health")
    page.click('#cell [data-key="do-player 1 fights d8 with d7"]')
    row += 1
    rows_shown(page, row)
    row = go(page, row + 1, "b6", "a6")
    page.click('#told [data-key="do-player 1 fights d8 with d7"]')
    rows_shown(page, row + 1)
    page.wait_for_selector("text=Ada wins.")
    assert isinstance(table.session.state.expects(), Over)
    outcome = table.session.state.outcome()
    assert outcome is not None and outcome.rule == "RGB-25"
    page.wait_for_selector("#told .dominations .won >> text=complete", state="attached")
    pictures(page, "won")
    assert page.locator("main b").count() == 0, "a name is text"


def test_every_action_is_told_by_tapping(house: House, table_page: Callable[..., Any], pictures: Pictures) -> None:
    table = house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    table.set_position(DANGER, "", source="software")
    page = table_page()
    page.wait_for_selector("#told .stores")
    assert table.session.state.turn == 0
    page.click('#told [data-key="heal-d1"]')
    page.wait_for_selector('.board [data-spot="e2"]:not(.fits)')
    tap(page, "d1")
    page.click('#cell [data-key="do-player 1 heals d1 by 2 with d1"]')
    rows_shown(page, 2)
    assert table.session.state.spells == (1, 1)
    page.click("text=Offer a draw")
    rows_shown(page, 3)
    page.click("text=Decline the draw")
    rows_shown(page, 4)
    page.click('#told [data-key="do-player 2 fights d4 with c5"]')
    rows_shown(page, 5)
    page.click('#told [data-key="do-player 1 recovers a spell with d1"]')
    rows_shown(page, 6)
    assert table.session.state.spells == (2, 1)
    tap(page, "d7")
    page.wait_for_selector('.board [data-spot="c6"].fits')
    tap(page, "c6")
    page.click('#cell [data-key="do-player 2 summons on c6 with d7"]')
    rows_shown(page, 7)
    tap(page, "c4")
    page.wait_for_selector("#cell >> text=Black's Cleric on c5: more than its 1 health")
    page.click('#cell [data-key="do-player 1 self-destructs c4"]')
    rows_shown(page, 8)
    page.wait_for_selector("#told h3 >> text=Black: give up a spell, or the Cleric?")
    pictures(page, "cleric")
    page.click("#strip-actions >> text=Give up a spell")
    rows_shown(page, 9)
    assert table.session.state.spells == (2, 0) and "black cleric 0" in str(
        page.request.get(f"{house.url}api/advice").json()
    )
    page.click("text=Offer a draw")
    rows_shown(page, 10)
    page.click("text=Accept the draw")
    rows_shown(page, 11)
    page.wait_for_selector("text=Both sides agreed on a draw.")


def test_refusals_name_the_rule(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    table.set_position(DANGER, "", source="software")
    page = table_page()
    page.wait_for_selector("#told .stores")
    for start, spot, rules in (
        ("d4", "d8", ["RGB-15"]),
        ("d4", "b3", ["RGB-10", "RGB-19"]),
        ("d4", "e4", ["RGB-12", "RGB-19"]),
        ("b1", "b3", ["RGB-11", "RGB-19"]),
    ):
        tap(page, start)
        page.wait_for_selector(f'.board [data-spot="{start}"].picked')
        tap(page, spot)
        page.wait_for_selector("#verdict .rule-line")
        shown = [
            page.inner_text(f"#verdict .verdict:nth-child({i + 1}) .rule-line >> nth=0") for i in range(len(rules))
        ]
        assert [line.split(":")[0] for line in shown] == rules
        page.keyboard.press("Escape")


def test_a_piece_is_corrected_by_account(house: House, tabs: Tabs) -> None:
    tabs.allow("409")
    tabs.allow("400")
    tabs.allow("422")
    table = house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    page = tabs.open()
    page.wait_for_selector("#told .stores")
    tap(page, "c7")
    page.click('[data-key="wrong"]')
    page.click('[data-key="another"]')
    page.select_option("#which-kind", label="red Wizard")
    page.click('[data-key="which"]')
    page.click('[data-key="confirm"]')
    page.wait_for_selector("#cell .answer.bad >> text=two red Wizards of black")
    page.click("#cell >> text=Cancel")
    page.click('[data-key="wrong"]')
    page.click('[data-key="another"]')
    page.fill("#which-health", "2")
    page.click('[data-key="which"]')
    page.wait_for_selector(
        "#cell >> text=Black's green Wizard with 2 health on c7 instead of Black's green Wizard with 5"
    )
    page.click('[data-key="confirm"]')
    rows_shown(page, 1)
    page.wait_for_selector('.board [data-spot="c7"][aria-label*="2 of 5 health"]')
    tap(page, "d1")
    page.click('[data-key="wrong"]')
    page.click('[data-key="nothing"]')
    page.click('[data-key="confirm"]')
    rows_shown(page, 2)
    assert table.session.state.spells == (0, 4)
    page.click('[data-key="undo"]')
    page.click("dialog >> button:has-text('Undo')")
    rows_shown(page, 3)
    assert table.session.state.spells == (4, 4)


def test_by_keyboard_alone(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    page = table_page()
    page.wait_for_selector("#told .stores")
    assert page.locator('.board [tabindex="0"]').count() == 1, "the board is one tab stop"
    page.focus(".board [tabindex='0']")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.spot") == "b2"
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell h3 >> text=White's orange Wizard on b2")
    page.wait_for_selector('.board [data-spot="b4"][aria-label$="can move here"]')
    seen = set()
    for _ in range(6):
        page.keyboard.press("ArrowUp")
        seen.add(page.evaluate("document.activeElement.matches('.board .fits')"))
        if page.evaluate("document.activeElement.dataset.spot") == "b4":
            break
    assert seen == {True}, "the arrows go through the destinations"
    page.keyboard.press("Enter")
    page.wait_for_selector('#history [data-key="row-1"], #cell .deed button', state="attached")
    if page.locator("#cell .deed button").count():
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    rows_shown(page, 1)
    assert table.session.state.moved is not None
    page.focus("#strip-actions button")
    page.keyboard.press("Enter")
    rows_shown(page, 2)
    assert table.session.state.turn == 1


def test_the_page_is_for_everybody(house: House, tabs: Tabs, checker: str, pictures: Pictures) -> None:
    table = house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    table.set_position(DANGER, "", source="software")
    page = tabs.open("/", color_scheme="light", reduced_motion="reduce")
    for path, wait in (("", "#told .stores"), ("screen", LIVE), ("sheet", "h1")):
        page.goto(house.url + path, wait_until="domcontentloaded")
        page.wait_for_selector(wait)
        if not path:
            tap(page, "d4")
            page.wait_for_selector("#cell .deed")
            page.wait_for_timeout(200)
        assert_for_everybody(page, checker, pictures, path or "table", least_px=40)


def look(table: Table, **cells: Pyramid | None) -> None:
    """Three steady readings of the table with other tops on some cells."""
    there = {spot: Detection.sure(top) for spot, top in cells.items()}
    for frame in range(3):
        table.see(Layout({**table.session.state.layout().cells, **there}), frame)


def test_rgb_29_what_only_a_top_betrays_is_asked_and_answered(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    table.set_position(DANGER, "", source="software")
    page = table_page()
    page.wait_for_selector("#told .stores")
    look(table, d5=None)
    page.wait_for_selector('[data-key="choice-0"] >> text=fights d5')
    page.click('[data-key="choice-0"]')
    rows_shown(page, 3)
    page.wait_for_selector('.board [data-spot="d5"].empty')
    assert table.session.state.turn == 1


def test_rgb_29_a_top_that_nothing_explains_is_gone_on_from(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    page = table_page()
    page.wait_for_selector("#told .stores")
    look(table, c1=Pyramid("clear", "large"))
    page.wait_for_selector('.agreement-spot[aria-label^="c1"] .agreement-thing.unrecorded')
    page.click('[data-key="answer-as-seen"]')
    rows_shown(page, 1)
    page.wait_for_selector('.board [data-spot="c1"][aria-label*="0 of 5 health"]')
    page.wait_for_selector("#alert[hidden]", state="attached")


def test_rgb_29_a_top_that_may_be_several_pieces_is_told_by_account(
    house: House, table_page: Callable[..., Any]
) -> None:
    house.sessions.watch(house.eyes)
    table = house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    page = table_page()
    page.wait_for_selector("#told .stores")
    look(table, d4=Pyramid("red", "small"))
    page.wait_for_selector(".agreement .answer.bad >> text=say whose it is")
    page.click('.board [data-spot="d4"]')
    page.click('[data-key="wrong"]')
    page.click('[data-key="another"]')
    page.wait_for_selector("#which-kind")
    page.select_option("#which-kind", label="red Spirit")
    page.click('[data-key="which"]')
    page.click('[data-key="confirm"]')
    rows_shown(page, 1)
    page.wait_for_selector("#alert[hidden]", state="attached")


def test_an_illegal_move_is_named_with_its_rule(
    house: House, table_page: Callable[..., Any], pictures: Pictures
) -> None:
    table = house.sessions.start("regenbogen", ("Ada", "Ben"), {})
    page = table_page()
    page.wait_for_selector("#told .stores")
    look(table, e2=None, e6=Pyramid("blue", "small"))
    page.wait_for_selector("#alert.refused .rule-line >> text=RGB-10")
    page.wait_for_selector('.board [data-spot="e6"].refused')
    pictures(page, "refused")
    page.click('[data-key="answer-agree"]')
    page.wait_for_selector('.board [data-spot="e6"][aria-label*="blue Wizard"]')
