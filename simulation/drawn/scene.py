"""Draws pictures of pyramids on one table under one camera; the motionless parts are drawn once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple
from zlib import crc32

import numpy as np

from companion.core.plan import Mat, Point
from simulation.drawn.camera import Camera, random_camera
from simulation.drawn.canvas import Box, Canvas, Shade
from simulation.drawn.ground import ground
from simulation.drawn.hand import Hand, draw_hand
from simulation.drawn.lamp import Lamp, random_lamp
from simulation.drawn.plastic import LOOKS, Patch, patch
from simulation.drawn.sensor import Sensor, encoded, exposed, random_sensor, vignette
from simulation.drawn.standing import Stand, Upright
from simulation.drawn.tabletop import SURFACES
from simulation.drawn.things import Thing, random_thing
from vision.image.picture import Picture


class _Look(NamedTuple):
    """The effect of one stand on the picture: its shadows and its patch."""

    shades: tuple[Shade, ...]
    patch: Patch | None


class Scene:
    """A table of which pictures are drawn. Stands that an earlier picture had are not traced again."""

    def __init__(
        self,
        mat: Mat,
        camera: Camera,
        lamp: Lamp,
        sensor: Sensor,
        table: str,
        seed: int = 0,
        *,
        things: Sequence[Thing] = (),
        outlines: Sequence[Sequence[Point]] = (),
        hidden: Sequence[int] = (),
    ) -> None:
        self.mat = mat
        self.camera = camera
        self.lamp = lamp
        self.sensor = sensor
        self.table = table
        empty = ground(camera, lamp, mat, table, seed, things=things, outlines=outlines, hidden=hidden)
        self._ground = empty.light
        self._shade = vignette(camera.size_px, sensor.vignetting)
        self._levels = encoded(self._ground * self._shade)
        middle = camera.project(np.array([(mat.width_mm / 2, mat.height_mm / 2, 0.0)]))[0].astype(int)
        around = self._ground[middle[1] - 60 : middle[1] + 60, middle[0] - 60 : middle[0] + 60]
        self._mean = np.asarray(around.mean((0, 1)))
        self._looks: dict[Stand, _Look] = {}
        self._pictures = 0

    def picture(self, stands: Iterable[Stand], hand: Hand | None = None) -> Picture:
        """Returns a picture (H, W, 3) uint8, BGR, of the table with these stands, and with the hand if one is given."""
        self._pictures += 1
        canvas = Canvas(self._ground.copy(), self.camera, self.lamp)
        eye = self.camera.eye_mm()
        ordered = sorted(stands, key=lambda stand: -float(np.hypot(*(eye[:2] - stand.place_mm))))
        drawn = [self._look(canvas, stand) for stand in ordered]
        boxes = []
        for look in drawn:
            for shade in look.shades:
                canvas.darken(shade)
                boxes.append(shade.box_px)
        for look in drawn:
            if look.patch is not None:
                x0, y0, x1, y1 = look.patch.box_px
                part = canvas.light[y0:y1, x0:x1]
                part *= look.patch.through
                part += look.patch.added
                boxes.append(look.patch.box_px)
        if hand is not None:
            box = draw_hand(canvas, hand)
            boxes += [] if box is None else [box]
        levels = self._levels.copy()
        for x0, y0, x1, y1 in _joined(boxes):
            levels[y0:y1, x0:x1] = encoded(canvas.light[y0:y1, x0:x1] * self._shade[y0:y1, x0:x1])
        return exposed(levels, self.sensor, self._pictures)

    def _look(self, canvas: Canvas, stand: Stand) -> _Look:
        look = self._looks.get(stand)
        if look is None:
            seed = crc32(repr(stand).encode())
            drawn = patch(stand, self.camera, self.lamp, self._mean, seed)
            look = self._looks[stand] = _Look(tuple(_shades(canvas, stand)), drawn)
        return look


def _shades(canvas: Canvas, stand: Stand) -> Iterator[Shade]:
    """Yields each piece's shadow, tinted by its plastic, and the dimness right around the foot of the stand."""
    for piece, points in zip(stand.pieces, stand.solids(), strict=True):
        look = LOOKS[piece.color]
        tint = np.zeros(3) if look.opaque else np.array(look.through) * 0.9 + np.array(look.body) * 0.6
        shade = canvas.shadow(points, tint)
        if shade is not None:
            yield shade
    foot = stand.solids()[0][:4] * (1, 1, 0)
    middle = foot.mean(0)
    around = [canvas.dimness(middle + (foot - middle) * 1.25, 0.22)]
    if isinstance(stand, Upright):
        # The table inside of a shell gets light only through its walls, both from the room and from the lamp.
        look = LOOKS[stand.pieces[0].color]
        around.append(canvas.tinted(foot, np.sqrt(look.through) + np.array(look.body)))
    yield from (shade for shade in around if shade is not None)


def _joined(boxes: list[Box]) -> list[Box]:
    """Returns one box around all boxes if they overlap so much that this is less work; otherwise the boxes."""
    if not boxes:
        return []
    whole = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    area = sum((b[2] - b[0]) * (b[3] - b[1]) for b in boxes)
    return [whole] if area > 0.6 * (whole[2] - whole[0]) * (whole[3] - whole[1]) else boxes


def random_scene(
    rng: Random,
    mat: Mat,
    *,
    table: str | None = None,
    tilt_deg: float | None = None,
    lamp: str | None = None,
    things: int | None = None,
    camera: Camera | None = None,
    outlines: Sequence[Sequence[Point]] = (),
) -> Scene:
    """Returns a table with a random surface, lamp and webcam, and half of the time with things beside the mat."""
    name = table or rng.choice(tuple(SURFACES))
    middle = (mat.width_mm / 2, mat.height_mm / 2)
    camera = camera or random_camera(rng, mat, tilt_deg)
    light = random_lamp(rng, middle, lamp)
    count = rng.choice((0, 0, 0, 1, 1, 2)) if things is None else things
    beside = [random_thing(rng, mat) for _ in range(count)]
    return Scene(mat, camera, light, random_sensor(rng), name, rng.randrange(1 << 16), things=beside, outlines=outlines)
