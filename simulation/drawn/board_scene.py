"""Draws pictures of pawns and dice on one table with a Spectrum board or a dice tray; the motionless parts are drawn
once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.core.plan import Mat
from simulation.drawn import dice as lying_dice
from simulation.drawn import pawns as standing_pawns
from simulation.drawn.camera import Camera
from simulation.drawn.canvas import Canvas
from simulation.drawn.dice import LyingDie
from simulation.drawn.ground import ground
from simulation.drawn.hand import Hand, draw_hand
from simulation.drawn.lamp import Lamp
from simulation.drawn.pawns import StandingPawn
from simulation.drawn.sensor import Sensor, encoded, exposed, vignette
from simulation.drawn.things import Thing
from simulation.drawn.wheel import BOUGHT, Print, draw_board
from vision.image.picture import Picture
from vision.readers.pawns.wheel import Wheel


class BoardScene:
    """A table with or without a board, of which pictures are drawn."""

    def __init__(
        self,
        mat: Mat,
        camera: Camera,
        lamp: Lamp,
        sensor: Sensor,
        table: str,
        seed: int = 0,
        *,
        wheel: Wheel | None = None,
        things: Sequence[Thing] = (),
        look: Print = BOUGHT,
    ) -> None:
        self.camera = camera
        self.lamp = lamp
        self.sensor = sensor
        canvas = ground(camera, lamp, mat, table, seed, things=things)
        if wheel is not None:
            draw_board(canvas, wheel, look)
        self._ground = canvas.light
        self._shade = vignette(camera.size_px, sensor.vignetting)
        self._pictures = 0

    def picture(
        self, dice: Sequence[LyingDie], pawns: Sequence[StandingPawn] = (), hand: Hand | None = None
    ) -> Picture:
        """Returns a picture (H, W, 3) uint8, BGR, of the table with these dice and pawns, and with the hand if one is
        given.
        """
        self._pictures += 1
        canvas = Canvas(self._ground.copy(), self.camera, self.lamp)
        eye = self.camera.eye_mm()
        for die in dice:
            lying_dice.draw_shadow(canvas, die)
        for pawn in pawns:
            standing_pawns.draw_shadow(canvas, pawn)
        pieces: list[LyingDie | StandingPawn] = [*dice, *pawns]
        for piece in sorted(pieces, key=lambda one: -float(np.hypot(one.x_mm - eye[0], one.y_mm - eye[1]))):
            if isinstance(piece, LyingDie):
                lying_dice.draw_die(canvas, piece)
            else:
                standing_pawns.draw_pawn(canvas, piece)
        if hand is not None:
            draw_hand(canvas, hand)
        return exposed(encoded(canvas.light * self._shade), self.sensor, self._pictures)
