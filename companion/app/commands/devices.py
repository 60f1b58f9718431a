"""The dice tower and the LED board of `companion serve`: they are opened here, connected to the session manager, and
closed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from companion.app.commands.address import is_host
from companion.app.commands.pairing import pairings
from companion.app.peripherals.light_board import LightBoard, LightBoardUpdater
from companion.app.peripherals.throws import Throws
from companion.core.contract import Event
from companion.core.foundation.errors import BadFile, WrongUsage
from companion.core.foundation.kept_file import read_json
from companion.core.foundation.secrecy import SecretAddress
from companion.core.layout import Spot
from companion.core.protocols.devices import DeviceStatus
from companion.games import GAMES, MANIFESTS
from companion.referee.session_manager import SessionManager
from firmware_protocol.messages import DICE_MAX
from hardware import SIMULATED, DiceTower, LedBoard, LinkStatus, SimulatedBoard, SimulatedTower, connect, simulate
from hardware.die_faces import SPECTRUM_D6, SPECTRUM_D12, DieFaces
from hardware.lights import LIGHTS_A_DIGIT
from hardware.line import Open, SerialLine
from hardware.link import Driver
from hardware.tower import RollBegan, RollEnded, TowerEvent
from web.boards import PRESENTERS

if TYPE_CHECKING:
    from hardware.wled import WledBoard
import threading
import time
from collections.abc import Callable
from random import Random

from companion.app.peripherals.light_board import Follower
from companion.core.contract import ToRoll

# A simulated tower throws its dice whenever a roll is due, so that tower, link and game can be seen without dice.
#
# A program draws the dice; the journal says that they came from the tower. Only `--tower simulated` has them.

WAIT_S = 1.0
"""The number of seconds from the moment when a roll is due until the dice fall, so that people see that it is due."""
LOOK_S = 0.1
"""The number of seconds between two looks at the game."""


class Thrower(Follower):
    """Watches the session manager and throws the dice. `step` does the work; `start` runs it in a thread."""

    thread_name = "thrower"

    def __init__(
        self,
        sessions: SessionManager,
        tower: SimulatedTower,
        lock: threading.RLock,
        dice: DieFaces,
        cups: int,
        *,
        random: Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        Args:
            lock: The lock that is held while the tower is used.
        """
        super().__init__()
        self._sessions = sessions
        self._tower = tower
        self._lock = lock
        self._dice = dice
        self._cups = cups
        self._random = random or Random()
        self._clock = clock
        self._due: tuple[str, int] | None = None
        self._since_s = 0.0
        self._thrown = False

    def step(self) -> None:
        """Throws once for each roll that is due, if the tower has cups for all of its dice."""
        table = self._sessions.table
        due = table.session.state.expects() if table is not None else None
        if table is None or not isinstance(due, ToRoll) or set(due.dice) != {self._dice.kind}:
            self._due = None
            return
        if len(due.dice) > self._cups:
            return
        now_s, roll = self._clock(), (table.session.header.id, table.session.seq)
        if roll != self._due:
            self._due, self._since_s, self._thrown = roll, now_s, False
        elif not self._thrown and now_s - self._since_s >= WAIT_S:
            self._thrown = True
            faces = range(1, len(self._dice.up) + 1)
            with self._lock:
                self._tower.throw([self._random.choice(faces) for _ in due.dice])

    def _run(self) -> None:
        while not self._stop.wait(LOOK_S):
            self.step()


WLED = "wled:"
"""The prefix of a host name for a WLED controller in place of a board on a serial line."""
TOWER_DICE: Mapping[str, DieFaces] = {"d6": SPECTRUM_D6, "d12": SPECTRUM_D12}
STRIPS: Mapping[str, tuple[Spot, ...]] = {name: one.lights for name, one in MANIFESTS.items() if one.lights}
"""The spot of each light of a strip, light 0 first, unless a file states others. The bars for scores follow."""
BAR = 7
"""The number of lights of a player's bar; four bars of Spectrangle end at 64 lights, six of Spectrum at 150."""
LIGHTS_MOST = 1024
"""The largest number of lights; a higher one is a mistake in the file."""
_MOST_BYTES = 1_000_000
"""The size limit of a file of lights in bytes."""
BAUD = 115200
"""The default speed of the firmware in baud."""
BAUD_LEAST, BAUD_MOST = 1200, 2_000_000
Light = Annotated[int, Meta(ge=0, lt=LIGHTS_MOST)]


Places = Mapping[Spot, tuple[int, ...]]
"""The lights of each spot, numbered along the strip from 0."""


