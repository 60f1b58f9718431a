"""The manifest of Ice Stalks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from companion.core.manifest import Manifest
from companion.core.plan import Mat, Plan, Point, PyramidZone
from companion.core.recording import RecordedMat, Recording, read_setup
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.growth import RAINBOW
from companion.games.shared.forms.own_manifest import own_manifest

# Stalks grow in the middle of the mat, and each player's taken stalks stand at the player's side.
#
# The markers' centers span 640 x 480 mm. The 21 piles of pieces to place stand beside the mat: their content
# follows from the placed pieces.

MAT = Mat(640.0, 480.0, 40.0)
"""The mat that `companion mat ice-stalks` prints."""

_Box = tuple[float, float, float, float]

_MIDDLE_MM: _Box = (110.0, 110.0, 530.0, 370.0)
_STRIPS_MM: dict[str, _Box] = {
    "bottom": (110.0, 386.0, 530.0, 472.0),
    "left": (8.0, 110.0, 94.0, 370.0),
    "top": (110.0, 8.0, 530.0, 94.0),
    "right": (546.0, 110.0, 632.0, 370.0),
}
"""Side to its strip x0, y0, x1, y1 in table millimeters. Two players may share a strip."""
_GAP_MM = 16.0
"""The gap in millimeters between two players at one side."""

_SIDES = {
    2: ("bottom", "top"),
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
    5: ("bottom", "left", "top 1", "top 2", "right"),
    6: ("bottom 1", "left", "top 1", "top 2", "right", "bottom 2"),
    7: ("bottom 1", "left 2", "left 1", "top 1", "top 2", "right", "bottom 2"),
    8: ("bottom 1", "left 2", "left 1", "top 1", "top 2", "right 1", "right 2", "bottom 2"),
}
"""Number of seats to each seat's side and half of it, counted from the left or the top.

Seats follow each other clockwise as seen from above; two players sit opposite each other.
"""


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat for 2 to 8 seats."""
    strips = [_zone(f"seat{seat}.stalks", _strip_mm(place)) for seat, place in enumerate(_SIDES[seats])]
    return Plan(MAT, (_zone("stalks", _MIDDLE_MM), *strips), pyramid_colors=RAINBOW)


def _strip_mm(place: str) -> _Box:
    """Returns the strip of a side, or half of it."""
    side, _, half = place.partition(" ")
    x0, y0, x1, y1 = _STRIPS_MM[side]
    if not half:
        return x0, y0, x1, y1
    if side in ("bottom", "top"):
        middle = (x0 + x1) / 2
        return (x0, y0, middle - _GAP_MM / 2, y1) if half == "1" else (middle + _GAP_MM / 2, y0, x1, y1)
    middle = (y0 + y1) / 2
    return (x0, y0, x1, middle - _GAP_MM / 2) if half == "1" else (x0, middle + _GAP_MM / 2, x1, y1)


def _zone(spot: str, box_mm: _Box) -> PyramidZone:
    x0, y0, x1, y1 = box_mm
    outline: tuple[Point, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return PyramidZone(spot, outline, "stalks")


class _Player(Struct):
    """One player of a recording's setup; other fields are ignored."""

    name: str | None = None
    taken: _Box | None = None
    """The box of the stalks that the player took; None if it is out of the picture."""


class _Setup(Struct):
    players: Annotated[list[_Player], Meta(min_length=2, max_length=8)]
    stalks: _Box
    """The box in which the stalks grow."""
    options: Mapping[str, Any] = {}
    position: Mapping[str, Any] | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: at the position that the setup gives, else as its first picture shows.

    Boxes are x0, y0, x1, y1 in table millimeters. More than four players need no option: they are at the table.

    Raises:
        BadPlan: The setup does not say where the stalks stand, or contradicts itself.
    """
    known = read_setup(setup, _Setup, "Ice Stalks")
    seats = len(known.players)
    zones = [
        _zone(f"seat{seat}.stalks", player.taken)
        for seat, player in enumerate(known.players)
        if player.taken is not None
    ]
    return Recording(
        names=tuple(player.name or f"Player {seat + 1}" for seat, player in enumerate(known.players)),
        options={**({"max_players": seats} if seats > 4 else {}), **known.options},
        position=known.position,
        plan=Plan(mat.mat(), (_zone("stalks", known.stalks), *zones), mat.clicked_px(), RAINBOW),
        draws="told",
        begun=known.position is None,
    )


MANIFEST = own_manifest(
    Manifest(
        game=ICE_STALKS,
        length="short",
        about="Stack pyramids into stalks of one color or of the rainbow, and do not block yourself.",
        position=30,
        plan=plan,
        recorded=recorded,
    )
)
