"""The manifest of Escape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.foundation.errors import BadPlan
from companion.core.layout import Spot
from companion.core.manifest import Manifest, SeatColors
from companion.core.plan import Plan
from companion.core.recording import RecordedMat, Recording
from companion.games.escape.game import ESCAPE
from companion.games.shared.forms.own_manifest import own_manifest
from companion.games.spectrum.plan import BOARD, DICE_MM, MAT, BoardSetup, Box, tray

# Spectrum Escape uses the board of Spectrum, with the common dice beside it and a personal die in each corner.
#
# Corners are free: the wheel is round and the mat is square. Seats follow each other clockwise as seen from above, and
# two players sit opposite each other.

_NEAR_MM, _FAR_MM = 32.0, 96.0
"""The distances in millimeters from a marker's center to the edges of the place for a die, along both sides of the
mat.
"""
_END_MM = MAT.width_mm
CORNERS_MM: tuple[Box, ...] = (
    (_NEAR_MM, _END_MM - _FAR_MM, _FAR_MM, _END_MM - _NEAR_MM),
    (_NEAR_MM, _NEAR_MM, _FAR_MM, _FAR_MM),
    (_END_MM - _FAR_MM, _NEAR_MM, _END_MM - _NEAR_MM, _FAR_MM),
    (_END_MM - _FAR_MM, _END_MM - _FAR_MM, _END_MM - _NEAR_MM, _END_MM - _NEAR_MM),
)
"""The corner boxes in table millimeters: bottom left, top left, top right, bottom right."""
_BY_SEATS = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""Number of players to each player's corner, as an index of `CORNERS_MM`."""


def die_spot(seat: int) -> Spot:
    """Returns the heap of a player's personal die."""
    return f"seat{seat}.die"


def plan(seats: int) -> Plan:
    """Returns the plan of a table with the printed mat, for 2 to 4 players."""
    own = [tray(CORNERS_MM[corner], die_spot(seat)) for seat, corner in enumerate(_BY_SEATS[seats])]
    return Plan(MAT, (BOARD, tray(DICE_MM), *own))


class _Setup(BoardSetup):
    """The setup of a board, with a place for each player's personal die."""

    own_dice: tuple[Box, ...] = ()


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: at the position that the setup gives, else at the start.

    Raises:
        BadPlan: The setup does not say who plays, or contradicts itself.
    """
    try:
        known = msgspec.convert(setup, _Setup)
        own = tuple(tray(box, die_spot(seat)) for seat, box in enumerate(known.own_dice))
        found = Plan(mat.mat(), (*known.zones(), *own), mat.clicked_px())
        checked = msgspec.convert(msgspec.to_builtins(found), Plan)
    except msgspec.ValidationError as error:
        raise BadPlan(f"The setup is not one of Spectrum Escape: {error}. See docs/records.md.") from error
    if known.own_dice and len(known.own_dice) != len(known.players):
        raise BadPlan(
            f"{len(known.players)} players have {len(known.own_dice)} places for personal dice. Give each one."
        )
    return Recording(
        names=known.names, options=known.options, position=known.position, plan=checked, draws="told", said=known.said
    )


MANIFEST = own_manifest(
    Manifest(
        game=ESCAPE,
        length="long",
        about="Roll color dice, follow the leaders outward, and get your pawns out first.",
        position=70,
        plan=plan,
        recorded=recorded,
        seat_colors=SeatColors(("red", "blue", "yellow", "green", "orange", "purple"), "pawns", "ESC-1"),
    )
)
