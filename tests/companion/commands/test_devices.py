"""Tower and lights hang on the table through simulated devices, with the real link between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.commands.devices import STRIPS, TableDevices, places_of
from companion.desk import Desk
from companion.errors import WrongUsage
from companion.games import GAMES
from companion.games.spectrum import SPECTRUM
from companion.journal import Journal
from companion.plans import PLANS
from hardware import DiceTower, simulate
from hardware.die_faces import SPECTRUM_D6
from hardware.simulated.tower import SimulatedTower


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    journal = Journal.open(tmp_path / "journal.sqlite")
    yield Desk(journal, {**GAMES, "spectrum": SPECTRUM}, PLANS["spectrangle"](2))
    journal.close()


def until(what: Callable[[], bool], seconds: float = 6.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def test_dice_that_fall_through_a_tower_are_the_roll(desk: Desk) -> None:
    table = desk.start("spectrum", ["Ada", "Bea"], {})
    with TableDevices(desk) as devices:
        tower = SimulatedTower()
        driver = DiceTower(devices._told, dice=SPECTRUM_D6, sensors=2)
        line, lock = simulate(driver, tower)
        until(lambda: line.status.state == "ready" and tower._sensors == 2)
        with lock:
            tower.throw([SPECTRUM_D6.face("red"), SPECTRUM_D6.face("blue")])
        until(lambda: bool(table.rows()))
        line.close()
    assert table.rows()[-1].source == "tower"
    assert "red" in table.rows()[-1].text and "blue" in table.rows()[-1].text


def test_states_and_counters_are_told(desk: Desk) -> None:
    with TableDevices(desk) as devices:
        devices.add_tower("simulated")
        devices.add_lights("simulated", places_of("spectrangle", None))
        until(lambda: [one.state for one in desk.devices.statuses()] == ["ready", "ready"])
        tower, board = desk.devices.statuses()
        assert (tower.name, board.name) == ("dice tower", "LED board")
        assert tower.counters["requests"] > 0
        assert "No dice have fallen yet." in tower.sentence


def test_a_port_that_is_not_there_holds_nothing_up(desk: Desk) -> None:
    started = time.monotonic()
    with TableDevices(desk) as devices:
        devices.add_tower("/dev/no-such-port")
        devices.add_lights("/dev/no-such-port", places_of("spectrangle", None))
        assert time.monotonic() - started < 1.0
        assert desk.start("spectrangle", ["Ada", "Bea"], {}) is desk.table
        assert all(one.state != "ready" for one in desk.devices.statuses())


def test_lights_stand_in_the_order_of_the_places() -> None:
    assert places_of("spectrangle", None)["c35"] == (35,)
    assert places_of("spectrum", None)["red-orange.1"] == (9,)
    assert len(STRIPS["spectrum"]) == 108


def test_a_file_says_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "lights.json"
    path.write_text('{"c0": [5, 6]}')
    assert places_of("spectra", path) == {"c0": (5, 6)}
    path.write_text("[1]")
    with pytest.raises(WrongUsage, match="which lights stand where"):
        places_of("spectra", path)
    with pytest.raises(WrongUsage, match="--lights"):
        places_of("spectra", None)
