"""The manifest of Solitaire and its mat: foundations, twelve piles below them, stock and waste beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.manifest import Manifest
from companion.core.plan import CardZone, Mat, Plan
from companion.core.recording import RecordedMat, Recording, read_setup
from companion.games.shared.cards.mat import Box, box_zone, moved
from companion.games.shared.forms.own_manifest import CARDS, own_manifest
from companion.games.solitaire.game import SOLITAIRE
from companion.games.solitaire.situation import FOUNDATION_SPOTS, PILE_SPOTS, Options

STOCK, WASTE = "stock", "waste"
_MAT = Mat(1060.0, 640.0, 40.0)
_LEFT_MM, _TOP_MM = 35.0, 30.0
_COLUMN_MM, _ROW_MM = 74.0, 104.0
"""The distance between adjacent piles and the height of the foundations' row, in millimeters."""
_BESIDE: Mapping[str, Box] = {STOCK: (930.0, 134.0, 1010.0, 244.0), WASTE: (930.0, 264.0, 1045.0, 480.0)}


def _zones() -> tuple[CardZone, ...]:
    """Returns the zones of the printed mat."""
    found = []
    for column, (foundation, pile) in enumerate(zip(FOUNDATION_SPOTS, PILE_SPOTS, strict=True)):
        x0 = _LEFT_MM + column * _COLUMN_MM
        x1, below = x0 + _COLUMN_MM, _TOP_MM + _ROW_MM
        found.append(box_zone(foundation, (x0, _TOP_MM, x1, below), "pile"))
        found.append(box_zone(pile, (x0, below, x1, _MAT.height_mm - 30.0), "cards"))
    beside = (box_zone(WASTE, _BESIDE[WASTE], "cards"), box_zone(STOCK, _BESIDE[STOCK], "stock"))
    return *found, *beside


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat."""
    return Plan(_MAT, _zones())


class _Setup(Struct):
    options: Options = Options()
    position: Mapping[str, Any] | None = None
    zones: Mapping[str, Box] | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: with the deal that the first picture shows, or with a given position.

    Raises:
        BadPlan: The setup names options that there are not, or places that are none.
    """
    known = read_setup(setup, _Setup, "Solitaire")
    return Recording(
        names=("Player 1",),
        options=msgspec.to_builtins(known.options),
        position=known.position,
        plan=Plan(mat.mat(), moved(_zones(), known.zones), mat.clicked_px()),
        draws="told",
        begun=known.position is None,
    )


MANIFEST = own_manifest(
    Manifest(
        game=SOLITAIRE,
        length="short",
        about="Sort twelve piles into twelve colors, alone against the deck.",
        position=60,
        plan=plan,
        recorded=recorded,
        read_surely=False,
    ),
    CARDS,
)
