"""The plan of a table: the mat, and the zones on it, in millimeters.

A plan says how large the mat is and which zone of it holds which pieces. It is data: editable on the page, printable,
and kept in the journal's header. Table space: millimeters, origin at the center of marker 0, x toward marker 1, y
toward marker 3. Angles and z (up) as in `vision.image.pose`.
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
"""x and y; the suffix of the variable's name gives the coordinate space."""

ZONES_MOST = 64
"""The largest number of zones of a plan."""
FARTHEST = 20_000.0
"""The largest coordinate: of a place on a table in millimeters, and of a corner in a picture in pixels."""
SMALLEST_PX = 400.0
"""A bound on twice the area, in square pixels, of each triangle of three neighboring corners; a smaller one is a
mistake."""
CORNERS = (
    "The four corners must go round the table in the order 0, 1, 2, 3, clockwise in the picture. "
    "Drag each one to the middle of its marker."
)
"""The message for corners in another order."""

_Length = Annotated[float, Meta(gt=0, le=5000)]


class Mat(Struct, frozen=True, forbid_unknown_fields=True):
    """The play area, whose corners are the centers of its four markers."""

    width_mm: _Length
    height_mm: _Length
    marker_mm: Annotated[float, Meta(gt=0, le=500)]
    """The side of a marker's black square, in millimeters."""
    dictionary: Literal["DICT_4X4_50"] = "DICT_4X4_50"

    def corners_mm(self) -> tuple[Point, Point, Point, Point]:
        """Returns the centers of markers 0, 1, 2 and 3, in table millimeters."""
        return (0.0, 0.0), (self.width_mm, 0.0), (self.width_mm, self.height_mm), (0.0, self.height_mm)


class TileBoard(Struct, frozen=True, tag="tile-board", forbid_unknown_fields=True):
    """A Spectrangle board. `corners_mm` are the apex and the left and right corner of its 300 mm triangle; None: the
    reader finds the board anywhere.
    """

    corners_mm: tuple[Point, Point, Point] | None = None
    cells: str = "c"
    """The prefix of the spots: cell 17 is "c17"."""


class TileHeap(Struct, frozen=True, tag="tile-heap", forbid_unknown_fields=True):
    """Loose tiles inside `outline_mm`, such as a hand beside the board."""

    spot: Spot
    outline_mm: Annotated[tuple[Point, ...], Meta(min_length=3, max_length=64)]


class PyramidZone(Struct, frozen=True, tag="pyramid-zone", forbid_unknown_fields=True):
    """Pyramids inside `outline_mm`.

    In zones of kind "trees", "supply" and "pool" every pyramid is a separate piece of the heap, whatever it stands on.
    In zones of kind "stalks" every stack is one piece of the heap (`companion.core.pieces.Stack`; a lone pyramid is a
    stack of one).
    """

    spot: Spot
    outline_mm: Annotated[tuple[Point, ...], Meta(min_length=3, max_length=64)]
    kind: Literal["trees", "supply", "stalks", "pool"]


class BoardStack(Struct, frozen=True, forbid_unknown_fields=True):
    """A stack that a game builds on a board, as a camera sees it, without nested pieces."""

    sizes: Annotated[tuple[PyramidSize, ...], Meta(min_length=1, max_length=16)]
    """The sizes, from the lowest piece up."""
    colors: Annotated[tuple[str, ...], Meta(min_length=1)]
    """The possible colors; all visible pieces of the stack have the same one of them."""


class PyramidBoard(Struct, frozen=True, tag="pyramid-board", forbid_unknown_fields=True):
    """A board of cells in rows and columns for pyramids and stacks; each cell holds the visible top of its stack.

    From above a stack hides the pieces under its top, so only the top can be read.
    """

    outline_mm: tuple[Point, Point, Point, Point]
    """The corners of the whole grid: the start and the end of the first row, then the end and the start of the last
    row."""
    rows: Annotated[tuple[tuple[Spot, ...], ...], Meta(min_length=1, max_length=32)]
    """The spots by row and column; "" where the grid has no cell. All rows have the same length."""
    tints: tuple[tuple[str, ...], ...] = ()
    """The printed colors of the cells (colors of pyramids), by row and column; empty: none."""
    stacks: tuple[BoardStack, ...] | UnsetType = UNSET
    """The stacks that may stand in a cell; unset, as in plans of older journals: any stack."""
    spot: Spot = "board"


