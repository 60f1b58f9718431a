"""Where each part of Poker is found, and its mat: the open cards in the middle, a place before each seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.manifest import Manifest
from companion.core.plan import CardZone, Mat, Plan
from companion.core.recording import RecordedMat, Recording, read_setup
from companion.games.poker.game import POKER
from companion.games.poker.moves import MOST_PLAYERS
from companion.games.poker.observation import SHARED_SPOT
from companion.games.poker.situation import Options
from companion.games.shared.cards.hands import hand_spot
from companion.games.shared.cards.mat import Box, box_zone, checked_dealer, moved, places_around
from companion.games.shared.forms.own_manifest import CARDS, own_manifest

_MAT = Mat(1000.0, 700.0, 40.0)
_SHARED: Box = (300.0, 290.0, 700.0, 410.0)


def _zones(seats: int) -> tuple[CardZone, ...]:
    hands = tuple(box_zone(hand_spot(seat), box, "cards") for seat, box in enumerate(places_around(_MAT, seats)))
    return *hands, box_zone(SHARED_SPOT, _SHARED, "cards")


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat."""
    return Plan(_MAT, _zones(seats))


class _Setup(Struct):
    players: Annotated[int, Meta(ge=2, le=MOST_PLAYERS)]
    dealer: Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)] | None = None
    options: Options = Options()
    zones: Mapping[str, Box] | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: all hands are dealt and unknown.

    Raises:
        BadPlan: The setup does not say how many play, or names places that are none.
    """
    known = read_setup(setup, _Setup, "Poker")
    dealer = checked_dealer(known.dealer, known.players)
    return Recording(
        names=tuple(f"Player {seat + 1}" for seat in range(known.players)),
        options=msgspec.to_builtins(known.options),
        position={"dealer": dealer},
        plan=Plan(mat.mat(), moved(_zones(known.players), known.zones), mat.clicked_px()),
        draws="unseen",
    )


MANIFEST = own_manifest(
    Manifest(
        game=POKER,
        length="short",
        about="The best five cards win, in twelve colors.",
        position=140,
        plan=plan,
        recorded=recorded,
        read_surely=False,
    ),
    CARDS,
)
