"""The manifest of Regenbogen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.manifest import Manifest
from companion.core.pieces import PyramidSize
from companion.core.plan import BoardStack, Mat, Plan, Point, PyramidBoard
from companion.core.recording import RecordedMat, Recording, read_setup
from companion.games.regenbogen.board import CELL, COLOR, NAMES
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.kinds import translucent
from companion.games.shared.forms.own_manifest import own_manifest

# The places of Regenbogen: the 44 cells in the middle of the mat, White at the bottom.
#
# The markers' centers span 440 x 552 mm, cells measure 56 mm: a large of 25 mm leaves room between stacks that a camera
# looks down on. Stores lie beside the mat; their contents follow from the board (RGB-19).

MAT = Mat(440.0, 552.0, 40.0)
"""The mat that `companion mat regenbogen` prints."""
CELL_MM = 56.0

_Corners = tuple[Point, Point, Point, Point]

_SPOTS = tuple(
    tuple(f"{file}{rank}" if f"{file}{rank}" in CELL else "" for file in DATA.board.files)
    for rank in range(DATA.board.ranks, 0, -1)
)
"""The names of the cells by row, from White's view, the far row first."""
_TINTS = tuple(tuple(translucent(COLOR[CELL[spot]]) if spot else "" for spot in row) for row in _SPOTS)

_SMALL: tuple[PyramidSize, ...] = ("small",)
_MEDIUM: tuple[PyramidSize, ...] = ("medium",)
_LARGE: tuple[PyramidSize, ...] = ("large",)
_TRANSLUCENT = tuple(translucent(name) for name in range(len(NAMES)))
_STACKS = (
    *(BoardStack(_LARGE + _SMALL * health, _TRANSLUCENT) for health in range(DATA.health.wizard + 1)),
    *(BoardStack(_MEDIUM + _SMALL * health, _TRANSLUCENT) for health in range(DATA.health.spirit + 1)),
    *(
        BoardStack(_LARGE + _MEDIUM * spells + _SMALL * health, SIDES)
        for spells in range(DATA.cleric.spells_max + 1)
        for health in range(DATA.health.cleric + 1)
    ),
)
"""The visible stacks of a Wizard, a Spirit and a Cleric with its owner's spells; the owner's opaque piece is nested
inside (RGB-3).
"""


def board(corners_mm: _Corners) -> PyramidBoard:
    """Returns the board with corners at the centers of a8, f8, f1 and a1, in table millimeters."""
    return PyramidBoard(corners_mm, _SPOTS, _TINTS, _STACKS)


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat; two players share one board."""
    width, height = CELL_MM * len(DATA.board.files), CELL_MM * DATA.board.ranks
    left, top = (MAT.width_mm - width) / 2, (MAT.height_mm - height) / 2
    right, foot = left + width, top + height
    return Plan(MAT, (board(((left, top), (right, top), (right, foot), (left, foot))),))


class _Player(Struct):
    """One player of a recording's setup; other fields are ignored."""

    name: str | None = None


class _Setup(Struct):
    board: _Corners
    """The corners of the grid in table millimeters, at a8, f8, f1 and a1."""
    players: Annotated[list[_Player], Meta(min_length=len(SIDES), max_length=len(SIDES))] = msgspec.field(
        default_factory=lambda: [_Player(), _Player()]
    )
    options: Mapping[str, Any] = {}
    position: Mapping[str, Any] | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: at the position that the setup gives, else at the start; a picture
    hides health.

    Raises:
        BadPlan: The setup does not say where the board lies, or contradicts itself.
    """
    known = read_setup(setup, _Setup, "Regenbogen")
    return Recording(
        names=tuple(player.name or side.capitalize() for player, side in zip(known.players, SIDES, strict=True)),
        options=known.options,
        position=known.position,
        plan=Plan(mat.mat(), (board(known.board),), mat.clicked_px()),
        draws="told",
    )


MANIFEST = own_manifest(
    Manifest(
        game=REGENBOGEN,
        length="long",
        about="Two sides of Wizards meet on a board of colors. Bring down the right ones of the other side.",
        position=40,
        plan=plan,
        recorded=recorded,
        read_surely=False,
    )
)
