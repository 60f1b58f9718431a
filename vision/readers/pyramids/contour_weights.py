"""The weights of the features of contours (`contour_fit.FEATURES`) for guesses, as training fitted them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

FILE = "fits.npz"


class ContourWeights(NamedTuple):
    """The weight of each feature in log odds."""

    whole: Floats
    """(FEATURES,) among all guesses; unexplained lines do not count, because far more is seen through a lying piece's
    plastic than its lines show."""
    standing: Floats
    """(FEATURES,) among those that stand."""

    def odds(self, before: Floats, features: Floats, lies: NDArray[np.bool_], share: float = 1.0) -> Floats:
        """(N,) log odds of guesses from those without contours (N,), features (N, FEATURES) and whether they lie (N,).

        The first weights say how likely it is that something stands, the others what; these count a `share`, and the
        first the rest of it.
        """
        whole = before + features @ self.whole
        standing = (before + features @ (share * self.standing + (1 - share) * self.whole))[~lies]
        if len(standing):
            whole[~lies] = standing + np.logaddexp.reduce(whole[~lies]) - np.logaddexp.reduce(standing)
        return np.asarray(whole)


def load_fits(file: Path) -> ContourWeights:
    """Loads the trained weights."""
    with np.load(file) as kept:
        return ContourWeights(kept["whole"], kept["standing"])
