"""Where each part of Poker is found, and its mat: the open cards in the middle, a place before each seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadPlan
from companion.core.manifest import Manifest
from companion.core.plan import CardZone, Mat, Plan
from companion.core.recording import RecordedMat, Recording
from companion.games.poker.game import POKER
from companion.games.poker.moves import MOST_PLAYERS
from companion.games.poker.observation import SHARED_SPOT
from companion.games.poker.situation import Options
from companion.games.shared.cards.hands import hand_spot
from companion.games.shared.cards.mat import Box, Side, box_zone, moved, sides_of
from companion.games.shared.forms.own_manifest import CARDS, own_manifest

_MAT = Mat(1000.0, 700.0, 40.0)
_ROWS: Mapping[Side, Box] = {
    "bottom": (200.0, 530.0, 800.0, 690.0),
    "left": (10.0, 40.0, 180.0, 660.0),
    "top": (200.0, 10.0, 800.0, 170.0),
    "right": (820.0, 40.0, 990.0, 660.0),
}
"""Where hands are turned up that belong to that side; two players of a side share it."""
_SHARED: Box = (300.0, 290.0, 700.0, 410.0)


def _zones(seats: int) -> tuple[CardZone, ...]:
    sides = sides_of(seats)
    found = []
    for seat, side in enumerate(sides):
        x0, y0, x1, y1 = _ROWS[side]
        mates = [other for other, where in enumerate(sides) if where == side]
        order = mates[::-1] if side in ("bottom", "left") else mates  # clockwise
        place, share = order.index(seat), 1 / len(mates)
        wide, high = ((x1 - x0) * share, y1 - y0) if side in ("bottom", "top") else (x1 - x0, (y1 - y0) * share)
        left, top = (x0 + place * wide, y0) if side in ("bottom", "top") else (x0, y0 + place * high)
        found.append(box_zone(hand_spot(seat), (left, top, left + wide, top + high), "cards"))
    return *found, box_zone(SHARED_SPOT, _SHARED, "cards")


def plan(seats: int) -> Plan:
    """The plan of the printed mat."""
    return Plan(_MAT, _zones(seats))


class _Setup(Struct):
    players: Annotated[int, Meta(ge=2, le=MOST_PLAYERS)]
    dealer: Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)] | None = None
    options: Options = Options()
    zones: Mapping[str, Box] | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """How a recorded game begins: all hands are dealt, and nobody's is known.

    Raises:
        BadPlan: The setup does not say how many play, or names places that are none.
    """
    try:
        known = msgspec.convert(setup, _Setup)
    except msgspec.ValidationError as error:
        raise BadPlan(f"The setup is not one of Poker: {error}. See docs/records.md.") from error
    dealer = known.players - 1 if known.dealer is None else known.dealer
    if dealer >= known.players:
        raise BadPlan(f"The setup names dealer {dealer}; {known.players} players are 0 to {known.players - 1}.")
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
