"""A roll's faces count only if every die is known."""

from __future__ import annotations

import pytest

from companion.core.pieces import Die
from hardware.tower import Outcome, RollEnded, TowerDie

RED = TowerDie(Die("spectrum-d6", "red"), 0.9)
UNKNOWN = TowerDie(None, 0.0)


@pytest.mark.parametrize(
    ("outcome", "dice", "known"),
    [
        ("settled", (RED, RED), 2),
        ("moved", (RED,), 1),
        ("cocked", (RED, UNKNOWN), None),
        ("moved", (UNKNOWN,), None),
        ("settled", (), None),
        ("timeout", (RED, RED), None),
    ],
)
def test_faces(outcome: Outcome, dice: tuple[TowerDie, ...], known: int | None) -> None:
    faces = RollEnded(1, outcome, dice).faces
    assert (len(faces) if faces is not None else None) == known
