"""Table and record are agreed on by taps, on a laptop and on a phone: as seen, as corrected, as recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Pyramid, Stack
from companion.games import PLANS
from tests.browser.conftest import House, Pictures, Tabs, still
from tests.browser.situations import NAMES
from tests.browser.test_accessibility import assert_for_everybody
from tests.browser.test_language import GERMAN, marked, untranslated
from tests.web.views.test_alert_view import disturb

LAPTOP = {"width": 1366, "height": 768}
PHONE = {"width": 390, "height": 844}
__all__ = ["marked"]  # a fixture

SIZES = pytest.mark.parametrize("viewport", [LAPTOP, PHONE], ids=["laptop", "phone"])


def stands(place: str, *likely: tuple[str, float]) -> Detection:
    """A pyramid, by its readings: "red large"."""
    return Detection(tuple(Candidate(Pyramid(*name.split()), share) for name, share in likely), place)


def evening() -> Layout:
    """A table of Spectra in the middle of a game; one tree piece could be two."""
    return Layout(
        heaps={
            "seat0.trees": (stands("p1", ("red large", 0.99)), stands("p2", ("red medium", 0.62), ("red small", 0.3))),
            "seat0.supply": (
                stands("p3", ("blue medium", 0.99)),
                stands("p4", ("yellow small", 0.98)),
                stands("p5", ("orange medium", 0.97)),
            ),
            "seat1.trees": (stands("p6", ("orange large", 0.99)),),
            "seat1.supply": (stands("p7", ("white small", 0.55), ("yellow small", 0.4)),),
        }
    )


def see(house: House, layout: Layout) -> None:
    """Three pictures of a table that stands still."""
    for frame in range(3):
        house.table.see(layout, frame)


@pytest.fixture
def apart(house: House) -> House:
    """A game of Spectra has just begun, and the table stands otherwise."""
    house.sessions.watch(house.eyes)
    house.sessions.start("spectra", ("Ann", "Ben"), {}, plan=PLANS["spectra"](2))
    see(house, evening())
    return house


@SIZES
def test_a_game_begins_from_what_is_seen(
    apart: House, table_page: Callable[..., Any], pictures: Pictures, viewport: dict[str, int]
) -> None:
    page = table_page(viewport=viewport)
    page.wait_for_selector("#alert.out-of-step .agreement")
    assert "Does the game begin so?" in page.inner_text("#alert h2")
    assert "Nothing is judged until they agree" in page.inner_text("#alert .alert-seen")
    trees = page.locator('.agreement-spot[aria-label="the trees of Ann"]')
    assert trees.locator(".agreement-mark").inner_text() == "differs"
    assert "red large" in trees.locator("p").first.inner_text()
    doubtful = trees.locator(".agreement-thing.doubtful")
    assert doubtful.count() == 1 and "or red small?" in doubtful.inner_text(), "a doubt is told in words, too"
    pictures(page, f"begin-{viewport['width']}")
    for button in page.locator("#alert button:visible").all():
        box = button.bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44, "wide enough for a finger"
    page.select_option("#agreement-turn", label="Ben is on turn and has drawn")
    page.click('[data-key="answer-as-seen"]')
    page.wait_for_selector("#alert[hidden]", state="attached")
    state = apart.table.session.state
    assert apart.table.apart is None and (state.turn, state.drawn) == (1, True)
    assert [row.kind for row in apart.table.session.rows()] == ["position"]
    assert "begun from what is seen" in page.inner_text("#history") or viewport is PHONE


@SIZES
def test_each_piece_is_corrected_by_taps(
    apart: House, table_page: Callable[..., Any], pictures: Pictures, viewport: dict[str, int]
) -> None:
    page = table_page(viewport=viewport)
    page.click('[data-key="thing-p2"]')  # a doubtful one: its other reading is offered first
    page.wait_for_selector("dialog .pieces")
    still(page)
    pictures(page, f"correct-{viewport['width']}")
    page.click('dialog .pieces >> nth=0 >> [data-code="R1"]')
    page.wait_for_selector('[data-key="thing-p2"].corrected')
    page.click('[data-key="thing-p7"]')
    page.click('[data-key="nothing-here"]')
    page.wait_for_selector('[data-key="thing-p7"].corrected')
    page.click('[data-key="add-seat0.supply"]')
    page.click('dialog .agreement-set [data-code="G3"]')
    page.wait_for_selector('[data-key="added-seat0.supply-0"]')
    pictures(page, f"corrected-{viewport['width']}")
    assert page.inner_text('[data-key="answer-as-seen"]') == "Begin as corrected"
    page.click('[data-key="answer-as-seen"]')
    page.wait_for_selector("#alert[hidden]", state="attached")
    layout = apart.table.session.state.layout()
    held = {spot: sorted(f"{one.piece.color} {one.piece.size}" for one in heap) for spot, heap in layout.heaps.items()}
    assert held == {
        "seat0.trees": ["red large", "red small"],
        "seat0.supply": ["blue medium", "green large", "orange medium", "yellow small"],
        "seat1.trees": ["orange large"],
        "seat1.supply": [],
    }
    see(apart, evening())
    assert apart.table.apart is None and apart.table.session.seq == 1, "what was corrected is not a move"


def test_what_the_rules_cannot_have_is_said_and_taps_put_it_right(
    apart: House, tabs: Tabs, table_page: Callable[..., Any]
) -> None:
    tabs.allow("422")
    wrong = evening()
    see(
        apart,
        Layout(heaps={**wrong.heaps, "seat1.trees": (stands("p6", ("yellow large", 0.9), ("orange large", 0.1)),)}),
    )
    page = table_page()
    assert "SPA-8" in page.inner_text(".agreement > .answer.bad")
    page.click('[data-key="answer-as-seen"]')
    page.wait_for_function("() => document.getElementById('error').textContent.includes('SPA-8')")
    page.click('[data-key="thing-p6"]')
    page.click('dialog .pieces >> nth=0 >> [data-code="O3"]')
    page.click('[data-key="answer-as-seen"]')
    page.wait_for_selector("#alert[hidden]", state="attached")
    assert apart.table.apart is None


def test_it_should_be_as_recorded(apart: House, table_page: Callable[..., Any]) -> None:
    page = table_page()
    page.click('[data-key="answer-misread"]')
    page.wait_for_selector("#alert[hidden]", state="attached")
    assert apart.table.apart is None and apart.table.session.rows() == ()
    see(apart, evening())
    assert apart.table.session.alert is None


def test_pieces_put_as_recorded_go_on_by_themselves(apart: House, table_page: Callable[..., Any]) -> None:
    page = table_page()
    page.wait_for_selector("#alert.out-of-step")
    see(apart, apart.table.session.state.layout())
    page.wait_for_selector("#alert[hidden]", state="attached")


def test_taps_by_keys_alone(apart: House, table_page: Callable[..., Any]) -> None:
    page = table_page()
    page.focus('[data-key="thing-p2"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("document.activeElement.dataset.key") == "thing-p2"
    page.focus('[data-key="agreement-rest"]') if page.locator('[data-key="agreement-rest"]').count() else None
    page.focus('[data-key="answer-as-seen"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#alert[hidden]", state="attached")


@SIZES
def test_a_stack_is_corrected_piece_by_piece(
    house: House, table_page: Callable[..., Any], pictures: Pictures, viewport: dict[str, int]
) -> None:
    house.sessions.watch(house.eyes)
    house.sessions.start("ice-stalks", ("Ann", "Ben"), {}, plan=PLANS["ice-stalks"](2))
    seen = Stack((Pyramid("red", "large"), Pyramid("orange", "large")))
    other = Stack((Pyramid("red", "large"), Pyramid("orange", "medium")))
    stalk = Detection((Candidate(seen, 0.6), Candidate(other, 0.35)), "p1")
    see(house, Layout(heaps={"stalks": (stalk,), "seat0.stalks": (), "seat1.stalks": ()}))
    page = table_page(viewport=viewport)
    page.click('[data-key="thing-p1"]')
    page.wait_for_selector('[data-key="stack-1"]')
    page.click('[data-key="stack-1"]')
    page.click('.agreement-set .many [data-code="O2"]')
    page.click('.agreement-set .many [data-code="Y2"]')
    still(page)
    pictures(page, f"stack-{viewport['width']}")
    page.click('[data-key="stack-done"]')
    page.wait_for_selector('[data-key="thing-p1"].corrected')
    page.click('[data-key="answer-as-seen"]')
    page.wait_for_selector("#alert[hidden]", state="attached")
    assert house.table.session.state.stalks == ("R3O2Y2",)


def test_in_the_middle_of_a_game_it_goes_on_from_what_is_seen(
    house: House, table_page: Callable[..., Any], pictures: Pictures
) -> None:
    table = house.begin()
    disturb(table)
    page = table_page(viewport=LAPTOP)
    page.wait_for_selector("#alert.out-of-step .agreement")
    assert "Table and record differ" in page.inner_text("#alert h2")
    pictures(page, "go-on-1366")
    assert page.inner_text('[data-key="answer-as-seen"]') == "Go on from what is seen"
    page.click('[data-key="answer-as-seen"]')
    page.wait_for_selector("#board-c0.empty")
    assert table.session.rows()[-1].kind == "position" and table.apart is None


def test_who_only_looks_sees_it_and_changes_nothing(apart: House, tabs: Tabs) -> None:
    page = tabs.open(joined=False)
    page.wait_for_selector("#alert.out-of-step .agreement")
    assert page.locator("#alert .answers button").count() == 0
    assert page.locator(".agreement-thing:not(:disabled)").count() == 0
    assert page.locator(".agreement-add").count() == 0


@pytest.mark.usefixtures("marked")
def test_nothing_of_it_is_left_in_english(apart: House, tabs: Tabs) -> None:
    apart.sessions.start("spectra", NAMES[:2], {})
    see(apart, evening())
    page = tabs.open("/", **GERMAN)
    page.wait_for_selector("#alert.out-of-step .agreement")
    found = {"agreement": untranslated(page, apart)}
    page.click('[data-key="thing-p2"]')
    page.wait_for_selector("dialog .agreement-set .pieces")
    found["dialog"] = untranslated(page, apart)
    page.click('[data-key="nothing-here"]')
    found["corrected"] = untranslated(page, apart)
    assert {place: texts for place, texts in found.items() if texts} == {}


def test_it_shuts_nobody_out(apart: House, table_page: Callable[..., Any], checker: str, pictures: Pictures) -> None:
    page = table_page(viewport={"width": 1280, "height": 860}, color_scheme="light", reduced_motion="reduce")
    page.wait_for_selector("#alert.out-of-step .agreement")
    assert_for_everybody(page, checker, pictures, "agreement", least_px=24)
    page.click('[data-key="thing-p2"]')
    page.wait_for_selector("dialog .agreement-set .pieces")
    assert_for_everybody(page, checker, pictures, "dialog", least_px=24)


@SIZES
def test_question_and_answers_are_in_view_beside_the_board(
    apart: House, table_page: Callable[..., Any], viewport: dict[str, int]
) -> None:
    page = table_page(viewport=viewport)
    page.wait_for_selector("#alert.out-of-step .agreement")
    for selector in ("#alert h2", '[data-key="answer-as-seen"]', '[data-key="answer-misread"]', "#board-place > svg"):
        box = page.locator(selector).bounding_box()
        assert box["y"] >= 0 and box["x"] >= 0, selector
        assert box["y"] + box["height"] <= viewport["height"] and box["x"] + box["width"] <= viewport["width"], selector
    assert page.locator("#board-place > svg").bounding_box()["height"] >= 0.15 * viewport["height"]
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
