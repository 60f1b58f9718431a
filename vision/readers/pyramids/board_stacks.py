"""The contents of the cells of a board, chosen among the stacks that its game builds.

Where a game builds few kinds of stacks, each is laid over the picture and moved to its contours, however tall it is,
and all of one color at once. That is geometry alone, with weights of its own (`python -m simulation.drawn.tops`): of
towers of equal pieces, seen from above, the nets know little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS
from companion.core.plan import BoardStack
from vision.readers.pyramids.assignment import share_of
from vision.readers.pyramids.blind_zones import CellGrid
from vision.readers.pyramids.cells import Answers
from vision.readers.pyramids.hypothesis import StackHypothesis, outlines
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.sheet import Sheet, Viewer
from vision.readers.pyramids.weighing import Surroundings, Weigher

Floats = NDArray[Any]

FILE = "tops.npz"
"""The weights of contours among them."""
_OUTLINE = 0.01
"""The weight of a cell of plastic inside of an outline, in log odds: neighbors are alike."""
_RIVAL = 0.002
"""Guesses that are at least so probable go on beside the best one."""
_PERHAPS = 0.02
"""Stacks of colors that are less probable are not looked for."""
_NEVER = -30.0


class BoardStacks(Struct, frozen=True):
    """The stacks that a board's game builds, and where its cells are."""

    grid: CellGrid
    stacks: tuple[BoardStack, ...]

    def among(
        self, found: Sequence[FoundPieces], answers: Answers, sheet: Sheet, pose: Viewer, weigher: Weigher
    ) -> list[FoundPieces]:
        """The same things, those that stand in cells as the likeliest of the board's stacks.

        Args:
            weigher: Looks for contours with the weights of `FILE`.
        """
        return [
            self._best(one, answers, sheet, pose, weigher)
            if not one.place.lies and self.grid.spot_at(one.place.x_mm, one.place.y_mm)
            else one
            for one in found
        ]

    def _best(self, found: FoundPieces, answers: Answers, sheet: Sheet, pose: Viewer, weigher: Weigher) -> FoundPieces:
        """The best stack there; unchanged if no stack of the board has such colors."""
        place = found.place
        around = Surroundings(answers, sheet, pose, np.array([place.x_mm, place.y_mm]))
        logs = found.color_logs.mean(axis=0)
        colors = share_of(logs)
        sure = min(found.confidence + sum(rival.confidence for rival in found.rivals), 1.0)
        guesses: list[Rival] = []
        for names in dict.fromkeys(stack.colors for stack in self.stacks):
            own = np.array([color in names for color in PYRAMID_COLORS])
            if colors[own].sum() < _PERHAPS:
                continue
            shapes = [replace(place, sizes=stack.sizes) for stack in self.stacks if stack.colors == names]
            for shape, share in zip(*fitted(shapes, around, pose, weigher), strict=True):
                tones = np.tile(np.where(own, logs, _NEVER), (len(shape.sizes), 1))
                guesses.append(Rival(shape, float(share * colors[own].sum()) * sure, tones))
        if not guesses:
            return found
        best, *others = sorted(guesses, key=lambda one: -one.confidence)
        rivals = tuple(one for one in others if one.confidence > _RIVAL)
        return FoundPieces(best.place, best.confidence, rivals, (), best.color_logs, *outlined(best.place, pose))


def fitted(
    shapes: Sequence[StackHypothesis], around: Surroundings, pose: Viewer, weigher: Weigher
) -> tuple[list[StackHypothesis], Floats]:
    """Shapes at one place where their contours are, and the probability of each (N,) if it is one of them."""
    found = weigher.around(shapes, pose).fitted(shapes)
    places, features = [place for place, _ in found], np.stack([one for _, one in found])
    inside = np.array(around.scores(outlines(places, pose)))
    return places, share_of(features @ weigher.weights.standing + _OUTLINE * inside)
