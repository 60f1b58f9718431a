"""Provides a drawn game as a source of pictures, one per moment: steady, hand, steady, as in a recorded folder."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from companion.core.layout import Layout
from simulation.drawn.hand import random_hand
from simulation.drawn.scene import Scene
from simulation.drawn.standing import Stand
from simulation.drawn.step import Player, Step
from vision.image.picture import Picture
from vision.sources.source import Shot

HANDS = ((1, 6), (2, 3), (0, 1))
"""The possible numbers of pictures with a hand before a steady one, and their weights."""


class Moment(NamedTuple):
    """The truth of one picture."""

    number: int
    hand: bool
    turn: int
    """The number of the turn in the game; 0 is the beginning."""
    step: Step | None
    """The changes since the last steady picture; None at the beginning."""
    layout: Layout
    stands: tuple[Stand, ...]


def moments_of(player: Player, steps: int) -> Iterator[tuple[Moment, tuple[Stand, ...]]]:
    """Yields the steady moments of a game, each with the stands of the moment before."""
    stands = tuple(player.spread.everything())
    yield Moment(1, False, 0, None, player.spread.layout(), stands), stands
    for turn in range(1, steps + 1):
        before = stands
        step = player.step()
        if step is None:
            return
        stands = tuple(player.spread.everything())
        yield Moment(turn + 1, False, turn, step, player.spread.layout(), stands), before


class Reel:
    """A `vision.sources.source.Source` that draws the pictures of a game on demand."""

    label = "drawn game"
    live = False
    stills = True

    def __init__(self, player: Player, scene: Scene, rng: Random, steps: int) -> None:
        self._shots = self._draw(player, scene, rng, steps)
        self.shown: dict[int, Moment] = {}
        """The truth of each picture by its number."""
        self.pictures: dict[int, Picture] = {}
        """The last six pictures by number."""
        self._ended = False

    def next(self, timeout_s: float) -> Shot | None:
        """Returns the next picture; None after the last one."""
        shot = next(self._shots, None)
        self._ended = shot is None
        return shot

    def trouble(self) -> str | None:
        """Returns None: a drawn game has no trouble."""
        return None

    @property
    def ended(self) -> bool:
        """True if all pictures were delivered, or the reel was closed."""
        return self._ended

    def close(self) -> None:
        """Marks the reel as ended."""
        self._ended = True

    def _draw(self, player: Player, scene: Scene, rng: Random, steps: int) -> Iterator[Shot]:
        for steady, before in moments_of(player, steps):
            if steady.step is not None:
                counts, weights = zip(*HANDS, strict=True)
                for _ in range(rng.choices(counts, weights)[0]):
                    stands = rng.choice((before, steady.stands))
                    x, y = steady.step.place_mm
                    hand = random_hand(rng, (x + rng.uniform(-40, 40), y + rng.uniform(-30, 30)), scene.camera)
                    yield self._shot(steady._replace(hand=True, stands=stands), scene.picture(stands, hand))
            yield self._shot(steady, scene.picture(steady.stands))

    def _shot(self, moment: Moment, picture: Picture) -> Shot:
        number = len(self.shown) + 1
        self.shown[number] = moment._replace(number=number)
        self.pictures[number] = picture
        self.pictures.pop(number - 6, None)
        return Shot(number, f"picture {number}", float(number), float(number), math.inf, picture)
