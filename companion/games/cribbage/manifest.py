"""The manifest of Cribbage and its mat: a row before each seat, with the starter and the crib in the middle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from companion.core.manifest import Manifest
from companion.core.plan import CardZone, Mat, Plan
from companion.core.recording import RecordedMat, Recording, read_setup
from companion.games.cribbage.game import CRIBBAGE
from companion.games.cribbage.situation import Options
from companion.games.cribbage.violations import CRIB_SPOT, STARTER_SPOT, played_spot
from companion.games.shared.cards.mat import Box, Side, box_zone, card_box, checked_dealer, moved, sides_of
from companion.games.shared.forms.own_manifest import CARDS, own_manifest

_MAT = Mat(800.0, 600.0, 40.0)
_ROWS: Mapping[Side, Box] = {
    "bottom": (200.0, 440.0, 600.0, 590.0),
    "left": (10.0, 130.0, 180.0, 470.0),
    "top": (200.0, 10.0, 600.0, 160.0),
    "right": (620.0, 130.0, 790.0, 470.0),
}
"""Side of the mat to the box, in table millimeters, for the cards of the player who sits there."""
_CRIB: Box = (300.0, 240.0, 600.0, 360.0)


def _zones(seats: int) -> tuple[CardZone, ...]:
    rows = [box_zone(played_spot(seat), _ROWS[side], "cards") for seat, side in enumerate(sides_of(seats))]
    starter = box_zone(STARTER_SPOT, card_box((245.0, 300.0)), "place")
    return *rows, starter, box_zone(CRIB_SPOT, _CRIB, "cards")


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat."""
    return Plan(_MAT, _zones(seats))


class _Setup(Struct):
    players: Literal[2, 4]
    dealer: Annotated[int, Meta(ge=0, le=3)]
    scores: tuple[int, ...] = ()
    options: Options = Options()
    zones: Mapping[str, Box] | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: cards are dealt and laid away, and the starter is turned up next.

    Raises:
        BadPlan: The setup does not say how many play and who deals, or names places that are none.
    """
    known = read_setup(setup, _Setup, "Cribbage")
    seats = known.players
    unseen = [None] * seats
    position = {
        "dealer": checked_dealer(known.dealer, seats),
        "hands": unseen,
        "laid": unseen,
        "scores": list(known.scores),
    }
    return Recording(
        names=tuple(f"Player {seat + 1}" for seat in range(seats)),
        options=msgspec.to_builtins(known.options),
        position=position,
        plan=Plan(mat.mat(), moved(_zones(seats), known.zones), mat.clicked_px()),
        draws="unseen",
    )


MANIFEST = own_manifest(
    Manifest(
        game=CRIBBAGE,
        length="short",
        about="Count fifteens, pairs and runs, and peg to 121 first.",
        position=120,
        plan=plan,
        recorded=recorded,
        read_surely=False,
    ),
    CARDS,
)
