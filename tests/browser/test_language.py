"""The page in German: a catalog whose texts are in marks shows what nobody has translated; the choice is kept for a device."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.shared.cards.deck import LETTERS
from tests.browser.conftest import LIVE, House, Tabs, show_tab
from tests.browser.situations import MADE_UP, NAMES, SITUATIONS, lead_to, play, shows
from tests.browser.situations import begin as begin_game
from tests.browser.test_accessibility import violations
from web.language.catalog import CATALOGS, Catalog
from web.lessons.catalog import LESSONS

UNTRANSLATED = Path(__file__).with_name("untranslated.js").read_text()
COLOR_CODES = [letters for letters in LETTERS if len(letters) > 1]
"""What colors are called in notation, in every language."""
GERMAN: dict[str, Any] = {"locale": "de-DE", "viewport": {"width": 1280, "height": 860}}


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text that is translated stands in marks; the longest German ones would not show what is missing."""
    german = CATALOGS["de"]
    monkeypatch.setitem(CATALOGS, "de", Catalog("de", {text: in_marks(text) for text in german.messages}))


def in_marks(text: str) -> str:
    """A message in marks and capitals but for its parameters: what stands for them must be translated, too.

    In capitals, so that no other message is found in it where a text is looked up again.
    """
    parts = re.split(r"(\{[a-z]\w*\})", text)
    return "".join(part if place % 2 or not part.strip() else f"⟦{part.upper()}⟧" for place, part in enumerate(parts))


TABS = ("history", "sheet", "camera", "type")


def untranslated(page: Any, house: House) -> list[str]:
    """Texts in view without marks. Names of people and games, the notation and made-up sentences are no texts of the page."""
    titles = [game.title for game in house.sessions.games.values()]
    found = page.evaluate(UNTRANSLATED, [*NAMES, "Companion", *titles, *COLOR_CODES])
    return [text for text in found if not any(one[:25] in text for one in MADE_UP)]


@pytest.mark.usefixtures("marked")
def test_nothing_is_left_in_english_before_a_game(house: House, tabs: Tabs) -> None:
    house.eyes.become("off", "No camera: you enter every move on this page.")
    page = tabs.open("/", **GERMAN)
    for path, there in (
        ("", ".empty-table"),
        ("setup", '[data-key="name-1"]'),
        ("lessons", "[data-lesson]"),
        ("join", "main h1"),
        ("results", "main h1"),
        ("screen", ".wall-empty"),
    ):
        page.goto(house.url + path)
        page.wait_for_selector(there)
        assert untranslated(page, house) == [], path


PHONES = {
    "closed": "dialog .own-pin",
    "refused": "dialog .answer.bad:not(:empty)",
    "open": "dialog .square",
    "another": 'dialog .pin:text("135791")',
}
"""What shows how far phones are let in."""
OF_EACH_KIND = {lesson.game for lesson in LESSONS.values()}


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize(
    "game", [game if game in OF_EACH_KIND else pytest.param(game, marks=pytest.mark.sweep) for game in GAMES]
)
def test_nothing_is_left_in_english_in_a_game(
    game: str, house: House, tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        house.sessions, "_random_bytes", lambda count: bytes(range(count))
    )  # the same deal in every run
    house.eyes.become("off", "No camera: you enter every move on this page.")
    table = begin_game(house.sessions, game)
    page = tabs.open("/", **GERMAN)
    found = {}
    for situation in SITUATIONS:
        if situation == "end":
            page.goto("about:blank")  # hundreds of moves that nobody looks at
        lead_to(table, situation)
        if situation == "end":
            page.goto(house.url, wait_until="domcontentloaded")
        page.evaluate(shows(table))
        for tab in TABS:
            if page.locator(f"#tab-{tab}").is_visible():
                show_tab(page, tab)
            found[f"{situation}, {tab}"] = untranslated(page, house)
        for path in ("screen", "sheet") if situation == "end" else ():
            page.goto(house.url + path, wait_until="domcontentloaded")
            page.wait_for_selector(LIVE if path == "screen" else "main h1")
            found[path] = untranslated(page, house)
    assert {place: texts for place, texts in found.items() if texts} == {}


