"""Boards of games without cells: zones side by side, in which pyramids and stacks are shown in rows.

Every place is one element with an id and a name, like a cell of a board, so the same keys reach it and a screen reader
reads it. A table has no fixed places, so pieces are shown in the order of the position, not where players put them.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.core.layout import Spot
from companion.core.pieces import Pyramid, Rock
from web.scene.marks import Marks
from web.scene.pieces.pyramids import rock, spoken, stack, stack_height
from web.scene.shape import Attributes, BoardFrame, Shape, group, label, measure, shape

__all__ = ["Item", "Section", "Zone", "board"]

CELL_MM = 29.0
_GAP_MM = 6.0
_TITLE_MM = 12.0
_NOTE_MM = 8.0
WIDTH_MM = 10 * CELL_MM + _GAP_MM


class Item(Struct, frozen=True):
    """One place: a piece, a stack, a rock, or an empty place."""

    spot: Spot
    words: str
    """The name of the place, without its contents."""
    pieces: tuple[Pyramid, ...] = ()
    """The pieces, bottom to top."""
    rock: Rock | None = None
    note: str = ""
    """A short text above the place."""
    about: str = ""
    """The meaning of the note, in words."""
    kind: str = ""
    """A class for the style sheet: "dead"."""
    mark: Spot = ""
    """The spot that marks name, if it differs from `spot`, as with equal stalks."""
    hint: str = ""
    """A text that is drawn in an empty place."""


class Zone(Struct, frozen=True):
    """A part of the table, `columns` places wide."""

    spot: Spot
    name: str
    columns: int
    items: tuple[Item, ...]


class Section(Struct, frozen=True):
    """Zones side by side under one title, such as those of a player."""

    title: str
    zones: tuple[Zone, ...]
    kind: str = ""


def board(sections: Iterable[Section], marks: Marks, frame: BoardFrame) -> Shape:
    """Returns the sections below each other."""
    drawn: list[Shape] = []
    top = 0.0
    for number, section in enumerate(sections):
        part, height = _section(section, marks, frame.name, number, top, frame.live)
        drawn.append(part)
        top += height + 5.0
    return frame.around("zones", (-3, -1, WIDTH_MM + 6, top + 2), *drawn)


def _section(section: Section, marks: Marks, name: str, number: int, top: float, live: bool) -> tuple[Shape, float]:
    parts: list[Shape] = []
    left = 0.0
    foot = top + _TITLE_MM
    heights = [_height(zone, marks) for zone in section.zones]
    tallest = max(heights)
    place = 0
    for zone in section.zones:
        width = zone.columns * CELL_MM
        ground = {"x": left, "y": foot, "width": width, "height": tallest}
        kinds = [
            "zone",
            *(kind for kind in ("last", "refused", "about", "changed") if zone.spot in getattr(marks, kind)),
        ]
        parts.append(shape("rect", {"class": " ".join(kinds), **ground, "aria-hidden": "true"}))
        above = foot
        for row in _rows(zone, marks):
            high = _row_height(row, marks)
            for column, item in enumerate(row):
                at = (left + (column + 0.5) * CELL_MM, above + high - 5)
                parts.append(_item(item, zone, marks, f"{name}-{number}-{place}", at, high, live))
                place += 1
            above += high
        left += width + _GAP_MM
    texts = [
        shape("text", {"class": f"zone-title {section.kind}", "x": 1, "y": top + 8.6, "font-size": 8.4}, section.title)
    ]
    known: Attributes = {"class": "section", "aria-hidden": "true"}
    head = shape("g", known, *texts)
    all_: Attributes = {"role": "row" if live else None, "class": "row", "aria-label": section.title if live else None}
    return group("player", head, shape("g", all_, *parts)), _TITLE_MM + tallest


def _rows(zone: Zone, marks: Marks) -> list[tuple[Item, ...]]:
    items = list(zone.items)
    ghost = marks.ghosts.get(zone.spot)
    if isinstance(ghost, Pyramid):
        items.append(Item(zone.spot, "on trial", (ghost,), kind="ghost"))
    rows = [tuple(items[at : at + zone.columns]) for at in range(0, len(items), zone.columns)]
    return rows or [()]


def _height(zone: Zone, marks: Marks) -> float:
    return sum(_row_height(row, marks) for row in _rows(zone, marks))


def _row_height(row: tuple[Item, ...], marks: Marks) -> float:
    tall = 30.0
    for item in row:
        pieces = item.pieces
        ghost = marks.ghosts.get(item.mark or item.spot)
        if isinstance(ghost, Pyramid):
            pieces = (*pieces, ghost)
        tall = max(tall, stack_height(pieces) + (_NOTE_MM if item.note else 0.0))
    return tall + 9.0


def _item(item: Item, zone: Zone, marks: Marks, place: str, at: tuple[float, float], high: float, live: bool) -> Shape:
    spot = item.mark or item.spot
    ghost = marks.ghosts.get(spot) if spot != zone.spot else None
    pointed = [kind for kind in ("legal", "last", "refused", "about", "changed") if spot in getattr(marks, kind)]
    box: Attributes = {"x": at[0] - CELL_MM / 2 + 0.5, "y": at[1] - high + 6, "width": CELL_MM - 1, "height": high - 2}
    parts: list[Shape | None] = [shape("rect", {"class": "ground", **box})]
    if item.pieces or isinstance(ghost, Pyramid):
        parts.append(stack(item.pieces, at, ghost=ghost if isinstance(ghost, Pyramid) else None))
    if item.rock is not None:
        parts.append(rock(item.rock, (at[0], at[1] - 12)))
    if not item.pieces and item.hint:
        parts.append(
            label(item.hint, (at[0], at[1] - 12), "hint", 11 if len(item.hint) == 1 else 8, aria_hidden="true")
        )
    if item.note:
        parts.append(_note(item, at, high))
    parts += [shape("rect", {"class": f"pointed {kind}-sign", **box, "aria-hidden": "true"}) for kind in pointed]
    if "refused" in pointed:
        arm = 3.0
        x, y = at[0] + CELL_MM / 2 - 6, at[1] - high + 12
        cross = f"M{measure(x - arm)} {measure(y - arm)}l{2 * arm} {2 * arm}m0 {-2 * arm}l{-2 * arm} {2 * arm}"
        parts.append(shape("path", {"class": "cross", "d": cross, "aria-hidden": "true"}))
    parts.append(shape("rect", {"class": "focus", **box, "aria-hidden": "true"}))
    kinds = ["cell", "filled" if item.pieces or item.rock else "empty", item.kind, *pointed]
    classes = " ".join(kind for kind in kinds if kind)
    if not live:
        return group(classes, *parts)
    words = [item.words, *_words(item), item.about, *(_POINTED[kind] for kind in pointed)]
    known: Attributes = {
        "id": place,
        "class": classes,
        "role": "gridcell",
        "tabindex": "-1",
        "aria-label": ", ".join(word for word in words if word),
        "data-spot": item.spot,
        "data-x": at[0],
        "data-y": at[1],
    }
    return shape("g", known, *parts)


_POINTED = {
    "legal": "allowed here",
    "last": "last move",
    "refused": "not allowed",
    "about": "in question",
    "changed": "would change",
}


def _words(item: Item) -> list[str]:
    if item.rock is not None:
        return [f"{item.rock.color} rock"]
    if not item.pieces:
        return ["" if item.hint else "empty"]
    return [" then ".join(spoken(piece) for piece in item.pieces)]


def _note(item: Item, at: tuple[float, float], high: float) -> Shape:
    middle = (at[0], at[1] - high + 11)
    width = 5.2 * len(item.note) + 5
    ground: Attributes = {
        "class": "note-ground",
        "x": at[0] - width / 2,
        "y": middle[1] - 4,
        "width": width,
        "height": 8,
    }
    return group("note", shape("rect", ground), label(item.note, middle, "note-text", 7), aria_hidden="true")
