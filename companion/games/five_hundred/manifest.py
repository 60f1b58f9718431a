"""The manifest of 500 and its mat: stock and discards in the middle, a row of melds before each seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.manifest import Manifest
from companion.core.plan import CardZone, Mat, Plan
from companion.core.recording import RecordedMat, Recording, read_setup
from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.five_hundred.moves import MOST_PLAYERS
from companion.games.five_hundred.situation import Options
from companion.games.five_hundred.violations import DISCARDS_SPOT, melds_spot
from companion.games.shared.cards.mat import Box, box_zone, checked_dealer, moved, places_around
from companion.games.shared.forms.own_manifest import CARDS, own_manifest

_MAT = Mat(1000.0, 700.0, 40.0)
_DISCARDS: Box = (310.0, 290.0, 800.0, 410.0)
_STOCK: Box = (210.0, 290.0, 300.0, 410.0)


def _zones(seats: int) -> tuple[CardZone, ...]:
    before = places_around(_MAT, seats)
    melds = tuple(box_zone(melds_spot(seat), box, "cards") for seat, box in enumerate(before))
    return *melds, box_zone(DISCARDS_SPOT, _DISCARDS, "cards"), box_zone("stock", _STOCK, "stock")


def plan(seats: int) -> Plan:
    """Returns the plan of the printed mat."""
    return Plan(_MAT, _zones(seats))


class _Setup(Struct):
    players: Annotated[int, Meta(ge=2, le=MOST_PLAYERS)]
    discard: str
    dealer: Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)] | None = None
    options: Options = Options()
    zones: Mapping[str, Box] | None = None


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: all hands are dealt and unknown, and the first discard lies open.

    Raises:
        BadPlan: The setup does not say how many play and which discard lies open, or names places that are none.
    """
    known = read_setup(setup, _Setup, "500")
    dealer = checked_dealer(known.dealer, known.players)
    return Recording(
        names=tuple(f"Player {seat + 1}" for seat in range(known.players)),
        options=msgspec.to_builtins(known.options),
        position={"dealer": dealer, "hands": [None] * known.players, "discards": [known.discard]},
        plan=Plan(mat.mat(), moved(_zones(known.players), known.zones), mat.clicked_px()),
        draws="unseen",
    )


MANIFEST = own_manifest(
    Manifest(
        game=FIVE_HUNDRED,
        length="middle",
        about="Draw, lay down melds, go out. The first to 500 points wins.",
        position=130,
        plan=plan,
        recorded=recorded,
        read_surely=False,
    ),
    CARDS,
)