class LightStrip(NamedTuple):
    """The spots of the lights: from a file, or on the default strip of each game."""

    lights_needed: int
    """The number of lights on the strip."""
    own: Places | None = None

    @classmethod
    def load(cls, path: Path | None, game: str | None = None) -> LightStrip:
        """Reads a JSON file {"c0": [0], ...}; None stands for the default strips.

        Args:
            game: The default strip is as long as this game needs; None or a game without a strip: as long as any game
                needs.

        Raises:
            BadFile: The file cannot be used.
        """
        own = None if path is None else _read_places(path)
        games = [game] if game is not None and game in STRIPS else list(STRIPS)
        every = [own] if own is not None else [_usual_places(name) for name in games]
        return cls(1 + max(light for places in every for lights in places.values() for light in lights), own)

    def places(self, game: str) -> Places:
        """Returns the lights of each place of a game; empty if it has no default strip, or one with more lights."""
        places = self.own if self.own is not None else _usual_places(game)
        fits = all(light < self.lights_needed for lights in places.values() for light in lights)
        return places if fits else {}


def _usual_places(game: str) -> Places:
    """Returns the lights on the default strip of a game, then a bar for each player's score; empty without a strip."""
    if game not in STRIPS:
        return {}
    strip = STRIPS[game]
    places = {spot: (light,) for light, spot in enumerate(strip)}
    bars = {f"seat{seat}.score": _run(len(strip) + BAR * seat, BAR) for seat in range(GAMES[game].seats[-1])}
    return {**places, **bars}


def _run(first: int, count: int) -> tuple[int, ...]:
    return tuple(range(first, first + count))


def _read_places(path: Path) -> dict[Spot, tuple[int, ...]]:
    places = read_json(
        path,
        dict[Spot, tuple[Light, ...]],
        BadFile,
        called="The file",
        no="does not say which lights stand where",
        advice='Write {"c0": [0], ...}.',
        most=_MOST_BYTES,
    )
    if not any(places.values()):
        raise BadFile(f'{path} names no light. Write {{"c0": [0], ...}}.')
    for spot, lights in places.items():
        if spot.endswith(".digits") and len(lights) % LIGHTS_A_DIGIT:
            raise BadFile(f"{path}: {spot[:40]} has {len(lights)} lights. A digit has {LIGHTS_A_DIGIT}, from a to g.")
    return places


def wled_host(where: SecretAddress) -> str | None:
    """Returns the host in "wled:HOST"; None for any other place.

    Raises:
        WrongUsage: The host is not the name of a machine.
    """
    text = where.reveal()
    if not text.startswith(WLED):
        return None
    host = text.removeprefix(WLED)
    if not is_host(host):
        raise WrongUsage("After wled: write the name or the address of a controller, such as wled:wled.local.")
    return host


def port_and_baud(where: SecretAddress) -> tuple[str, int]:
    """Returns the port and the speed in baud of a text such as "/dev/ttyACM0@250000"; the default speed is 115200.

    Raises:
        WrongUsage: The text is not a port, or no port has such a speed.
    """
    if where.is_address:
        alone = where.user is None and where.target.strip("/") == ""
        if where.scheme != "socket" or not where.host or where.port is None or not alone:
            raise WrongUsage("Of addresses, only socket://HOST:PORT is a port of a device. Write it without more.")
        return f"socket://{where.place}", BAUD
    name, at, speed = where.reveal().rpartition("@")
    name, speed = (name, speed) if at and speed.isascii() and speed.isdecimal() else (where.reveal(), str(BAUD))
    if str(SecretAddress(name)) != name:
        # The message does not repeat the text, because an address here may contain a password.
        raise WrongUsage(
            "This is not the port of a device. Write its name, such as /dev/ttyACM0 or COM3, or socket://HOST:PORT."
        )
    if not BAUD_LEAST <= int(speed[:10]) <= BAUD_MOST:
        raise WrongUsage(f"{name}: speeds are {BAUD_LEAST} to {BAUD_MOST} baud. Say the one that the firmware has.")
    return name, int(speed)


def trace(game: str, event: Event) -> Spot | None:
    """Returns the spot on which an event is visible, as the page knows it."""
    return PRESENTERS[game].trace(event) if game in PRESENTERS else None


