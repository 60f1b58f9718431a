"""The finder's answers for each cell, in their order."""

from __future__ import annotations

CARD, OFFSET, TURN = 0, slice(1, 3), slice(3, 5)
"""The channels: the presence of a card in the cell, the way to its middle, cosine and sine of twice its heading."""
FINDER_OUTPUTS = 5
REACH_MM = 32.0
"""The unit of the way to a card's middle."""
