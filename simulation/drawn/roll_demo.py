"""Draws the demo of Roll & Color: two rounds of rolls and re-rolls in a tray, with one re-roll of too many dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from msgspec import to_builtins

from companion.core.layout import Detection, Layout
from companion.core.pieces import Die
from companion.games.roll_and_color.situation import KINDS
from companion.games.shared.color_dice import D6, D12, MAT
from simulation.drawn.board_scene import BoardScene
from simulation.drawn.camera import camera_over
from simulation.drawn.dice import LyingDie
from simulation.drawn.hand import Hand
from simulation.drawn.lamp import Lamp
from simulation.drawn.sensor import Sensor
from vision.image.picture import Picture

NAMES = ("Ada", "Ben")
ALL = (1, 2, 3, 4, 5, 6, 7, 8, 9)


class Throw(NamedTuple):
    """A player's throw: the numbers of the dice, and the colors that they show afterwards."""

    seat: int
    dice: tuple[int, ...]
    shows: str
    wrong: bool = False
    """True if this number of dice is illegal; the dice are then put back as they were."""
    leans: int = 0
    """The number of a die that first leans and is thrown once more; 0 if none does."""


class Word(NamedTuple):
    """A line that is entered on the page."""

    text: str


GAME: tuple[Throw | Word, ...] = (
    Throw(0, ALL, "red yellow blue green red-orange red red blue purple"),
    Throw(0, (2, 3, 4, 5), "red orange red green"),
    Throw(0, (3, 5, 8, 9), "green yellow orange blue-purple", wrong=True),
    Throw(0, (3, 5, 8), "blue red yellow"),
    Word("player 1 enters 6 in red"),
    Throw(1, ALL, "green blue purple yellow blue green-blue blue-purple orange green"),
    Throw(1, (1, 4, 8, 9), "blue purple blue yellow", leans=8),
    Throw(1, (4, 6, 9), "green purple blue-purple"),
    Throw(1, (4, 6), "blue purple"),
    Throw(1, (3, 4, 6, 7, 9), "red purple green-blue green blue-purple"),
    Word("player 2 enters 4 in blue"),
)
"""The first re-roll takes exactly 4 dice, the second exactly 3, the third exactly 2, the fourth 5 or more (ROL-3)."""


class Moment(NamedTuple):
    """One picture of the demo, with the lines entered before it."""

    dice: tuple[LyingDie, ...]
    hand: Hand | None
    layout: Layout
    """The dice that lie flat."""
    said: tuple[str, ...] = ()


def roll_moments() -> Iterator[Moment]:
    """Yields the moments of `GAME`, with a hand before every change."""
    rng = Random(11)
    tray: dict[int, LyingDie] = {}
    said: list[str] = []

    def now(hand: Hand | None = None) -> Moment:
        words = tuple(said) if hand is None else ()
        if hand is None:
            said.clear()
        flat = tuple(Detection.sure(one.die) for one in tray.values() if not one.lean_deg)
        return Moment(tuple(tray.values()), hand, Layout(heaps={"dice": flat}), words)

    yield now()
    for step in GAME:
        if isinstance(step, Word):
            said.append(step.text)
            continue
        yield now(_hand(step.seat))
        before = dict(tray)
        _throw(rng, tray, step.dice, step.shows.split())
        if step.leans:
            flat = tray[step.leans]
            tray[step.leans] = LyingDie(flat.die, flat.x_mm, flat.y_mm, flat.yaw_deg, 30.0)
            yield now()
            yield now(_hand(step.seat))
            tray[step.leans] = flat
        yield now()
        if step.wrong:
            yield now(_hand(step.seat))
            for number in step.dice:
                lay, lies = before[number], tray[number]
                tray[number] = LyingDie(lay.die, lies.x_mm, lies.y_mm, lay.yaw_deg)
            yield now()
    yield now(_hand(0))
    yield now()


def _throw(rng: Random, tray: dict[int, LyingDie], numbers: Sequence[int], colors: Sequence[str]) -> None:
    """Throws dice so that they lie apart from each other and from the markers."""
    for number in numbers:
        tray.pop(number, None)
    for number, color in zip(numbers, colors, strict=True):
        while True:
            x, y = rng.uniform(22, MAT.width_mm - 22), rng.uniform(22, MAT.height_mm - 22)
            corners = ((x - mx) ** 2 + (y - my) ** 2 for mx, my in MAT.corners_mm())
            others = ((x - one.x_mm) ** 2 + (y - one.y_mm) ** 2 for one in tray.values())
            if min(corners) > 46**2 and min(others, default=1e9) > 31**2:
                break
        kind = KINDS[number - 1]
        tray[number] = LyingDie(Die(kind, color), x, y, rng.uniform(0, 90 if kind == D6 else 72))
    assert {one.die.kind for one in tray.values()} <= {D6, D12}


def _hand(seat: int) -> Hand:
    """Returns the hand of a player: Ada reaches in from below, Ben from above."""
    x, y = MAT.width_mm / 2, MAT.height_mm / 2
    if seat == 0:
        return Hand((x + 10, y + 5), (x + 90, y + 420), (214, 160, 128), (60, 70, 120), 0.4)
    return Hand((x - 10, y + 5), (x - 60, y - 420), (140, 92, 66), (70, 100, 80), 0.3)


def roll_pictures() -> Iterator[Picture]:
    """Yields the pictures of the moments, as seen by a webcam over the tray."""
    camera = camera_over(MAT, 26, 6, -1.0, 1000, (640.0, 362.0), (-0.03, 0.003, 1e-4, -1e-4), 0.97)
    lamp = Lamp((420.0, -500.0, 900.0), (0.40, 0.42, 0.42), (0.24, 0.24, 0.25), (120.0, 90.0), 0.12)
    scene = BoardScene(MAT, camera, lamp, Sensor(0.10, 0.6, 1.2, 0), "green cloth", 7)
    for moment in roll_moments():
        yield scene.picture(moment.dice, (), moment.hand)


def roll_setup() -> dict[str, Any]:
    """Returns the mat, the players and the entered lines in the format of a recording."""
    said = [{"before": n, "text": text} for n, moment in enumerate(roll_moments(), 1) for text in moment.said]
    return {"mat": to_builtins(MAT), "setup": {"players": [{"name": name} for name in NAMES], "said": said}}
