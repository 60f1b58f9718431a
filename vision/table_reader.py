"""The eyes' memory of one table: pose, board and inks are kept from picture to picture.

Pictures of a game come from a camera that seldom moves and show a board that seldom moves. So each picture begins
where the last one ended; what was decided once (which corner is the apex) stays decided, since nothing in a later
picture can tell it better than the empty board of the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from companion.eyes import Mark
from companion.layout import Layout, Sighting, Spot
from companion.plan import DiceTray, PawnBoard, Plan, Point, PyramidBoard, PyramidZone, TileBoard, TileHeap, Zone
from vision.calibration.calibration import Calibration
from vision.dice.zones import DiceTrayEyes
from vision.pawns.zones import PawnBoardEyes
from vision.picture import Picture
from vision.pyramids.zones import PyramidZones, Standing
from vision.reading import Reading
from vision.table import Table, find_table
from vision.tiles.board_fit import Fit
from vision.tiles.cells import CellReading
from vision.tiles.lattice import Placement
from vision.tiles.marks import board_marks, loose_mark
from vision.tiles.scene import LooseTile, TileScene, follow_board, place_board, read_scene

Corners = tuple[Point, Point, Point, Point]

_DOUBTFUL = 1.4
"""Where a plan says that the board lies, its lines are this clear at least; else it is looked for everywhere."""


class TableReader:
    """Reads pictures of one table, laid out by a plan."""

    def __init__(self, plan: Plan, calibration: Calibration | None = None) -> None:
        """`calibration` is what is known of the table from before: how it looks empty, its lens and its colors."""
        self.plan = plan
        self._calibration = calibration
        self._corners_px: Corners | None = plan.corners_px
        self._table: Table | None = None
        self._board: Fit | None = None
        self._cells: tuple[CellReading, ...] = ()
        self._pyramids = PyramidZones(calibration)
        self._pawns = PawnBoardEyes()
        self._dice = DiceTrayEyes()

    @property
    def table(self) -> Table | None:
        """The table in the picture that was read last; None before the first, and after the camera was moved."""
        return self._table

    @property
    def clicked_px(self) -> Corners | None:
        """The corners that a person clicked, if any."""
        return self._corners_px

    def set_plan(self, plan: Plan) -> None:
        """Read by another plan from the next picture on; a board that it places elsewhere is looked for anew."""
        if [zone for zone in plan.zones if isinstance(zone, TileBoard)] != [
            zone for zone in self.plan.zones if isinstance(zone, TileBoard)
        ]:
            self._board = None
        if plan.corners_px != self.plan.corners_px:
            self._corners_px = plan.corners_px
        self.plan = plan

    def set_corners(self, corners_px: Corners | None) -> None:
        """Use clicked corners instead of markers; None goes back to markers."""
        self._corners_px = corners_px
        self._table = None

    def set_calibration(self, calibration: Calibration | None) -> None:
        """Read by another calibration from the next picture on; None: by none."""
        self._calibration = calibration
        self._pyramids = PyramidZones(calibration)
        self._table = None

    def settle(self, position: Layout) -> None:
        """The last reading shows the game's `position`: dice that are rolled from here on are told as such.

        From pieces whose colors the game has confirmed, the table's own colors are learned.

        Call it when a reading was accepted, or showed the position as it was; see `vision.dice.zones`.
        """
        self._dice.settle()
        self._pyramids.settle(position)

    def read(self, picture: Picture) -> Reading:
        """What a steady picture shows in the plan's zones.

        :raises NoTable: the table cannot be placed. :raises NoBoard: the board that the plan names is not there.
        :raises WrongTable: the table is not that of the calibration.
        """
        return self._read(picture, self._pyramids.read)

    def read_again(self, picture: Picture) -> Reading:
        """A further look at the table that was read last: another picture of it, or the same one sampled anew.

        :raises NoTable: the table cannot be placed. :raises NoBoard: the board that the plan names is not there.
        :raises WrongTable: the table is not that of the calibration.
        """
        return self._read(picture, self._pyramids.read_again)

    def _read(self, picture: Picture, read_pyramids: Callable[..., Standing]) -> Reading:
        table = find_table(picture, self.plan.mat, self._corners_px, self._table, self._calibration)
        cells: dict[Spot, Sighting] = {}
        heaps: dict[Spot, tuple[Sighting, ...]] = {}
        marks: list[Mark] = []
        hidden: frozenset[str] = frozenset()
        uncovered: frozenset[str] = frozenset()
        remarks: tuple[str, ...] = ()
        boards = [zone for zone in self.plan.zones if isinstance(zone, TileBoard)]
        piles = [zone for zone in self.plan.zones if isinstance(zone, TileHeap)]
        if boards:
            scene = self._scene(table, boards[0], bool(piles))
            cells |= {f"{boards[0].cells}{k}": cell.joint for k, cell in enumerate(scene.board.cells)}
            marks += board_marks(table, scene, boards[0].cells)
            for pile in piles:
                inside = [tile for tile in scene.loose if _inside(tile, pile)]
                heaps[pile.spot] = tuple(tile.joint for tile in inside)
                marks += [loose_mark(table, tile, pile.spot) for tile in inside]
        stands = [zone for zone in self.plan.zones if isinstance(zone, PyramidZone)]
        grids = [zone for zone in self.plan.zones if isinstance(zone, PyramidBoard)]
        if stands or grids:
            standing = read_pyramids(table, stands, grids)
            heaps |= standing.heaps
            cells |= standing.cells
            marks += standing.marks
            hidden, uncovered = hidden | standing.hidden, uncovered | standing.uncovered
            remarks += standing.remarks
        for zone in self.plan.zones:
            if isinstance(zone, PawnBoard):
                spaces, outlines = self._pawns.read(table, zone)
                cells |= spaces
                marks += outlines
            if isinstance(zone, DiceTray):
                lying, outlines = self._dice.read(table, zone)
                heaps |= lying
                marks += outlines
        self._table = table
        return Reading(
            Layout(cells, heaps, partial=_cut_off(table, self.plan.zones), hidden=hidden, uncovered=uncovered),
            tuple(marks),
            table.markers,
            table.corners_px(),
            remarks,
        )

    def _scene(self, table: Table, zone: TileBoard, loose: bool) -> TileScene:
        known = self._board
        followed = None if known is None else follow_board(table, known)
        if known is not None and followed is None:
            scene = self._upright(read_scene(table, place_board(table), apex_known=True, loose=loose))
        elif followed is not None:
            scene = read_scene(table, followed, apex_known=True, loose=loose)
        elif zone.corners_mm is not None:
            scene = self._planned(table, Placement.of(zone.corners_mm), loose)
        else:
            scene = read_scene(table, place_board(table), apex_known=False, loose=loose)
        self._board = scene.fit
        self._cells = scene.board.cells
        return scene

    def _planned(self, table: Table, start: Placement, loose: bool) -> TileScene:
        """The board where the plan has it or, if that place looks bare and another does not, where it is."""
        there = place_board(table, start)
        if there.score < _DOUBTFUL:
            found = place_board(table)
            if found.score > there.score:
                return read_scene(table, found, apex_known=False, loose=loose)
        return read_scene(table, there, apex_known=True, loose=loose)

    def _upright(self, scene: TileScene) -> TileScene:
        """A board that was moved, with the apex that makes its tiles those of before, or else the turn smallest."""
        assert self._board is not None
        heading_deg = self._board.placement.heading_deg

        def likeness(turned: TileScene) -> tuple[int, float]:
            before, now = self._cells, turned.board.cells
            same = sum(
                a.joint.piece is not None and a.joint.piece == b.joint.piece for a, b in zip(before, now, strict=True)
            )
            turn = (turned.fit.placement.heading_deg - heading_deg + 180) % 360 - 180
            return same, -abs(turn)

        return max((scene.turned(thirds) for thirds in range(3)), key=likeness)


def _cut_off(table: Table, zones: Sequence[Zone]) -> frozenset[Spot]:
    """Heaps of which a part lies outside of the picture, where pieces may lie unseen."""
    height, width = table.picture.shape[:2]
    found = set()
    for zone in zones:
        if isinstance(zone, TileBoard | PawnBoard | PyramidBoard):
            continue
        corners = np.array(zone.outline_mm or table.mat.corners_mm())
        middle = corners.mean(axis=0)
        places = np.concatenate([middle + (corners - middle) * share for share in (0.5, 0.8)])
        at = table.pose.project(np.column_stack([places, np.zeros(len(places))]))
        if ((at < 0) | (at >= (width, height))).any():
            found.add(zone.spot)
    return frozenset(found)


def _inside(tile: LooseTile, pile: TileHeap) -> bool:
    """Whether a tile's middle lies in a heap's outline."""
    outline = np.array(pile.outline_mm)
    ahead = np.roll(outline, -1, axis=0)
    above = (outline[:, 1] > tile.spot.y_mm) != (ahead[:, 1] > tile.spot.y_mm)
    rise = np.where(above, ahead[:, 1] - outline[:, 1], 1.0)
    at = outline[:, 0] + (tile.spot.y_mm - outline[:, 1]) / rise * (ahead[:, 0] - outline[:, 0])
    return bool((above & (tile.spot.x_mm < at)).sum() % 2)
