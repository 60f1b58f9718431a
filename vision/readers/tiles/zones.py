"""Reads the board and the loose tiles of a plan, and keeps them from picture to picture.

Pictures of a game show a board that seldom moves, so each reading begins where the last one ended. The apex, once
decided, stays, since no later picture shows it better than the empty board of the beginning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from companion.core.layout import Detection, Spot, Uncovered
from companion.core.plan import TileBoard, TileHeap
from companion.core.protocols.eyes import OverlayMark
from vision.image.likeness import Floats, Glance, Mask
from vision.memory.steady_cells import SteadyCell
from vision.memory.tracked_thing import SURE, Lie, Lying, lying
from vision.memory.tracks import Followed, Tracks
from vision.readers.tiles.board_finder import BoardFit
from vision.readers.tiles.cells import CellReading
from vision.readers.tiles.lattice import CELLS, CORNERS, Placement
from vision.readers.tiles.recognition import board_marks, loose_mark, outline_mm
from vision.readers.tiles.scene import LooseTile, TileScene, follow_board, place_board, read_scene
from vision.readers.tiles.silhouettes import TILE_MM
from vision.registration.registered_image import RegisteredImage

_DOUBTFUL = 1.4
"""The least clearness of a board's lines at the plan's place; otherwise it is searched everywhere."""
_INNER = 0.7
"""The share of a cell around its middle that its neighbors neither hide nor shade."""


class TilesSeen(NamedTuple):
    """The reading."""

    cells: dict[Spot, SteadyCell]
    heaps: dict[Spot, tuple[Detection, ...]]
    marks: tuple[OverlayMark, ...]
    """The outlines in the original picture's pixels."""
    hidden: frozenset[str]
    """The places at which something covers a loose tile."""
    uncovered: Mapping[str, Uncovered]
    """The places that became visible, and how."""
    cut_off: frozenset[Spot]
    """The heaps with a tile that the picture cuts off, so that it cannot be identified."""
    loose_px: tuple[Floats, ...]
    """The outlines (N, 2) of all loose tiles, including those in no heap, in pixels of the working picture."""


class TileEyes:
    """Reads the tiles of one table."""

    def __init__(self) -> None:
        self._board: BoardFit | None = None
        self._cells: tuple[CellReading, ...] = ()
        self._tracks: Tracks[Lying[LooseTile]] = Tracks("t", SURE)
        self._last: Followed[Lying[LooseTile]] = Followed((), (), ())

    def forget_board(self) -> None:
        """Searches the board anew in the next picture."""
        self._board = None

    def read(
        self, table: RegisteredImage, zone: TileBoard, piles: Sequence[TileHeap], same: Mask | None, glance: Glance
    ) -> TilesSeen:
        """Reads a board and the heaps beside it.

        Args:
            same: The part of the picture that is as in the previous one; None: unknown.

        Raises:
            NoBoard: No board is on the table.
        """
        scene = self._scene(table, zone, bool(piles))
        self._last = self._tracks.follow(_lying(table, scene), same, glance)
        return _seen(table, zone, piles, scene, self._last)

    def read_again(
        self, table: RegisteredImage, zone: TileBoard, piles: Sequence[TileHeap], same: Mask | None, glance: Glance
    ) -> TilesSeen:
        """Returns a further look at the last picture.

        Raises:
            NoBoard: No board is on the table.
        """
        scene = self._scene(table, zone, bool(piles))
        tracks = self._tracks.again(_lying(table, scene), same)
        return _seen(table, zone, piles, scene, self._last._replace(tracks=tracks))

    def _scene(self, table: RegisteredImage, zone: TileBoard, loose: bool) -> TileScene:
        known = self._board
        followed = None if known is None else follow_board(table, known)
        if known is not None and followed is None:
            scene = self._upright(read_scene(table, place_board(table), apex_known=True, loose=loose))
        elif followed is not None:
            scene = read_scene(table, followed, apex_known=True, loose=loose)
        elif zone.corners_mm is not None:
            scene = _planned(table, Placement.of(zone.corners_mm), loose)
        else:
            scene = read_scene(table, place_board(table), apex_known=False, loose=loose)
        self._board = scene.fit
        self._cells = scene.board.cells
        return scene

    def _upright(self, scene: TileScene) -> TileScene:
        """Returns a moved board with the apex that keeps its tiles or, if unclear, that needs the smallest rotation."""
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


