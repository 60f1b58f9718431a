"""The tone of lone pieces of one color on a table."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

MOST = 20
"""So many pieces of a color are remembered; of more, the older ones fade."""

_Log = Annotated[float, Meta(ge=-20, le=20)]


class KnownTone(Struct, frozen=True):
    """The mean tone of some pieces."""

    tone: tuple[_Log, _Log, _Log] = (0.0, 0.0, 0.0)
    """As `vision.readers.pyramids.tones.tones` answers."""
    pieces: Annotated[int, Meta(ge=0, le=MOST)] = 0
    """Of how many; 0 if none was seen."""

    def with_piece(self, tone: NDArray[Any]) -> KnownTone:
        """The same when one more piece (3,) has been seen."""
        pieces = min(self.pieces + 1, MOST)
        mean = np.array(self.tone) + (tone - self.tone) / pieces
        return KnownTone((float(mean[0]), float(mean[1]), float(mean[2])), pieces)
