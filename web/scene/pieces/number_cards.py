"""Cards of the Spectrum deck as scenes: color, letters, pattern and number; a color swap card shows both colors."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.pieces import WHEEL, Card, Special
from companion.games.shared.cards.deck import CODES, PIECES, SWAPS
from web.scene.pieces.dice import letters, painted
from web.scene.shape import Attributes, Point, Shape, label, polygon, shape

WIDE, HIGH = 30.0, 42.0

NUMBER_CODES: Mapping[str, Card | Special] = dict(zip(CODES, PIECES, strict=True))
"""The card of each code in notation: "RO3", "swap R/G"."""
_CODE = {piece: code for code, piece in NUMBER_CODES.items()}
_ARROWS = {"left": "← left", "right": "right →"}
_SWAPPED = {f"swap {WHEEL[one]}/{WHEEL[other]}": (WHEEL[one], WHEEL[other]) for one, other in SWAPS}


def card_code(piece: Card | Special) -> str:
    """Returns the code of a card.

    Raises:
        KeyError: The deck has no such card.
    """
    return _CODE[piece]


def card_words(piece: Card | Special) -> str:
    """Returns a card in words: "red-orange 3"."""
    return f"{piece.color} {piece.rank}" if isinstance(piece, Card) else piece.kind


def single_card(piece: Card | Special) -> Shape:
    """Returns a card alone, face up."""
    known = {"class": "single card-single", "viewBox": f"-1 -1 {WIDE + 2:g} {HIGH + 2:g}", "aria-hidden": "true"}
    return shape("svg", {**known, "focusable": "false"}, *_face(piece))


def sign_card(code: str) -> Shape:
    """A card of which a color ("GB") or a number ("7") is stated, the rest left open."""
    known = {"class": "single card-single", "viewBox": f"-1 -1 {WIDE + 2:g} {HIGH + 2:g}", "aria-hidden": "true"}
    return shape("svg", {**known, "focusable": "false"}, *sign_parts(code))


def sign_parts(code: str) -> list[Shape]:
    """The parts of such a card."""
    parts = [_paper("card-paper")]
    color = next((name for name in WHEEL if "".join(part[0].upper() for part in name.split("-")) == code), None)
    if color is None:
        return [*parts, label(code, (WIDE / 2, 30), "card-number", 17)]
    return [*parts, *_field(color, _box(3, 3, WIDE - 6, 16), 9.0)]


def card_back() -> Shape:
    """Returns a face-down card."""
    known = {"class": "single card-single", "viewBox": f"-1 -1 {WIDE + 2:g} {HIGH + 2:g}", "aria-hidden": "true"}
    mark = label("?", (WIDE / 2, HIGH / 2), "card-hidden", 18)
    return shape("svg", {**known, "focusable": "false"}, _paper("card-back"), mark)


def _paper(kind: str) -> Shape:
    return shape("rect", {"class": kind, "x": 0, "y": 0, "width": WIDE, "height": HIGH})


def _box(left: float, top: float, wide: float, high: float) -> tuple[Point, ...]:
    return (left, top), (left + wide, top), (left + wide, top + high), (left, top + high)


def _face(piece: Card | Special) -> list[Shape]:
    parts = [_paper("card-paper")]
    if isinstance(piece, Card):
        parts += _field(piece.color, _box(3, 3, WIDE - 6, 16), 9.0)
        return [*parts, label(str(piece.rank), (WIDE / 2, 30), "card-number", 17)]
    colors = _SWAPPED.get(piece.kind)
    if colors is None:
        words = [_ARROWS.get(word, word) for word in piece.kind.split()]
        top = HIGH / 2 - 4.5 * (len(words) - 1)
        return [*parts, *(label(word, (WIDE / 2, top + 9 * i), "card-words", 6.8) for i, word in enumerate(words))]
    for color, top in zip(colors, (3.0, 24.0), strict=True):
        parts += _field(color, _box(3, top, WIDE - 6, 15), 8.0)
    around: Attributes = {"class": "card-swap", "d": "M9 20l-3 1.6 3 1.6M6 21.6h18M21 20l3 1.6-3 1.6"}
    return [*parts, shape("path", around)]


def _field(color: str, around: tuple[Point, ...], size: float) -> list[Shape]:
    middle = (WIDE / 2, (around[0][1] + around[2][1]) / 2)
    return [*painted(color, around, WIDE / 2), polygon(around, "card-rim"), *letters(color, middle, size)]
