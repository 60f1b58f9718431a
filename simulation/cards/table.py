"""Makes the readings of a card table's zones from the true position."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Protocol

from companion.app.commands.watch import RecordingReferee
from companion.core.layout import Detection, Layout, Spot
from companion.core.plan import CardZone, Plan
from companion.core.recording import Recording
from companion.referee.journal import Journal
from companion.referee.telling import ToldVerdict
from vision.gate.change import Map
from vision.image.picture import Picture
from vision.table_reader import Reading

_CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def seen_by_camera(plan: Plan, table: Layout, visits: Mapping[Spot, int]) -> Layout:
    """Returns the reading of a plan's zones.

    Args:
        table: All cards that lie face up, the top card of each heap last.
        visits: The number of times that a hand was over each zone since the last reading.
    """
    heaps: dict[Spot, tuple[Detection, ...]] = {}
    for zone in plan.zones:
        if not isinstance(zone, CardZone) or zone.kind == "stock":
            continue
        there = table.heaps.get(zone.spot, ())
        heaps[zone.spot] = there if zone.kind == "cards" else there[-1:]
    return Layout(table.cells, heaps, visits=dict(visits))


class DrawnTable(Protocol):
    """Draws the pictures of a game for the real reader."""

    def picture(self, table: Layout) -> Picture:
        """Returns a picture of the face-up cards."""

    def stirred(self, spots: Collection[Spot]) -> Map:
        """Returns the number of times that a hand was over each pixel of a thumb, if it was over these zones once."""


class ExactEyes:
    """A reader whose pictures are readings already."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def read(self, picture: Any) -> Reading:
        """Returns the given layout as a reading."""
        return Reading(picture, (), (0, 1, 2, 3), _CORNERS)

    read_again = read

    def set_plan(self, plan: Plan) -> None:
        """Sets the plan."""
        self.plan = plan

    def confirm_position(self, position: Layout) -> None:
        """Does nothing: later readings do not depend on confirmed positions."""


class CardReferee:
    """A referee of a recording whose pictures are true readings, or drawn and read by the real reader."""

    def __init__(self, game: str, recording: Recording, folder: Path, drawn: DrawnTable | None = None) -> None:
        self._drawn = drawn
        self._journal = Journal.open(folder / "journal.sqlite")
        self._plan = recording.plan
        eyes: Any = ExactEyes(recording.plan) if drawn is None else None
        self._referee = RecordingReferee(game, recording, self._journal, reader=eyes)
        self._number = 0
        self._before: Layout | None = None

    def close(self) -> None:
        """Closes the journal."""
        self._journal.close()

    @property
    def state(self) -> Any:
        """The position in the record."""
        return self._referee.table.session.state

    def shown(self, table: Layout, visited: tuple[Spot, ...] = ()) -> list[ToldVerdict]:
        """Returns the verdicts on a table, with at most three further looks if the referee asks for them.

        Args:
            visited: Further zones that a hand was over, beside those that have changed.
        """
        seen = seen_by_camera(self._plan, table, {})
        before = {} if self._before is None else self._before.heaps
        changed = [spot for spot, heap in seen.heaps.items() if spot in before and before[spot] != heap]
        self._before, self._number = seen, self._number + 1
        if self._drawn is not None:
            stirred = self._drawn.stirred({*changed, *visited})
            told = list(self._referee.take(self._drawn.picture(table), self._number, stirred=stirred))
            for _ in range(3):
                if self._referee.wants_look():
                    told += self._referee.take(self._drawn.picture(table), self._number, again=True)
            return told
        picture: Any = seen_by_camera(self._plan, table, dict.fromkeys((*changed, *visited), 1))
        told = list(self._referee.take(picture, self._number))
        for _ in range(3):
            if self._referee.wants_look():
                again: Any = seen
                told += self._referee.take(again, self._number, again=True)
        return told
