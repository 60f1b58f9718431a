"""Tower and lights hang on the table through simulated devices, with the real link between."""

from __future__ import annotations

import os
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Literal

import pytest

from companion.app.commands.devices import LightStrip, TableDevices, port_and_baud
from companion.core.contract import Rolled
from companion.core.foundation.errors import BadFile, PortError, WrongUsage
from companion.core.foundation.secrecy import SecretAddress
from companion.core.pieces import TILES, Die
from companion.core.verdict import Accepted, Refused
from companion.games import GAMES
from companion.games.spectrangle.moves import PlaceTile
from companion.games.spectrum.game import SPECTRUM
from companion.referee.matching import LOOKS
from companion.referee.session_manager import SessionManager
from hardware import DiceTower, simulate
from hardware.die_faces import SPECTRUM_D6
from hardware.line import Open
from hardware.ports import Port
from hardware.simulated.device import SimulatedPort
from hardware.simulated.devices import SimulatedBoard, SimulatedTower
from hardware.tower import RollBegan, RollEnded, TowerDie, TowerEvent
from simulation.matching.games import turns
from tests.sessions import sessions_in


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path, games={**GAMES, "spectrum": SPECTRUM}) as found:
        yield found


def until(what: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def test_brd_7_dice_that_fall_through_a_tower_with_more_cups_are_the_roll(sessions: SessionManager) -> None:
    table = sessions.start("spectrum", ["Ada", "Bea"], {})
    with TableDevices(sessions) as devices:
        tower = SimulatedTower()
        driver = DiceTower(devices._told, dice=SPECTRUM_D6, sensors=6)
        line, lock = simulate(driver, tower)
        until(lambda: line.status.state == "ready" and tower._sensors == 6)
        with lock:
            tower.throw([SPECTRUM_D6.face("red"), SPECTRUM_D6.face("blue")])
        until(lambda: bool(table.session.rows()))
        line.close()
    assert table.session.rows()[-1].source == "tower"
    assert "red" in table.session.rows()[-1].text and "blue" in table.session.rows()[-1].text


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (RollBegan(1), "Dice are falling."),
        (RollEnded(1, "settled", ()), "no sensor that reads dice"),
        (RollEnded(1, "moved", (TowerDie(Die("spectrum-d6", "red"), 1.0),)), "moved after the roll"),
        (RollEnded(1, "timeout", (TowerDie(None, 0.0),)), "did not come to rest"),
        (RollEnded(1, "cocked", (TowerDie(None, 0.0), TowerDie(Die("spectrum-d6", "red"), 1.0))), "may lie askew"),
    ],
)
def test_whatever_is_no_roll_is_said_and_changes_nothing(
    sessions: SessionManager, event: TowerEvent, sentence: str
) -> None:
    table = sessions.start("spectrum", ["Ada", "Bea"], {})
    with TableDevices(sessions) as devices:
        devices._told(event)
        assert sentence in devices.throws.sentence
    assert not table.session.rows()


def test_a_roll_that_fell_while_the_cable_was_out_is_not_the_next_players(sessions: SessionManager) -> None:
    table = sessions.start("spectrum", ["Ada", "Bea"], {})
    tower, cable = SimulatedTower(), threading.Event()
    ports: list[SimulatedPort] = []

    def open_port(name: str) -> Port:
        if cable.is_set():
            raise PortError("The cable is out.")
        ports.append(SimulatedPort(tower))
        return ports[-1]

    with TableDevices(sessions, open_port=open_port) as devices:
        devices.add_tower(SecretAddress("tower"))
        until(lambda: sessions.devices.statuses()[0].state == "ready" and tower._sensors == 6)
        time.sleep(0.5)  # until it has said how its dice lie
        cable.set()
        ports[-1].unplug()
        until(lambda: sessions.devices.statuses()[0].state == "waiting")
        tower.throw([SPECTRUM_D6.face("red"), SPECTRUM_D6.face("blue")])
        tower.run(tower._now_s + 2.0)
        table.play(Rolled((Die("spectrum-d6", "red"), Die("spectrum-d6", "blue"))), source="page")
        table.undo(0, "another player's roll is due", source="page")
        cable.clear()
        until(lambda: "while the tower was away" in devices.throws.sentence)
    assert {row.source for row in table.session.rows()} == {"page"}


def test_a_simulated_tower_throws_when_a_roll_is_due(sessions: SessionManager) -> None:
    table = sessions.start("spectrum", ["Ada", "Bea"], {})
    with TableDevices(sessions) as devices:
        devices.add_tower(SecretAddress("simulated"))
        devices.add_lights(SecretAddress("simulated"), LightStrip.load(None))
        until(lambda: bool(table.session.rows()))
    assert table.session.rows()[-1].source == "tower"


