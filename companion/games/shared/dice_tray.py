"""The dice tray: one heap of dice between four small markers.

Its markers measure 25 mm and fit into the corners of a tray; the whole mat goes on one A3 sheet. Nothing is printed
where dice lie: a plain floor is read best.
"""

from __future__ import annotations

from companion.core.plan import DiceTray, Mat, Plan

MAT = Mat(240.0, 180.0, 25.0)
"""The mat that `companion mat dice-tray` prints."""


def plan() -> Plan:
    """The plan of the printed mat: wherever dice lie on it, they are the heap "dice"."""
    return Plan(MAT, (DiceTray(),))
