"""Reads one table picture by picture and remembers its pose, pieces and cells.

Pictures of a game come from a camera that seldom moves, so each reading begins where the last one ended. The changes
between two pictures are found once, for the readers of all kinds of pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct, structs

from companion.core.layout import Candidate, Detection, Elsewhere, Layout, PointMm, Spot, Uncovered
from companion.core.plan import (
    CardZone,
    DiceTray,
    PawnBoard,
    Plan,
    Point,
    PyramidBoard,
    PyramidZone,
    TileBoard,
    TileHeap,
    Zone,
)
from companion.core.protocols.eyes import OverlayMark
from vision.calibration.calibration import Calibration, EmptyTable
from vision.calibration.freshness import FreshTable
from vision.calibration.taught import TaughtTable
from vision.covered_places import without_covered
from vision.gate.change import Map
from vision.image.likeness import SHRINK, Floats, Glance, Mask, glance_of, unchanged
from vision.image.picture import Picture
from vision.memory.foreign import BareTable
from vision.memory.steady_cells import CellsSeen, SteadyCell, SteadyCells
from vision.readers.cards.earlier_cards import EarlierCards
from vision.readers.cards.naming import PrintingEvidence
from vision.readers.cards.zones import read_card_zones, visits_of_zones
from vision.readers.dice.zones import DiceTrayEyes, TraySeen
from vision.readers.pawns.zones import PawnBoardEyes
from vision.readers.pyramids.blind_zones import obscured_zones
from vision.readers.pyramids.zones import PyramidZones, StandingStack
from vision.readers.tiles.zones import TileEyes, TilesSeen
from vision.registration.registered_image import RegisteredImage, find_table
from vision.unmarked_table import UnmarkedTable, is_unmarked


class Reading(Struct, frozen=True):
    """A layout with the evidence for it."""

    layout: Layout
    """The layout, with spots of the plan's zones only."""
    marks: tuple[OverlayMark, ...]
    """The outlines for the overlay, in the picture's pixels."""
    markers: tuple[int, ...]
    """The ids of the markers that were found and agree."""
    corners_px: tuple[Point, Point, Point, Point]
    """The centers of markers 0 to 3 in the picture, found or computed."""
    zones_px: tuple[tuple[Point, ...], ...] = ()
    """The outlines of the zones in the picture, up to the height of pieces; empty if zones may be anywhere."""
    remarks: tuple[str, ...] = ()
    """Sentences for people on how well the table can be read."""


Corners = tuple[Point, Point, Point, Point]


TALLEST_MM = 60.0
"""The height in millimeters up to which pieces of a zone are visible: a large pyramid on another one."""
_ALONG = 16
"""The number of points tried along each side of a zone, since the picture's edge may cut it anywhere."""


class _Look(NamedTuple):
    """The way in which readers take a picture: as the next one of the table, or as a further look at the last one."""

    before: Glance | None
    """The picture before this one."""
    pyramids: Callable[..., StandingStack]
    tiles: Callable[..., TilesSeen]
    dice: Callable[..., TraySeen]
    cells: Callable[[dict[Spot, SteadyCell], Mask | None], CellsSeen]
    foreign: Callable[..., Mask]