@pytest.mark.usefixtures("marked")
def test_nothing_is_left_in_english_where_phones_are_let_in(house: House, tabs: Tabs) -> None:
    tabs.allow("400")
    house.phones.attach(house.server)
    begin_game(house.sessions, "solitaire")
    page = tabs.open("/", **GERMAN)
    page.click('[data-key="invite"]')
    found = {}
    for situation, pin in (("closed", "1"), ("refused", "246810"), ("open", "135791"), ("another", "")):
        page.wait_for_selector(PHONES[situation], state="attached")
        found[situation] = untranslated(page, house)
        if pin:
            page.evaluate("document.querySelector('dialog details')?.setAttribute('open', '')")
            page.fill("dialog input", pin)
            page.keyboard.press("Enter")
    assert {place: texts for place, texts in found.items() if texts} == {}


@pytest.mark.usefixtures("marked")
def test_a_text_that_nobody_has_translated_is_found(house: House, tabs: Tabs) -> None:
    page = tabs.open("/", **GERMAN)
    page.evaluate("document.querySelector('main').append('Nobody has put this into German.')")
    assert untranslated(page, house) == ["Nobody has put this into German."]


def test_the_language_is_chosen_for_this_device(house: House, tabs: Tabs, checker: str) -> None:
    house.begin(6)
    page = tabs.open("/", locale="en-US")
    page.wait_for_selector(LIVE)
    assert "'s turn" in page.inner_text("#turn")
    page.select_option("#language", "de")
    page.wait_for_selector('html[lang="de"]', state="attached")
    page.wait_for_selector(LIVE)
    assert page.inner_text("#tab-history") == "Verlauf"
    assert violations(page, checker) == []
    page.goto(house.url + "results")
    assert page.inner_text("h1") == "Ergebnisse"


def test_a_name_is_never_put_into_another_language(house: House, tabs: Tabs) -> None:
    house.begin(6, names=("Undo", "Ben"))
    page = tabs.open("/", **GERMAN)
    page.wait_for_selector(LIVE)
    assert page.locator("#history-tools >> text=Zurücknehmen").count() == 1
    assert "Undo" in page.inner_text("#scores") and "Zurücknehmen" not in page.inner_text("#scores")


def test_one_screen_in_german(house: House, tabs: Tabs) -> None:
    table = begin_game(house.sessions, "spectrangle")
    page = tabs.open("/screen", locale="de-DE")
    screen = Path(__file__).with_name("one_screen.js").read_text()
    for situation in SITUATIONS:
        lead_to(table, situation)
        page.goto(house.url)
        page.wait_for_selector(LIVE)
        for width, height in ((1440, 900), (1024, 768), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            asked = [situation, width]
            assert page.evaluate(f"([situation, width]) => ({screen})(situation, width)", asked) == [], width


def test_longer_words_do_not_cover_each_other_on_a_table_of_cards(house: House, tabs: Tabs) -> None:
    table = begin_game(house.sessions, "solitaire")
    lead_to(table, "middle")
    page = tabs.open("/", **GERMAN)
    page.wait_for_selector(LIVE)
    note = page.locator("#board-place text.place-note >> nth=0")
    title = page.locator("#board-place text.place-title", has_text="Offene Karten")
    left, right = title.bounding_box(), note.bounding_box()
    assert left["x"] + left["width"] <= right["x"]
    lead_to(begin_game(house.sessions, "cribbage"), "middle")
    page = tabs.open("/", **GERMAN)
    page.wait_for_selector(LIVE)
    crib, count = (page.locator("#board-place text.place-title", has_text=text) for text in ("Crib", "Stand"))
    left, right = crib.bounding_box(), count.bounding_box()
    assert left["x"] + left["width"] <= right["x"]


@pytest.mark.usefixtures("marked")
def test_nothing_is_left_in_english_where_a_piece_is_chosen(house: House, tabs: Tabs) -> None:
    """What lit cells are for is counted in words that are joined on the page."""
    house.eyes.become("off", "No camera: you enter every move on this page.")
    table = begin_game(house.sessions, "regenbogen")
    page = tabs.open("/", **GERMAN)
    counted = set()
    for _ in range(4):
        play(table, 1)
        page.evaluate(shows(table))
        page.wait_for_selector("#board-place .able, #board-place .picked")
        for spot in page.eval_on_selector_all("#board-place .able", "cells => cells.map((cell) => cell.dataset.spot)"):
            page.click(f'#board-place [data-spot="{spot}"]')
            page.wait_for_selector(f'#board-place [data-spot="{spot}"].picked')
            words = page.inner_text("#cell > p.soft")
            counted |= {word for word in ("⟦ DESTINATION", "⟦ SUMMON", "⟦ HEAL") if word in words}
            assert untranslated(page, house) == [], words
            page.click('[data-key="close"]')
    assert len(counted) > 1
