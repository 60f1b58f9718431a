"""The manifest of Spectrumo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from companion.core.manifest import Manifest
from companion.core.plan import Plan
from companion.core.recording import RecordedMat, Recording, read_setup
from companion.games.shared.cards.mat import MAT, Box, box_zone, card_box
from companion.games.shared.forms.own_manifest import CARDS, own_manifest
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.observation import DISCARD, STOCK

_MIDDLES = (252.0, 200.0), (348.0, 200.0)
"""The middles of the draw deck and the discard deck on the printed mat, in table millimeters."""


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat."""
    stock, discard = _MIDDLES
    return Plan(MAT, (box_zone(DISCARD, card_box(discard), "pile"), box_zone(STOCK, card_box(stock), "stock")))


class _Setup(Struct):
    players: Annotated[int, Meta(ge=2, le=8)]
    table_card: str
    discard: Box
    stock: Box


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: the table card lies open, and each hand has twelve unknown cards.

    Raises:
        BadPlan: The setup does not say who plays on what card, or where.
    """
    known = read_setup(setup, _Setup, "Spectrumo")
    zones = box_zone(DISCARD, known.discard, "pile"), box_zone(STOCK, known.stock, "stock")
    return Recording(
        names=tuple(f"Player {seat + 1}" for seat in range(known.players)),
        options={},
        position={"table": known.table_card},
        plan=Plan(mat.mat(), zones, mat.clicked_px()),
        draws="unseen",
    )


MANIFEST = own_manifest(
    Manifest(
        game=SPECTRUMO,
        length="long",
        about="Play a card of a neighboring color or the same number, and get rid of all your cards first.",
        position=100,
        plan=plan,
        recorded=recorded,
        read_surely=False,
    ),
    CARDS,
)
