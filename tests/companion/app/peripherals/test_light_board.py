"""Lights follow the game: places of legal moves, a flash for a refusal, darkness at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.app.peripherals.light_board import LAMP, LightBoardUpdater
from companion.core.contract import Drawn, Event, Violation
from companion.core.layout import Layout
from companion.core.verdict import Pending, Refused, Unclear
from companion.games import GAMES
from companion.referee.session.alert import Alert
from companion.referee.session.session import GameSession
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.ladder import CELLS, LADDER, SET, Lay
from tests.sessions import sessions_in

TILE = {tile.name: tile for tile in SET}


class Strip:
    """Nine lights, and two bars, that only remember what they were told."""

    spots = frozenset(f"c{cell}" for cell in range(CELLS))

    def __init__(self) -> None:
        self.said: list[tuple[str, set[str]]] = []
        self.scores: list[list[float]] = []
        self.called: list[str] = []

    def legal(self, spots: Iterable[str], scores: Sequence[float]) -> None:
        self.said.append(("legal", set(spots)))
        self.scores.append(list(scores))

    def refused(self, spots: Iterable[str]) -> None:
        self.said.append(("refused", set(spots) - {LAMP}))
        self.called.append("illegal" if LAMP in spots else "nobody")

    def call(self, event: str) -> None:
        self.called.append(event)

    def dark(self) -> None:
        self.said.append(("dark", set()))


def trace(game: str, event: Event) -> str | None:
    return f"c{event.cell}" if isinstance(event, Lay) else None


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path, games={**GAMES, "ladder": LADDER}) as found:
        yield found


def begun(sessions: SessionManager) -> Table:
    table = sessions.start("ladder", ["Ada", "Bea"], {})
    table.play(Drawn(1, (TILE["BBB6"], TILE["RRP5"])), source="page")
    table.play(Drawn(0, (TILE["RRR6"], TILE["RRY5"])), source="page")
    return table


def cells(*numbers: int) -> set[str]:
    return {f"c{number}" for number in numbers}


def without(layout: Layout, spot: str, name: str) -> Layout:
    """What is seen when a tile has been lifted from a hand."""
    heaps = {spot: tuple(one for one in layout.heaps[spot] if one.piece != TILE[name])}
    return replace(layout, heaps={**layout.heaps, **heaps})


def test_the_places_of_legal_moves_are_lit_once_a_position(sessions: SessionManager) -> None:
    strip, table = Strip(), begun(sessions)
    keeper = LightBoardUpdater(sessions, strip, trace)
    keeper.step()
    keeper.step()
    assert strip.said == [("legal", cells(*range(9)))]
    table.play(Lay(4, TILE["RRR6"]), source="page")
    keeper.step()
    assert strip.said[1:] == [("legal", set())]  # a draw is due, which goes nowhere
    table.play(Drawn(0, (TILE["GGG6"],)), source="page")
    keeper.step()
    assert strip.said[2:] == [("legal", cells(3, 5))]


def test_scores_are_shown_with_every_position_and_stay_when_the_game_is_over(sessions: SessionManager) -> None:
    strip, table = Strip(), sessions.start("ladder", ["Ada", "Bea"], {"cells": 2})
    keeper = LightBoardUpdater(sessions, strip, trace)
    keeper.step()
    table.play(Drawn(1, (TILE["BBB6"], TILE["RRP5"])), source="page")
    table.play(Drawn(0, (TILE["RRR6"], TILE["RRY5"])), source="page")
    table.play(Lay(0, TILE["RRR6"]), source="page")
    table.play(Drawn(0, (TILE["GGG6"],)), source="page")
    table.play(Lay(1, TILE["RRP5"]), source="page")
    assert table.session.state.outcome() is not None
    keeper.step()
    assert strip.scores == [[0, 0], [6, 5]]
    assert strip.said[-1] == ("legal", set())


def test_a_lifted_tile_is_the_one_in_play(sessions: SessionManager) -> None:
    strip, table = Strip(), begun(sessions)
    table.play(Lay(4, TILE["RRR6"]), source="page")
    table.play(Drawn(0, (TILE["GGG6"],)), source="page")
    keeper = LightBoardUpdater(sessions, strip, trace)
    layout = table.session.state.layout()
    for frame, name in enumerate(("RRP5", "BBB6")):
        table.see(layout, 3 * frame)
        keeper.step()
        for again in (1, 2):
            table.see(without(layout, "seat1.hand", name), 3 * frame + again)
        assert table.session.alert is not None and isinstance(table.session.alert.verdict, Pending)
        keeper.step()
    # RRP5 shares red with the tile that lies there, BBB6 shares nothing.
    lit = [places for _, places in strip.said]
    assert lit == [cells(3, 5), cells(3, 5), cells(3, 5), set()]


def test_a_refusal_flashes_its_places_once(sessions: SessionManager, monkeypatch: pytest.MonkeyPatch) -> None:
    strip, table = Strip(), begun(sessions)
    refused = Refused(Lay(7, TILE["BBB6"]), 0, (Violation("LAD-2", "Not beside a tile.", ("c6", "c8")),), 3.0)
    monkeypatch.setattr(GameSession, "alert", property(lambda self: Alert(1, refused, 5)))
    keeper = LightBoardUpdater(sessions, strip, trace)
    keeper.step()
    keeper.step()
    assert [said for said in strip.said if said[0] == "refused"] == [("refused", cells(6, 7, 8))]
    assert table.session.alert is not None


def test_without_a_game_nothing_is_lit(sessions: SessionManager) -> None:
    strip = Strip()
    LightBoardUpdater(sessions, strip, trace).step()
    assert strip.said == []


def test_the_thread_follows_the_desk_and_leaves_darkness(sessions: SessionManager) -> None:
    strip = Strip()
    keeper = LightBoardUpdater(sessions, strip, trace)
    keeper.start()
    begun(sessions)
    for _ in range(200):
        if strip.said:
            break
        sessions.wait(sessions.version, 0.02)
    keeper.close()
    assert strip.said[0][0] == "legal"
    assert strip.said[-1] == ("dark", set())


def test_the_lamp_calls_for_a_turn_a_refusal_and_a_question_once_each(sessions: SessionManager) -> None:
    strip, table = Strip(), begun(sessions)
    keeper = LightBoardUpdater(sessions, strip, trace)
    keeper.step()
    assert strip.called == []
    table.play(Lay(4, TILE["RRR6"]), source="page")
    keeper.step()
    table.play(Drawn(0, (TILE["GGG6"],)), source="page")
    keeper.step()
    keeper.step()
    assert strip.called == ["turn"]
    refused = Refused(Lay(8, TILE["BBB6"]), 1, (Violation("LAD-1", "Not there."),), 9.0)
    for number, verdict in ((1, refused), (1, refused), (2, Unclear(()))):
        with table.session.lock:
            table.session.show(Alert(number, verdict, None))
        keeper.step()
    assert strip.called == ["turn", "illegal", "question"]
