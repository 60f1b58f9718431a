"""The scene of a picture: stacks and lying pieces, each with its place and confidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.layout import Candidate, Detection
from vision.readers.pyramids.hypothesis import Projector, StackHypothesis, outlines
from vision.readers.pyramids.sheet import Box

Floats = NDArray[Any]


class Rival(Struct, frozen=True):
    """Another candidate at the place of a found thing."""

    place: StackHypothesis
    confidence: float
    """Probability of just these sizes."""
    color_logs: Floats
    """(levels, 10) log likelihood of each color."""
    pieces: tuple[Candidate, ...] = ()
    """From the lowest up, each in its likeliest color."""
    tones: Floats | None = None
    """See `FoundPieces.tones`."""


class FoundPieces(Struct, frozen=True):
    """One stack (a lone upright piece is a stack of one) or one lying piece."""

    place: StackHypothesis
    confidence: float
    """Probability that just these sizes stand here, in this way; colors are in `levels`."""
    rivals: tuple[Rival, ...]
    """The next best guesses at the same place."""
    levels: tuple[Detection, ...]
    """Pieces from the lowest up, each as probable as all guesses together that hold it, with its runners-up."""
    color_logs: Floats
    """(levels, 10) log likelihood of each color, before any prior."""
    outline_px: Floats
    """(levels, 5, 2)."""
    box: Box
    tones: Floats | None = None
    """(levels, 3) how each level is colored, as `tones.tones` answers; None if that was not looked at."""
    shares: Floats | None = None
    """(levels, 10) the probability of each color, given these sizes; None before they were named."""
    kept: float = 0.0
    """Probability that a piece of `levels` is there if none of the guesses is right."""
    overlooked: tuple[Candidate, ...] = ()
    """Pieces that other guesses hold beside those of `levels`, each with the probability that it is there, too."""

    @property
    def lone_tone(self) -> Floats | None:
        """(3,) how one piece is colored that stands alone; None for all else, and where too little of it is seen."""
        if len(self.place.sizes) > 1 or self.place.lies or self.tones is None or not np.isfinite(self.tones).all():
            return None
        return np.asarray(self.tones[0])

    @property
    def presence(self) -> float:
        """Probability that any pyramid stands or lies here, of whatever size."""
        return min(1.0, self.confidence + sum(rival.confidence for rival in self.rivals))

    @property
    def footprint_mm(self) -> Floats:
        """(N, 2) the circle within the base of the lowest piece, or the side on which a lying one rests."""
        return self.place.footprint_mm()

    def as_rival(self) -> Rival:
        """Its best guess, as one among the others."""
        return Rival(self.place, self.confidence, self.color_logs, tones=self.tones)

    def seen_by(self, pose: Projector) -> FoundPieces:
        """The same thing as another pose sees it."""
        outline, box = outlined(self.place, pose)
        return replace(self, outline_px=outline, box=box)

    def folded(self, looks: Sequence[FoundPieces], of: int) -> FoundPieces:
        """See `vision.memory.tracked_thing.TrackedThing`; colors are those that most looks saw."""
        shares: defaultdict[tuple[object, ...], float] = defaultdict(float)
        for one in looks:
            for place, confidence in ((one.place, one.confidence), *((r.place, r.confidence) for r in one.rivals)):
                shares[place.sizes, place.lies] += confidence / of
        names = [[level.piece for level in one.levels] for one in looks]

        def rank(look: int) -> tuple[float, int, float]:
            place = looks[look].place
            return shares[place.sizes, place.lies], names.count(names[look]), looks[look].confidence

        best = looks[max(range(len(looks)), key=rank)]
        share = shares[best.place.sizes, best.place.lies]
        return replace(
            best,
            confidence=share,
            levels=tuple(_scaled(level, share / best.confidence) for level in best.levels),
            rivals=tuple(
                replace(rival, confidence=shares[rival.place.sizes, rival.place.lies]) for rival in best.rivals
            ),
        )

    def truth(self) -> dict[str, Any]:
        """The object of the labeled picture set, with confidences."""
        pieces = [
            {
                "color": level.piece.color,  # type: ignore[union-attr]
                "size": level.piece.size,  # type: ignore[union-attr]
                "confidence": round(level.confidence, 4),
            }
            for level in self.levels
        ]
        where = {"x": round(self.place.x_mm, 1), "y": round(self.place.y_mm, 1)}
        if self.place.lies:
            return {**where, "heading": round(self.place.turn_deg % 360, 1), **pieces[0]}
        return {**where, "pieces": pieces, "confidence": round(self.confidence, 4)}


class PyramidScene(Struct, frozen=True):
    """All of a picture."""

    found: tuple[FoundPieces, ...]
    patterned: bool = False
    """True if the table itself looked like pieces almost everywhere, so that only sure ones are listed."""

    @property
    def stacks(self) -> tuple[FoundPieces, ...]:
        """The standing things."""
        return tuple(f for f in self.found if not f.place.lies)

    @property
    def lying(self) -> tuple[FoundPieces, ...]:
        """The lying things."""
        return tuple(f for f in self.found if f.place.lies)

    def truth(self) -> dict[str, Any]:
        """The object of the labeled picture set."""
        return {"stacks": [f.truth() for f in self.stacks], "lying": [f.truth() for f in self.lying]}


def _scaled(sighting: Detection, by: float) -> Detection:
    """A reading with all its probabilities so many times as high."""
    return replace(
        sighting, candidates=tuple(Candidate(one.piece, min(1.0, one.probability * by)) for one in sighting.candidates)
    )


def outlined(place: StackHypothesis, pose: Projector) -> tuple[Floats, Box]:
    """(levels, 5, 2) pixels, and the box around them."""
    outline = outlines([place], pose)[0]
    flat = outline.reshape(-1, 2)
    low, high = np.floor(flat.min(axis=0)).astype(int), np.ceil(flat.max(axis=0)).astype(int)
    return outline, (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