def test_states_and_counters_are_told(sessions: SessionManager) -> None:
    with TableDevices(sessions) as devices:
        devices.add_tower(SecretAddress("simulated"))
        devices.add_lights(SecretAddress("simulated"), LightStrip.load(None, "spectrangle"))
        until(lambda: [one.state for one in sessions.devices.statuses()] == ["ready", "ready"])
        tower, board = sessions.devices.statuses()
        assert (tower.name, board.name) == ("dice tower", "LED board")
        assert tower.counters["requests"] > 0
        until(lambda: "device_overruns" in sessions.devices.statuses()[0].counters)
        assert tower.last == "No dice have fallen yet."
        until(lambda: sessions.devices.statuses()[1].last == "0 of 64 lights are lit, about 64 mA.")
        table = sessions.start("spectrangle", ["Ada", "Bea"], {"hands": "unseen"}, draws="unseen")
        legal = {move.cell for move in table.session.legal() if isinstance(move, PlaceTile)}
        until(lambda: sessions.devices.statuses()[1].last.startswith(f"{len(legal)} of 64 lights are lit"))
        assert tower.sentence == "The simulated dice tower answers."


@pytest.mark.parametrize(
    ("where", "port", "baud"),
    [
        ("/dev/ttyACM0", "/dev/ttyACM0", 115200),
        ("/dev/ttyACM0@250000", "/dev/ttyACM0", 250000),
        ("paired@500000", "paired", 500000),
        ("/dev/serial/by-id/usb-a@b", "/dev/serial/by-id/usb-a@b", 115200),
    ],
)
def test_a_port_may_be_named_with_its_speed(where: str, port: str, baud: int) -> None:
    assert port_and_baud(SecretAddress(where)) == (port, baud)


@pytest.mark.parametrize("speed", ["0", "1199", "2000001"])
def test_a_speed_that_no_port_has_is_refused(sessions: SessionManager, speed: str) -> None:
    with TableDevices(sessions) as devices, pytest.raises(WrongUsage, match="1200 to 2000000"):
        devices.add_tower(SecretAddress(f"/dev/ttyACM0@{speed}"))


def test_a_port_is_opened_with_its_speed(sessions: SessionManager) -> None:
    master, slave = os.openpty()
    with TableDevices(sessions) as devices:
        devices.add_tower(SecretAddress(f"{os.ttyname(slave)}@500000"))
        until(lambda: termios.tcgetattr(slave)[4:6] == [termios.B500000] * 2)
    os.close(master)
    os.close(slave)


def test_a_port_that_is_not_there_holds_nothing_up(sessions: SessionManager) -> None:
    started = time.monotonic()
    with TableDevices(sessions) as devices:
        devices.add_tower(SecretAddress("/dev/no-such-port"))
        devices.add_lights(SecretAddress("/dev/no-such-port"), LightStrip.load(None, "spectrangle"))
        assert time.monotonic() - started < 1.0
        assert sessions.start("spectrangle", ["Ada", "Bea"], {}) is sessions.table
        assert all(one.state != "ready" for one in sessions.devices.statuses())


HANG_S = 30.0
"""A slow write; a verdict takes 20 ms, on a machine that does much else perhaps a hundred times that."""
SLACK_S = 0.2
"""What a verdict may take longer than ten times one without devices: a shorter wait than any that a port has."""


def verdicts_s(sessions: SessionManager) -> list[float]:
    """A camera referees the first twelve turns of a game: seconds until each verdict."""
    table = sessions.start("spectrangle", ["Ada", "Bea"], {"hands": "unseen"}, draws="unseen")
    took_s = []
    for frame, turn in enumerate(islice(turns(Random(5), 1, hands="unseen"), 12)):
        began_s = time.perf_counter()
        verdict = table.see(turn.after.layout(), frame)
        took_s.append(time.perf_counter() - began_s)
        assert isinstance(verdict, Accepted), turn
    assert len(table.session.steps()) >= 12
    return took_s


@contextmanager
def stuck(where: Literal["open", "read", "write"]) -> Iterator[Open]:
    """Ports that are stuck until the test ends."""
    end = threading.Event()

    class Stuck(SimulatedPort):
        def read(self, timeout_s: float) -> bytes:
            if where == "read":
                end.wait()
            return super().read(timeout_s)

        def write(self, data: bytes) -> None:
            if where == "write":
                end.wait()
            super().write(data)

    def open_port(name: str) -> Port:
        if where == "open":
            end.wait()
        return Stuck(SimulatedTower() if name == "tower" else SimulatedBoard())

    try:
        yield open_port
    finally:
        end.set()


@contextmanager
def slow() -> Iterator[Open]:
    """Ports that take HANG_S for every write."""
    end = threading.Event()

    class Slow(SimulatedPort):
        def write(self, data: bytes) -> None:
            end.wait(HANG_S)
            super().write(data)

    try:
        yield lambda name: Slow(SimulatedTower() if name == "tower" else SimulatedBoard())
    finally:
        end.set()


@contextmanager
def unplugged() -> Iterator[Open]:
    """Cables that are pulled a moment after each opening."""

    def open_port(name: str) -> Port:
        port = SimulatedPort(SimulatedTower() if name == "tower" else SimulatedBoard())
        threading.Timer(0.05, port.unplug).start()
        return port

    yield open_port


