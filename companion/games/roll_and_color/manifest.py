"""The manifest of Roll and Color."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from companion.core.manifest import Manifest
from companion.core.plan import DiceTray, Plan
from companion.core.recording import RecordedMat, Recording, Spoken, read_setup
from companion.games.roll_and_color.game import ROLL_AND_COLOR
from companion.games.shared import color_dice
from companion.games.shared.forms.own_manifest import own_manifest
from companion.games.spectrum.plan import Box, tray


def plan(seats: int) -> Plan:
    """Returns the plan of the printed tray; all players roll the same nine dice."""
    return color_dice.plan()


class _Player(Struct):
    name: str | None = None


class _Setup(Struct):
    players: Annotated[list[_Player], Meta(min_length=1, max_length=6)]
    dice: Box | None = None
    """The box in which dice are rolled; None for anywhere between the markers."""
    options: Mapping[str, Any] = {}
    position: Mapping[str, Any] | None = None
    said: tuple[Spoken, ...] = ()


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: at the position that the setup gives, else at the start.

    Entries leave no trace in the tray, so the setup says when each was entered.

    Raises:
        BadPlan: The setup names no players, or contradicts itself.
    """
    known = read_setup(setup, _Setup, "Roll & Color")
    zone = DiceTray() if known.dice is None else tray(known.dice)
    return Recording(
        names=tuple(player.name or f"Player {seat + 1}" for seat, player in enumerate(known.players)),
        options=known.options,
        position=known.position,
        plan=Plan(mat.mat(), (zone,), mat.clicked_px()),
        draws="told",
        said=known.said,
    )


MANIFEST = own_manifest(
    Manifest(
        game=ROLL_AND_COLOR,
        length="middle",
        about="Roll nine color dice, re-roll, and fill the best of 24 rows each round.",
        position=80,
        plan=plan,
        recorded=recorded,
    )
)
