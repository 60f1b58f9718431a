"""The expected reading of a position.

From above every piece is its topmost pyramid (RGB-29): small while it has health, so color and size alone
show neither owner nor health. A camera sees pieces that move, come, go, or lose their last health. Players enter the
rest.
"""

from __future__ import annotations

from companion.core.layout import Detection, Layout
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Piece, Pyramid
from companion.games.regenbogen.situation import Situation

_SURE: dict[Piece | None, Detection] = {
    Pyramid(color, size): Detection.sure(Pyramid(color, size)) for color in PYRAMID_COLORS for size in PYRAMID_SIZES
}
_SURE[None] = Detection.sure(None)


def layout(situation: Situation) -> Layout:
    """Every cell with what shows on top; stores are not looked at."""
    return Layout({cell: _SURE[piece] for cell, piece in situation.tops.items()})