class TableReader:
    """Reads pictures of one table, laid out by a plan."""

    def __init__(self, plan: Plan, calibration: Calibration | None = None) -> None:
        """Args:
        calibration: The calibration of the table: its empty picture, its lens and its colors.
        """
        self.plan = plan
        self._calibration = calibration
        self._fresh = None if calibration is None else FreshTable(calibration.empty)
        self._corners_px: Corners | None = plan.corners_px
        self._table: RegisteredImage | None = None
        self._pyramids = PyramidZones(calibration)
        self._tiles = TileEyes()
        self._pawns = PawnBoardEyes()
        self._dice = DiceTrayEyes(None if calibration is None else calibration.dice)
        self._cells = SteadyCells()
        self._bare = BareTable(None if calibration is None else calibration.empty)
        self._unmarked = UnmarkedTable()
        self._glance: Glance | None = None
        self._before: Glance | None = None
        """The picture before the last one; a further look at the last picture is compared with it."""
        self._covered: Map | None = None
        self._stirred: Map | None = None
        self._printing, self._earlier_cards = PrintingEvidence(), EarlierCards()

    @property
    def table(self) -> RegisteredImage | None:
        """The table in the last picture; None before the first one, and after the camera was moved."""
        return self._table

    @property
    def empty(self) -> EmptyTable | None:
        """The present look of the empty table; None if it is unknown."""
        return None if self._fresh is None else self._fresh.kept

    @property
    def taught(self) -> TaughtTable:
        """The look of the pieces, from the calibration and from confirmed positions."""
        known, shapes = self._pyramids.confirmed_colors, self._pyramids.confirmed_shapes.weights
        return TaughtTable(tuple(map(float, known.offsets)), known.tones, tuple(map(float, shapes)), self._dice.taught)

    def teach(self, taught: TaughtTable) -> None:
        """Begins with the knowledge of an earlier evening."""
        self._dice.taught = taught.dice
        self._pyramids.start_with(taught.colors, taught.tones, taught.shapes)

    @property
    def clicked_px(self) -> Corners | None:
        """The corners that a person clicked; None without clicks."""
        return self._corners_px

    def set_plan(self, plan: Plan) -> None:
        """Uses another plan from the next picture on; a board at another place is searched again."""
        if [zone for zone in plan.zones if isinstance(zone, TileBoard)] != [
            zone for zone in self.plan.zones if isinstance(zone, TileBoard)
        ]:
            self._tiles.forget_board()
        if plan.corners_px != self.plan.corners_px:
            self._corners_px = plan.corners_px
        self.plan = plan

    def set_corners(self, corners_px: Corners | None) -> None:
        """Uses clicked corners instead of markers; None goes back to markers."""
        self._corners_px = corners_px
        self._bare = BareTable(self.empty)
        self._table = None

    def set_covered(self, covered: Map | None) -> None:
        """Sets the part of later pictures that something covers, so that it counts as unseen.

        Args:
            covered: (h, w) of a thumb, 1 where the picture shows earlier contents; None if nothing covers the table.
        """
        self._covered = covered

    def set_stirred(self, stirred: Map) -> None:
        """Sets how often something was over each part of the table since the last steady picture: the next reading
        counts the visits to zones of cards.

        Args:
            stirred: (h, w) the visits, a thumb of the picture.
        """
        self._stirred = stirred

    def set_calibration(self, calibration: Calibration | None) -> None:
        """Uses another calibration from the next picture on; None uses none."""
        self._calibration = calibration
        self._fresh = None if calibration is None else FreshTable(calibration.empty)
        self._pyramids = PyramidZones(calibration)
        if calibration is not None and calibration.dice:
            self._dice.taught = calibration.dice
        self._bare = BareTable(self.empty)
        self._table = None

    def confirm_position(self, position: Layout) -> None:
        """Takes the information that the last reading shows the game's `position`: later rolls are reported as such.

        The reader learns the table's own colors, also those of dice, from pieces whose colors the game has confirmed.

        Call it when a reading was accepted, or showed the unchanged position; see `vision.readers.dice.zones`.
        """
        self._dice.confirm_position(position)
        self._pyramids.confirm_position(position)

    def read(self, picture: Picture) -> Reading:
        """Reads the plan's zones in a steady picture.

        Raises:
            NoTable: The table cannot be placed.
            NoBoard: The plan's board is missing.
            WrongTable: The table is not that of the calibration.
        """
        look = _Look(
            self._glance, self._pyramids.read, self._tiles.read, self._dice.read, self._cells.follow, self._bare.take
        )
        reading, glance = self._read(picture, look)
        stirred, self._stirred = self._stirred, None
        if stirred is not None and self._table is not None:
            visits = visits_of_zones(self._table, self.plan.zones, stirred)
            reading = structs.replace(reading, layout=structs.replace(reading.layout, visits=visits))
        self._before, self._glance = self._glance, glance
        self._freshen(reading.marks)
        return reading

    def read_again(self, picture: Picture) -> Reading:
        """Returns a further look at the table that was read last: another picture of it, or the same one sampled anew.

        Raises:
            NoTable: The table cannot be placed.
            NoBoard: The board that the plan names is not there.
            WrongTable: The table is not that of the calibration.
        """
        look = _Look(
            self._before,
            self._pyramids.read_again,
            self._tiles.read_again,
            self._dice.read_again,
            self._cells.again,
            self._bare.foreign,
        )
        return self._read(picture, look)[0]

    def _freshen(self, marks: Sequence[OverlayMark]) -> None:
        """Keeps the empty table fresh with the last picture."""
        table, fresh = self._table, self._fresh
        if table is None or fresh is None or self._calibration is None:
            return
        shown = EmptyTable(table.picture, table.pose, table.light, table.mat)
        if fresh.take(shown, outlines_px(marks, table)):
            self._calibration = structs.replace(self._calibration, empty=fresh.empty)
            self._pyramids.renew(fresh.empty)

    def _placed(self, picture: Picture) -> RegisteredImage:
        """Returns the table in a picture, located by its markers or, without markers, by its board."""
        by_markers = self._table is not None and self._table.markers
        if by_markers or self._corners_px is not None or self._calibration is not None or not is_unmarked(picture):
            self._unmarked.forget()
        elif (table := self._unmarked.find(picture, self.plan)) is not None:
            return table
        return find_table(picture, self.plan.mat, self._corners_px, self._table, self._calibration)

    def _read(self, picture: Picture, look: _Look) -> tuple[Reading, Glance]:
        """Returns the reading of a picture, and the glance for comparison with the next picture."""
        table = self._placed(picture)
        glance = glance_of(table.picture, table.pose)
        same = None if look.before is None else unchanged(look.before, glance, np.array(table.mat.corners_mm()))
        cells: dict[Spot, Detection] = {}
        followed: dict[Spot, SteadyCell] = {}
        heaps: dict[Spot, tuple[Detection, ...]] = {}
        marks: list[OverlayMark] = []
        hidden: set[str] = set()
        uncovered: dict[str, Uncovered] = {}
        elsewhere: Mapping[str, Elsewhere] = {}
        cut_off: frozenset[Spot] = frozenset()
        loose_px: tuple[Floats, ...] = ()
        at_mm: Mapping[str, PointMm] = {}
        blind: frozenset[Spot] = frozenset()
        overlooked: Mapping[str, tuple[Candidate, ...]] = {}
        remarks: tuple[str, ...] = ()
        boards = [zone for zone in self.plan.zones if isinstance(zone, TileBoard)]
        piles = [zone for zone in self.plan.zones if isinstance(zone, TileHeap)]
        if boards:
            tiles = look.tiles(table, boards[0], piles, same, glance)
            followed |= tiles.cells
            heaps |= tiles.heaps
            marks += tiles.marks
            hidden |= tiles.hidden
            uncovered |= tiles.uncovered
            cut_off = tiles.cut_off
            loose_px = tiles.loose_px
        stands = [zone for zone in self.plan.zones if isinstance(zone, PyramidZone)]
        grids = [zone for zone in self.plan.zones if isinstance(zone, PyramidBoard)]
        if stands or grids:
            standing = look.pyramids(table, stands, grids, self.plan.pyramid_colors or ())
            heaps |= standing.heaps
            cells |= standing.cells
            marks += standing.marks
            hidden |= standing.hidden
            uncovered |= standing.uncovered
            remarks += standing.remarks
            elsewhere, at_mm, overlooked = standing.elsewhere, standing.at_mm, standing.overlooked
            blind = standing.blind
        for zone in self.plan.zones:
            if isinstance(zone, PawnBoard):
                spaces, outlines = self._pawns.read(table, zone)
                followed |= spaces
                marks += outlines
            if isinstance(zone, DiceTray):
                # A table of another mat was placed by its dice alone, wherever on it they lie.
                there = zone if table.mat == self.plan.mat else structs.replace(zone, outline_mm=None)
                tray = look.dice(table, there, same, glance)
                heaps |= tray.heaps
                marks += tray.marks
                hidden |= tray.hidden
                uncovered |= tray.uncovered
        card_zones = [zone for zone in self.plan.zones if isinstance(zone, CardZone)]
        if card_zones:
            lying = read_card_zones(table, card_zones, self._printing, self._earlier_cards)
            heaps |= lying.heaps
            marks += lying.marks
            remarks += lying.remarks
        obscured: frozenset[Spot] = frozenset()
        heaps_of: list[PyramidZone | TileHeap] = [*stands, *piles]
        if heaps_of:
            doubtful = [mark for mark in marks if mark.kind == "doubt"]
            sure = [mark for mark in marks if mark.kind != "doubt"]
            known_px = [*outlines_px(sure, table), *loose_px]
            foreign = look.foreign(glance, table.mat, known_px, outlines_px(doubtful, table))
            obscured = obscured_zones(foreign, table.pose.project, SHRINK, heaps_of)
        steady = look.cells(followed, same)
        layout = Layout(
            {**cells, **steady.cells},
            heaps,
            partial=_cut_off(table, self.plan.zones) | cut_off,
            hidden=frozenset(hidden) | steady.hidden,
            uncovered=uncovered,
            elsewhere=elsewhere,
            at_mm=at_mm,
            blind=blind,
            obscured=obscured,
            overlooked=overlooked,
        )
        if self._covered is not None:
            middles = {spot: cell.middle_mm for spot, cell in followed.items()}
            layout = without_covered(layout, self._covered, table, self.plan, middles)
        self._table = table
        zones_px = _zones_px(table, self.plan.zones)
        return Reading(layout, tuple(marks), table.markers, table.corners_px(), zones_px, remarks), glance


