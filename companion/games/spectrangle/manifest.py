"""The manifest of Spectrangle."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadPlan
from companion.core.manifest import Manifest
from companion.core.plan import Mat, Plan, Point, TileBoard, TileHeap
from companion.core.recording import RecordedMat, Recording
from companion.games.spectrangle.game import SPECTRANGLE

# The board is in the middle of the mat, with one strip for each hand along a side.
#
# The markers' centers span 440 x 400 mm: room for the 300 mm triangle, its tray and, reaching out between the markers,
# four strips of four 50 mm tiles.

MAT = Mat(440.0, 400.0, 40.0)
"""The mat that `companion mat spectrangle` prints."""

SIDE_MM = 300.0
"""The side length in millimeters of the triangle that the 36 cells fill."""

_STRIPS: tuple[tuple[Point, Point], ...] = (
    ((85.0, 346.0), (355.0, 424.0)),
    ((-28.0, 75.0), (44.0, 325.0)),
    ((85.0, -28.0), (355.0, 38.0)),
    ((396.0, 75.0), (468.0, 325.0)),
)
"""Opposite corners of each hand's strip in table millimeters: seat 0 at the bottom, then clockwise as seen from
above.
"""

_BY_SEATS = {2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}
"""Number of seats to the strips in use: two players sit opposite each other."""


def board_corners_mm() -> tuple[Point, Point, Point]:
    """Returns apex, left and right corner of the board on the printed mat, in millimeters; the apex points to marker
    0's side.
    """
    middle_mm, top_mm = MAT.width_mm / 2, 68.0
    foot_mm = top_mm + SIDE_MM * sqrt(3) / 2
    return (middle_mm, top_mm), (middle_mm - SIDE_MM / 2, foot_mm), (middle_mm + SIDE_MM / 2, foot_mm)


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat for 2 to 4 seats."""
    heaps = []
    for seat, strip in enumerate(_BY_SEATS[seats]):
        (x0, y0), (x1, y1) = _STRIPS[strip]
        heaps.append(TileHeap(f"seat{seat}.hand", ((x0, y0), (x1, y0), (x1, y1), (x0, y1))))
    return Plan(MAT, (TileBoard(board_corners_mm()), *heaps))


class _Corners(Struct, frozen=True):
    apex: Point
    left: Point
    right: Point


class _Setup(Struct, frozen=True):
    players: Annotated[int, Meta(ge=2, le=4)]
    hands: tuple[tuple[str, ...], ...] | None = None
    board: _Corners | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: player 0 to move on an empty board, hands known or out of sight.

    Raises:
        BadPlan: The setup contradicts itself.
    """
    try:
        known = msgspec.convert(setup, _Setup)
    except msgspec.ValidationError as error:
        raise BadPlan(f"The setup is not one of Spectrangle: {error}.") from error
    if known.hands is not None and len(known.hands) != known.players:
        raise BadPlan(f"The setup names {len(known.hands)} hands for {known.players} players. Give one a player.")
    corners_mm = None if known.board is None else (known.board.apex, known.board.left, known.board.right)
    shown = known.hands is not None
    return Recording(
        names=tuple(f"Player {seat + 1}" for seat in range(known.players)),
        options={"hands": "open" if shown else "unseen"},
        position={"hands": known.hands, "to_move": 0} if shown else None,
        plan=Plan(mat.mat(), (TileBoard(corners_mm),), mat.clicked_px()),
        draws="told" if shown else "unseen",
        hands=known.hands,
    )


MANIFEST = Manifest(
    game=SPECTRANGLE,
    length="short",
    about="Lay triangles edge to edge, color on color. High tiles on bonus cells score most.",
    position=10,
    plan=plan,
    recorded=recorded,
    lights=tuple(f"c{cell}" for cell in range(36)),
    presenter="web.games.spectrangle:SpectranglePresenter",
)
