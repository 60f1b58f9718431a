"""Close looks at places of one sheet, and their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES
from vision.image.pose import Pose
from vision.readers.pyramids.answers import Answers
from vision.readers.pyramids.closeup import Closeup, CloseupShown, cut
from vision.readers.pyramids.crops import closeups, crops
from vision.readers.pyramids.fit import Surroundings
from vision.readers.pyramids.naming import Named, Namer
from vision.readers.pyramids.scene import FoundPieces, Rival, outlined
from vision.readers.pyramids.sheet import Sheet
from vision.readers.pyramids.weighing import Weigher, color_logs, joined, weigh

Floats = NDArray[Any]
Look = tuple[Closeup, Named]
Scored = tuple[float, FoundPieces]
"""A found thing, and its log odds before contours."""

LONE = 2
"""Taller stacks are not taken for a piece that lies."""
_BELIEVED = 0.6
"""A place where something is at least so probable holds something."""
_SHOWN = 0.3
"""Less of a thing's outline shows only something taller in front of it."""
_PLAIN = 0.9
"""A surer standing thing is not taken for a lying piece."""
_CLEARER = 5.0
"""So many more log odds of plastic that a place is looked at again."""
_RIVALS, _RIVAL = 10, 0.0005
"""The number of guesses that go on beside the best one, and their least probability: their bands may decide otherwise.
"""


class Looking(Struct, frozen=True):
    """A sheet that is looked at closely."""

    answers: Answers
    shown: CloseupShown
    sheet: Sheet
    pose: Pose
    weigher: Weigher
    namer: Namer

    def near(self, places_mm: Floats) -> list[Look]:
        """Looks at places (N, 2) or, where a first look says that it missed by much, at the place that it means."""
        return crops(places_mm, self.shown, self.sheet, self.pose, self.namer)

    def just_at(self, places_mm: Floats) -> list[Look]:
        """Looks at places (N, 2) that are known to be right."""
        closes = closeups(places_mm, self.sheet, self.pose)
        names = self.namer(np.stack([cut(self.shown, close) for close in closes]))
        return [(close, replace(name, shift_px=np.zeros(2))) for close, name in zip(closes, names, strict=True)]

    def found(self, looks: Sequence[Look], occupied: bool = False) -> Scored | None:
        """The best guess of several looks at one thing, which may be in any of their places, and its rivals.

        None if "no thing" is likelier, unless the place is `occupied`.
        """
        told = [weigh(close, named, self.answers, self.sheet, self.pose) for close, named in looks]
        weighed = joined([one for _, one in told])
        if weighed.something < _BELIEVED and not occupied:
            return None
        places, share = self.weigher(weighed, self.pose)
        look = np.repeat(np.arange(len(looks)), [len(one.places) for _, one in told])
        first, *others = (int(k) for k in np.argsort(-share)[: _RIVALS + 1])
        best = places[first]
        if told[look[first]][0].shown(best) < _SHOWN and not occupied:
            return None

        def colors(k: int) -> Floats:
            return color_logs(looks[look[k]][1], told[look[k]][0], places[k])

        rivals = [Rival(places[k], float(share[k]), colors(k)) for k in others if share[k] > _RIVAL]
        found = FoundPieces(best, float(share[first]), tuple(rivals), (), colors(first), *outlined(best, self.pose))
        return float(weighed.logs.max()), found

    def all_near(self, places_mm: Floats) -> list[Scored]:
        """The things near places (N, 2); a place where a thing may lie instead of standing is looked at, too."""
        found: list[Scored] = []
        second: list[tuple[int, Look, Floats]] = []
        for look in self.near(places_mm):
            one = self.found([look])
            if one is None:
                continue
            other = self._other_place(one[1])
            if other is not None:
                second.append((len(found), look, other))
            found.append(one)
        if second:
            again = self.near(np.array([other for _, _, other in second]))
            for (k, first, _), look in zip(second, again, strict=True):
                found[k] = self.found([first, look]) or found[k]
        return found

    def _other_place(self, found: FoundPieces) -> Floats | None:
        """The place of a lying piece, if it explains the plastic better than the thing found standing there alone."""
        if found.place.lies or len(found.place.sizes) > LONE or found.confidence > _PLAIN:
            return None
        place = np.array([found.place.x_mm, found.place.y_mm])
        around = Surroundings(self.answers, self.sheet, self.pose, place)
        fit = around.lying(place, PYRAMID_SIZES)
        if fit.score < around.best([found.place]).score + _CLEARER:
            return None
        return np.array([fit.place.x_mm, fit.place.y_mm])
