"""Draws the demo of Spectrum: four colors are already captured, so three dice are rolled and players choose usages."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from msgspec import to_builtins

from companion.core.contract import Rolled
from companion.core.layout import Layout
from companion.core.pieces import Pawn
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.options import Options
from companion.games.spectrum.plan import DICE_MM, MAT
from companion.games.spectrum.state import SpectrumState
from simulation.drawn.board_scene import BoardScene
from simulation.drawn.camera import camera_over
from simulation.drawn.dice import LyingDie
from simulation.drawn.hand import Hand
from simulation.drawn.lamp import Lamp
from simulation.drawn.pawns import StandingPawn
from simulation.drawn.sensor import Sensor
from simulation.drawn.things import Thing
from vision.image.picture import Picture
from vision.readers.pawns.wheel import SPACES, STRAY_MM, THICK_MM, Wheel

NAMES = ("Ada", "Ben")
OPTIONS = Options(colors="red,blue")
WRONG = "not: "
WHEEL_MM = Wheel(281.0, 279.0, 240.0, 92.0)
"""The place of a bought board that was laid down by hand."""
START = (
    ("blue.9", "green-blue.9", "red.3", "green.4", "yellow.8", "blue.6"),
    ("orange.9", "yellow-green.9", "blue.4", "green.5", "orange.2", "red-orange.2", "purple.3"),
)
"""The spaces of each player's pawns in the first picture."""

GAME = (
    ("rolled d6 red yellow blue",),
    ("player 1 uses red + yellow", "player 1 moves red.3 to red.4"),
    ("player 1 moves red stock to yellow.1",),
    ("rolled d6 red blue blue",),
    (
        "player 2 uses blue + blue",
        "player 2 moves blue.4 to blue.6",
        "player 2 puts red on purple.1",
        "player 2 moves orange.2 to orange-yellow.3",
    ),
    ("rolled d6 orange green purple",),
    ("player 1 uses green + purple", "player 1 moves green.4 to green.6"),
    ("rolled d6 red orange purple",),
    ("not: player 2 moves purple.3 to purple.6",),
    ("player 2 uses red + orange", "player 2 moves red-orange.2 to red-orange.3"),
    ("player 2 moves red-orange.3 to orange.3",),
    ("rolled d6 yellow yellow orange",),
    ("player 1 uses orange + yellow", "player 1 moves yellow.8 to yellow.9"),
    ("player 1 moves yellow.1 to yellow.2",),
)
"""The events before each picture since the one before: a half turn that two usages explain, a capture in the middle of
a double, a jump, a move that breaks BRD-17 and is put back, and a star.
"""

_NUMBER = {space.spot: number for number, space in enumerate(SPACES)}


class Moment(NamedTuple):
    """One picture of the demo."""

    dice: tuple[LyingDie, ...]
    pawns: tuple[StandingPawn, ...]
    hand: Hand | None
    layout: Layout
    """The part of the position that a camera can see."""


class _Table:
    """The pawns and dice on the table."""

    def __init__(self) -> None:
        self._rng = Random(5)
        self._middles = WHEEL_MM.to_table(WHEEL_MM.middles())
        self.pawns: dict[str, StandingPawn] = {}
        self.dice: tuple[LyingDie, ...] = ()

    def place_mm(self, spot: str) -> tuple[float, float]:
        """Returns the middle of a space."""
        x, y = self._middles[_NUMBER[spot]]
        return float(x), float(y)

    def show(self, state: SpectrumState) -> tuple[float, float]:
        """Puts the pawns where a position has them; returns the place of the last change."""
        last = (MAT.width_mm / 2, MAT.height_mm / 2)
        seen = {spot: one.piece for spot, one in state.layout().cells.items() if isinstance(one.piece, Pawn)}
        for spot, pawn in list(self.pawns.items()):
            if spot not in seen or seen[spot] != Pawn(pawn.color):
                del self.pawns[spot]
                last = pawn.x_mm, pawn.y_mm
        for spot, piece in seen.items():
            if spot not in self.pawns:
                last = self.place_mm(spot)
                x, y = (at + self._rng.uniform(-0.6, 0.6) * STRAY_MM for at in last)
                self.pawns[spot] = StandingPawn(piece.color, x, y, THICK_MM)
        return last

    def roll(self, rolled: Rolled) -> tuple[float, float]:
        """Throws the dice; returns the place of the first one."""
        x0, y0, x1, y1 = DICE_MM
        found: list[LyingDie] = []
        for die in rolled.faces:
            while True:
                x, y = self._rng.uniform(x0 + 25, x1 - 25), self._rng.uniform(y0 + 25, y1 - 25)
                if all((x - one.x_mm) ** 2 + (y - one.y_mm) ** 2 > 45**2 for one in found):
                    break
            found.append(LyingDie(die, x, y, self._rng.uniform(0, 90)))
        self.dice = tuple(found)
        return found[0].x_mm, found[0].y_mm


def spectrum_moments() -> Iterator[Moment]:
    """Yields the moments of `GAME`, with a hand before every change."""
    table = _Table()
    state = SPECTRUM.from_record(2, OPTIONS, {"pawns": [list(spots) for spots in START], "turn": 0})
    table.show(state)

    def now(hand: Hand | None = None) -> Moment:
        layout = state.layout()
        return Moment(
            table.dice, tuple(table.pawns.values()), hand, Layout(layout.cells, {"dice": layout.heaps["dice"]})
        )

    yield now()
    for lines in GAME:
        kept, before, mover = state, now(), state.turn
        for line in lines:
            event = SPECTRUM.parse(state, line.removeprefix(WRONG))
            state = state.apply_unchecked(event) if line.startswith(WRONG) else state.apply(event)
        place = table.roll(event) if isinstance(event, Rolled) else table.show(state)
        yield before._replace(hand=_hand(mover, place))
        yield now()
        if lines[0].startswith(WRONG):
            yield now(_hand(mover, place))
            state = kept
            table.show(state)
            yield now()


def _hand(seat: int, place_mm: tuple[float, float]) -> Hand:
    """Returns the hand of a player over a place: Ada reaches in from below, Ben from above."""
    x, y = place_mm
    if seat == 0:
        return Hand((x + 8, y + 22), (x + 120, y + 700), (214, 160, 128), (60, 70, 120), 0.3)
    return Hand((x - 6, y - 24), (x - 80, y - 760), (140, 92, 66), (70, 100, 80), 0.3)


def spectrum_pictures() -> Iterator[Picture]:
    """Yields the pictures of the moments, as seen by a webcam beside a window."""
    camera = camera_over(MAT, 24, -8, 1.5, 980, (643.0, 356.0), (-0.04, 0.004, 1e-4, -1e-4), 0.99)
    lamp = Lamp((-500.0, 900.0, 1300.0), (0.38, 0.40, 0.41), (0.26, 0.26, 0.25), (280.0, 280.0), 0.16)
    mug = Thing("mug", -120.0, 60.0, 200.0, (0.30, 0.12, 0.06))
    scene = BoardScene(MAT, camera, lamp, Sensor(0.12, 0.5, 1.2, 0), "beige laminate", 4, wheel=WHEEL_MM, things=(mug,))
    for moment in spectrum_moments():
        yield scene.picture(moment.dice, moment.pawns, moment.hand)


def spectrum_setup() -> dict[str, Any]:
    """Returns the mat, the players, the tray and the options in the format of a recording; the first picture shows the
    position.
    """
    setup = {
        "players": [{"name": name} for name in NAMES],
        "dice": list(DICE_MM),
        "options": {"colors": OPTIONS.colors},
    }
    return {"mat": to_builtins(MAT), "setup": setup}