@pytest.mark.parametrize(
    "trouble",
    [partial(stuck, "open"), partial(stuck, "read"), partial(stuck, "write"), slow, unplugged],
    ids=["opening-hangs", "reading-hangs", "writing-hangs", "slow", "unplugged"],
)
def test_n9_a_device_that_is_dead_slow_or_unplugged_never_delays_a_verdict(
    sessions: SessionManager, trouble: Callable[[], AbstractContextManager[Open]]
) -> None:
    """A port that hangs does so until the game is over."""
    alone_s = verdicts_s(sessions)
    with trouble() as open_port:
        devices = TableDevices(sessions, open_port=open_port)
        devices.add_tower(SecretAddress("tower"))
        devices.add_lights(SecretAddress("board"), LightStrip.load(None, "spectrangle"))
        took_s = verdicts_s(sessions)
    with devices:
        assert len(sessions.devices.statuses()) == 2
    print(f"FIGURE N9 a verdict takes {1000 * median(took_s):.0f} ms, without devices {1000 * median(alone_s):.0f} ms")
    assert max(took_s) < HANG_S
    assert median(took_s) < 10 * median(alone_s) + SLACK_S


def test_lights_stand_in_the_order_of_the_places_and_bars_follow() -> None:
    strip = LightStrip.load(None)
    spectrangle, spectrum = strip.places("spectrangle"), strip.places("spectrum")
    assert spectrangle["c35"] == (35,)
    assert spectrangle["seat0.score"] == (36, 37, 38, 39, 40, 41, 42)
    assert spectrangle["seat3.score"][-1] == 63
    assert spectrum["red-orange.1"] == (9,)
    assert spectrum["purple-red.9"] == (107,)
    assert spectrum["seat5.score"][-1] == 149


def test_a_file_says_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "lights.json"
    path.write_text('{"c0": [5, 6], "seat0.digits": [7, 8, 9, 10, 11, 12, 13]}')
    assert LightStrip.load(path).places("spectra") == {"c0": (5, 6), "seat0.digits": (7, 8, 9, 10, 11, 12, 13)}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1]", "which lights stand where"),
        ('{"c0": [-1]}', "which lights stand where"),
        ('{"c0": [1024]}', "which lights stand where"),
        ("{}", "names no light"),
        ('{"c0": []}', "names no light"),
        ('{"seat0.digits": [1, 2, 3]}', "A digit has 7"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "lights.json"
    path.write_text(text)
    with pytest.raises(BadFile, match=why):
        LightStrip.load(path)


def test_a_game_without_a_usual_strip_says_what_is_missing_and_goes_on(sessions: SessionManager) -> None:
    with TableDevices(sessions) as devices:
        devices.add_lights(SecretAddress("simulated"), LightStrip.load(None, "spectrangle"))
        until(lambda: [one.state for one in devices.statuses()] == ["ready"])
        sessions.start("spectra", ["Ada", "Bea"], {})
        (board,) = devices.statuses()
        assert board.last == "The lights for Spectra are not known. Name a file with --lights."
        sessions.start("spectrangle", ["Ada", "Bea"], {})
        assert "--lights" not in devices.statuses()[0].last


def test_the_strip_shows_legal_cells_and_scores_and_flashes_a_refused_move(sessions: SessionManager) -> None:
    """From the table through the link to the lights of a board."""
    board = SimulatedBoard(64)
    table = sessions.start("spectrangle", ["Ada", "Bea"], {"hands": "unseen"}, draws="unseen")

    def lit() -> set[int]:
        return {light for light, color in enumerate(board.strip) if any(color)}

    def legal() -> set[int]:
        return {move.cell for move in table.session.legal() if isinstance(move, PlaceTile)}

    with TableDevices(sessions, open_port=lambda name: SimulatedPort(board)) as devices:
        devices.add_lights(SecretAddress("board"), LightStrip.load(None, "spectrangle"))
        until(lambda: lit() == legal())
        for frame, turn in enumerate(islice(turns(Random(5), 1, hands="unseen"), 3)):
            table.see(turn.after.layout(), frame)
        leads = [score.total for score in table.session.state.scores()]
        assert leads[0] > leads[1] > 0
        until(lambda: lit() & set(range(36)) == legal())
        assert set(range(36, 43)) <= lit()  # the leader's bar is full
        assert lit() & set(range(43, 64)) == set(range(43, 43 + 7 * leads[1] // leads[0]))
        wrong = next(
            move
            for cell in range(36)
            for move in (PlaceTile(cell, tile) for tile in TILES)
            if {breach.rule for breach in table.session.state.violations(move)} == {"TRI-11"}
        )
        for frame in range(10, 10 + LOOKS):
            verdict = table.see(table.session.state.apply_unchecked(wrong).layout(), frame)
        assert isinstance(verdict, Refused)
        until(lambda: any(red > 2 * green for red, green, _ in board.strip))
    until(lambda: lit() == set())
