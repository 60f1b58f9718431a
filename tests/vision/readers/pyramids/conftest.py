"""A simple camera for tests of guesses and fits."""

from __future__ import annotations

import numpy as np
import pytest


class FromAbove:
    """A camera infinitely high: two pixels a millimeter."""

    def project(self, points_mm: np.ndarray) -> np.ndarray:
        return np.asarray(points_mm)[:, :2] * 2.0

    def unproject(self, points_px: np.ndarray, z_mm: float = 0.0) -> np.ndarray:
        return np.asarray(points_px) / 2.0

    def eye_mm(self) -> np.ndarray:
        return np.array([0.0, 0.0, 1e6])


@pytest.fixture
def above() -> FromAbove:
    return FromAbove()
