"""Draws boards with their labels as training data: `python -m simulation.drawn.boards FOLDER --count 240`.

Tables, lamps and webcams vary, and inks, paint and gloss vary beyond any bought set: `vision.readers.pawns.training`
learns from these pictures and from the few labeled photographs. The same seed draws the same picture.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import click
import cv2
import numpy as np
from msgspec.structs import replace

from companion.core.foundation.errors import SeeError
from companion.core.pieces import PRIMARIES
from companion.games.spectrum.plan import MAT
from simulation.drawn.board_scene import BoardScene
from simulation.drawn.camera import random_camera
from simulation.drawn.facets import Gloss
from simulation.drawn.lamp import Lamp, random_lamp
from simulation.drawn.pawns import COLORS, StandingPawn
from simulation.drawn.sensor import Sensor
from simulation.drawn.tabletop import SURFACES
from simulation.drawn.things import random_thing
from simulation.drawn.wheel import BOUGHT, PATHS, Color, Print
from vision.image.picture import Picture
from vision.readers.pawns.wheel import RADIUS_MM, SPACES, STRAY_MM, THICK_MM, Wheel
from vision.registration.registered_image import find_table

_INK, _PAINT = 0.13, 0.16
"""The standard deviations of the log brightness of inks and of paint around the usual values."""
_HUE = 0.7
"""The deviation of each channel by itself, as a share of the common deviation."""
_OWN = 0.3
"""The share of pawns that stand on a path of their own color or beside it, where they are hardest to see."""
_PAWNS = (8, 36)
_GAMMA = 2.2


class DrawnBoard(NamedTuple):
    """A board that can be drawn with and without its pawns."""

    scene: BoardScene
    pawns: list[StandingPawn]
    label: dict[str, Any]
    """The label, with an empty list of visible markers."""


def labeled_board(seed: int) -> tuple[Picture, dict[str, Any]]:
    """Returns one picture and its label, in the format of labeled photographs."""
    scene, pawns, label = drawn_board(seed)
    picture = scene.picture((), pawns)
    label["mat"]["visible_ids"] = [0, 1, 2, 3] if _found(picture) else []
    return picture, label


def drawn_board(seed: int) -> DrawnBoard:
    """Returns a random board, table, lamp and camera."""
    rng = Random(seed)
    camera = random_camera(rng, MAT, rng.choice((rng.uniform(0, 15), rng.uniform(15, 48))))
    lamp = _tinted(random_lamp(rng, (MAT.width_mm / 2, MAT.height_mm / 2)), rng)
    sensor = Sensor(rng.uniform(0.05, 0.3), rng.uniform(0.4, 1.0), rng.uniform(0.8, 5.0), rng.randrange(70, 96))
    wheel = Wheel(
        MAT.width_mm / 2 + rng.gauss(0, 3), MAT.height_mm / 2 + rng.gauss(0, 3), RADIUS_MM, rng.uniform(-180, 180)
    )
    table = rng.choice(tuple(SURFACES))
    things = [random_thing(rng, MAT) for _ in range(rng.choice((0, 0, 1)))]
    scene = BoardScene(MAT, camera, lamp, sensor, table, seed, wheel=wheel, things=things, look=_print(rng))
    pawns, told = _pawns(rng, wheel)
    corners = camera.project(np.array([(x, y, 0.0) for x, y in MAT.corners_mm()]))
    label = {
        "image": f"board-{seed:04d}.jpg",
        "domain": "spectrum",
        "mat": {
            "width_mm": MAT.width_mm,
            "height_mm": MAT.height_mm,
            "marker_mm": MAT.marker_mm,
            "visible_ids": [],
            "corners_px": [[round(float(x), 2), round(float(y), 2)] for x, y in corners],
        },
        "light": "drawn",
        "table": "drawn",
        "truth": {"pawns": told},
    }
    return DrawnBoard(scene, pawns, label)


def _found(picture: Picture) -> bool:
    """True if all markers are found; if not, the label's corners stand for corners that a person clicked."""
    try:
        find_table(picture, MAT)
    except SeeError:
        return False
    return True


def _tinted(lamp: Lamp, rng: Random) -> Lamp:
    """Returns the lamp with warmer or cooler light."""
    warm = rng.uniform(-0.15, 0.15)

    def tint(light: Color) -> Color:
        return light[0] * (1 - warm), light[1], light[2] * (1 + warm)

    return replace(lamp, color=tint(lamp.color), around=tint(lamp.around))


def _print(rng: Random) -> Print:
    """Returns a print with inks near the usual ones, on a gray card with a slight tint, half of the time with a hub of
    any color.
    """
    card = rng.uniform(0.03, 0.8)
    hub = (rng.uniform(0.1, 0.85), rng.uniform(0.1, 0.85), rng.uniform(0.1, 0.85))
    return Print(
        tuple(_other(ink, rng, _INK) for ink in PATHS.values()),
        (card, card * rng.uniform(0.85, 1.1), card * rng.uniform(0.9, 1.15)),
        hub if rng.random() < 0.5 else BOUGHT.hub,
    )


def _other(color: Color, rng: Random, much: float) -> Color:
    """Returns a color (sRGB) near another one."""
    common = rng.gauss(0, much)
    red, green, blue = (
        min(
            255.0,
            max(3.0, 255 * ((value / 255) ** _GAMMA * math.exp(common + rng.gauss(0, much * _HUE))) ** (1 / _GAMMA)),
        )
        for value in color
    )
    return red, green, blue


def _pawns(rng: Random, wheel: Wheel) -> tuple[list[StandingPawn], list[dict[str, Any]]]:
    """Returns pawns of one set on random spaces, and their labels."""
    paints = {color: _other(paint, rng, _PAINT) for color, paint in COLORS.items()}
    soft = rng.random()
    gloss = Gloss(rng.uniform(0, 1.2) * (1 - 0.7 * soft), rng.uniform(6, 20) + 80 * (1 - soft) ** 2)
    middles = wheel.to_table(wheel.middles())
    pawns, told = [], []
    for number in rng.sample(range(len(SPACES)), rng.randrange(*_PAWNS)):
        space = SPACES[number]
        color = PRIMARIES[space.path // 2] if rng.random() < _OWN else rng.choice(PRIMARIES)
        angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(0, STRAY_MM)
        x, y = middles[number] + (away * math.cos(angle), away * math.sin(angle))
        pawns.append(StandingPawn(color, float(x), float(y), THICK_MM, paints[color], gloss))
        told.append({"color": color, "path": space.color, "space": space.ring})
    return pawns, told


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--count", type=click.IntRange(1), default=240, show_default=True, help="The number of pictures.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The seed of the first picture; the next ones count up."
)
def main(folder: Path, count: int, seed: int) -> None:
    """Write drawn boards and their labels into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + count):
        picture, label = labeled_board(number)
        cv2.imwrite(str(folder / label["image"]), picture)
        (folder / label["image"]).with_suffix(".json").write_text(json.dumps(label))


if __name__ == "__main__":
    main()
