"""Dice tower and LED board for `companion serve`: opened here, told to the desk, and taken down again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import msgspec
from platformdirs import user_data_path

from companion.contract import Event
from companion.desk import Desk
from companion.devices import DeviceStatus
from companion.errors import WrongUsage
from companion.lamps import LampKeeper, Lamps
from companion.layout import Spot
from companion.pieces import WHEEL
from companion.throws import Throws
from hardware import DiceTower, LedBoard, LinkStatus, WledBoard, connect
from hardware.die_faces import SPECTRUM_D6, SPECTRUM_D12, DieFaces
from hardware.line import Line
from hardware.pairing import Pairings
from hardware.roll import RollSettled, RollStarted, TowerEvent
from web.boards import PRESENTERS

WLED = "wled:"
"""Before a host name: a WLED controller instead of a board on a serial line."""
TOWER_DICE: Mapping[str, DieFaces] = {"d6": SPECTRUM_D6, "d12": SPECTRUM_D12}
STRIPS: Mapping[str, tuple[Spot, ...]] = {
    "spectrangle": tuple(f"c{cell}" for cell in range(36)),
    "spectrum": tuple(f"{path}.{space}" for path in WHEEL for space in range(1, 10)),
}
"""Which place each light of a strip stands at, light 0 first, unless a file says otherwise."""
_WHY = {
    "cocked": "A die in the tower shows no face.",
    "moved": "A die in the tower was moved and shows no face.",
    "timeout": "The dice in the tower did not come to rest.",
}


def places_of(game: str | None, path: Path | None) -> dict[Spot, tuple[int, ...]]:
    """For each place its lights, from a JSON file {"c0": [0], ...} or, without one, one light a place in order.

    :raises WrongUsage: the file cannot be used, or the game has no usual strip.
    """
    if path is not None:
        try:
            return msgspec.json.decode(path.read_bytes(), type=dict[Spot, tuple[int, ...]])
        except (OSError, msgspec.DecodeError) as error:
            raise WrongUsage(
                f'{path} does not say which lights stand where: {error}. Write {{"c0": [0], ...}}.'
            ) from error
    if game is None or game not in STRIPS:
        raise WrongUsage(
            f"Which lights stand where is known for {', '.join(STRIPS)} only. Name a file with --lights for this game."
        )
    return {spot: (light,) for light, spot in enumerate(STRIPS[game])}


def pairings() -> Pairings:
    """Which devices were paired on this machine."""
    return Pairings(user_data_path("companion", appauthor=False) / "devices.json")


def trace(game: str, event: Event) -> Spot | None:
    """Where an event can be seen, as the page knows it."""
    return PRESENTERS[game].trace(event) if game in PRESENTERS else None


class TableDevices:
    """Everything that hangs on one table. A context manager: leaving it says goodbye to all devices."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lines: list[Line] = []
        self._wled: WledBoard | None = None
        self._keeper: LampKeeper | None = None
        self.throws = Throws(lambda: desk.table, desk.touch)
        desk.devices = self

    def add_tower(self, where: str, dice: DieFaces = SPECTRUM_D6, sensors: int = 4) -> None:
        """Take rolls from the tower on a port; it returns at once, whether the tower is there or not."""
        tower = DiceTower(self._told, dice=dice, sensors=sensors)
        self._lines.append(connect(tower, where, pairings=pairings(), changed=self._changed))

    def add_lights(self, where: str, places: Mapping[Spot, Sequence[int]]) -> None:
        """Light the board on a port, or a WLED controller at "wled:HOST"."""
        lamps: Lamps
        if where.startswith(WLED):
            lamps = self._wled = WledBoard(places, host=where.removeprefix(WLED))
            self._wled.start()
        else:
            lamps = board = LedBoard(places)
            self._lines.append(connect(board, where, pairings=pairings(), changed=self._changed))
        self._keeper = LampKeeper(self._desk, lamps, trace)
        self._keeper.start()

    def statuses(self) -> tuple[DeviceStatus, ...]:
        """How each device is."""
        found = [self._status(line.status) for line in self._lines]
        if self._wled is not None:
            found.append(DeviceStatus("LED board", "ready", None, self._wled.sentence, {}))
        return tuple(found)

    def __enter__(self) -> TableDevices:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trail: TracebackType | None
    ) -> None:
        if self._keeper is not None:
            self._keeper.close()
        for line in self._lines:
            line.close()
        if self._wled is not None:
            self._wled.close()

    def _status(self, link: LinkStatus) -> DeviceStatus:
        tower = link.device == "tower"
        counters = {
            name: float(value)
            for name, value in msgspec.structs.asdict(link.counters).items()
            if isinstance(value, int | float)
        }
        last = f" {self.throws.sentence}" if tower and link.state == "ready" else ""
        return DeviceStatus(
            "dice tower" if tower else "LED board", link.state, link.port, link.sentence + last, counters
        )

    def _changed(self, status: LinkStatus) -> None:
        self._desk.touch()

    def _told(self, event: TowerEvent) -> None:
        if isinstance(event, RollStarted):
            self.throws.fallen()
        elif isinstance(event, RollSettled):
            faces = event.faces
            if faces is None:
                self.throws.unread(_WHY.get(event.outcome, "The tower has no sensor that reads dice."))
            elif event.outcome == "moved":
                self.throws.unread("A die in the tower was turned after the roll.")
            else:
                self.throws.settled(faces)
