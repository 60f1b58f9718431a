"""Files of the readings of recorded games, and eyes that repeat them (`bench.recorded_readings`)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.app.commands.watch import RecordingReferee
from companion.core.foundation.errors import NoTable, SeeError
from companion.core.layout import Layout
from companion.core.plan import Plan, Point
from companion.core.recording import RecordedMat, Recording
from companion.core.verdict import Verdict
from companion.games import RECORDED
from companion.referee.journal import Journal
from companion.referee.matching import match
from companion.referee.telling import ToldVerdict
from simulation.drawn.eyes import EyesWithoutPictures
from vision.image.picture import Picture
from vision.table_reader import Reading

_NOTHING = np.zeros((2, 2, 3), np.uint8)


class RecordedLook(Struct, frozen=True):
    """The readings of one steady picture."""

    frame: str
    """File name of the picture."""
    number: int
    """Number of the picture in its folder, hands included; the first is 1."""
    reads: tuple[Layout, ...]
    """One reading a call: a game that begins with its first picture reads that twice. Empty: no table was found."""
    further: tuple[Layout, ...]
    """Further looks at the same picture, as `vision.gate.moments.second_look` samples it anew."""
    places: Mapping[str, Point]
    """The place of each followed pyramid or stack (`Detection.place`), in table millimeters.

    What lies is off by up to 8 mm."""
    truth: Mapping[str, Any]
    """The labels of the picture."""


class RecordedReadings(Struct, frozen=True):
    """One recording as it was read."""

    name: str
    game: str
    mat: RecordedMat
    setup: Mapping[str, Any]
    calibrated: bool
    plan: Plan
    """The zones, as the first picture has shown them."""
    eye_mm: tuple[float, float, float] | None
    """The place of the camera, in table millimeters, z up."""
    looks: tuple[RecordedLook, ...]
    events: Mapping[str, tuple[Mapping[str, Any], ...]]
    """By file name, the events that the labels have before that picture."""

    @staticmethod
    def load(path: Path) -> RecordedReadings:
        """Read a file that `save` wrote."""
        return msgspec.json.decode(path.read_bytes(), type=RecordedReadings)

    def save(self, path: Path) -> None:
        """Write it, numbers rounded to what they are worth."""
        rounded = _rounded(msgspec.to_builtins(self))
        path.write_bytes(msgspec.json.encode(rounded) + b"\n")

    def recording(self) -> Recording:
        """Returns how refereeing begins; hands lie where the first picture showed them."""
        recording = RECORDED[self.game](self.mat, self.setup)
        return replace(recording, plan=self.plan, hands=None)


class RecordedEyes(EyesWithoutPictures):
    """Eyes that repeat the readings of a file."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._look: RecordedLook | None = None
        self._read = 0
        self._again = 0

    def show(self, look: RecordedLook) -> None:
        """The picture that is read from now on."""
        self._look, self._read, self._again = look, 0, 0

    def read(self, picture: Picture) -> Reading:
        """Returns the next reading of the picture.

        :raises NoTable: no table was found then.
        """
        assert self._look is not None
        self._read += 1
        return self._told(_nth(self._look.reads, self._read))

    def read_again(self, picture: Picture) -> Reading:
        """Returns the next further look at the picture.

        :raises NoTable: no table was found then.
        """
        assert self._look is not None
        self._again += 1
        return self._told(_nth(self._look.further, self._again))


def _nth(layouts: Sequence[Layout], nth: int) -> Layout:
    """Returns the nth of some layouts, counted from 1, or the last one."""
    if not layouts:
        raise NoTable("No table was found in this picture when it was read.")
    return layouts[min(nth, len(layouts)) - 1]


def replay(recorded: RecordedReadings, judge: Callable[..., Verdict] = match) -> list[tuple[str, ToldVerdict]]:
    """Returns everything that the referee says of a recording, with the file name of each picture."""
    eyes = RecordedEyes(recorded.plan)
    told: list[tuple[str, ToldVerdict]] = []
    with TemporaryDirectory(prefix="companion-") as scratch:
        journal = Journal.open(Path(scratch) / "journal.sqlite")
        referee = RecordingReferee(recorded.game, recorded.recording(), journal, judge, reader=eyes)  # type: ignore[arg-type]
        for look in recorded.looks:
            eyes.show(look)
            with contextlib.suppress(SeeError):
                told += [(look.frame, one) for one in referee.look(_NOTHING, look.number)]
        journal.close()
    return told


def _rounded(data: Any) -> Any:
    """JSON data with numbers of four digits after the point: no reading is known better."""
    if isinstance(data, float):
        return round(data, 4)
    if isinstance(data, Mapping):
        return {key: _rounded(value) for key, value in data.items()}
    return [_rounded(one) for one in data] if isinstance(data, list | tuple) else data