class TableDevices:
    """All devices of one table. As a context manager it disconnects all devices on leaving."""

    def __init__(self, sessions: SessionManager, *, open_port: Open | None = None) -> None:
        """
        Args:
            open_port: Opens a port by its name; None: opens a serial port of this machine.
        """
        self._sessions = sessions
        self._open_port = open_port
        self._lines: list[SerialLine] = []
        self._board: LedBoard | None = None
        self._wled: WledBoard | None = None
        self._strip = LightStrip(0)
        self._keeper: LightBoardUpdater | None = None
        self._thrower: Thrower | None = None
        self._heard = False
        self.throws = Throws(lambda: sessions.table, sessions.touch)
        sessions.devices = self

    def add_tower(self, where: SecretAddress, dice: DieFaces = SPECTRUM_D6, cups: int = DICE_MAX) -> None:
        """Takes rolls from the tower on a port; it returns at once, even if the tower is not there.

        A simulated tower throws by itself whenever a roll is due.

        Args:
            cups: The number of cups with a sensor; 0: the tower only reports that dice fell.
        """
        driver = DiceTower(self._told, dice=dice, sensors=cups)
        if where.reveal() != SIMULATED:
            self._connect(driver, where)
            return
        tower = SimulatedTower()
        line, lock = simulate(driver, tower, changed=self._changed)
        self._lines.append(line)
        self._thrower = Thrower(self._sessions, tower, lock, dice, cups)
        self._thrower.start()

    def add_lights(self, where: SecretAddress, strip: LightStrip) -> None:
        """Lights the board on a port, or a WLED controller at "wled:HOST", for any game on the table."""
        self._strip = strip
        lights: LightBoard
        host = wled_host(where)
        if host is not None:
            from hardware.wled import WledBoard

            lights = self._wled = WledBoard({}, strip.lights_needed, host=host)
            self._wled.start()
        else:
            lights = board = self._board = LedBoard({}, strip.lights_needed)
            if where.reveal() == SIMULATED:
                self._lines.append(simulate(board, SimulatedBoard(board.count), changed=self._changed)[0])
            else:
                self._connect(board, where)
        self._keeper = LightBoardUpdater(self._sessions, lights, trace, strip.places)
        self._keeper.start()

    def statuses(self) -> tuple[DeviceStatus, ...]:
        """Returns the status of each device."""
        found = [self._status(line.status) for line in self._lines]
        if self._wled is not None:
            state = "waiting" if self._wled.trouble else "ready"
            found.append(DeviceStatus("LED board", state, None, self._wled.sentence, {}, self._unlit()))
        return tuple(found)

    def __enter__(self) -> TableDevices:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trail: TracebackType | None
    ) -> None:
        if self._thrower is not None:
            self._thrower.close()
        if self._keeper is not None:
            self._keeper.close()
        for line in self._lines:
            line.close()
        if self._wled is not None:
            self._wled.close()

    def _connect(self, driver: Driver, where: SecretAddress) -> None:
        """Connects a device. Raises WrongUsage: The text is not a port, or no port has such a speed."""
        name, baud = port_and_baud(where)
        line = connect(driver, name, pairings=pairings(), baud=baud, open_port=self._open_port, changed=self._changed)
        self._lines.append(line)

    def _status(self, link: LinkStatus) -> DeviceStatus:
        tower = link.device == "tower"
        counted = link.counters
        counters = {
            name: float(value)
            for name, value in msgspec.structs.asdict(counted).items()
            if isinstance(value, int | float)
        }
        if counted.device is not None:
            counters["device_bad"] = float(counted.device.bad)
            counters["device_overruns"] = float(counted.device.ring_over + counted.device.hardware_over)
        name: Literal["dice tower", "LED board"] = "dice tower" if tower else "LED board"
        shown = self._board.sentence if self._board is not None else ""
        last = self.throws.sentence if tower else self._unlit() or shown
        return DeviceStatus(name, link.state, link.port, link.sentence, counters, last)

    def _unlit(self) -> str:
        """Returns a sentence on why the game on the table cannot be lit; empty if it can."""
        table = self._sessions.table
        if table is None or self._strip.places(table.session.game.name):
            return ""
        return f"The lights for {table.session.game.title} are not known. Name a file with --lights."

    def _changed(self, status: LinkStatus) -> None:
        if status.device == "tower":
            if self._heard and status.state != "ready":
                self.throws.away()
            self._heard = status.state == "ready"
        self._sessions.touch()

    def _told(self, event: TowerEvent) -> None:
        if isinstance(event, RollBegan):
            self.throws.fallen()
        elif isinstance(event, RollEnded):
            cups = tuple(seen.die for seen in event.dice)
            if event.outcome == "moved":
                self.throws.moved()
            elif event.outcome == "timeout":
                self.throws.unread("The dice in the tower did not come to rest.")
            elif not cups:
                self.throws.unread("The tower has no sensor that reads dice.")
            else:
                self.throws.settled(cups, recovered=event.recovered)
