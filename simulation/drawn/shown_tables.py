"""Draws tables as a person shows them: empty several times, with a sampler, and then with things."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.core.pieces import Pyramid
from companion.core.plan import Mat
from vision.calibration.calibration import Calibration
from vision.readers.pyramids.training.drawn.arrangement import Thing
from vision.readers.pyramids.training.drawn.tables import NAMES, DrawnTable
from vision.setup.calibrating import calibrate

Picture = NDArray[np.uint8]

_EMPTIES = 3
"""The number of pictures that show the table empty, the same as in a set-up."""


class ShownTable(Struct, frozen=True):
    """The drawn pictures of one table."""

    family: str
    mat: Mat
    empties: tuple[Picture, ...]
    sampler: tuple[Picture, list[list[Pyramid]]]
    stills: tuple[tuple[Picture, tuple[Thing, ...]], ...]

    def calibration(self) -> Calibration:
        """Returns the calibration from the empty pictures and the sampler.

        Raises:
            CompanionError: The markers are not found.
        """
        return calibrate("pyramids", self.mat, self.empties, self.sampler).calibration


def shown_table(family: str, seed: int, stills: int, folder: Path | None = None) -> ShownTable:
    """Returns a table of a family, or `ORDINARY`.

    Args:
        stills: The number of pictures with things.
        folder: The folder in which tables are kept; a table is drawn only if it is not there.
    """
    path = None if folder is None else folder / f"{family.replace(' ', '-')}-{seed}-{stills}.pickle"
    if path is not None and path.exists():
        kept = pickle.loads(path.read_bytes())
        assert isinstance(kept, ShownTable), path
        return kept
    table = DrawnTable(family, np.random.default_rng([seed, NAMES.index(family)]))
    empties = tuple(table.empty() for _ in range(_EMPTIES))
    shown = ShownTable(family, table.mat, empties, table.sampler(), tuple(table.still() for _ in range(stills)))
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(shown))
    return shown
