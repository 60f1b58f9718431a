"""Where things stand on a table: millimeters and spots.

A plan says how large the mat is and which zone of it holds what. It is data: editable on the page, printable, and kept
in the journal's header. Table space: millimeters, origin at the center of marker 0, x toward marker 1, y toward
marker 3. Angles and z (up) as in `vision.image.pose`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.core.foundation.errors import BadPlan
from companion.core.foundation.kept_file import read_json
from companion.core.layout import Spot
from companion.core.pieces import PyramidSize

PAPERS_MM = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
"""The paper sizes of printed mats, upright."""

Point = tuple[float, float]
"""x, y; the name that holds it says of which space."""

ZONES_MOST = 64
"""No table has more zones."""
FARTHEST = 20_000.0
"""No place on a table, in millimeters, and no corner in a picture, in pixels, is farther away."""
SMALLEST_PX = 400.0
"""A table that covers fewer square pixels than this cannot be meant."""
CORNERS = (
    "The four corners must go round the table in the order 0, 1, 2, 3, clockwise in the picture. "
    "Drag each one to the middle of its marker."
)
"""The sentence for corners in another order."""

_Length = Annotated[float, Meta(gt=0, le=5000)]


class Mat(Struct, frozen=True, forbid_unknown_fields=True):
    """The play area: the centers of its four markers are its corners."""

    width_mm: _Length
    height_mm: _Length
    marker_mm: Annotated[float, Meta(gt=0, le=500)]
    """Side of a marker's black square."""
    dictionary: Literal["DICT_4X4_50"] = "DICT_4X4_50"

    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Centers of markers 0, 1, 2, 3."""
        return (0.0, 0.0), (self.width_mm, 0.0), (self.width_mm, self.height_mm), (0.0, self.height_mm)


class TileBoard(Struct, frozen=True, tag="tile-board", forbid_unknown_fields=True):
    """A Spectrangle board. `corners_mm` are apex, left and right of its 300 mm triangle; None: find it anywhere."""

    corners_mm: tuple[Point, Point, Point] | None = None
    cells: str = "c"
    """Prefix of the spots: cell 17 is "c17"."""


class TileHeap(Struct, frozen=True, tag="tile-heap", forbid_unknown_fields=True):
    """Loose tiles that lie in `outline_mm`: a hand beside the board."""

    spot: Spot
    outline_mm: Annotated[tuple[Point, ...], Meta(min_length=3, max_length=64)]


class PyramidZone(Struct, frozen=True, tag="pyramid-zone", forbid_unknown_fields=True):
    """Pyramids that stand in `outline_mm`.

    In zones of kind "trees", "supply" and "pool" every pyramid is a piece of the heap for itself, whatever it stands
    on; in zones of kind "stalks" every stack is one piece of the heap (`companion.core.pieces.Stack`, a lone pyramid
    is a stack of one).
    """

    spot: Spot
    outline_mm: Annotated[tuple[Point, ...], Meta(min_length=3, max_length=64)]
    kind: Literal["trees", "supply", "stalks", "pool"]


class BoardStack(Struct, frozen=True, forbid_unknown_fields=True):
    """A stack that a game builds on a board, as it is seen: nested pieces are left out."""

    sizes: Annotated[tuple[PyramidSize, ...], Meta(min_length=1, max_length=16)]
    """From the lowest piece up."""
    colors: Annotated[tuple[str, ...], Meta(min_length=1)]
    """All that is seen of it has one of these."""


class PyramidBoard(Struct, frozen=True, tag="pyramid-board", forbid_unknown_fields=True):
    """A board of cells in rows and columns for pyramids and stacks: each cell holds its visible top.

    From above a stack hides what is under its top, so it has no other reading.
    """

    outline_mm: tuple[Point, Point, Point, Point]
    """Corners of the whole grid: where the first row begins and ends, where the last row ends and begins."""
    rows: Annotated[tuple[tuple[Spot, ...], ...], Meta(min_length=1, max_length=32)]
    """Spots by row and column; "" where the grid has no cell. Rows are equally long."""
    tints: tuple[tuple[str, ...], ...] = ()
    """The colors printed on the cells: colors of pyramids by row and column; empty: none."""
    stacks: tuple[BoardStack, ...] | UnsetType = UNSET
    """The stacks that may stand in a cell; unset, as in plans of older journals: any stack."""
    spot: Spot = "board"


class DiceTray(Struct, frozen=True, tag="dice-tray", forbid_unknown_fields=True):
    """Dice that lie in `outline_mm`; the heap `spot` holds them. None: the whole mat is the tray."""

    spot: Spot = "dice"
    outline_mm: Annotated[tuple[Point, ...], Meta(min_length=3, max_length=64)] | None = None


class PawnBoard(Struct, frozen=True, tag="pawn-board", forbid_unknown_fields=True):
    """A Spectrum board (BRD-1 to BRD-3): spots are "red.1" (the rim) to "red.9" (the star), on all twelve paths.

    Fields that are None are found in the picture.
    """

    center_mm: Point | None = None
    radius_mm: _Length | None = None
    """Outer edge of space 1."""
    red_heading_deg: float | None = None
    """Direction from the center to the rim of the red path, counter-clockwise seen from above, 0 = +x."""


class CardZone(Struct, frozen=True, tag="card-zone", forbid_unknown_fields=True):
    """Cards of the Spectrum deck whose middles lie in `outline_mm`.

    "cards": each of them is a piece of the heap `spot`. "pile": they lie on each other, and the heap holds the top card
    alone. "place": the heap holds at most one card. "stock": the cards lie face down, and no picture shows their names
    or their number.
    """

    spot: Spot
    outline_mm: Annotated[tuple[Point, ...], Meta(min_length=3, max_length=64)]
    kind: Literal["cards", "pile", "place", "stock"]


Zone = TileBoard | TileHeap | PyramidZone | PyramidBoard | DiceTray | PawnBoard | CardZone


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """One table."""

    mat: Mat
    zones: tuple[Zone, ...] = ()
    corners_px: tuple[Point, Point, Point, Point] | None = None
    """Centers of markers 0 to 3 in the picture as a person clicked them; then no marker is looked for."""
    pyramid_colors: tuple[str, ...] | UnsetType = UNSET
    """Colors of the pyramids that the game has; unset, as in plans of older journals: it may have any."""


def check_plan(plan: Plan) -> None:
    """Checks that a table can have a plan.

    Raises:
        BadPlan: Too many zones, two of one name, impossible places, or corners that enclose no table.
    """
    spots = [zone.spot for zone in plan.zones if not isinstance(zone, TileBoard | PawnBoard)]
    if len(set(spots)) != len(spots):
        raise BadPlan("Two zones of the plan have the same name. Rename one.")
    numbers = _numbers(msgspec.to_builtins(plan.zones))
    if len(plan.zones) > ZONES_MOST or not all(abs(number) <= FARTHEST for number in numbers):
        raise BadPlan(f"A plan has at most {ZONES_MOST} zones, with outlines of plain numbers. Mend it and try again.")
    if plan.corners_px is not None and not go_round(plan.corners_px):
        raise BadPlan(CORNERS)


def go_round(corners_px: tuple[Point, ...]) -> bool:
    """True if four pixels can be the corners of a table in the order 0, 1, 2, 3, clockwise in the picture."""
    if not all(abs(number) <= FARTHEST for corner in corners_px for number in corner):
        return False
    turns = []
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = corners_px[i], corners_px[(i + 1) % 4], corners_px[(i + 2) % 4]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return all(turn > SMALLEST_PX for turn in turns)


def load_plan(path: Path) -> Plan:
    """Read a plan file.

    Raises:
        BadPlan: It is not there, not JSON, or holds something that a plan does not have.
    """
    advice = "Mend it, give the path of another plan file, or leave --plan out."
    plan = read_json(path, Plan, BadPlan, called="The plan", no="is not a table plan", advice=advice)
    try:
        check_plan(plan)
    except BadPlan as error:
        raise BadPlan(f"The plan {path} cannot be used. {error}") from error
    return plan


def _numbers(plain: Any) -> Iterator[float]:
    """Every number of plain data."""
    if isinstance(plain, int | float):
        yield plain
    elif isinstance(plain, dict):
        for value in plain.values():
            yield from _numbers(value)
    elif isinstance(plain, list | tuple):
        for value in plain:
            yield from _numbers(value)