class DiceTray(Struct, frozen=True, tag="dice-tray", forbid_unknown_fields=True):
    """Dice inside `outline_mm`, in the heap `spot`. None: the whole mat is the tray."""

    spot: Spot = "dice"
    outline_mm: Annotated[tuple[Point, ...], Meta(min_length=3, max_length=64)] | None = None


class PawnBoard(Struct, frozen=True, tag="pawn-board", forbid_unknown_fields=True):
    """A Spectrum board (BRD-1 to BRD-3). Its spots are "red.1" (the rim) to "red.9" (the star), on all twelve paths.

    Fields that are None are found in the picture.
    """

    center_mm: Point | None = None
    radius_mm: _Length | None = None
    """The outer edge of space 1."""
    red_heading_deg: float | None = None
    """The direction from the center to the rim of the red path, counter-clockwise seen from above; 0 is +x."""


class CardZone(Struct, frozen=True, tag="card-zone", forbid_unknown_fields=True):
    """Cards of the Spectrum deck whose centers are inside `outline_mm`.

    "cards": each card is a piece of the heap `spot`. "pile": the cards lie on each other, and the heap holds only the
    top card. "place": the heap holds at most one card. "stock": the cards lie face down, and no picture shows their
    names or their number.
    """

    spot: Spot
    outline_mm: Annotated[tuple[Point, ...], Meta(min_length=3, max_length=64)]
    kind: Literal["cards", "pile", "place", "stock"]


Zone = TileBoard | TileHeap | PyramidZone | PyramidBoard | DiceTray | PawnBoard | CardZone


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """The plan of one table."""

    mat: Mat
    zones: tuple[Zone, ...] = ()
    corners_px: tuple[Point, Point, Point, Point] | None = None
    """The centers of markers 0 to 3 in picture pixels, as a person clicked them; no marker is then looked for."""
    pyramid_colors: tuple[str, ...] | UnsetType = UNSET
    """The colors of the game's pyramids; unset, as in plans of older journals: any color."""


def check_plan(plan: Plan) -> None:
    """Checks that a plan is possible.

    Raises:
        BadPlan: It has too many zones, two zones of one name, impossible places, or corners that enclose no table.
    """
    spots = [zone.spot for zone in plan.zones if not isinstance(zone, TileBoard | PawnBoard)]
    if len(set(spots)) != len(spots):
        raise BadPlan("Two zones of the plan have the same name. Rename one.")
    numbers = _numbers(msgspec.to_builtins(plan.zones))
    if len(plan.zones) > ZONES_MOST or not all(abs(number) <= FARTHEST for number in numbers):
        raise BadPlan(f"A plan has at most {ZONES_MOST} zones, with outlines of plain numbers. Fix it and try again.")
    if plan.corners_px is not None and not go_round(plan.corners_px):
        raise BadPlan(CORNERS)


def go_round(corners_px: tuple[Point, ...]) -> bool:
    """True if four points in picture pixels can be the corners of a table in the order 0, 1, 2, 3, clockwise."""
    if not all(abs(number) <= FARTHEST for corner in corners_px for number in corner):
        return False
    turns = []
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = corners_px[i], corners_px[(i + 1) % 4], corners_px[(i + 2) % 4]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return all(turn > SMALLEST_PX for turn in turns)


def load_plan(path: Path) -> Plan:
    """Reads a plan file.

    Raises:
        BadPlan: The file is missing, not JSON, or not a possible plan.
    """
    advice = "Fix it, give the path of another plan file, or leave out --plan."
    plan = read_json(path, Plan, BadPlan, called="The plan", no="is not a table plan", advice=advice)
    try:
        check_plan(plan)
    except BadPlan as error:
        raise BadPlan(f"The plan {path} cannot be used. {error}") from error
    return plan


def _numbers(plain: Any) -> Iterator[float]:
    """Yields every number in plain data."""
    if isinstance(plain, int | float):
        yield plain
    elif isinstance(plain, dict):
        for value in plain.values():
            yield from _numbers(value)
    elif isinstance(plain, list | tuple):
        for value in plain:
            yield from _numbers(value)
