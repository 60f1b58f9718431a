"""Where Ice Stalks stands: stalks grow in the middle, the stalks that a player took stand at the player's side.

The markers' centres span 640 x 480 mm. The 21 piles of pieces to place stand beside the mat: what is left in them
follows from what was placed.
"""

from __future__ import annotations

from companion.plan import Mat, Plan, Point, PyramidZone

MAT = Mat(640.0, 480.0, 40.0)
"""The mat that `companion mat ice-stalks` prints."""

_Box = tuple[float, float, float, float]

_MIDDLE_MM: _Box = (110.0, 110.0, 530.0, 370.0)
_STRIPS_MM: tuple[_Box, ...] = (
    (110.0, 386.0, 530.0, 472.0),
    (8.0, 110.0, 94.0, 370.0),
    (110.0, 8.0, 530.0, 94.0),
    (546.0, 110.0, 632.0, 370.0),
)
"""Each player's strip, x0, y0, x1, y1: seat 0 at the bottom, then clockwise as seen from above."""

_BY_SEATS = {2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}
"""Which strips are used: two players sit opposite each other."""


def plan(seats: int) -> Plan:
    """The plan of the printed mat for 2 to 4 seats."""
    strips = [
        PyramidZone(f"seat{seat}.stalks", _outline(_STRIPS_MM[place]), "stalks")
        for seat, place in enumerate(_BY_SEATS[seats])
    ]
    return Plan(MAT, (PyramidZone("stalks", _outline(_MIDDLE_MM), "stalks"), *strips))


def _outline(box_mm: _Box) -> tuple[Point, ...]:
    x0, y0, x1, y1 = box_mm
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)
