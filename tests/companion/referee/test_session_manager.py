"""The session manager: starting, resuming, and handing readings to the table that is current."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

import msgspec
import pytest

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadOptions, BadRecord, JournalError
from companion.core.layout import Detection, Layout
from companion.core.plan import Mat, Plan, TileBoard
from companion.core.protocols.eyes import NoEyes
from companion.core.verdict import Accepted, Same
from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.session_manager import NAME_LETTERS, SessionManager
from simulation.ladder import LADDER, SET, Lay, dealt

TILE = {tile.name: tile for tile in SET}
PLAN = Plan(Mat(440, 400, 40))
OTHER = Plan(Mat(600, 400, 40), (TileBoard(),))


class Watching(NoEyes):
    """Eyes that count how often they are asked to look again."""

    def __init__(self) -> None:
        self.asked = 0

    def look_again(self) -> None:
        self.asked += 1


@pytest.fixture
def plans() -> list[Plan]:
    return []


@pytest.fixture
def sessions(journal: Journal, plans: list[Plan]) -> SessionManager:
    games: dict[str, Any] = {**GAMES, "ladder": LADDER}
    return SessionManager(journal, games, PLAN, eyes=Watching(), clock=lambda: 1_700_000_000.0, use_plan=plans.append)


def test_a_game_is_begun_with_names_options_and_plan(sessions: SessionManager) -> None:
    version = sessions.version
    table = sessions.start("ladder", [" Ada ", "Bea"], {"cells": 5})
    assert sessions.table is table
    assert table.session.names == ("Ada", "Bea")
    assert table.session.options == {"cells": 5}
    assert table.session.plan == PLAN
    assert len(table.session.state.cells) == 5
    assert sessions.version > version
    assert isinstance(sessions.eyes, Watching) and sessions.eyes.asked == 1


def test_a_game_may_begin_anywhere(sessions: SessionManager) -> None:
    wanted = dealt("RRR6 RRY5", "BBB6 RRP5", cells="- - - BBR5")
    assert sessions.start("ladder", ["A", "B"], {}, position=msgspec.to_builtins(wanted)).session.state == wanted
    with pytest.raises(BadRecord):
        sessions.start("ladder", ["A", "B"], {}, position={"cells": 3})


@pytest.mark.parametrize(
    ("game", "names", "options", "sentence"),
    [
        ("chess", ["A", "B"], {}, r'no game "chess"\. Choose one of: spectrangle'),
        ("ladder", ["A"], {}, "Ladder has 2 players, not 1"),
        ("ladder", ["A", "B"], {"bells": 1}, "no option"),
        ("ladder", ["A", "B"], {"cells": 100}, "2 to 9 cells"),
        ("ladder", ["A", "  "], {}, "1 to 40 letters"),
        ("ladder", ["A", "B" * (NAME_LETTERS + 1)], {}, "1 to 40 letters"),
        ("ladder", ["A", "B\x07"], {}, "cannot be shown"),
    ],
)
def test_what_cannot_be_begun_leaves_everything_as_it_was(
    sessions: SessionManager, journal: Journal, game: str, names: list[str], options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadOptions, match=sentence):
        sessions.start(game, names, options)
    assert sessions.table is None
    assert journal.games() == ()


def test_a_game_is_resumed_where_it_stood(sessions: SessionManager, journal: Journal, plans: list[Plan]) -> None:
    table = sessions.start("ladder", ["A", "B"], {}, plan=OTHER)
    table.play(Drawn(1, (TILE["BBB6"], TILE["RRP5"])), source="page")
    again = SessionManager(journal, {"ladder": LADDER}, PLAN, use_plan=plans.append)
    resumed = again.resume(table.session.header.id)
    assert resumed.session.state == table.session.state
    assert resumed.session.rows() == table.session.rows()
    assert again.plan == OTHER
    assert plans == [OTHER, OTHER]
    with pytest.raises(JournalError, match="no game"):
        again.resume("nobody")


def test_a_game_of_older_rules_can_be_shown_but_not_continued(sessions: SessionManager, journal: Journal) -> None:
    newer = dataclasses.replace(LADDER, rules=2)
    table = sessions.start("ladder", ["A", "B"], {})
    again = SessionManager(journal, {"ladder": newer}, PLAN)
    with pytest.raises(JournalError, match="played by rules 1 of Ladder; this program has rules 2"):
        again.resume(table.session.header.id)


def test_readings_go_to_the_table_that_is_current(sessions: SessionManager) -> None:
    assert sessions.see(Layout(), 1) is None
    table = sessions.start("ladder", ["A", "B"], {}, draws="unseen")
    assert isinstance(sessions.see(table.session.state.layout(), 2), Same)
    layout = table.session.state.layout()
    moved = Layout({**layout.cells, "c4": Detection.sure(TILE["RRR6"])}, layout.heaps)
    version = sessions.version
    assert isinstance(sessions.see(moved, 3), Accepted)
    assert sessions.version > version
    assert table.session.rows()[-1].event == msgspec.to_builtins(Lay(4, TILE["RRR6"]))


def test_a_reading_that_cannot_be_kept_is_said_and_stops_nothing(sessions: SessionManager, journal: Journal) -> None:
    table = sessions.start("ladder", ["A", "B"], {}, draws="unseen")
    layout = table.session.state.layout()
    moved = Layout({**layout.cells, "c4": Detection.sure(TILE["RRR6"])}, layout.heaps)
    journal.close()
    version = sessions.version
    assert sessions.see(moved, 1) is None
    assert sessions.trouble is not None and "was closed" in sessions.trouble
    assert sessions.version > version
    assert table.session.seq == 0
    assert isinstance(sessions.see(layout, 2), Same)
    assert sessions.trouble is None


def test_a_new_plan_reaches_the_readers(sessions: SessionManager, plans: list[Plan]) -> None:
    version = sessions.version
    sessions.set_plan(OTHER)
    assert (sessions.plan, plans) == (OTHER, [OTHER])
    assert sessions.version > version


def test_waiting_ends_with_the_next_change(sessions: SessionManager) -> None:
    version = sessions.version
    found: list[int] = []
    waiter = threading.Thread(target=lambda: found.append(sessions.wait(version, 5.0)))
    waiter.start()
    sessions.start("ladder", ["A", "B"], {})
    waiter.join(5.0)
    assert found and found[0] > version
    assert sessions.wait(sessions.version, 0.01) == sessions.version


def test_to_look_afresh_forgets_what_was_seen_but_not_that_the_game_began_from_a_picture(
    sessions: SessionManager,
) -> None:
    first = sessions.start("ladder", ["A", "B"], {}, begun=True)
    sessions.look_afresh()
    assert sessions.table is not None and sessions.table is not first and sessions.table.begun
    sessions.start("ladder", ["A", "B"], {})
    sessions.look_afresh()
    assert sessions.table is not None and not sessions.table.begun
