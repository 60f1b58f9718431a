"""The things that stand on a table during its set-up, each with its name and its outline."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.foundation.errors import NoBoard
from companion.core.pieces import Pyramid
from vision.domains import domain_reader
from vision.readers.pyramids.reader import read_pyramids
from vision.readers.pyramids.scene import FoundPieces
from vision.registration.registered_image import RegisteredImage

Floats = NDArray[Any]


class StandingThing(NamedTuple):
    """A piece or a stack on the table."""

    name: str
    outline_px: Floats
    """(..., 2): pixels of the working picture."""

    def is_like(self, other: StandingThing, px: float) -> bool:
        """True if both have the same name and are within `px` pixels."""
        way = (one.outline_px.reshape(-1, 2).mean(axis=0) for one in (self, other))
        return self.name == other.name and float(np.hypot(*(next(way) - next(way)))) <= px


def things_on(table: RegisteredImage, domain: str, sure: float) -> tuple[StandingThing, ...]:
    """Returns the things on the table with at least this confidence; none if the table's pattern looks like pieces."""
    if domain == "pyramids":
        scene = read_pyramids(table).scene
        return () if scene.patterned else tuple(_pyramids(one) for one in scene.found if one.confidence > sure)
    try:
        marks = domain_reader(domain)(table).marks()
    except NoBoard:
        return ()
    there = [mark for mark in marks if mark.kind == "read" and mark.confidence > sure]
    outlines = [(np.array(mark.outline_px) + 0.5) * table.factor - 0.5 for mark in there]
    return tuple(StandingThing(mark.label, outline) for mark, outline in zip(there, outlines, strict=True))


def _pyramids(found: FoundPieces) -> StandingThing:
    names = [f"{p.color} {p.size}" if isinstance(p := level.piece, Pyramid) else "piece" for level in found.levels]
    return StandingThing(" on ".join(reversed(names)), found.outline_px)