def _planned(table: RegisteredImage, start: Placement, loose: bool) -> TileScene:
    """Returns the board at the plan's place or, if that looks bare and another place does not, at that one."""
    there = place_board(table, start)
    if there.score < _DOUBTFUL:
        found = place_board(table)
        if found.score > there.score:
            return read_scene(table, found, apex_known=False, loose=loose)
    return read_scene(table, there, apex_known=True, loose=loose)


def _lying(table: RegisteredImage, scene: TileScene) -> list[Lying[LooseTile]]:
    """Returns the loose tiles as things that are followed."""
    found = []
    for tile in scene.loose:
        place = Placement(tile.spot.x_mm, tile.spot.y_mm, tile.spot.heading_deg)
        corners = outline_mm(place, CORNERS * (TILE_MM / 300))
        found.append(lying(tile, tile.joint, Lie(tile.spot.x_mm, tile.spot.y_mm), corners, table.pose))
    return found


def _seen(
    table: RegisteredImage,
    zone: TileBoard,
    piles: Sequence[TileHeap],
    scene: TileScene,
    followed: Followed[Lying[LooseTile]],
) -> TilesSeen:
    heaps: dict[Spot, tuple[Detection, ...]] = {}
    cut_off = set()
    marks = [*board_marks(table, scene, zone.cells)]
    for pile in piles:
        inside = [track for track in followed.tracks if _inside(track.found.read, pile)]
        whole = [track for track in inside if not track.found.read.is_cut_off]
        heaps[pile.spot] = tuple(
            Detection(track.found.sighting.candidates, track.keys[0], bool(track.glimpsed)) for track in whole
        )
        if len(whole) < len(inside):
            cut_off.add(pile.spot)
        marks += [loose_mark(table, track.found.read, pile.spot) for track in inside]
    cells = _board_cells(table, zone, scene)
    loose = tuple(track.found.outline_px[0] for track in followed.tracks)
    return TilesSeen(cells, heaps, tuple(marks), *_out_of_sight(followed), frozenset(cut_off), loose)


def _board_cells(table: RegisteredImage, zone: TileBoard, scene: TileScene) -> dict[Spot, SteadyCell]:
    """Returns the cells of the board by their spots, outlined at the height of tiles."""
    placement = scene.board.placement
    corners = np.concatenate([cell.corners for cell in CELLS])
    inner = np.repeat(np.array([cell.middle for cell in CELLS]), 3, axis=0) * (1 - _INNER) + corners * _INNER
    whole, within = (table.pose.project(outline_mm(placement, points)) for points in (corners, inner))
    middles = placement.to_table(np.array([cell.middle for cell in CELLS]))
    return {
        f"{zone.cells}{k}": SteadyCell(
            cell.joint,
            (float(middles[k][0]), float(middles[k][1])),
            within[3 * k : 3 * k + 3],
            whole[3 * k : 3 * k + 3],
            cell.foreign,
            cell.burnt,
        )
        for k, cell in enumerate(scene.board.cells)
    }


def _out_of_sight(followed: Followed[Lying[LooseTile]]) -> tuple[frozenset[str], Mapping[str, Uncovered]]:
    """Returns the hidden places, and the places that became visible."""
    hidden = frozenset(track.keys[0] for track in followed.covered)
    return hidden, {one.track.keys[0]: one.how for one in followed.uncovered}


def _inside(tile: LooseTile, pile: TileHeap) -> bool:
    """True if a tile's middle is inside a heap's outline."""
    outline = np.array(pile.outline_mm)
    ahead = np.roll(outline, -1, axis=0)
    above = (outline[:, 1] > tile.spot.y_mm) != (ahead[:, 1] > tile.spot.y_mm)
    rise = np.where(above, ahead[:, 1] - outline[:, 1], 1.0)
    at = outline[:, 0] + (tile.spot.y_mm - outline[:, 1]) / rise * (ahead[:, 0] - outline[:, 0])
    return bool((above & (tile.spot.x_mm < at)).sum() % 2)
