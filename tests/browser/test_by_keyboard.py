"""Whole games by keyboard alone, and Escape, which steps back one step at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games import GAMES
from tests.browser.card_player import Player
from tests.browser.conftest import House, Tabs
from tests.browser.test_game import rows_shown
from tests.browser.test_played_by_taps import begin, sit_down
from tests.browser.typist import Typist

SEED = 1
LAPTOP = (1366, 768)
MOST = 8000
"""The most keys that choose something, for a game."""
FEW_ROWS = ("ice-stalks", "escape")
"""Games of which every run plays some rows."""
TOWARD = """async () => {
  const { Board } = await import('/static/js/parts/board.js');
  const board = new Board(document.createElement('div'), () => {});
  const cells = [...document.querySelectorAll('#board-place [data-spot]')];
  const known = new Map();
  const beside = (here, way) => {
    const key = `${here.dataset.spot} ${way}`;
    if (!known.has(key)) known.set(key, board.beside(here, way, cells));
    return known.get(key);
  };
  const step = (here, there) => {
    const [x, y] = ['x', 'y'].map((name) => Number(there.dataset[name]) - Number(here.dataset[name]));
    const ways = [[Math.sign(x), 0], [0, Math.sign(y)]];
    if (Math.abs(x) <= Math.abs(y)) ways.reverse();
    return ways.map((way) => beside(here, way)).find(Boolean);
  };
  const astray = [];
  for (const first of cells) for (const there of cells) {
    let here = first;
    for (let n = 0; here && here !== there && n < cells.length; n += 1) here = step(here, there);
    if (here !== there) astray.push(`${first.dataset.spot} to ${there.dataset.spot}`);
  }
  return [cells.length, astray];
}"""
"""From every place to every other, always by the arrow that points there: the ways that do not arrive."""


def typist(house: House, tabs: Tabs, game: str) -> Typist:
    """A game with the fewest players, and a player without a mouse."""
    tabs.allow("422")
    tabs.allow("409")
    begin(house, game, GAMES[game].seats[0])
    return Typist(sit_down(house, tabs, LAPTOP).pages, house, seed=1)


def test_a_card_game_to_its_end(house: House, tabs: Tabs) -> None:
    played = typist(house, tabs, "poker").play(MOST)
    assert played.problems == () and played.over


@pytest.mark.parametrize("game", FEW_ROWS)
def test_rows(house: House, tabs: Tabs, game: str) -> None:
    played = typist(house, tabs, game).play(200, rows=6)
    assert played.problems == () and played.taps < 200


@pytest.mark.parametrize("game", ("spectrangle", "regenbogen", "spectrum"))
def test_the_arrow_that_points_at_a_place_leads_there(house: House, table_page: Callable[..., Any], game: str) -> None:
    begin(house, game, GAMES[game].seats[-1])
    places, astray = table_page().evaluate(TOWARD)
    # The stars of the wheel lie so close together that no arrow points at each of them.
    assert places > 30 and [way for way in astray if not way.endswith(".9")] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_whole_game(house: House, tabs: Tabs, game: str) -> None:
    played = typist(house, tabs, game).play(MOST)
    assert played.problems == () and played.over


def test_escape_leaves_one_card_after_the_other(house: House, table_page: Callable[..., Any]) -> None:
    position = {
        "hands": [["R9", "GB11"], ["BP6", "P8"]], "board": ["G4", "Y5", "O6"], "chosen": "red", "deal": 11,
        "won": [["R1", "R2"], ["RO3", "G12"]],
    }  # fmt: skip
    house.sessions.start("casino", ("Ada", "Ben"), {}, position=position, draws="told")
    player = Player(table_page(), house, 0).sit()
    before = house.table.session.seq
    player.hand("R9")
    player.table("board.Y5", "board.G4")
    chosen = '#cell [aria-pressed="true"], .board .picked'
    for left in (3, 2, 1, 0):
        assert player.page.locator(chosen).count() == left
        player.page.keyboard.press("Escape")
    assert house.table.session.seq == before


def test_escape_leaves_one_pyramid_after_the_other(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("spectra", ("Ada", "Ben"), {"colors": "blue,purple"})
    for text in ("player 1 draws red small", "player 1 passes the bag", "player 2 draws yellow small",
                 "player 2 passes the bag", "player 1 draws red small"):  # fmt: skip
        table.play(table.session.game.parse(table.session.state, text), source="page")
    page = table_page()
    rows_shown(page, 5)
    page.focus('.board [data-spot^="seat0.supply.R1"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell h3 >> text=Give red small")
    assert page.evaluate("document.activeElement.matches('.board [data-spot]')"), "the second one is chosen there, too"
    page.focus('.board [data-spot^="seat0.supply.R1"]:not(.picked)')
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell h3:text-is('Give red small + red small')")
    page.keyboard.press("Escape")
    page.wait_for_selector("#cell h3:text-is('Give red small')")
    page.keyboard.press("Escape")
    page.wait_for_selector("#cell >> text=Tap two pieces of the supply")


def test_escape_leads_from_a_place_to_the_pawn_and_from_the_pawn_to_nothing(
    house: House, table_page: Callable[..., Any]
) -> None:
    table = house.sessions.start("spectrum", ("Ada", "Ben"), {})
    table.set_position({"pawns": {"red.4": "red", "blue.4": "red"}, "roll": ["red", "blue"]}, "", source="software")
    page = table_page()
    page.click('[data-key="pawn-red.4"]')
    page.wait_for_selector('.board .allowed[data-spot="red.5"]')
    page.click('.board [data-spot="green.1"]')
    page.wait_for_selector('#spot [data-key="close"]')
    page.keyboard.press("Escape")
    page.wait_for_selector("#spot:empty", state="attached")
    assert page.get_attribute('[data-key="pawn-red.4"]', "aria-pressed") == "true"
    page.keyboard.press("Escape")
    page.wait_for_selector('[data-key="pawn-red.4"][aria-pressed="false"]')
    assert table.session.seq == 1


def test_escape_leads_from_a_correction_to_its_cell_and_from_the_cell_to_nothing(
    house: House, table_page: Callable[..., Any]
) -> None:
    house.begin(6)
    page = table_page()
    page.click(".board .filled >> nth=0")
    page.click('[data-key="another"]')
    page.wait_for_selector("#cell h3 >> text=Which piece lies here?")
    page.keyboard.press("Escape")
    page.wait_for_selector("#cell >> text=Read wrongly?")
    page.keyboard.press("Escape")
    page.wait_for_selector("#cell >> text=Tap a tile in your hand")


def test_the_record_is_one_tab_stop(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin(6)
    page = table_page()
    rows_shown(page, table.session.seq)
    rows = page.locator("#history .row")
    page.focus("#history [tabindex='0']")
    assert page.locator("#history [tabindex='0']").count() == 1 and rows.count() > 3
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('#history .row[tabindex=\"0\"]')")
    second = page.evaluate("document.activeElement.dataset.key")
    page.keyboard.press("Tab")
    assert page.evaluate("!document.activeElement.matches('#history .row')")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.dataset.key") == second
