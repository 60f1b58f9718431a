"""A simulated tower throws once for each roll that is due, and for no other."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from companion.app.commands.devices import WAIT_S, Thrower
from companion.core.contract import Rolled, ToRoll
from companion.core.pieces import Die
from companion.referee.session_manager import SessionManager
from hardware.die_faces import SPECTRUM_D6, SPECTRUM_D12, DieFaces
from hardware.simulated.devices import SimulatedTower
from tests.sessions import sessions_in


class Counted(SimulatedTower):
    """Remembers its throws."""

    def __init__(self) -> None:
        super().__init__()
        self.throws: list[tuple[int, ...]] = []

    def throw(self, faces: Sequence[int]) -> None:
        self.throws.append(tuple(faces))


class Watch:
    """A clock that is set by hand."""

    now_s = 5.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path) as found:
        yield found


def watched(sessions: SessionManager, dice: DieFaces = SPECTRUM_D6, cups: int = 6) -> tuple[Counted, Thrower, Watch]:
    tower, watch = Counted(), Watch()
    return tower, Thrower(sessions, tower, threading.RLock(), dice, cups, random=Random(1), clock=watch), watch


def test_a_roll_that_is_due_is_thrown_once_after_a_while(sessions: SessionManager) -> None:
    table = sessions.start("spectrum", ["Ada", "Bea"], {})
    due = table.session.state.expects()
    assert isinstance(due, ToRoll)
    tower, thrower, watch = watched(sessions)
    thrower.step()
    assert tower.throws == []
    for _ in range(3):
        watch.now_s += WAIT_S
        thrower.step()
    [faces] = tower.throws
    assert len(faces) == len(due.dice)
    assert all(1 <= face <= 6 for face in faces)


def test_the_next_roll_is_thrown_again(sessions: SessionManager) -> None:
    table = sessions.start("spectrum", ["Ada", "Bea"], {})
    tower, thrower, watch = watched(sessions)
    for _ in range(2):
        thrower.step()
        watch.now_s += WAIT_S
        thrower.step()
        table.play(Rolled((Die("spectrum-d6", "red"), Die("spectrum-d6", "blue"))), source="tower")
        thrower.step()
        table.undo(0, "once more", source="page")
    assert len(tower.throws) == 2


@pytest.mark.parametrize(("game", "dice", "cups"), [("spectrum", SPECTRUM_D12, 6), ("spectrum", SPECTRUM_D6, 1)])
def test_dice_that_the_tower_does_not_hold_are_left_to_people(
    sessions: SessionManager, game: str, dice: DieFaces, cups: int
) -> None:
    sessions.start(game, ["Ada", "Bea"], {})
    tower, thrower, watch = watched(sessions, dice, cups)
    for _ in range(3):
        thrower.step()
        watch.now_s += WAIT_S
    assert tower.throws == []


def test_without_a_game_nothing_is_thrown(sessions: SessionManager) -> None:
    tower, thrower, watch = watched(sessions)
    for _ in range(3):
        thrower.step()
        watch.now_s += WAIT_S
    assert tower.throws == []