def outlines_px(marks: Sequence[OverlayMark], table: RegisteredImage) -> list[np.ndarray]:
    """Returns the outlines of things on a table that is known empty, (N, 2) each, in pixels of the working picture.

    A Spectrum board belongs to the empty table; that of tiles is put on it.
    """
    lies = table.calibration is None or table.calibration.domain != "spectrum"
    kinds = ("read", "doubt", "board") if lies else ("read", "doubt")
    there = [mark.outline_px for mark in marks if mark.kind in kinds]
    return [(np.array(outline) + 0.5) * table.factor - 0.5 for outline in there]


def _zones_px(table: RegisteredImage, zones: Sequence[Zone]) -> tuple[tuple[Point, ...], ...]:
    """Returns the outlines of the zones and of the space above them; empty if a zone may be anywhere."""
    found = []
    for zone in zones:
        outline = zone.corners_mm if isinstance(zone, TileBoard) else getattr(zone, "outline_mm", None)
        if outline is None:
            return ()
        flat = np.array(outline)
        solid = np.concatenate([np.column_stack([flat, np.full(len(flat), z)]) for z in (0.0, TALLEST_MM)])
        hull = cv2.convexHull(table.pose.project(solid).astype(np.float32).reshape(-1, 1, 2)).reshape(-1, 2)
        found.append(table.original_px(np.asarray(hull, np.float64)))
    return tuple(found)


def _cut_off(table: RegisteredImage, zones: Sequence[Zone]) -> frozenset[Spot]:
    """Returns the heaps whose outline leaves the picture, so that pieces may be there unseen."""
    height, width = table.picture.shape[:2]
    found = set()
    for zone in zones:
        if isinstance(zone, TileBoard | PawnBoard | PyramidBoard):
            continue
        corners = np.array(zone.outline_mm or table.mat.corners_mm())
        ahead = np.roll(corners, -1, axis=0)
        places = np.concatenate([corners + (ahead - corners) * share for share in np.arange(0, 1, 1 / _ALONG)])
        at = table.pose.project(np.column_stack([places, np.zeros(len(places))]))
        if ((at < 0) | (at >= (width, height))).any():
            found.add(zone.spot)
    return frozenset(found)
