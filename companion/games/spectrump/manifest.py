"""The manifest of Spectrump."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from companion.core.foundation.errors import BadPlan
from companion.core.manifest import Manifest
from companion.core.plan import Plan
from companion.core.recording import RecordedMat, Recording, read_setup
from companion.games.shared.cards.mat import MAT, Box, Side, sides_of, trick_places
from companion.games.shared.forms.own_manifest import CARDS, own_manifest
from companion.games.spectrump.game import SPECTRUMP

_TRICK: Box = (170.0, 80.0, 430.0, 320.0)
"""The trick's zone on the printed mat, in table millimeters."""


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat."""
    return Plan(MAT, trick_places(_TRICK, sides_of(seats)))


class _Bid(Struct):
    player: Annotated[int, Meta(ge=0, le=7)]
    color: str
    number: int


class _Setup(Struct):
    players: Annotated[int, Meta(ge=2, le=8)]
    bid: _Bid
    trick: Box
    seats: tuple[Side, ...] | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: the bid is made, the bidder leads, and all hands are unknown.

    Raises:
        BadPlan: The setup does not say who plays, who bid what, or where tricks lie.
    """
    known = read_setup(setup, _Setup, "Spectrump")
    sides = known.seats or sides_of(known.players)
    if len(sides) != known.players:
        raise BadPlan(f"The setup names {len(sides)} seats for {known.players} players. Name one for each.")
    bid = {"seat": known.bid.player, "color": known.bid.color, "number": known.bid.number}
    return Recording(
        names=tuple(f"Player {seat + 1}" for seat in range(known.players)),
        options={},
        position={"hands": [None] * known.players, "bid": bid},
        plan=Plan(mat.mat(), trick_places(known.trick, sides), mat.clicked_px()),
        draws="unseen",
    )


MANIFEST = own_manifest(
    Manifest(
        game=SPECTRUMP,
        length="long",
        about="Bid for trump, take tricks, and win the cards that count for you.",
        position=110,
        plan=plan,
        recorded=recorded,
        read_surely=False,
    ),
    CARDS,
)
