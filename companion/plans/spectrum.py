"""Where the Spectrum board lies: the wheel in the middle of the mat, red at the top.

The markers' centers span 560 x 560 mm, so a bought board of 480 mm across, put on the mat anywhere and at any turn,
leaves all four in sight; the printed mat has the wheel on it.
"""

from __future__ import annotations

from companion.plan import Mat, PawnBoard, Plan

MAT = Mat(560.0, 560.0, 40.0)
"""The mat that `companion mat spectrum` prints."""

BOARD = PawnBoard(center_mm=(280.0, 280.0), radius_mm=240.0, red_heading_deg=90.0)
"""The wheel on it."""


def plan(seats: int) -> Plan:
    """The plan of the printed mat; two to six players share one board."""
    return Plan(MAT, (BOARD,))
