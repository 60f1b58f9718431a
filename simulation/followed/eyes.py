"""Simulates eyes that read a table without any picture: they identify things, and report what is hidden and what has
come to light.

They take the place of a reader (`vision.table_reader.TableReader`) for heaps whose things are followed and for boards
of cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np
from msgspec.structs import replace

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Pyramid
from companion.core.plan import Plan, Point, PyramidZone, TileHeap
from simulation.drawn.camera import Camera
from simulation.drawn.eyes import EyesWithoutPictures
from simulation.drawn.standing import Upright
from simulation.followed.reading import StandRead, stacked
from simulation.followed.tracks import ENOUGH, FollowedThings, Found, Track, Tracks
from simulation.followed.view import SHRINK, Cover, Labels, Thing, View
from vision.image.picture import Picture
from vision.readers.pyramids.blind_zones import blind_zones, obscured_zones
from vision.table_reader import Reading

GHOST_MM = 30.0
"""A ghost appears at most this far, in x and in y, from a thing that has moved, like a new shadow."""
GHOST_SURE = (0.2, 0.6)
"""The range of the confidence with which a ghost is read."""
PUSHED_MM, PUSHED_DEG = 8.0, 20.0
"""A die that kept its face, moved and turned by no more than this, was not rolled (`vision.readers.dice.zones`)."""
ROOM_MM = 20.0
"""No ghost is read closer than this to a real thing."""


class Sharp(Protocol):
    """The sharpness of eyes: decides how each thing on a table is read."""

    def read(self, stand: Any, look: str) -> StandRead:
        """Returns the reading of a thing in one look; `look` identifies the look."""

    def read_cell(self, spot: Spot, stand: Any | None, look: str) -> Detection:
        """Returns the reading of a cell in one look; `stand` is None if the cell is empty."""


class CellHolds(NamedTuple):
    """A cell of a board and its content."""

    outline: Any
    """The place of the cell, as a thing that fills it: a `simulation.followed.view.Standing`."""
    stand: Any | None
    """The thing in the cell; None if the cell is empty."""


class Ghosts(NamedTuple):
    """The rate and places of ghosts: pyramids that are read where none stands."""

    share: float
    """The probability, for each zone and picture, that a ghost appears."""
    colors: Sequence[str]
    zones: Mapping[Spot, tuple[float, float, float, float]]
    """x0, y0, x1, y1 of each zone in table millimeters."""


class FollowingEyes(EyesWithoutPictures):
    """Eyes that see a table shown to them, follow the things in its heaps, and err as often as their sharpness says."""

    def __init__(
        self,
        plan: Plan,
        camera: Camera,
        seed: int,
        sharp: Sharp,
        heaps: Sequence[Spot],
        stalks: Sequence[Spot] = (),
        ghosts: Ghosts | None = None,
        trays: Sequence[Spot] = (),
    ) -> None:
        """Prepares the eyes for the table of a plan.

        Args:
            heaps: The heaps whose things are followed.
            stalks: Those heaps in which every stack counts as one piece.
            ghosts: The ghosts that are read in heaps; None if the eyes never invent a piece.
            trays: Heaps of dice, for which the eyes report what was rolled since game and table last agreed.
        """
        super().__init__(plan)
        self._camera = camera
        self._view = View(camera)
        self._eye_mm = np.array(camera.eye_mm())
        self._tracks = Tracks(self._view, "p")
        self._sharp = sharp
        self._heaps = heaps
        self._stalks = frozenset(stalks)
        self._haunted = ghosts
        self._trays = trays
        self._agreed: dict[Spot, tuple[Found, ...]] = {}
        """The dice of each tray as they lay when game and table last agreed."""
        self._seed = seed
        self._things: tuple[Thing, ...] = ()
        self._cells: Mapping[Spot, CellHolds] = {}
        self._labels: Labels | None = None
        self._before: Labels | None = None
        self._read_cells: dict[Spot, Detection] = {}
        """The reading of each cell that was last kept."""
        self._ghosts: list[Thing] = []
        self._number = 0
        self._looks = 0
        self._followed: FollowedThings | None = None

    def show(
        self,
        number: int,
        things: Sequence[Thing],
        covers: Sequence[Cover] = (),
        cells: Mapping[Spot, CellHolds] | None = None,
    ) -> None:
        """Sets the things on the table in the next picture, including foreign things that cover it."""
        moved = [one for one in things if one not in self._things] if self._things else []
        self._number, self._things, self._looks, self._followed = number, tuple(things), 0, None
        self._cells = cells or {}
        held = [Thing(spot, cell.stand) for spot, cell in self._cells.items() if cell.stand is not None]
        self._before, self._labels = self._labels, self._view.labels([*things, *held], covers)
        if self._haunted is not None:
            self._haunt(self._haunted, moved)

    def is_in_view(self, stand: Any) -> bool:
        """True if the picture shows enough of a thing to read it."""
        assert self._labels is not None
        return self._view.visible_share(stand, self._labels) >= ENOUGH

    def is_cell_in_view(self, cell: CellHolds) -> bool:
        """True if nothing foreign hides a cell, and nothing in front of it hides its content."""
        assert self._labels is not None
        if cell.stand is not None and not self.is_in_view(cell.stand):
            return False
        mask = self._view.mask(cell.outline)
        return int((mask & (self._labels < 0)).sum()) <= (1 - ENOUGH) * int(mask.sum())

    def least_sure(self) -> float:
        """Returns the least confidence among the readings that are new in this picture; 1 if there are none."""
        assert self._followed is not None
        come = [one.found.confidence for one in self._followed.tracks if self._tracks.fresh.intersection(one.keys)]
        changed = [spot for spot, cell in self._cells.items() if spot in self._read_cells and self._has_changed(cell)]
        return min([*come, *(self._read_cells[spot].confidence for spot in changed)], default=1.0)

    def confirm_position(self, position: Layout) -> None:
        """Remembers the dice as they lie now, so that only later rolls count as new; ignores the position otherwise."""
        tracks = () if self._followed is None else self._followed.tracks
        for spot in self._trays:
            self._agreed[spot] = tuple(track.found for track in tracks if track.found.spot == spot)

    def read(self, picture: Picture) -> Reading:
        """Returns the reading of the table; a picture that is read twice brings nothing new the second time."""
        assert self._labels is not None
        self._followed = self._tracks.follow(self._found(), self._labels)
        cells = self._looked_at()
        self._read_cells |= cells
        return self._seen(self._followed.tracks, cells)

    def read_again(self, picture: Picture) -> Reading:
        """Returns the reading of a further look, which reads anew only the things that are new in this picture."""
        assert self._followed is not None
        rest = {one.stand: one for one in self._found()}
        tracks = []
        for track in self._followed.tracks:
            twin = rest.get(track.found.stand)
            if not self._tracks.fresh.intersection(track.keys):
                tracks.append(track)
            elif twin is not None and len(twin.levels) == len(track.keys):
                tracks.append(Track(track.keys, twin))
        return self._seen(tracks, self._looked_at())

    def _found(self) -> list[Found]:
        """Returns the readings of all things in view in one look, and the ghosts."""
        self._looks += 1
        look = f"{self._number} {self._looks}"
        found = []
        for thing in self._things:
            read = self._sharp.read(thing.stand, look) if self.is_in_view(thing.stand) else StandRead(())
            if read.levels:
                found.append(Found(thing.spot, thing.stand, read.levels, read.rivals))
        for ghost in self._ghosts:
            sure = Random(f"{self._seed} {ghost.stand}").uniform(*GHOST_SURE)
            sighting = replace(Detection.sure(ghost.stand.pieces[0]))
            sighting = replace(sighting, candidates=(replace(sighting.candidates[0], probability=sure),))
            found.append(Found(ghost.spot, ghost.stand, (sighting,), presence=sure))
        return found

    def _looked_at(self) -> dict[Spot, Detection]:
        """Returns the readings of the cells in view in one look; an unchanged cell keeps its earlier reading if that is
        surer.
        """
        look = f"{self._number} {self._looks}"
        told = {}
        for spot, cell in self._cells.items():
            if not self.is_cell_in_view(cell):
                continue
            now, known = self._sharp.read_cell(spot, cell.stand, look), self._read_cells.get(spot)
            still = known is not None and not self._has_changed(cell)
            told[spot] = known if known is not None and still and known.confidence > now.confidence else now
        return told

    def _has_changed(self, cell: CellHolds) -> bool:
        """True if a cell looks different from the picture before, or if there was none."""
        if self._before is None or self._labels is None:
            return True
        mask = self._view.mask(cell.outline)
        return bool((mask & (self._before != self._labels)).any())

    def _haunt(self, ghosts: Ghosts, moved: Sequence[Thing]) -> None:
        """Removes the ghosts near moved things and adds new ones at random."""
        places = [thing.stand.place_mm for thing in moved]
        near = [one for one in self._ghosts if any(_apart(one.stand.place_mm, place) < GHOST_MM for place in places)]
        self._ghosts = [one for one in self._ghosts if one not in near]
        for spot, (x0, y0, x1, y1) in ghosts.zones.items():
            rng = Random(f"{self._seed} {self._number} {spot} ghost")
            if rng.random() >= ghosts.share:
                continue
            x, y = rng.choice(places) if places else (rng.uniform(x0, x1), rng.uniform(y0, y1))
            x, y = x + rng.uniform(-GHOST_MM, GHOST_MM), y + rng.uniform(-GHOST_MM, GHOST_MM)
            free = all(_apart((x, y), thing.stand.place_mm) > ROOM_MM for thing in self._things)
            if x0 <= x <= x1 and y0 <= y <= y1 and free:
                self._ghosts.append(Thing(spot, Upright((Pyramid(rng.choice(list(ghosts.colors)), "small"),), x, y)))

    def _seen(self, tracks: Sequence[Track], cells: Mapping[Spot, Detection]) -> Reading:
        heaps: dict[Spot, list[Detection]] = {spot: [] for spot in self._heaps}
        places: dict[str, Point] = {}
        for track in tracks:
            found = track.found
            if found.spot in self._stalks:
                told = [stacked(found.levels, found.rivals, ",".join(track.keys))]
            else:
                told = [replace(level, place=key) for level, key in zip(found.levels, track.keys, strict=True)]
            heaps[found.spot] += told
            places |= dict.fromkeys((one.place for one in told), found.stand.place_mm)
        for spot in self._trays:
            heaps[f"{spot}.cocked"] = []
            if spot in self._agreed:
                rolled = [track.found for track in tracks if track.found.spot == spot]
                heaps[f"{spot}.moved"] = [one.levels[0] for one in _rolled(self._agreed[spot], rolled)]
        assert self._followed is not None
        hidden = {key for track in self._followed.covered for key in (*track.keys, ",".join(track.keys))}
        hidden |= {spot for spot in self._cells if spot not in cells}
        came = dict(self._followed.uncovered)
        came |= {",".join(t.keys): came[t.keys[0]] for t in self._followed.tracks if t.keys and t.keys[0] in came}
        solids = [solid for track in tracks for solid in track.found.stand.solids()]
        zones = [one for one in self.plan.zones if isinstance(one, PyramidZone)]
        heaps_of = [one for one in self.plan.zones if isinstance(one, PyramidZone | TileHeap)]
        assert self._labels is not None
        foreign = np.asarray(self._labels < 0, np.uint8)
        layout = Layout(
            cells,
            {spot: tuple(heap) for spot, heap in heaps.items()},
            hidden=frozenset(hidden),
            uncovered=came,
            at_mm=places,
            blind=blind_zones(self._eye_mm, solids, zones),
            obscured=obscured_zones(foreign, self._camera.project, SHRINK, heaps_of),
        )
        return self._told(layout)


def _rolled(before: Sequence[Found], now: Sequence[Found]) -> list[Found]:
    """Returns the dice that were rolled between two readings: those that neither stayed in place nor were only pushed a
    little.
    """
    left, found = list(before), []
    for one in now:
        x, y = one.stand.place_mm
        kept = next(
            (
                old
                for old in left
                if old.pieces == one.pieces
                and _apart(old.stand.place_mm, (x, y)) <= PUSHED_MM
                and abs((old.stand.yaw_deg - one.stand.yaw_deg + 45) % 90 - 45) <= PUSHED_DEG
            ),
            None,
        )
        if kept is None:
            found.append(one)
        else:
            left.remove(kept)
    return found


def _apart(one: Point, other: Point) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)
