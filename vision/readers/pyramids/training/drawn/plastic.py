"""The effect of plastic on light, color by color.

Seen over tables of many reflectances, a single piece reflects a + b x table in each channel: a is the light that its
walls scatter, b the share that goes through four walls (down to the table and up again). The pairs below were fitted to
labeled pictures and are varied at random for training, so that no net learns them by heart.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_COLORS

Floats = NDArray[Any]

# color: (a, b) for R, G, B
_MEASURED: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "red": ((0.13, 0.012, 0.012), (0.34, 0.07, 0.07)),
    "orange": ((0.21, 0.045, 0.010), (0.34, 0.16, 0.07)),
    "yellow": ((0.20, 0.135, 0.014), (0.34, 0.28, 0.09)),
    "green": ((0.008, 0.065, 0.014), (0.10, 0.24, 0.13)),
    "cyan": ((0.012, 0.08, 0.105), (0.11, 0.26, 0.29)),
    "blue": ((0.008, 0.018, 0.13), (0.10, 0.12, 0.25)),
    "purple": ((0.045, 0.014, 0.08), (0.18, 0.09, 0.20)),
    "clear": ((0.13, 0.15, 0.16), (0.42, 0.40, 0.38)),
    "black": ((0.016, 0.016, 0.018), (0.0, 0.0, 0.0)),
    "white": ((0.62, 0.61, 0.58), (0.0, 0.0, 0.0)),
}
OPAQUE = ("black", "white")


def measured_dyes() -> tuple[Floats, Floats]:
    """(10, 3) own light and (10, 3) share of the table's, B, G, R, in the order of `PYRAMID_COLORS`."""
    own, share = np.array([_MEASURED[name] for name in PYRAMID_COLORS]).transpose(1, 0, 2)[..., ::-1]
    return own, share


class Plastic(NamedTuple):
    """One color's walls, channels B, G, R."""

    scatter: Floats
    """(3,) share of the light on a wall that it scatters."""
    density: Floats
    """(3,) optical density of a wall that is crossed straight on; inf for opaque plastic."""


def random_plastics(random: np.random.Generator) -> tuple[Plastic, ...]:
    """One set of pieces as some maker dyed it, in the order of `PYRAMID_COLORS`."""
    found = []
    shared = random.normal(0, 0.15)
    for name in PYRAMID_COLORS:
        a, b = (np.array(values[::-1]) for values in _MEASURED[name])
        scatter = a * np.exp(random.normal(0, 0.18) + random.normal(0, 0.12, 3))
        if name in OPAQUE:
            level = scatter if name == "black" else np.minimum(scatter * 1.25, 0.92)
            found.append(Plastic(level * (1.6 if name == "black" else 1.0), np.full(3, np.inf)))
            continue
        density = -np.log(b) / 4 * np.exp(shared + random.normal(0, 0.12) + random.normal(0, 0.08, 3))
        found.append(Plastic(scatter / (1 + np.exp(-2 * density)) * 1.65, density))
    return tuple(found)
