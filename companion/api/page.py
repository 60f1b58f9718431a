"""Everything that the page of a game in another package needs, to draw its board and to give advice beside it."""

from __future__ import annotations

from web.boards.parts.cell_presenter import CellPresenter
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, Presenter, ShownHand
from web.scene.marks import Marks
from web.scene.shape import BoardFrame, Shape, group, label, polygon, shape
from web.telling.parts.adviser import Adviser

__all__ = [
    "Adviser",
    "Aim",
    "BoardFrame",
    "CellPresenter",
    "Marks",
    "NoSuchPiece",
    "NoSuchSpot",
    "Presenter",
    "Shape",
    "ShownHand",
    "group",
    "label",
    "polygon",
    "shape",
]
