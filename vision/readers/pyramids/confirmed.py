"""Colors as this table shows them, learned from known pieces and from readings that the game has confirmed.

A lamp or a dye that drawn pictures did not foresee shifts all readings of a color alike. So one offset for each color
is learned: the one that makes the confirmed names likeliest, drawn to zero while few are known (logistic regression on
offsets alone, with a Gaussian prior). The look of lone pieces is kept as the tones of the table.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS
from vision.calibration.known_tone import KnownTone
from vision.readers.pyramids.table_tones import UNKNOWN

Floats = NDArray[Any]

KEPT = 400
"""So many confirmed pieces are remembered, the newest ones."""
_SIGMA = 1.5
"""One sigma of an offset before anything was confirmed, in log likelihood."""
_ROUNDS = 30
_RATE = 0.5


class ConfirmedColors:
    """The learned colors of one table."""

    def __init__(self, start: Sequence[float] = (), tones: Sequence[KnownTone] = ()) -> None:
        """`start` are earlier offsets from a sampler; they are the prior of the new ones.

        `tones` (10) were learned before, too.
        """
        self.tones = tuple(tones or UNKNOWN)
        """(10,) what lone pieces of each color look like here."""
        self._start = np.array(start or np.zeros(len(PYRAMID_COLORS)), np.float64)
        self.offsets = self._start
        """(10,) the offset of each color's log likelihood."""
        self._known: deque[tuple[Floats, int]] = deque(maxlen=KEPT)

    def learn_tone(self, tone: Floats, name: int) -> None:
        """A lone piece whose color is certain, with its tone (3,)."""
        self.tones = (*self.tones[:name], self.tones[name].with_piece(tone), *self.tones[name + 1 :])

    def learn(self, color_logs: Floats, names: Sequence[int]) -> None:
        """Pieces whose colors are certain: `color_logs` (N, 10) log likelihoods as they were read, `names` N colors."""
        self._known.extend(zip(np.asarray(color_logs, dtype=np.float64), names, strict=True))
        if not self._known:
            return
        seen = np.stack([tone for tone, _ in self._known])
        true = np.eye(len(PYRAMID_COLORS))[[name for _, name in self._known]]
        offsets = self.offsets
        for _ in range(_ROUNDS):
            share = np.exp(seen + offsets - (seen + offsets).max(axis=1, keepdims=True))
            share /= share.sum(axis=1, keepdims=True)
            slope = (true - share).sum(axis=0) - (offsets - self._start) / _SIGMA**2
            curve = (share * (1 - share)).sum(axis=0) + 1 / _SIGMA**2
            offsets = offsets + _RATE * slope / curve
        self.offsets = offsets
