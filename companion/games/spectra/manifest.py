"""The manifest of Spectra."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadPlan
from companion.core.manifest import Manifest, SeatColors
from companion.core.plan import Mat, Plan, Point, PyramidZone
from companion.core.recording import RecordedMat, Recording
from companion.games.shared.forms.own_manifest import own_manifest
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.stash import COLORS

# Each player has a strip for the trees and, behind it, a larger one for the supply.
#
# Players sit along the two long sides. The markers' centers span 600 x 400 mm for up to four players and 840 x 400 mm
# for five or six, so that every supply has room for a dozen pieces that do not touch each other.

MARKER_MM = 40.0
HEIGHT_MM = 400.0
_WIDTH_MM = {1: 600.0, 2: 600.0, 3: 840.0}
"""Number of players along one side to the width of the mat in millimeters."""

_EDGE_MM = 40.0
"""The distance in millimeters from a marker's line to the outermost strip."""
_GAP_MM = 20.0
"""The gap in millimeters between two players on one side."""
_BOTTOM_MM = ((212.0, 282.0), (298.0, 390.0))
"""The upper and lower edges in millimeters of trees and supply of the players at the bottom; the top mirrors them."""

_SIDES = {
    2: ("bottom 0/1", "top 0/1"),
    3: ("bottom 0/1", "top 0/2", "top 1/2"),
    4: ("bottom 0/2", "top 0/2", "top 1/2", "bottom 1/2"),
    5: ("bottom 0/2", "top 0/3", "top 1/3", "top 2/3", "bottom 1/2"),
    6: ("bottom 0/3", "top 0/3", "top 1/3", "top 2/3", "bottom 2/3", "bottom 1/3"),
}
"""Number of seats to each seat's side and its place among the places of that side, counted from the left.

Seats follow each other clockwise as seen from above.
"""


def mat(seats: int) -> Mat:
    """Returns the mat that `companion mat spectra` prints for 2 to 6 players."""
    return Mat(_WIDTH_MM[(seats + 1) // 2], HEIGHT_MM, MARKER_MM)


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat for 2 to 6 seats."""
    ground = mat(seats)
    zones = []
    for seat, place in enumerate(_SIDES[seats]):
        side, _, share = place.partition(" ")
        column, count = (int(part) for part in share.split("/"))
        width_mm = (ground.width_mm - 2 * _EDGE_MM - (count - 1) * _GAP_MM) / count
        x0 = _EDGE_MM + column * (width_mm + _GAP_MM)
        for name, (y0, y1) in zip(("trees", "supply"), _BOTTOM_MM, strict=True):
            if side == "top":
                y0, y1 = HEIGHT_MM - y1, HEIGHT_MM - y0
            zones.append(_zone(seat, name, (x0, y0, x0 + width_mm, y1)))
    return Plan(ground, tuple(zones), pyramid_colors=COLORS)


def _zone(seat: int, kind: str, box_mm: tuple[float, float, float, float]) -> PyramidZone:
    x0, y0, x1, y1 = box_mm
    outline: tuple[Point, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return PyramidZone(f"seat{seat}.{kind}", outline, "trees" if kind == "trees" else "supply")


class _Player(Struct):
    """One player of a recording's setup; other fields are ignored."""

    color: str
    trees: tuple[float, float, float, float]
    stash: tuple[float, float, float, float]


class _Setup(Struct):
    players: Annotated[list[_Player], Meta(min_length=2, max_length=6)]


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: the position of its first picture, with colors and places from the
    setup.

    Boxes are x0, y0, x1, y1 in table millimeters.

    Raises:
        BadPlan: The setup lacks the places of the players' pieces, or contradicts itself.
    """
    try:
        players = msgspec.convert(setup, _Setup).players
    except msgspec.ValidationError as error:
        raise BadPlan(f"The setup is not one of Spectra: {error}.") from error
    zones = []
    for seat, player in enumerate(players):
        zones += [_zone(seat, "trees", player.trees), _zone(seat, "supply", player.stash)]
    return Recording(
        names=tuple(f"Player {seat + 1}" for seat in range(len(players))),
        options={"colors": ",".join(player.color for player in players)},
        position=None,
        plan=Plan(mat.mat(), tuple(zones), mat.clicked_px(), COLORS),
        draws="told",
        begun=True,
    )


MANIFEST = own_manifest(
    Manifest(
        game=SPECTRA,
        length="long",
        about="Trade pyramids on the color wheel, and be the first with three complete trees of your own color.",
        position=20,
        plan=plan,
        recorded=recorded,
        seat_colors=SeatColors(("red", "orange", "yellow", "green", "blue", "purple"), "trees", "SPA-2"),
    )
)
