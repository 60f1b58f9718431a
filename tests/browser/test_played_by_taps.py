"""Every game is played to its end by tapping what is in view, at a laptop and on a phone, with the fewest and the most players.

On the way each kind of decision is looked at in four sizes of the window: its main button is wholly in view.

Each run of the tests plays the first and the last rows of every game, from game to game at the other size. The long runs play
whole games: with the fewest and with the most players, at both sizes.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import GAMES
from companion.referee.table.table import Table
from tests.browser.conftest import LIVE, House, Tabs
from tests.browser.situations import LONGEST, SHORT, play
from tests.browser.tapper import Played, Tapper
from web.facts.options import with_seats

SEED = 1
NAMES = ("Ada", "Bonaventura", "Cleo", "Dietrich", "Eve", "Farid", "Gus", "Hal")
SIZES = ((1366, 768), (390, 844))
"""At which games are played."""
ALL_SIZES = ((1366, 768), (1280, 720), (390, 844), (360, 640))
"""At which each kind of decision is looked at."""
FIRST = LAST = 5
"""Rows that each run plays."""
MIDDLE = 40
"""Events before the middle of a game."""
TAPS = {"row": 120, "game": 8000}
"""The most taps for some rows, and for a game."""


def begin(house: House, game: str, seats: int) -> Table:
    """A game without a camera; the program deals where it can."""
    house.eyes.become("off", "No camera: you enter every move on this page.")
    known = house.sessions.games[game]
    options = with_seats(known.Options, SHORT.get(game, {}), seats)
    draws: Any = "told" if known.dealer is None else "dealt"
    return house.sessions.start(game, NAMES[:seats], options, draws=draws)


def sit_down(house: House, tabs: Tabs, size: tuple[int, int]) -> Tapper:
    """One page for all; where cards are held, a phone for everybody."""
    touch = size[0] < 900
    look: dict[str, Any] = {"viewport": {"width": size[0], "height": size[1]}, "has_touch": touch, "is_mobile": touch}
    table = house.table
    held = table.session.game.dealer is not None and len(table.session.names) > 1
    pages = [tabs.open(seat=seat if held else None, **look) for seat in range(len(table.session.names) if held else 1)]
    for page in pages:
        page.wait_for_selector(LIVE)
    return Tapper(pages, house, seed=1, touch=touch, sizes=[one for one in ALL_SIZES if one != size])


@pytest.mark.parametrize("game", GAMES)
def test_first_and_last_rows(house: House, tabs: Tabs, game: str) -> None:
    tabs.allow("422")
    tabs.allow("409")
    number = list(GAMES).index(game)
    seats = GAMES[game].seats
    table = begin(house, game, seats[0 if number % 3 == 1 else min(2, len(seats) - 1)])
    tapper = sit_down(house, tabs, SIZES[number % 2])
    first = tapper.play(FIRST * TAPS["row"], FIRST)
    assert first.problems == () and first.taps < FIRST * TAPS["row"]
    if not first.over:
        for page in tapper.pages:
            page.goto("about:blank")  # moves that nobody looks at
        go_on(table)
        for page in tapper.pages:
            page.goto(house.url)
            page.wait_for_selector(LIVE)
        last = tapper.play(LAST * TAPS["row"], LAST)
        assert last.problems == () and last.taps < LAST * TAPS["row"]


def go_on(table: Table) -> None:
    """To the last rows of a game; to the middle of one whose deal is shown at the end, which then cannot go on."""
    if table.session.header.draws == "dealt":
        play(table, MIDDLE)
        return
    play(table, LONGEST)
    table.undo(table.session.seq - LAST, "to play it by taps", source="page")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=("laptop", "phone"))
@pytest.mark.parametrize("players", ("fewest", "most"))
@pytest.mark.parametrize("game", GAMES)
def test_whole_game(house: House, tabs: Tabs, game: str, players: str, size: tuple[int, int]) -> None:
    tabs.allow("422")
    tabs.allow("409")
    begin(house, game, GAMES[game].seats[0 if players == "fewest" else -1])
    tapper = sit_down(house, tabs, size)
    played: Played = tapper.play(TAPS["game"])
    assert played.problems == ()
    assert played.over
