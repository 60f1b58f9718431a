"""Cards on a table: rows, piles and columns with titles. Each card is a cell that keyboard users can reach and choose.

Spots are named "place.code" ("board.R7", "seat0.played.RO12"); a place that is a pile, or has no card, is itself a cell
under its name. Lengths are in units of a table 396 wide, so that a phone shows them at about this size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.layout import Spot
from companion.core.pieces import Card, Special
from web.scene.marks import Marks
from web.scene.pieces.dice import letters, painted
from web.scene.pieces.number_cards import HIGH, WIDE, card_back, card_code, card_words, single_card
from web.scene.shape import Attributes, BoardFrame, Point, Shape, group, label, measure, polygon, shape

TABLE = 396.0
SPANS = 12
"""The number of equal parts into which the width is divided for places side by side."""
SIZES = {"large": 46.0, "small": 30.0}
"""The widths of a card."""
_GAP = 5.0
_TITLE = 19.0
_NOTE = 15.0
_BOLD, _PLAIN = 7.9, 6.9
"""The assumed widths of a letter of a title and of a note."""
_BELOW = 9.0
_STEP_UP, _STEP_DOWN = 26.0, 6.0
"""The visible part of a covered card in a column, face up and face down."""
_POINTED = ("legal", "last", "refused", "about", "changed")
_SAID = {"legal": "possible", "last": "last move", "refused": "not allowed", "about": "in question"}


class CardPlace(Struct, frozen=True):
    """A place on the table."""

    spot: Spot
    title: str = ""
    cards: tuple[Card | Special | None, ...] = ()
    """The cards in order, the top one last; None is a face-down or unseen card."""
    note: str = ""
    """A text beside the title: a count, or a total."""
    form: Literal["row", "pile", "column", "line"] = "row"
    """A pile shows only its top card, a column shows every card overlapping, and a line shows only its title."""
    count: int | None = None
    """The number of cards in a pile, if `cards` has only its top card."""
    span: int = SPANS
    """The width in twelfths of the table."""
    size: Literal["large", "small"] = "large"
    empty: str = "empty"
    """The name of an empty place."""
    strong: bool = False
    """True if the place is highlighted, for the player on turn."""


class _Cell(Struct, frozen=True):
    """A cell that can be chosen, and its position in the picture."""

    piece: Card | Special | str | None
    """The card; None is a back, and text is an empty place."""
    spot: Spot
    words: str
    at: Point = (0.0, 0.0)
    wide: float = 0.0
    high: float = 0.0
    slim: bool = False
    """True if the cell shows only the part of a card that another card leaves free."""
    count: int = 0
    """The number of cards there, if it is shown."""


class _Brush(Struct, frozen=True):
    """The settings for drawing the cells of one picture."""

    marks: Marks
    name: str
    live: bool


def board(bands: Sequence[Sequence[CardPlace]], marks: Marks, frame: BoardFrame) -> Shape:
    """Returns the table: places side by side in a band, bands one below the other."""
    brush = _Brush(marks, frame.name, frame.live)
    y = 2.0
    parts: list[Shape] = []
    for band in bands:
        x, height = 0.0, 0.0
        for place in band:
            shapes, high = _place(place, brush, x, y)
            known: Attributes = {
                "class": "place strong" if place.strong else "place",
                "role": "row" if frame.live else None,
                "aria-label": _heading(place) if frame.live else None,
            }
            if frame.live and place.form == "line":
                shapes = [group("words", *shapes, role="gridcell", aria_label=_heading(place))]
            parts.append(shape("g", known, *shapes))
            x += place.span * TABLE / SPANS
            height = max(height, high)
        y += height + _BELOW
    return frame.around("card-table", (-4, 0, TABLE + 8, y), *parts)


def _heading(place: CardPlace) -> str:
    words = [place.title or place.spot, place.note]
    if place.form == "pile":
        words.append(card_count(len(place.cards) if place.count is None else place.count))
    elif not place.cards and place.form != "line":
        words.append(place.empty)
    return ", ".join(filter(None, words))


def card_count(count: int) -> str:
    """Returns a number of cards in words: "1 card", "12 cards"."""
    return "1 card" if count == 1 else f"{count} cards"


def _place(place: CardPlace, brush: _Brush, x: float, y: float) -> tuple[list[Shape], float]:
    """Returns the shapes of a place, and its height."""
    wide = place.span * TABLE / SPANS - _GAP
    shapes = _title(place, x, y, wide)
    top = y + _TITLE if shapes else y
    if place.title and place.note and not _shares_line(place, wide):
        top += _NOTE
    if place.form == "line":
        return shapes, top - y - _BELOW / 2
    cells = _in_column(place, x, top) if place.form == "column" else _in_rows(place, x, top, wide)
    shapes += [_cell(cell, brush) for cell in cells]
    return shapes, max(cell.at[1] + cell.high for cell in cells) - y


def _title(place: CardPlace, x: float, y: float, wide: float) -> list[Shape]:
    """Returns the title, with its note at the right end of the line, or below it if both do not fit."""
    title = f"▶ {place.title}" if place.strong else place.title
    if not place.note:
        return [_text(_cut(title, wide / _BOLD), x, y + 13, "place-title")] if title else []
    if not title:
        return [_text(_cut(place.note, wide / _PLAIN), x, y + 13, "place-note")]
    if _shares_line(place, wide):
        return [_text(title, x, y + 13, "place-title"), _text(place.note, x + wide, y + 13, "place-note", end=True)]
    return [
        _text(_cut(title, wide / _BOLD), x, y + 13, "place-title"),
        _text(_cut(place.note, wide / _PLAIN), x, y + 13 + _NOTE, "place-note"),
    ]


def _shares_line(place: CardPlace, wide: float) -> bool:
    title = len(place.title) + (2 if place.strong else 0)
    return title * _BOLD + len(place.note) * _PLAIN + 8 <= wide


def _cells(place: CardPlace) -> Iterator[_Cell]:
    """Yields the cells of a place that can be chosen, before their positions are known."""
    where = place.title or place.spot
    if not place.cards:
        yield _Cell(place.empty, place.spot, f"{where}: {place.empty}")
    elif place.form == "pile":
        top = place.cards[-1]
        count = len(place.cards) if place.count is None else place.count
        words = f"{where}: {card_words(top) if top is not None else 'face down'}, {card_count(count)}"
        yield _Cell(top, place.spot, words, count=count)
    else:
        for number, piece in enumerate(place.cards):
            if piece is None:
                yield _Cell(None, f"{place.spot}.back{number}", f"{where}: a card that is not shown")
            else:
                words = f"{where}: {card_words(piece)}, {card_code(piece)}"
                yield _Cell(piece, f"{place.spot}.{card_code(piece)}", words)


def _in_rows(place: CardPlace, x: float, y: float, wide: float) -> list[_Cell]:
    card_wide = SIZES[place.size]
    card_high = card_wide * HIGH / WIDE
    each = max(1, int((wide + _GAP) // (card_wide + _GAP)))
    return [
        replace(
            cell,
            at=(x + number % each * (card_wide + _GAP), y + number // each * (card_high + _GAP)),
            wide=card_wide,
            high=card_high,
        )
        for number, cell in enumerate(_cells(place))
    ]


def _in_column(place: CardPlace, x: float, y: float) -> list[_Cell]:
    card_wide = SIZES[place.size]
    found = []
    cells = list(_cells(place))
    for number, cell in enumerate(cells):
        covered = number < len(cells) - 1
        step = _STEP_DOWN if cell.piece is None else _STEP_UP
        high = step if covered else card_wide * HIGH / WIDE
        found.append(replace(cell, at=(x, y), wide=card_wide, high=high, slim=covered and cell.piece is not None))
        y += high
    return found


def _cell(cell: _Cell, brush: _Brush) -> Shape:
    """Returns the shape of a card, a pile or an empty place."""
    (x, y), marks = cell.at, brush.marks
    box: Attributes = {"x": x, "y": y, "width": cell.wide, "height": cell.high}
    parts: list[Shape | None] = []
    if isinstance(cell.piece, str):
        parts.append(shape("rect", {"class": "empty-place", **box}))
    elif cell.slim and isinstance(cell.piece, Card):
        parts.append(_slim(cell.piece, cell.at, cell.wide, cell.high))
    else:
        parts.append(_face(cell.piece, cell.at, cell.wide))
    if cell.count > 1:
        # A back has room for the count; beside a face-up card the count does not cover the card's number.
        beside = cell.wide - 7 if cell.piece is None else cell.wide + 5 + 3 * len(str(cell.count))
        parts += _counted(cell.count, (x + beside, y + cell.high - 8))
    kinds = [kind for kind in _POINTED if cell.spot in getattr(marks, kind)]
    parts += [shape("rect", {"class": f"pointed {kind}-sign", **box, "aria-hidden": "true"}) for kind in kinds]
    parts.append(shape("rect", {"class": "focus", **box, "aria-hidden": "true"}))
    if not brush.live:
        return group("cell card-cell", *parts)
    said = "".join(f", {_SAID[kind]}" for kind in kinds if kind in _SAID)
    known: Attributes = {
        "id": f"{brush.name}-{_slug(cell.spot)}",
        "class": "cell card-cell",
        "role": "gridcell",
        "tabindex": "-1",
        "aria-label": cell.words + said,
        "data-spot": cell.spot,
        "data-x": x + cell.wide / 2,
        "data-y": y + cell.high / 2,
    }
    return shape("g", known, *parts)


def _slim(piece: Card, at: Point, wide: float, high: float) -> Shape:
    """Returns the upper edge of a card: its letters on its color and pattern, and its number."""
    x, y = at
    field = wide * 0.5
    around = ((x + 1, y + 1), (x + field, y + 1), (x + field, y + high), (x + 1, y + high))
    paper: Attributes = {"class": "card-paper", "x": x, "y": y, "width": wide, "height": high + 4}
    middle = (x + 0.5 + field / 2, y + high / 2)
    return group(
        "card-face",
        shape("rect", paper),
        *painted(piece.color, around, middle[0]),
        polygon(around, "card-rim"),
        *letters(piece.color, middle, wide * 0.29),
        label(str(piece.rank), (x + (field + wide) / 2, y + high / 2), "card-number", wide * 0.36),
        aria_hidden="true",
    )


def _face(piece: Card | Special | None, at: Point, wide: float) -> Shape:
    """Returns a whole card; None is a back."""
    alone = card_back() if piece is None else single_card(piece)
    move = f"translate({measure(at[0])} {measure(at[1])}) scale({wide / WIDE:.4f})"
    return group("card-face", *alone.children, transform=move, aria_hidden="true")


def _counted(count: int, at: Point) -> list[Shape]:
    wide = 7.0 + 6.0 * len(str(count))
    ground: Attributes = {"class": "pile-ground", "x": at[0] - wide / 2, "y": at[1] - 8, "width": wide, "height": 16}
    return [shape("rect", ground), label(str(count), at, "pile-count", 12)]


def _text(text: str, x: float, y: float, kind: str, *, end: bool = False) -> Shape:
    known: Attributes = {"class": kind, "x": x, "y": y, "font-size": 13, "aria-hidden": "true"}
    return shape("text", {**known, "text-anchor": "end"} if end else known, text)


def _cut(text: str, room: float) -> str:
    return text if len(text) <= room else f"{text[: max(int(room) - 1, 1)]}…"


def _slug(spot: Spot) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in spot)
