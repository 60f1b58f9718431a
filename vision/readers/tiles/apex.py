"""The apex of the board: the printed bonus numbers stand upright with it up.

A third of a turn maps the bonus cells onto themselves, so only they distinguish the corners; once all nine are covered,
only memory does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.image.pose import Floats
from vision.readers.tiles.glyphs import match_signs, whiteness
from vision.readers.tiles.lattice import BONUS, CELLS
from vision.readers.tiles.patches import PX_PER_MM, Patches

_FACTORS = (2, 3, 4)
_HEIGHTS_MM = (5.5, 7.0, 8.5)
_RADIUS_MM = 7.5
_SLACK_PX = 4
_TURNS_DEG = tuple(range(0, 360, 60))
_SHARP = 12.0
"""Log odds per unit of correlation; nine printed numbers leave no doubt, one leaves little."""


def apex_odds(floors: Patches, bare: Sequence[int]) -> Floats:
    """(3,): log odds that the apex lies 0, 1 or 2 thirds of a turn counter-clockwise of the placement's.

    Args:
        floors: Patches of all 36 cells at the floor's height.
        bare: Cells without a tile; others are no evidence.
    """
    cells = [k for k in bare if k in BONUS]
    odds = np.zeros(3)
    if not cells:
        return odds
    field = whiteness(floors, round(_RADIUS_MM * PX_PER_MM) + _SLACK_PX)[cells]
    texts = [str(f) for f in _FACTORS] + [f"x{f}" for f in _FACTORS]
    found = match_signs(field, texts, _HEIGHTS_MM, _TURNS_DEG, _RADIUS_MM, _SLACK_PX, 2)
    for row, cell in zip(found, cells, strict=True):
        sign = BONUS[cell] - _FACTORS[0]
        for thirds in range(3):
            # A downward cell's patch is cut upside down.
            turn = (120 * thirds + (0 if CELLS[cell].upward else 180)) % 360 // 60
            odds[thirds] += _SHARP * max(row[sign, turn], row[sign + len(_FACTORS), turn])
    return odds
