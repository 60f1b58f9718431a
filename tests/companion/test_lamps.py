"""Lights follow the game: places of legal moves, a flash for a refusal, darkness at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.alert import Alert
from companion.contract import Breach, Drawn
from companion.desk import Desk
from companion.games import GAMES
from companion.journal import Journal
from companion.lamps import LampKeeper
from companion.plan import Plan
from companion.plans import PLANS
from companion.table import Table
from companion.verdict import Refused
from tests.companion.ladder import LADDER, SET, Lay

TILE = {tile.name: tile for tile in SET}


class Strip:
    """Lights that only remember what they were told."""

    def __init__(self) -> None:
        self.said: list[tuple[str, tuple[str, ...]]] = []

    def legal(self, spots: Iterable[str]) -> None:
        self.said.append(("legal", tuple(spots)))

    def refused(self, spots: Iterable[str]) -> None:
        self.said.append(("refused", tuple(spots)))

    def dark(self) -> None:
        self.said.append(("dark", ()))


def trace(game: str, event: Any) -> str | None:
    return f"c{event.cell}" if isinstance(event, Lay) else None


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    journal = Journal.open(tmp_path / "journal.sqlite")
    plan: Plan = PLANS["spectrangle"](2)
    yield Desk(journal, {**GAMES, "ladder": LADDER}, plan)
    journal.close()


def begun(desk: Desk) -> Table:
    table = desk.start("ladder", ["Ada", "Bea"], {})
    table.play(Drawn(1, (TILE["BBB6"], TILE["RRP5"])), source="page")
    table.play(Drawn(0, (TILE["RRR6"], TILE["RRY5"])), source="page")
    return table


def test_the_places_of_legal_moves_are_lit_once_a_position(desk: Desk) -> None:
    strip, table = Strip(), begun(desk)
    keeper = LampKeeper(desk, strip, trace)
    keeper.step()
    keeper.step()
    (told,) = strip.said
    assert told[0] == "legal"
    assert set(told[1]) == {trace("ladder", move) for move in table.legal() if isinstance(move, Lay)}
    table.play(Lay(4, TILE["RRR6"]), source="page")
    keeper.step()
    assert len(strip.said) == 2


def test_a_refusal_flashes_its_places_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    strip, table = Strip(), begun(desk)
    refused = Refused(Lay(7, TILE["BBB6"]), 0, (Breach("LAD-2", "Not beside a tile.", ("c6", "c8")),), 3.0)
    monkeypatch.setattr(Table, "alert", property(lambda self: Alert(1, refused, 5)))
    keeper = LampKeeper(desk, strip, trace)
    keeper.step()
    keeper.step()
    assert [said for said in strip.said if said[0] == "refused"] == [("refused", ("c7", "c6", "c8"))]
    assert table.alert is not None


def test_without_a_game_nothing_is_lit(desk: Desk) -> None:
    strip = Strip()
    LampKeeper(desk, strip, trace).step()
    assert strip.said == []


def test_the_thread_follows_the_desk_and_leaves_darkness(desk: Desk) -> None:
    strip = Strip()
    keeper = LampKeeper(desk, strip, trace)
    keeper.start()
    begun(desk)
    for _ in range(200):
        if strip.said:
            break
        desk.wait(desk.version, 0.02)
    keeper.close()
    assert strip.said[0][0] == "legal"
    assert strip.said[-1] == ("dark", ())
