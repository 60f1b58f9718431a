"""The printed Spectrum deck: 168 cards with backs, as `PRINTED` describes them (DEK-1).

The whole card has one color, with a large index in two opposite corners: the number above the letters of the color. 6
and 9 are underlined. The inks are those of the printed wheel.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.app.printing.pen import BLACK, WHITE, Ink, Pen, against, around
from companion.app.printing.sheets import Part, Run
from companion.app.printing.wheel import INKS, letters
from companion.core.pieces import WHEEL, Card, Special
from companion.core.plan import Point
from companion.games.shared.cards.deck import CODES, COPIES, PIECES, SWAPS

CARD_MM: Point = (63.0, 88.0)
BORDER_MM = 3.0
"""The white edge, which hides a slightly inaccurate cut."""
INDEX_MM, INDEX_AT_MM = 8.0, (11.0, 10.5)
"""The height of the index's digits, and the middle of its number."""
LETTERS_MM, LETTERS_AT_MM = 4.2, (11.0, 19.5)
MIDDLE_MM = 22.0
_SHORT = {
    "swap cards": "SC",
    "draw": "D",
    "reverse draw": "RD",
    "deck swap": "DS",
    "pass hand right": "PH>",
    "pass hand left": "<PH",
}
_WORDS = {
    "swap cards": "Swap cards",
    "draw": "Draw",
    "reverse draw": "Reverse draw",
    "deck swap": "Deck swap",
    "pass hand right": "Pass hand right",
    "pass hand left": "Pass hand left",
}
_NIGHT: Ink = (0.16, 0.19, 0.28)


def deck_run() -> Run:
    """Returns all cards of the deck, special ones twice."""
    parts = []
    for number, piece in enumerate(PIECES):
        parts += [card_part(piece, CODES[number])] * COPIES[number]
    return Run("Print the backs on the same sheets, cut along the lines, and put the cards into sleeves.", tuple(parts))


def card_part(piece: Card | Special, code: str) -> Part:
    """Returns one card."""

    def draw(pen: Pen) -> None:
        if isinstance(piece, Card):
            _number_card(pen, piece)
        else:
            _special(pen, piece.kind, code)

    return Part(code, CARD_MM, draw, back=_back)


def _number_card(pen: Pen, card: Card) -> None:
    ink = INKS[card.color]
    w, h = CARD_MM
    pen.rectangle((BORDER_MM, BORDER_MM), (w - 2 * BORDER_MM, h - 2 * BORDER_MM), fill=ink)
    mark = against(ink)

    def index() -> None:
        pen.text(str(card.rank), INDEX_AT_MM, INDEX_MM, ink=mark)
        if card.rank in (6, 9):
            x, y = INDEX_AT_MM
            pen.rectangle((x - 3.2, y + 4.9), (6.4, 0.8), fill=mark)
        pen.text(letters(card.color), LETTERS_AT_MM, LETTERS_MM, ink=mark)

    _both_ways(pen, index)
    pen.text(str(card.rank), (w / 2, h / 2), MIDDLE_MM, ink=mark)
    if card.rank in (6, 9):
        pen.rectangle((w / 2 - 8.4, h / 2 + 14.5), (16.8, 1.8), fill=mark)


def _special(pen: Pen, kind: str, code: str) -> None:
    w, h = CARD_MM
    pen.rectangle((BORDER_MM, BORDER_MM), (w - 2 * BORDER_MM, h - 2 * BORDER_MM), line=BLACK, width_mm=0.6)
    swapped = next((pair for pair in SWAPS if kind == f"swap {WHEEL[pair[0]]}/{WHEEL[pair[1]]}"), None)
    middle = (w / 2, 40.0)
    _wheel(pen, middle, 18.0, 9.0, swapped)
    if swapped is None:
        pen.text(_WORDS[kind], (w / 2, 67.0), 4.6, widest_mm=34.0)
        heading = {"pass hand right": 0.0, "pass hand left": 180.0}.get(kind)
        if heading is not None:
            _arrow(pen, middle, 6.5, heading)
        short = _SHORT[kind]
        _both_ways(pen, lambda: pen.text(short, (4.6, 10.5), 6.0 if len(short) < 3 else 4.4, side="left"))
        return
    one, other = (letters(WHEEL[color]) for color in swapped)
    pen.text("SWAP", (w / 2, 67.0), 5.5)
    for turn in (0.0, 180.0):
        _arrow(pen, middle, 6.5, 90.0 - 30.0 * swapped[0] + turn)

    def index() -> None:
        pen.text(one, INDEX_AT_MM, 6.2)
        pen.line((7.0, 15.4), (15.0, 15.4), BLACK, 0.6)
        pen.text(other, (INDEX_AT_MM[0], 20.3), 6.2)

    _both_ways(pen, index)


def _both_ways(pen: Pen, index: Callable[[], None]) -> None:
    """Draws the index in the top left corner and, turned by half a turn, in the opposite corner."""
    index()
    with pen.moved(CARD_MM, 180.0):
        index()


def _wheel(pen: Pen, middle: Point, outer_mm: float, inner_mm: float, lit: tuple[int, int] | None) -> None:
    for color, name in enumerate(WHEEL):
        ink = INKS[name]
        if lit is not None and color not in lit:
            ink = (0.9, 0.9, 0.9)
        start = 90.0 - 30 * color + 15
        rim = [around(middle, outer_mm, start - 3 * k) for k in range(11)]
        pen.polygon([middle, *rim], fill=ink)
        away = (outer_mm + inner_mm) / 2
        pen.text(letters(name), around(middle, away, start - 15), 2.0, ink=against(ink))
    pen.circle(middle, inner_mm, fill=WHITE)
    pen.circle(middle, outer_mm, line=BLACK, width_mm=0.4)


def _arrow(pen: Pen, middle: Point, long_mm: float, heading_deg: float) -> None:
    tip = around(middle, long_mm, heading_deg)
    neck = around(middle, long_mm * 0.5, heading_deg)
    pen.line(around(middle, long_mm * 0.6, heading_deg + 180), neck, BLACK, 1.2)
    pen.polygon(
        (tip, around(neck, long_mm * 0.4, heading_deg + 90), around(neck, long_mm * 0.4, heading_deg - 90)), fill=BLACK
    )


def _back(pen: Pen) -> None:
    """Draws a dark back with a lattice of light diamonds, which is the same from both ends."""
    w, h = CARD_MM
    pen.rectangle((BORDER_MM, BORDER_MM), (w - 2 * BORDER_MM, h - 2 * BORDER_MM), fill=_NIGHT)
    for row in range(13):
        for column in range(9):
            x, y = w / 2 + (column - 4) * 6.0, h / 2 + (row - 6) * 6.0
            if abs(x - w / 2) < w / 2 - BORDER_MM - 2 and abs(y - h / 2) < h / 2 - BORDER_MM - 2:
                pen.polygon(((x - 2, y), (x, y - 2), (x + 2, y), (x, y + 2)), fill=(0.55, 0.62, 0.78))
