"""A deck as people have taught it: the index corners of known cards, as they look on this table and in this light.

Pictures are kept, not what a reader made of them, so that a calibration outlives the reader.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

CORNER_PX = (128, 144)
"""Width and height of a kept corner, a quarter of a millimeter a pixel; it begins a little outside of the card."""
MOST_CORNERS = 2 * (168 + 12)


class TaughtCorner(Struct, frozen=True, forbid_unknown_fields=True):
    """One index corner of a known card."""

    picture: Annotated[bytes, Meta(max_length=40_000)]
    """JPEG of `CORNER_PX`, upright."""
    rank: Annotated[int, Meta(ge=1, le=12)] | None = None
    """The rank; None if it was not stated."""
    color: Annotated[int, Meta(ge=0, le=11)] | None = None
    """The wheel index of the color; None if it was not stated."""
    special: Annotated[int, Meta(ge=0, le=11)] | None = None
    """The kind of special card; None for a number card."""


class TaughtDeck(Struct, frozen=True, forbid_unknown_fields=True):
    """The known corners."""

    corners: Annotated[tuple[TaughtCorner, ...], Meta(max_length=MOST_CORNERS)] = ()

    def __bool__(self) -> bool:
        return bool(self.corners)

    def with_corners(self, corners: tuple[TaughtCorner, ...]) -> TaughtDeck:
        """Returns the deck with more corners; newer corners of a card replace older ones."""
        new = {(one.rank, one.color, one.special) for one in corners}
        kept = tuple(one for one in self.corners if (one.rank, one.color, one.special) not in new)
        return TaughtDeck((*kept, *corners)[-MOST_CORNERS:])
