"""Proposes the heaps of a plan, one for each hand, from the loose tiles in one picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.pieces import Tile, identify
from companion.core.plan import Mat, Plan, Point, TileBoard, TileHeap
from vision.image.pose import Floats
from vision.readers.tiles.lattice import Placement
from vision.readers.tiles.scene import LooseTile, TileScene, place_board, read_scene
from vision.registration.registered_image import RegisteredImage

_ROOM_MM = 45.0
"""The margin in millimeters around the tiles of a hand for tiles that are drawn later."""
_APART_MM = 115.0
"""Tiles farther apart than this in millimeters belong to different hands."""


def propose_plan(table: RegisteredImage, plan: Plan, hands: Sequence[Sequence[str]] | None = None) -> Plan:
    """Returns the plan with the board's place and one heap for each seat, as a picture of the beginning shows them.

    Args:
        hands: Letters and value of each seat's tiles ("GGY4"), seat by seat; None: hands are distinguished by their
            places, seat 0 nearest to the lower edge of the mat and the others clockwise.

    Raises:
        NoBoard: No board is on it.
    """
    boards = [zone for zone in plan.zones if isinstance(zone, TileBoard)]
    known = boards[0].corners_mm if boards else None
    start = None if known is None else Placement.of(known)
    scene = read_scene(table, place_board(table, start), apex_known=start is not None)
    heaps = heaps_by_tiles(scene, hands) if hands is not None else heaps_by_place(scene, plan.mat)
    board = TileBoard(known or scene.board.placement.corners_mm(), boards[0].cells if boards else "c")
    return Plan(plan.mat, (board, *heaps), plan.corners_px)


def heaps_by_tiles(scene: TileScene, hands: Sequence[Sequence[str]]) -> tuple[TileHeap, ...]:
    """Returns one heap for each seat around the tiles known to be in its hand; seats without a visible tile get none.

    A tile that the picture's edge cuts off belongs to the hand next to it, whatever it reads as.
    """
    owner: dict[Tile, int] = {}
    for seat, hand in enumerate(hands):
        for name in hand:
            tile = identify(name[:3])
            if tile is not None:
                owner[tile] = seat
    groups: dict[int, list[LooseTile]] = {}
    for loose in scene.loose:
        if loose.is_cut_off:
            continue
        best = max(
            (c for c in loose.alone.candidates if isinstance(c.piece, Tile) and c.piece in owner),
            key=lambda c: c.probability,
            default=None,
        )
        if best is not None and isinstance(best.piece, Tile) and best.probability > 0.1:
            groups.setdefault(owner[best.piece], []).append(loose)
    rest = [loose for loose in scene.loose if loose.is_cut_off]
    while rest and groups:
        # The nearest one comes first, because a row may continue behind the picture's edge.
        pairs = [
            (_distance(tile, other), n, seat)
            for n, tile in enumerate(rest)
            for seat in groups
            for other in groups[seat]
        ]
        distance, n, seat = min(pairs)
        if distance >= _APART_MM:
            break
        groups[seat].append(rest.pop(n))
    return _heaps(groups, scene)


def heaps_by_place(scene: TileScene, mat: Mat) -> tuple[TileHeap, ...]:
    """Returns one heap for each cluster of loose tiles; seat 0 is nearest to the mat's lower edge, the others
    clockwise.
    """
    clusters: list[list[LooseTile]] = []
    for tile in scene.loose:
        near = [c for c in clusters if min(_distance(tile, other) for other in c) < _APART_MM]
        clusters = [c for c in clusters if c not in near] + [[tile, *(other for c in near for other in c)]]
    if not clusters:
        return ()
    middle = np.array([mat.width_mm / 2, mat.height_mm / 2])

    def angle(cluster: list[LooseTile]) -> float:
        away = _places(cluster).mean(0) - middle
        # Clockwise from straight down, seen from above with y down.
        return float(np.degrees(np.arctan2(-away[0], away[1])) % 360)

    ordered = sorted(clusters, key=angle)
    first = min(range(len(ordered)), key=lambda k: min(angle(ordered[k]), 360 - angle(ordered[k])))
    ordered = ordered[first:] + ordered[:first]
    return _heaps(dict(enumerate(ordered)), scene)


def _places(tiles: Sequence[LooseTile]) -> Floats:
    return np.array([(tile.spot.x_mm, tile.spot.y_mm) for tile in tiles])


def _distance(a: LooseTile, b: LooseTile) -> float:
    return float(np.hypot(a.spot.x_mm - b.spot.x_mm, a.spot.y_mm - b.spot.y_mm))


def _heaps(groups: dict[int, list[LooseTile]], scene: TileScene) -> tuple[TileHeap, ...]:
    """Returns the outline of each group with a margin, cut back half way to the next group if they would overlap."""
    heaps = []
    for seat, tiles in sorted(groups.items()):
        places = _places(tiles)
        outline = _roomy(places)
        for other, others in groups.items():
            if other != seat:
                outline = _cut_back(outline, places, _places(others))
        if len(outline) >= 3:
            corners: tuple[Point, ...] = tuple((round(float(x), 1), round(float(y), 1)) for x, y in outline)
            heaps.append(TileHeap(f"seat{seat}.hand", corners))
    return tuple(heaps)


def _roomy(places: Floats) -> Floats:
    """Returns a rectangle along the row of tiles, with room for one more tile at either end."""
    middle, size, turn = cv2.minAreaRect(np.asarray(places, dtype=np.float32).reshape(-1, 1, 2))
    grown = (size[0] + 2 * _ROOM_MM, size[1] + 2 * _ROOM_MM)
    return np.asarray(cv2.boxPoints((middle, grown, turn)), dtype=np.float64)


def _cut_back(outline: Floats, own: Floats, other: Floats) -> Floats:
    """Returns the part of a convex outline nearer to its own tiles, along the line between the closest two tiles."""
    gaps = np.hypot(own[:, None, 0] - other[None, :, 0], own[:, None, 1] - other[None, :, 1])
    k, m = np.unravel_index(int(gaps.argmin()), gaps.shape)
    normal, middle = other[m] - own[k], (other[m] + own[k]) / 2
    side = (outline - middle) @ normal
    kept = []
    for n, point in enumerate(outline):
        following = (n + 1) % len(outline)
        if side[n] <= 0:
            kept.append(point)
        if (side[n] <= 0) != (side[following] <= 0):
            share = side[n] / (side[n] - side[following])
            kept.append(point + share * (outline[following] - point))
    return np.array(kept) if kept else np.zeros((0, 2))
