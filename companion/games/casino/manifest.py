"""The manifest of Casino and its mat, one board for all open cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.manifest import Manifest
from companion.core.plan import CardZone, Plan
from companion.core.recording import RecordedMat, Recording, read_setup
from companion.games.casino.game import CASINO
from companion.games.casino.situation import BOARD_SPOT, Options
from companion.games.shared.cards.mat import MAT, Box, box_zone, checked_dealer, moved
from companion.games.shared.forms.own_manifest import CARDS, own_manifest


def _zones(wide_mm: float, high_mm: float) -> tuple[CardZone, ...]:
    """Returns the only zone, the whole mat. The deck, the board pile and won cards may lie on it, too, because they lie
    face down.
    """
    return (box_zone(BOARD_SPOT, (0.0, 0.0, wide_mm, high_mm), "cards"),)


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat."""
    return Plan(MAT, _zones(MAT.width_mm, MAT.height_mm))


class _Setup(Struct):
    players: Annotated[int, Meta(ge=2, le=4)]
    board: tuple[str, ...]
    dealer: Annotated[int, Meta(ge=0, le=3)] | None = None
    options: Options = Options()
    zones: Mapping[str, Box] | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: the board lies open, and all hands are unknown.

    Raises:
        BadPlan: The setup does not say how many play and what lies on the board, or names places that are none.
    """
    known = read_setup(setup, _Setup, "Casino")
    dealer = checked_dealer(known.dealer, known.players)
    zones = moved(_zones(mat.width_mm, mat.height_mm), known.zones)
    return Recording(
        names=tuple(f"Player {seat + 1}" for seat in range(known.players)),
        options=msgspec.to_builtins(known.options),
        position={"board": list(known.board), "hands": [None] * known.players, "dealer": dealer},
        plan=Plan(mat.mat(), zones, mat.clicked_px()),
        draws="unseen",
    )


MANIFEST = own_manifest(
    Manifest(
        game=CASINO,
        length="middle",
        about="Take cards from the table by value or by building, and collect the Chosen Color.",
        position=90,
        plan=plan,
        recorded=recorded,
        read_surely=False,
    ),
    CARDS,
)
