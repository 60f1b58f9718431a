"""What stands in the cells of a board, weighed among the stacks that its game builds.

Where a game builds few kinds of stacks, each is laid over the picture and moved to its edges, however tall it is, and
all of one color at once. That is geometry alone, with weights of its own (`python -m simulation.drawn.tops`): of towers
of equal pieces, seen from above, the nets know little.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLORS
from companion.plan import BoardStack
from vision.pyramids.answers import Answers
from vision.pyramids.assignment import share_of
from vision.pyramids.board_cells import CellGrid
from vision.pyramids.fit import Surroundings
from vision.pyramids.hypothesis import StackHypothesis, outlines
from vision.pyramids.scene import FoundPieces, Rival, outlined
from vision.pyramids.sheet import Sheet, Viewer
from vision.pyramids.weighing import Weigher

Floats = NDArray[Any]

FILE = "tops.npz"
"""What edges count among them."""
OUTLINE = 0.01
"""A cell of plastic inside of an outline: neighbors say much the same."""
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

        :param weigher: looks for edges with the weights of `FILE`.
        """
        return [
            self._best(one, answers, sheet, pose, weigher)
            if not one.place.lies and self.grid.spot_at(one.place.x_mm, one.place.y_mm)
            else one
            for one in found
        ]

    def _best(self, found: FoundPieces, answers: Answers, sheet: Sheet, pose: Viewer, weigher: Weigher) -> FoundPieces:
        place = found.place
        around = Surroundings(answers, sheet, pose, np.array([place.x_mm, place.y_mm]))
        logs = found.color_logs.mean(axis=0)
        colors = share_of(logs)
        guesses: list[Rival] = []
        for names, stacks in groupby(self.stacks, key=lambda stack: stack.colors):
            own = np.array([color in names for color in PYRAMID_COLORS])
            if colors[own].sum() < _PERHAPS:
                continue
            shapes = [replace(place, sizes=tuple(stack.sizes)) for stack in stacks]
            for shape, share in zip(*fitted(shapes, around, pose, weigher), strict=True):
                tones = np.tile(np.where(own, logs, _NEVER), (len(shape.sizes), 1))
                guesses.append(Rival(shape, float(share * colors[own].sum()), tones))
        sure = min(found.confidence + sum(rival.confidence for rival in found.rivals), 1.0)
        guesses = [replace(one, confidence=one.confidence * sure) for one in guesses]
        best, *others = sorted(guesses, key=lambda one: -one.confidence)
        rivals = tuple(one for one in others if one.confidence > _RIVAL)
        return FoundPieces(best.place, best.confidence, rivals, (), best.color_logs, *outlined(best.place, pose))


def fitted(
    shapes: Sequence[StackHypothesis], around: Surroundings, pose: Viewer, weigher: Weigher
) -> tuple[list[StackHypothesis], Floats]:
    """Shapes at one place where their edges are, and the probability of each (N,) if it is one of them."""
    placed, features, scores = weighed(shapes, around, pose, weigher)
    return placed, share_of(features @ weigher.weights + scores)


def weighed(
    shapes: Sequence[StackHypothesis], around: Surroundings, pose: Viewer, weigher: Weigher
) -> tuple[list[StackHypothesis], Floats, Floats]:
    """Shapes at one place where their edges are; the features (N, edges.FEATURES) of those, and what outlines count
    (N,)."""
    found = weigher.edges_around(shapes, pose).fitted(shapes, pose)
    places = [place for place, _ in found]
    scores = OUTLINE * np.array([around.score(outline) for outline in outlines(places, pose)])
    return places, np.stack([features for _, features in found]), scores
