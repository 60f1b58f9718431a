"""What the finder answers for each cell, in the order in which it does."""

from __future__ import annotations

CARD, OFFSET, TURN = 0, slice(1, 3), slice(3, 5)
"""Whether the cell shows a card, the way to that card's middle, and the cosine and the sine of twice its heading."""
FINDER_OUTPUTS = 5
REACH_MM = 32.0
"""The way to a card's middle is told in multiples of this."""
