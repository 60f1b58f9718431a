"""Where the Spectrum board lies: the wheel in the middle of the mat, red at the top, and dice to its right.

The markers' centers span 560 x 560 mm, so a bought board of 480 mm across, put on the mat anywhere and at any turn,
leaves all four in sight; the printed mat has the wheel on it. Dice are rolled beside it, where a wide picture has room.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadPlan
from companion.core.plan import CardZone, DiceTray, Mat, PawnBoard, Plan, Point
from companion.core.recording import RecordedMat, Recording, Spoken
from companion.games.shared.cards.mat import box_zone
from companion.games.spectrum.observation import CARDS, SPENT, WEIGHTS

MAT = Mat(560.0, 560.0, 40.0)
"""The mat that `companion mat spectrum` prints."""
BOARD = PawnBoard(center_mm=(280.0, 280.0), radius_mm=240.0, red_heading_deg=90.0)
"""The wheel on the mat."""
Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in table millimeters."""
DICE_MM: Box = (612.0, 150.0, 800.0, 410.0)


def tray(box_mm: Box, spot: str = "dice") -> DiceTray:
    """Returns a box in which dice are rolled."""
    x0, y0, x1, y1 = box_mm
    outline: tuple[Point, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return DiceTray(spot, outline)


def plan(seats: int) -> Plan:
    """Returns the plan of a table with the printed mat; one to six players share one board."""
    return Plan(MAT, (BOARD, tray(DICE_MM)))


def printed() -> Plan:
    """Returns the plan of the printed part; dice lie beside the paper."""
    return Plan(MAT, (BOARD,))


class _Player(Struct):
    """One player of a recording's setup; other fields are ignored."""

    name: str | None = None


class WheelSeen(Struct):
    """The place of the wheel in the form of picture labels; missing values are found in the picture."""

    cx: float | None = None
    cy: float | None = None
    radius: float | None = None
    red_heading: float | None = None

    def zone(self) -> PawnBoard:
        """Returns the board's zone."""
        center = None if self.cx is None or self.cy is None else (self.cx, self.cy)
        return PawnBoard(center, self.radius, self.red_heading)


class BoardSetup(Struct):
    """The setup of a recorded game on this board."""

    players: Annotated[list[_Player], Meta(min_length=1, max_length=6)]
    board: WheelSeen | None = None
    dice: Box | None = None
    """The box in which dice are rolled; None if it is out of the picture, so that players enter rolls."""
    cards: Box | None = None
    """The box in which drawn cards are laid open; None if it is out of the picture, so that players enter cards."""
    weights: Box | None = None
    """The box with the cards that give the colors their weights."""
    portals: Box | None = None
    """The pile of the portal cards that were activated."""
    options: Mapping[str, Any] = {}
    position: Mapping[str, Any] | None = None
    from_start: bool = False
    """True if the recording begins before a shotgun start, or before the weights are laid out."""
    said: tuple[Spoken, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players by seat."""
        return tuple(player.name or f"Player {seat + 1}" for seat, player in enumerate(self.players))

    def zones(self) -> tuple[PawnBoard | DiceTray | CardZone, ...]:
        """Returns the board and, if they are in the picture, the dice tray and the places of cards."""
        board = (self.board or WheelSeen()).zone()
        dice = () if self.dice is None else (tray(self.dice),)
        rows = ((CARDS, self.cards), (WEIGHTS, self.weights))
        cards = [box_zone(spot, box, "cards") for spot, box in rows if box is not None]
        spent = () if self.portals is None else (box_zone(SPENT, self.portals, "pile"),)
        return (board, *dice, *cards, *spent)


def recorded(mat: RecordedMat, setup: Mapping[str, Any]) -> Recording:
    """Returns the beginning of a recorded game: at the position that the setup gives, else as its first picture shows.

    Raises:
        BadPlan: The setup does not say who plays, or contradicts itself.
    """
    try:
        known = msgspec.convert(setup, BoardSetup)
        found = Plan(mat.mat(), known.zones(), mat.clicked_px())
        checked = msgspec.convert(msgspec.to_builtins(found), Plan)
    except msgspec.ValidationError as error:
        raise BadPlan(f"The setup is not one of Spectrum: {error}. See docs/records.md.") from error
    return Recording(
        names=known.names,
        options=known.options,
        position=known.position,
        plan=checked,
        draws="told",
        begun=known.position is None and not known.from_start,
        said=known.said,
    )
