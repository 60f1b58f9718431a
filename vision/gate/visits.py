"""How often hands came over each part of the table between two steady pictures."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.gate.change import Map

VISIT_S = 2.0
"""Seconds without a picture of anything over the table, after which what comes is another visit: a card is laid in one.
Chosen."""
SAME_ARM = 0.5
"""Of two pictures of one arm, the place that the smaller one hides is hidden in the other one to at least this share.
Chosen."""
VISITS_MOST = 100
"""Visits are counted up to this number."""


class Visits:
    """How often something came over each part of the table."""

    def __init__(self) -> None:
        self.counts: Map | None = None
        """(h, w) of the thumbs; None: nothing came."""
        self._now: Map | None = None
        """1 where something was during the visit that goes on."""
        self._last_s = -math.inf

    def add(self, hides: Map, t_s: float) -> None:
        """Add a picture in which something hides the table where `hides` is 1."""
        if self.counts is None or self._now is None or self.counts.shape != hides.shape:
            self.counts, self._now = np.zeros_like(hides), np.zeros_like(hides)
        elif t_s - self._last_s > VISIT_S or self._is_elsewhere(hides):
            self._now = np.zeros_like(hides)
        self._last_s = t_s
        self.counts = np.minimum(self.counts, VISITS_MOST - 1) + (hides & (1 - self._now))
        self._now = self._now | hides

    def _is_elsewhere(self, hides: Map) -> bool:
        """True if what hides the table now is not where it was during the visit: another arm."""
        assert self._now is not None
        least = min(cv2.countNonZero(hides), cv2.countNonZero(self._now))
        return cv2.countNonZero(hides & self._now) < SAME_ARM * least
