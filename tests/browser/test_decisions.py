"""Every kind of decision, in every game: what decides it is wholly in view, at four sizes of the window.

A game is played by chance. Whenever moves of kinds that were not open together before are open, its page is looked at.
Each run of the tests looks at some games, the long runs at all of them and for longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.core.contract import ToDraw, ToMove, ToRoll
from companion.games import GAMES
from companion.referee.table.table import Table
from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.situations import chance, lead_to, shows
from tests.browser.tapper import SEEN, leads_away
from tests.browser.test_played_by_taps import ALL_SIZES, begin, sit_down

LAPTOP = ALL_SIZES[0]
SHORT_WALK, LONG_WALK = 60, 500
"""Events of a walk."""
DAILY = ("ice-stalks", "spectrum", "casino")
DECIDES = ("#work", "#strip-actions", "#alert")
"""Parts of the page that hold what decides."""

COVERED = """() => [...document.querySelectorAll('.board [data-spot]')].filter((spot) => {
  const box = spot.getBoundingClientRect();
  const front = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  return front?.closest('button') && !front.closest('.board');
}).map((spot) => spot.dataset.spot)"""
"""Places of the board that a button lies over."""


DIALOG_ENDS_IN_VIEW = """() => {
  const box = document.querySelector('dialog[open]').getBoundingClientRect();
  return [...document.querySelectorAll('dialog[open] > .dialog-end > button')].every((button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    return top >= box.top && bottom <= Math.min(box.bottom, innerHeight) && button.contains(document.elementFromPoint((left + right) / 2, bottom - 3));
  });
}"""
"""True if each button that ends a dialog is wholly in view."""


def kind_of(table: Table) -> tuple[str, ...]:
    """The kinds of moves that are open, or the chance that comes next."""
    expects = table.session.state.expects()
    if isinstance(expects, ToMove):
        return tuple(sorted({type(move).__name__ for move in table.session.legal()}))
    return (type(expects).__name__, str(len(expects.dice) if isinstance(expects, ToRoll) else ""))


def walk(table: Table, events: int) -> Iterator[str]:
    """Kinds of decisions, each when it is there for the first time."""
    random = Random(7)
    known: set[tuple[str, ...]] = set()
    for _ in range(events):
        kind = kind_of(table)
        if kind not in known:
            known.add(kind)
            yield " ".join(kind)
        event = chance(table, random)
        if event is None:
            return
        table.play(event, source="page")


def faults(page: Any) -> Iterator[str]:
    """What a person would have to look for, at each size."""
    for width, height in ALL_SIZES:
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(SEEN)
        there = [one for one in seen["found"] if one["place"] in DECIDES and not leads_away(one)]
        decides = [one for one in there if one["main"]] or there + [one for one in seen["found"] if one["fits"]]
        if not any(one["shown"] > 0.99 and one["there"] for one in decides):
            yield f"out of view at {width}x{height}: {[one['key'] for one in decides][:4]}"
        if covered := page.evaluate(COVERED):
            yield f"a button covers {covered[:4]} at {width}x{height}"
        if seen["scrolls"]:
            yield f"the page scrolls at {width}x{height}"


def look(house: House, tabs: Tabs, game: str, events: int) -> None:
    """Walk through a game and look at each kind of decision, at last at an alert and a question."""
    table = begin(house, game, GAMES[game].seats[0])
    pages = sit_down(house, tabs, LAPTOP).pages
    found = []
    for page in pages:
        page.goto("about:blank")  # moves that nobody looks at
    for kind in walk(table, events):
        expects = table.session.state.expects()
        if not isinstance(expects, ToMove | ToRoll | ToDraw):
            break
        seat = expects.seats[0] if isinstance(expects, ToMove) else expects.seat
        page = pages[seat % len(pages)]
        page.goto(house.url)
        page.wait_for_selector(LIVE)
        found += [f"{kind}: {fault}" for fault in faults(page)]
        page.goto("about:blank")
    if table.session.state.outcome() is None:
        pages[0].goto(house.url)
        for situation in ("alert", "question"):
            lead_to(table, situation)
            pages[0].evaluate(f"async () => await ({shows(table)})")
            found += [f"{situation}: {fault}" for fault in faults(pages[0])]
    assert found == []


@pytest.mark.parametrize("game", DAILY)
def test_decisions(house: House, tabs: Tabs, game: str) -> None:
    look(house, tabs, game, SHORT_WALK)


@pytest.mark.parametrize("locale", ["en", "de"])
def test_no_button_covers_a_place_of_the_board(house: House, tabs: Tabs, locale: str) -> None:
    house.begin()
    page = tabs.open(locale=locale)
    page.wait_for_selector(LIVE)
    page.wait_for_selector('[data-key="all-moves"]')
    for width, height in (*ALL_SIZES, (1280, 860), (1024, 600)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED) == [], (width, height)


@pytest.mark.parametrize("game", ("spectra", "spectrangle", "ice-stalks"))
def test_the_button_of_a_draw_is_in_view(house: House, tabs: Tabs, game: str) -> None:
    """Also where the dialog asks who has drawn, above the pieces."""
    begin(house, game, GAMES[game].seats[0])
    page = sit_down(house, tabs, LAPTOP).pages[0]
    page.click('[data-key="draw"]')
    page.wait_for_selector("dialog[open] .pieces button")
    for width, height in ALL_SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(DIALOG_ENDS_IN_VIEW)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_decisions_of_whole_games(house: House, tabs: Tabs, game: str) -> None:
    look(house, tabs, game, LONG_WALK)
